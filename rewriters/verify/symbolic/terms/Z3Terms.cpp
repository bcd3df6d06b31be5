#include "rewriters/verify/symbolic/terms/Z3Terms.h"

#include <utility>

namespace clmali::verify::symbolic {

using namespace llvm;

Z3Terms::Z3Terms(const TermStore &T, unsigned Megabytes) : T(T) {
  Z3_global_param_set("memory_max_size", std::to_string(Megabytes).c_str());
  Z3_config Config = Z3_mk_config();
  Context = Z3_mk_context(Config);
  Z3_del_config(Config);
  // Errors are read with Z3_get_error_code.
  Z3_set_error_handler(Context, [](Z3_context, Z3_error_code) {});
}

void Z3Terms::assertBounds(Z3_solver S, const Node &N, Z3_ast A) {
  auto holds = [&](Z3_ast Condition) { Z3_solver_assert(Context, S, Condition); };
  if (N.ULo > 0)
    holds(Z3_mk_bvule(Context, number(N.Width, N.ULo), A));
  if (N.UHi < maskOf(N.Width))
    holds(Z3_mk_bvule(Context, A, number(N.Width, N.UHi)));
  if (N.SLo > signedMin(N.Width))
    holds(Z3_mk_bvsle(Context, number(N.Width, uint64_t(N.SLo)), A));
  if (N.SHi < signedMax(N.Width))
    holds(Z3_mk_bvsle(Context, A, number(N.Width, uint64_t(N.SHi))));
}

std::string Z3Terms::takeProblem() {
  if (!Problem.empty())
    Terms.clear();
  return std::exchange(Problem, {});
}

Z3_ast Z3Terms::sum(Term Root, ArrayRef<Z3_ast> Ops) {
  const Node &N = T.node(Root);
  Z3_context C = Context;
  Z3_ast R = N.Imm ? number(N.Width, N.Imm) : nullptr;
  for (size_t I = 0; I < Ops.size(); I += 2) {
    Term Factor = T.operands(Root)[I + 1];
    Z3_ast X = T.isConst(Factor, 1)       ? Ops[I]
               : T.isConst(Factor, ~0ull) ? Z3_mk_bvneg(C, Ops[I])
                                          : Z3_mk_bvmul(C, Ops[I + 1], Ops[I]);
    R = R ? Z3_mk_bvadd(C, R, X) : X;
  }
  return R;
}

Z3_ast Z3Terms::apply(std::string Name, Term Root, ArrayRef<Z3_ast> Ops) {
  const Node &N = T.node(Root);
  Z3_context C = Context;
  SmallVector<Z3_sort, 4> Sorts;
  for (Term Operand : T.operands(Root)) {
    Name += "." + std::to_string(T.width(Operand));
    Sorts.push_back(Z3_mk_bv_sort(C, T.width(Operand)));
  }
  Name += ":" + std::to_string(N.Width);
  Z3_func_decl &F = Functions[Name];
  if (!F)
    F = Z3_mk_func_decl(C, Z3_mk_string_symbol(C, Name.c_str()), unsigned(Sorts.size()),
                        Sorts.data(), Z3_mk_bv_sort(C, N.Width));
  return Z3_mk_app(C, F, unsigned(Ops.size()), Ops.data());
}

/// The Z3 operation of a binary operation on bit-vectors.
static auto bitVectorOperation(Op O) -> Z3_ast (*)(Z3_context, Z3_ast, Z3_ast) {
  switch (O) {
  case Op::Mul:
    return Z3_mk_bvmul;
  case Op::UDiv:
    return Z3_mk_bvudiv;
  case Op::SDiv:
    return Z3_mk_bvsdiv;
  case Op::URem:
    return Z3_mk_bvurem;
  case Op::SRem:
    return Z3_mk_bvsrem;
  case Op::And:
    return Z3_mk_bvand;
  case Op::Or:
    return Z3_mk_bvor;
  case Op::Xor:
    return Z3_mk_bvxor;
  case Op::Shl:
    return Z3_mk_bvshl;
  case Op::LShr:
    return Z3_mk_bvlshr;
  case Op::AShr:
    return Z3_mk_bvashr;
  case Op::Concat:
    return Z3_mk_concat;
  default:
    return nullptr;
  }
}

Z3_ast Z3Terms::one(Term Root) {
  const Node &N = T.node(Root);
  SmallVector<Z3_ast, 8> Ops;
  for (Term Operand : T.operands(Root))
    Ops.push_back(Terms.lookup(Operand));
  Z3_context C = Context;
  if (Z3_ast Other = instead(Root, Ops))
    return Other;
  if (auto Operation = bitVectorOperation(N.O))
    return Operation(C, Ops[0], Ops[1]);
  switch (N.O) {
  case Op::Const:
    return number(N.Width, N.Imm);
  case Op::Var:
    return Z3_mk_const(C, Z3_mk_int_symbol(C, int(N.Imm)), Z3_mk_bv_sort(C, N.Width));
  case Op::Undef:
    Problem = "an uninitialised value";
    return number(N.Width, 0);
  case Op::Sum:
    return sum(Root, Ops);
  case Op::Ite:
    return Z3_mk_ite(C, isSet(Ops[0]), Ops[1], Ops[2]);
  case Op::Eq:
    return bit(Z3_mk_eq(C, Ops[0], Ops[1]));
  case Op::Ult:
    return bit(Z3_mk_bvult(C, Ops[0], Ops[1]));
  case Op::Slt:
    return bit(Z3_mk_bvslt(C, Ops[0], Ops[1]));
  case Op::SMin:
    return Z3_mk_ite(C, Z3_mk_bvslt(C, Ops[0], Ops[1]), Ops[0], Ops[1]);
  case Op::SMax:
    return Z3_mk_ite(C, Z3_mk_bvslt(C, Ops[0], Ops[1]), Ops[1], Ops[0]);
  case Op::UMin:
    return Z3_mk_ite(C, Z3_mk_bvult(C, Ops[0], Ops[1]), Ops[0], Ops[1]);
  case Op::UMax:
    return Z3_mk_ite(C, Z3_mk_bvult(C, Ops[0], Ops[1]), Ops[1], Ops[0]);
  case Op::Extract:
    return Z3_mk_extract(C, unsigned(N.Imm) + N.Width - 1, unsigned(N.Imm), Ops[0]);
  case Op::ZExt:
    return Z3_mk_zero_ext(C, N.Width - T.width(T.operands(Root)[0]), Ops[0]);
  case Op::SExt:
    return Z3_mk_sign_ext(C, N.Width - T.width(T.operands(Root)[0]), Ops[0]);
  case Op::Read:
    return read(Root, Ops[0]);
  case Op::Call:
    return apply(T.functionName(unsigned(N.Imm)).str(), Root, Ops);
  default:
    return number(N.Width, 0);
  }
}

Z3_ast Z3Terms::translate(Term Root) {
  std::vector<std::pair<Term, bool>> Stack{{Root, false}};
  while (!Stack.empty()) {
    auto [X, Done] = Stack.back();
    Stack.pop_back();
    if (Terms.count(X))
      continue;
    if (!Done) {
      Stack.push_back({X, true});
      for (Term Operand : T.operands(X))
        Stack.push_back({Operand, false});
      continue;
    }
    Z3_ast A = one(X);
    Terms[X] = A;
  }
  return Terms.lookup(Root);
}

} // namespace clmali::verify::symbolic
