//===-- test/forms/CanonicalForm.cpp - The canonical form of kernels as text --------------===//
//
// Prints the first kernel of each file as it is before blocks are tried, in terms that do not
// depend on how it is spelled, after its hash:
//
//   variables     with one definition are replaced by it, others are numbered
//   addresses     polynomials of ids, arguments and counters, in bytes
//   integers      likewise; conversions between integers that keep the value go
//   operands      of commutative operations are sorted
//   conditions    are comparisons with 0, not negated; divisions by powers of two are shifts
//   qualifiers    and names of variables do not appear
//
//   clmali-canonical-form FILE.cl...
//
// Exit code: 0, or 2 if a file could not be parsed.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Analysis.h"
#include "checks/model/frontend/Frontend.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <numeric>

using namespace clmali;
using namespace clmali::model;

namespace {

class Printer {
public:
  Printer(Module &M, Kernel &K) : A(M, K) {}
  std::string run(const Kernel &K) {
    list(K.Body, 0);
    return Text;
  }

private:
  const KernelAnalysis A;
  std::string Text;
  llvm::DenseMap<const Var *, unsigned> Numbers;
  unsigned Depth = 0;

  std::string name(const Var *V) {
    if (V->K == Var::Param)
      return V->Name;
    return "$" + std::to_string(Numbers.try_emplace(V, Numbers.size()).first->second);
  }
  std::string symbol(unsigned Sym) {
    const SymbolInfo &I = A.symbol(Sym);
    return I.E ? tree(I.E) : A.text(Poly::symbol(Sym));
  }
  std::string polynomial(const Poly &P) {
    std::vector<std::string> Terms;
    for (const auto &[Mono, Factor] : P.Terms) {
      std::vector<std::string> Factors;
      for (unsigned Sym : Mono)
        Factors.push_back(symbol(Sym));
      llvm::sort(Factors);
      std::string T = std::to_string(Factor);
      for (const std::string &F : Factors)
        T += "*" + F;
      Terms.push_back(T);
    }
    llvm::sort(Terms);
    return Terms.empty() ? "0" : llvm::join(Terms, " + ");
  }
  std::string access(const Access &Acc, const Stmt *At) {
    return name(Acc.Base) + "[" + polynomial(A.bytes(Acc, At)) +
           "]:" + std::to_string(unsigned(Acc.Elem)) + "x" + std::to_string(Acc.Lanes);
  }
  std::string expr(const Expr *E) {
    if (E->Ty->isScalar() && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) >= 32 &&
        E->K != ExprKind::Load) {
      Poly P = A.poly(E, Here);
      // An atom of its own is not expanded again.
      bool Own = P.Terms.size() == 1 && P.Terms.begin()->first.size() == 1 &&
                 A.symbol(P.Terms.begin()->first[0]).K == SymbolInfo::Atom;
      if (!Own)
        return polynomial(P);
    }
    return tree(E);
  }
  std::string tree(const Expr *E);
  std::string condition(const Expr *E, bool Holds);
  void line(unsigned Indent, const std::string &T) {
    Text += std::string(2 * Indent, ' ') + T + "\n";
  }
  void list(const StmtList &B, unsigned Indent);
  void statement(const Stmt *S, unsigned Indent);
  const Stmt *Here = nullptr;
};

/// E, a truth value, or where it does not hold.
std::string Printer::condition(const Expr *E, bool Holds) {
  if (E->K == ExprKind::Cast && E->Ty->isScalar() && E->Ops[0]->Ty->isInteger() &&
      (E->Implicit || E->Ty->Scalar == ScalarKind::Bool))
    return condition(E->Ops[0], Holds);
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
    return condition(E->Ops[0], !Holds);
  if (E->K == ExprKind::VarRef && E->V->K == Var::Temp)
    if (const Stmt *D = A.singleDef(E->V); D && D->E && D->LaneIdx.empty()) {
      const Stmt *Was = std::exchange(Here, D);
      std::string T = condition(D->E, Holds);
      Here = Was;
      return T;
    }
  if (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr)) {
    std::string X = condition(E->Ops[0], Holds), Y = condition(E->Ops[1], Holds);
    return (X < Y ? X : Y) + ((E->O == Op::LogicalAnd) == Holds ? " and " : " or ") +
           (X < Y ? Y : X);
  }
  if (E->K != ExprKind::Binary || !isComparison(E->O) || !E->Ops[0]->Ty->isScalar() ||
      !E->Ops[0]->Ty->isInteger())
    return (Holds ? "" : "not ") + tree(E);
  Op O = Holds ? E->O : inverse(E->O);
  Poly X = A.poly(E->Ops[0], Here), Y = A.poly(E->Ops[1], Here);
  Poly D = O == Op::LT || O == Op::LE ? Y - X : X - Y;
  if (O == Op::LE || O == Op::GE)
    D = D + Poly::constant(1);
  int64_t Common = 0;
  for (const auto &[Mono, Factor] : D.Terms)
    Common = std::gcd(Common, Factor);
  Poly Reduced;
  for (const auto &[Mono, Factor] : D.Terms)
    Reduced.Terms[Mono] = Factor / std::max<int64_t>(Common, 1);
  return polynomial(Reduced) + (O == Op::EQ ? " = 0" : O == Op::NE ? " != 0" : " > 0");
}

