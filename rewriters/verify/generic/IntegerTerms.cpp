#include "rewriters/verify/generic/IntegerTerms.h"

#include "llvm/ADT/DenseSet.h"

#include <cmath>

namespace clmali::verify::generic {

using namespace llvm;
using namespace symbolic;

/// Products among which lemmas are made.
static constexpr size_t MostProducts = 24;
/// Factors of the other operand by which products that have lemmas differ: rows of a window.
static constexpr int64_t MostApart = 4;

IntegerTerms::IntegerTerms(const TermStore &T) : T(T) {
  Z3_config Config = Z3_mk_config();
  C = Z3_mk_context(Config);
  Z3_del_config(Config);
  Z3_set_error_handler(C, [](Z3_context, Z3_error_code) {});
}

IntegerTerms::~IntegerTerms() { Z3_del_context(C); }

Z3_ast IntegerTerms::power(unsigned Bits) {
  if (Bits < 63)
    return number(int64_t(1) << Bits);
  return times(number(int64_t(1) << 32), number(int64_t(1) << (Bits - 32)));
}

Z3_ast IntegerTerms::fresh() {
  const std::string Name = "n" + std::to_string(Count++);
  return Z3_mk_const(C, Z3_mk_string_symbol(C, Name.c_str()), Z3_mk_int_sort(C));
}

Z3_ast IntegerTerms::add(Z3_ast A, Z3_ast B) {
  Z3_ast Both[] = {A, B};
  return Z3_mk_add(C, 2, Both);
}

Z3_ast IntegerTerms::times(Z3_ast A, Z3_ast B) {
  Z3_ast Both[] = {A, B};
  return Z3_mk_mul(C, 2, Both);
}

void IntegerTerms::between(Term X, Z3_ast Value, Z3_ast Low, Z3_ast High) {
  side(X, Z3_mk_le(C, Low, Value));
  side(X, Z3_mk_le(C, Value, High));
}

Z3_ast IntegerTerms::any(Term X) {
  const Node &N = T.node(X);
  if (N.Width == 1) {
    const std::string Name = "b" + std::to_string(Count++);
    return Z3_mk_const(C, Z3_mk_string_symbol(C, Name.c_str()), Z3_mk_bool_sort(C));
  }
  Z3_ast V = fresh();
  between(X, V, number(N.SLo), number(N.SHi));
  return V;
}

Z3_ast IntegerTerms::unsignedValue(Term X) {
  const Node &N = T.node(X);
  if (N.Width == 1)
    return Z3_mk_ite(C, at(X), number(1), number(0));
  Z3_ast V = at(X);
  if (N.SLo >= 0)
    return V;
  return Z3_mk_ite(C, Z3_mk_lt(C, V, number(0)), add(V, power(N.Width)), V);
}

Z3_ast IntegerTerms::wrapped(Term X, Z3_ast Value, unsigned Width) {
  const Node &N = T.node(X);
  Z3_ast V = fresh();
  between(X, V, number(N.SLo), number(N.SHi));
  side(X, Z3_mk_eq(C, Value, add(V, times(fresh(), power(Width)))));
  return V;
}

IntegerTerms::Parts IntegerTerms::divide(Term X, Z3_ast Value, Z3_ast By) {
  Parts P{fresh(), fresh()};
  side(X, Z3_mk_eq(C, Value, add(times(P.Quotient, By), P.Remainder)));
  side(X, Z3_mk_le(C, number(0), P.Remainder));
  side(X, Z3_mk_lt(C, P.Remainder, By));
  return P;
}

Z3_ast IntegerTerms::ofSum(Term X) {
  const Node &N = T.node(X);
  const unsigned W = N.Width;
  Z3_ast Sum = number(signedOf(N.Imm, W));
  // Bounds of the exact sum: rounded outwards by far less than what is kept free.
  long double Low = static_cast<long double>(signedOf(N.Imm, W)), High = Low;
  ArrayRef<Term> Ops = T.operands(X);
  for (size_t I = 0; I < Ops.size(); I += 2) {
    const int64_t Factor = signedOf(T.value(Ops[I + 1]), W);
    const Node &Part = T.node(Ops[I]);
    Sum = add(Sum, times(number(Factor), at(Ops[I])));
    const auto F = static_cast<long double>(Factor);
    const long double A = F * static_cast<long double>(Part.SLo),
                      B = F * static_cast<long double>(Part.SHi);
    Low += std::min(A, B);
    High += std::max(A, B);
  }
  const long double Limit = std::ldexp(1.0L, int(W) - (W > 50 ? 2 : 1));
  if (Low >= -Limit && High < Limit)
    return Sum;
  return wrapped(X, Sum, W);
}

/// A mask of high bits. One of low bits is an extension in the store.
Z3_ast IntegerTerms::ofAnd(Term X) {
  const Term Of = T.operands(X)[0], Mask = T.operands(X)[1];
  if (!T.isConst(Mask))
    return any(X);
  const uint64_t Low = (~T.value(Mask) & maskOf(T.width(X))) + 1;
  if ((Low & (Low - 1)) != 0 || Low > uint64_t(INT32_MAX))
    return any(X);
  Z3_ast By = number(int64_t(Low));
  return times(divide(X, at(Of), By).Quotient, By);
}

Z3_ast IntegerTerms::ofExtract(Term X) {
  const Node &N = T.node(X);
  const Term Of = T.operands(X)[0];
  Z3_ast Value = at(Of);
  if (N.Imm != 0)
    Value = divide(X, Value, power(unsigned(N.Imm))).Quotient;
  const Node &Whole = T.node(Of);
  const bool Fits =
      N.Imm == 0 && Whole.SLo >= signedMin(N.Width) && Whole.SHi <= signedMax(N.Width);
  return Fits ? Value : wrapped(X, Value, N.Width);
}

Z3_ast IntegerTerms::ofDivision(Term X) {
  const Op O = T.node(X).O;
  const Term A = T.operands(X)[0], B = T.operands(X)[1];
  if (!T.isConst(B) || T.node(B).SLo <= 0)
    return any(X);
  const bool Signed = O == Op::SDiv || O == Op::SRem;
  if (Signed && !T.isNonNegative(A))
    return any(X);
  Parts P = divide(X, Signed ? at(A) : unsignedValue(A), at(B));
  return O == Op::SDiv || O == Op::UDiv ? P.Quotient : P.Remainder;
}

Z3_ast IntegerTerms::ofConcat(Term X) {
  const Term High = T.operands(X)[0], Low = T.operands(X)[1];
  if (T.width(High) == 1)
    return any(X);
  return add(times(at(High), power(T.width(Low))), unsignedValue(Low));
}

Z3_ast IntegerTerms::truth(Term X) {
  const Node &N = T.node(X);
  ArrayRef<Term> Ops = T.operands(X);
  auto isBit = [&](Term Y) { return T.width(Y) == 1; };
  switch (N.O) {
  case Op::Const:
    return N.Imm ? Z3_mk_true(C) : Z3_mk_false(C);
  case Op::And:
  case Op::Or: {
    Z3_ast Both[] = {at(Ops[0]), at(Ops[1])};
    return N.O == Op::And ? Z3_mk_and(C, 2, Both) : Z3_mk_or(C, 2, Both);
  }
  case Op::Xor:
    return Z3_mk_xor(C, at(Ops[0]), at(Ops[1]));
  case Op::Ite:
    return Z3_mk_ite(C, at(Ops[0]), at(Ops[1]), at(Ops[2]));
  case Op::Eq:
    return Z3_mk_eq(C, at(Ops[0]), at(Ops[1]));
  case Op::Ult:
    return Z3_mk_lt(C, unsignedValue(Ops[0]), unsignedValue(Ops[1]));
  case Op::Slt:
    return isBit(Ops[0]) ? any(X) : Z3_mk_lt(C, at(Ops[0]), at(Ops[1]));
  default:
    return any(X);
  }
}

Z3_ast IntegerTerms::one(Term X) {
  const Node &N = T.node(X);
  if (N.Width == 1)
    return truth(X);
  ArrayRef<Term> Ops = T.operands(X);
  auto less = [&](bool Signed) {
    return Signed ? Z3_mk_lt(C, at(Ops[0]), at(Ops[1]))
                  : Z3_mk_lt(C, unsignedValue(Ops[0]), unsignedValue(Ops[1]));
  };
  switch (N.O) {
  case Op::Const:
    return number(signedOf(N.Imm, N.Width));
  case Op::Sum:
    return ofSum(X);
  case Op::And:
    return ofAnd(X);
  case Op::Ite:
    return Z3_mk_ite(C, at(Ops[0]), at(Ops[1]), at(Ops[2]));
  case Op::SMin:
  case Op::UMin:
    return Z3_mk_ite(C, less(N.O == Op::SMin), at(Ops[0]), at(Ops[1]));
  case Op::SMax:
  case Op::UMax:
    return Z3_mk_ite(C, less(N.O == Op::SMax), at(Ops[1]), at(Ops[0]));
  case Op::ZExt:
    return unsignedValue(Ops[0]);
  case Op::SExt:
    return T.width(Ops[0]) == 1 ? any(X) : at(Ops[0]);
  case Op::Extract:
    return T.width(Ops[0]) == 1 ? any(X) : ofExtract(X);
  case Op::Concat:
    return ofConcat(X);
  case Op::UDiv:
  case Op::SDiv:
  case Op::URem:
  case Op::SRem:
    return ofDivision(X);
  default:
    return any(X);
  }
}

Z3_ast IntegerTerms::translate(Term Root) {
  SmallVector<Term, 32> Stack{Root};
  while (!Stack.empty()) {
    const Term X = Stack.back();
    if (Values.contains(X)) {
      Stack.pop_back();
      continue;
    }
    const size_t Before = Stack.size();
    for (Term Operand : T.operands(X))
      if (!Values.contains(Operand))
        Stack.push_back(Operand);
    if (Stack.size() != Before)
      continue;
    Values[X] = one(X);
    Stack.pop_back();
  }
  return at(Root);
}

void IntegerTerms::assertPair(Z3_solver S, Term P, Term Q, unsigned I, unsigned J) {
  Z3_ast Common = at(T.operands(P)[I]), Zero = number(0);
  Z3_ast A = at(T.operands(P)[1 - I]), B = at(T.operands(Q)[1 - J]), X = at(P), Y = at(Q);
  auto when = [&](Z3_ast One, Z3_ast Other, Z3_ast Then) {
    Z3_ast If[] = {One, Other};
    Z3_solver_assert(C, S, Z3_mk_implies(C, Z3_mk_and(C, 2, If), Then));
  };
  when(Z3_mk_lt(C, A, B), Z3_mk_lt(C, Zero, Common), Z3_mk_le(C, add(X, Common), Y));
  when(Z3_mk_lt(C, A, B), Z3_mk_lt(C, Common, Zero), Z3_mk_le(C, Y, add(X, Common)));
  auto whenEqual = [&](Z3_ast Other, Z3_ast Then) {
    Z3_solver_assert(C, S, Z3_mk_implies(C, Z3_mk_eq(C, B, Other), Z3_mk_eq(C, Y, Then)));
  };
  for (int64_t K = 0; K <= MostApart; ++K)
    whenEqual(add(A, number(K)), add(X, times(number(K), Common)));
  for (int64_t Block : {2, 4, 8, 16})
    whenEqual(times(A, number(Block)), times(X, number(Block)));
}

void IntegerTerms::assertProducts(Z3_solver S, ArrayRef<Term> Products) {
  const Z3_ast Zero = number(0);
  for (Term P : Products) {
    Z3_ast X = at(T.operands(P)[0]), Y = at(T.operands(P)[1]), V = at(P);
    auto when = [&](Z3_ast A, Z3_ast B, Z3_ast Then) {
      Z3_ast If[] = {A, B};
      Z3_solver_assert(C, S, Z3_mk_implies(C, Z3_mk_and(C, 2, If), Then));
    };
    Z3_ast PosX = Z3_mk_lt(C, Zero, X), PosY = Z3_mk_lt(C, Zero, Y);
    Z3_ast NegX = Z3_mk_lt(C, X, Zero), NegY = Z3_mk_lt(C, Y, Zero);
    when(PosX, PosY, Z3_mk_le(C, X, V));
    when(PosX, PosY, Z3_mk_le(C, Y, V));
    when(PosX, NegY, Z3_mk_le(C, V, Y));
    when(NegX, PosY, Z3_mk_le(C, V, X));
    when(NegX, NegY, Z3_mk_lt(C, Zero, V));
    for (Z3_ast Factor : {X, Y}) {
      Z3_ast IsZero = Z3_mk_eq(C, Factor, Zero);
      when(IsZero, IsZero, Z3_mk_eq(C, V, Zero));
    }
  }
  if (Products.size() > MostProducts)
    return;
  for (Term P : Products)
    for (Term Q : Products)
      for (unsigned I : {0u, 1u})
        for (unsigned J : {0u, 1u})
          if (P != Q && T.operands(P)[I] == T.operands(Q)[J] && T.width(P) == T.width(Q))
            assertPair(S, P, Q, I, J);
}

/// True if the product is the same as in exact arithmetic.
static bool isExact(const TermStore &T, Term Product) {
  const Node &X = T.node(T.operands(Product)[0]), &Y = T.node(T.operands(Product)[1]);
  for (__int128 A : {__int128(X.SLo), __int128(X.SHi)})
    for (__int128 B : {__int128(Y.SLo), __int128(Y.SHi)})
      if (A * B < signedMin(T.width(Product)) || A * B > signedMax(T.width(Product)))
        return false;
  return true;
}

bool IntegerTerms::follows(Term Claim, ArrayRef<Term> Given, double Seconds) {
  if (Seconds <= 0)
    return false;
  Z3_solver S = Z3_mk_solver_for_logic(C, Z3_mk_string_symbol(C, "QF_LIA"));
  Z3_solver_inc_ref(C, S);
  Z3_params P = Z3_mk_params(C);
  Z3_params_inc_ref(C, P);
  Z3_params_set_uint(C, P, Z3_mk_string_symbol(C, "timeout"), unsigned(Seconds * 1000) + 1);
  Z3_solver_set_params(C, S, P);
  Z3_solver_assert(C, S, Z3_mk_not(C, translate(Claim)));
  SmallVector<Term, 32> Stack{Claim};
  for (Term F : Given) {
    Z3_solver_assert(C, S, translate(F));
    Stack.push_back(F);
  }
  DenseSet<Term> Seen;
  std::vector<Term> Products;
  while (!Stack.empty()) {
    const Term X = Stack.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    Stack.append(T.operands(X).begin(), T.operands(X).end());
    if (auto It = Sides.find(X); It != Sides.end())
      for (Z3_ast Condition : It->second)
        Z3_solver_assert(C, S, Condition);
    if (T.node(X).O == Op::Mul && T.width(X) > 1 && isExact(T, X))
      Products.push_back(X);
  }
  assertProducts(S, Products);
  const bool Follows = Z3_solver_check(C, S) == Z3_L_FALSE && Z3_get_error_code(C) == Z3_OK;
  Z3_params_dec_ref(C, P);
  Z3_solver_dec_ref(C, S);
  return Follows;
}

} // namespace clmali::verify::generic