std::string Printer::tree(const Expr *E) {
  constexpr unsigned MaxDepth = 200;
  if (Depth > MaxDepth)
    return "...";
  struct Deeper {
    unsigned &D;
    Deeper(unsigned &D) : D(++D) {}
    ~Deeper() { --D; }
  } Now(Depth);
  switch (E->K) {
  case ExprKind::IntConst:
    return std::to_string(E->Int);
  case ExprKind::FloatConst:
    return std::to_string(E->Float) + "f";
  case ExprKind::VarRef:
    if (E->V->K == Var::Temp)
      if (const Stmt *D = A.singleDef(E->V); D && D->E && D->LaneIdx.empty()) {
        const Stmt *Was = std::exchange(Here, D);
        std::string T = expr(D->E);
        Here = Was;
        return T;
      }
    return name(E->V);
  case ExprKind::Load:
    return "load " + access(E->Acc, Here);
  case ExprKind::Cast: {
    const Type *To = E->Ty, *From = E->Ops[0]->Ty;
    bool Keeps = E->C == CastOp::Convert && To->isScalar() && To->isInteger() &&
                 From->isInteger() && rangeOf(To->Scalar).contains(A.range(E->Ops[0], Here));
    if (Keeps)
      return expr(E->Ops[0]);
    if (auto C = constantValue(E->Ops[0]); C && To->isScalar() && To->isFloat())
      return std::to_string(double(*C)) + "f";
    return "<" + std::to_string(unsigned(To->Scalar)) + "x" + std::to_string(To->Lanes) + E->Text +
           ">(" + expr(E->Ops[0]) + ")";
  }
  default:
    break;
  }
  if (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar()) {
    std::string C = condition(E->Ops[0], true), Not = condition(E->Ops[0], false);
    return C < Not ? C + " ? " + expr(E->Ops[1]) + " : " + expr(E->Ops[2])
                   : Not + " ? " + expr(E->Ops[2]) + " : " + expr(E->Ops[1]);
  }
  if (E->K == ExprKind::Binary && isComparison(E->O))
    if (E->Ops[0]->Ty->isScalar() && E->Ops[0]->Ty->isInteger())
      return condition(E, true);
  std::vector<std::string> Ops;
  for (const Expr *X : E->Ops)
    Ops.push_back(expr(X));
  auto C = E->K == ExprKind::Binary ? constantValue(E->Ops[1]) : std::nullopt;
  if (C && E->O == Op::Div && llvm::isPowerOf2_64(uint64_t(*C)) && A.range(E->Ops[0], Here).Lo >= 0)
    return ">>(" + Ops[0] + ", " + std::to_string(llvm::Log2_64(uint64_t(*C))) + ")";
  std::string Head = E->K == ExprKind::Binary || E->K == ExprKind::Unary ? spelling(E->O).str()
                     : E->K == ExprKind::Select                          ? "select"
                                                                         : E->Name;
  if (E->K == ExprKind::WorkItem)
    return "id" + std::to_string(unsigned(E->Query)) + std::to_string(E->Dim);
  bool Commutes = Head == "+" || Head == "*" || Head == "&" || Head == "|" || Head == "^" ||
                  Head == "min" || Head == "max" || Head == "fmin" || Head == "fmax";
  if (Commutes)
    llvm::sort(Ops);
  for (uint8_t L : E->LaneIdx)
    Head += "." + std::to_string(L);
  return Head + "(" + llvm::join(Ops, ", ") + ")";
}

void Printer::statement(const Stmt *S, unsigned Indent) {
  Here = S;
  switch (S->K) {
  case StmtKind::Decl:
  case StmtKind::Assign:
    if (S->V->K == Var::Temp && A.singleDef(S->V) == S)
      return;
    if (S->E)
      line(Indent, name(S->V) + " = " + expr(S->E));
    return;
  case StmtKind::Store:
    return line(Indent, access(S->Acc, S) + " = " + expr(S->E));
  case StmtKind::If:
    if (S->Body.empty()) {
      line(Indent, "if " + condition(S->E, false));
      return list(S->Else, Indent + 1);
    }
    line(Indent, "if " + condition(S->E, true));
    list(S->Body, Indent + 1);
    if (!S->Else.empty()) {
      line(Indent, "else");
      list(S->Else, Indent + 1);
    }
    return;
  case StmtKind::Loop:
    list(S->Init, Indent);
    Here = S;
    line(Indent, "while " + (S->E ? condition(S->E, true) : "1"));
    list(S->Body, Indent + 1);
    list(S->Step, Indent + 1);
    return;
  default:
    return line(Indent, S->Name + S->Text);
  }
}

void Printer::list(const StmtList &B, unsigned Indent) {
  for (const Stmt *S : B)
    statement(S, Indent);
}

/// The steps that bring a kernel into normal form, constant loops unrolled.
void canonicalize(Module &M, Kernel &K) {
  constexpr unsigned MaxTrips = 16, MaxNodes = 4000;
  rewrite::dropUnused({M, K});
  rewrite::splitComponents({M, K});
  rewrite::normalize({M, K});
  rewrite::scalarizeArrays(M, K);
  rewrite::useBuiltins({M, K});
  rewrite::unrollConstantLoops({M, K}, MaxTrips, MaxNodes);
  rewrite::scalarizeArrays(M, K);
  splitLiveRanges(M, K);
  rewrite::normalize({M, K});
}

} // namespace

int main(int Argc, char **Argv) {
  for (int I = 1; I < Argc; ++I) {
    llvm::Expected<ParseResult> R = parseOpenCLFile(Argv[I], {});
    if (!R || !R->M) {
      llvm::errs() << Argv[I] << ": cannot be parsed\n";
      if (!R)
        llvm::consumeError(R.takeError());
      return 2;
    }
    Kernel &K = *R->M->Kernels.front();
    canonicalize(*R->M, K);
    std::string Text = Printer(*R->M, K).run(K);
    llvm::outs() << llvm::format_hex_no_prefix(llvm::xxh3_64bits(llvm::StringRef(Text)), 16) << ' '
                 << Argv[I] << '\n'
                 << Text;
  }
  return 0;
}
