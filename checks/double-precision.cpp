//===- double-precision.cpp ---------------------------------------------------------------===//
//
// Before: data[i] * 0.5
// After:  data[i] * 0.5f
// Limits: the fix is safe only for a literal that float represents exactly and an operation whose
//         result is rounded to float at once: double has more than twice the digits of float, so
//         rounding twice changes nothing.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/frontend/Guesses.h"
#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool isDouble(const Expr *E) {
  return E->Ty->isValue() && E->Ty->Scalar == ScalarKind::Double;
}

/// A literal of type double without a conversion.
static bool isLiteral(const Expr *E) {
  return E->K == ExprKind::FloatConst && isDouble(E) && E->Ty->isScalar() && E->Range.isValid();
}

/// A literal or an expression of literals: 3.14 * 2.0, sqrt(2.0).
static bool isConstant(const Expr *E) {
  if (E->K == ExprKind::Call)
    return isDouble(E) && !E->Ops.empty() && all_of(E->Ops, isConstant);
  if (E->K == ExprKind::Cast)
    return isConstant(E->Ops[0]) || E->Ops[0]->K == ExprKind::IntConst;
  if (E->K == ExprKind::Binary || E->K == ExprKind::Unary)
    return isDouble(E) && all_of(E->Ops, [](const Expr *X) { return isConstant(X); });
  return E->K == ExprKind::FloatConst && isDouble(E);
}

static const Expr *withoutCasts(const Expr *E) {
  while (E->K == ExprKind::Cast)
    E = E->Ops[0];
  return E;
}

/// A literal without suffix that was parsed as float: 0.5.
static bool isUnsuffixed(const Expr *E) {
  return E->K == ExprKind::FloatConst && E->Ty->Scalar == ScalarKind::Float && E->Range.isValid() &&
         !E->Text.empty() &&
         StringRef(E->Text).find_first_not_of("0123456789.eE+-") == StringRef::npos &&
         StringRef(E->Text).find_first_of(".eE") != StringRef::npos;
}

static bool isPromotedFloat(const Expr *E) {
  if (E->K == ExprKind::Select)
    return isPromotedFloat(E->Ops[1]) && isPromotedFloat(E->Ops[2]);
  return E->K == ExprKind::Cast && E->Implicit && E->C == CastOp::Convert && isDouble(E) &&
         E->Ops[0]->Ty->Scalar == ScalarKind::Float;
}

/// An integer that was converted to double because the other operand is double.
static bool isPromotedInteger(const Expr *E) {
  return E->K == ExprKind::Cast && E->Implicit && E->C == CastOp::Convert && isDouble(E) &&
         E->Ops[0]->Ty->isInteger();
}

/// The literal that makes E double: E itself, or an arm of i == j ? 1.0 : x whose other arm is a
/// literal or a float; null: another value does.
static const Expr *literalOf(const Expr *E) {
  if (E->K != ExprKind::Select || !isDouble(E))
    return isConstant(E) && !isPromotedFloat(E) ? E : nullptr;
  const Expr *A = literalOf(E->Ops[1]), *B = literalOf(E->Ops[2]);
  if ((A || isPromotedFloat(E->Ops[1])) && (B || isPromotedFloat(E->Ops[2])))
    return A ? A : B;
  return nullptr;
}

/// True if E uses a variable or a buffer that is declared as double.
static bool hasDoubleValue(const Expr *Root) {
  bool Found = false;
  walk(Root, [&](const Expr *E) {
    Found |= isDouble(E) && (E->K == ExprKind::VarRef || E->K == ExprKind::Load);
    return !Found && E->K != ExprKind::Load;
  });
  return Found;
}

/// True if only literals make E double: 0.5 * x * 0.1 with a float x.
static bool isOfLiterals(const Expr *E) {
  if (!isDouble(E) || isConstant(E) || isPromotedFloat(E) || isPromotedInteger(E))
    return true;
  bool Computes = E->K == ExprKind::Binary || E->K == ExprKind::Unary || E->K == ExprKind::Select ||
                  E->K == ExprKind::Call;
  return Computes && all_of(E->Ops, isOfLiterals);
}

static bool holdsDouble(const Type *T) {
  if (T->K == Type::Pointer || T->K == Type::Array)
    return holdsDouble(T->Elem);
  if (T->K == Type::Struct)
    return any_of(T->Fields, [](const Field &F) { return holdsDouble(F.Ty); });
  return T->isValue() && T->Scalar == ScalarKind::Double;
}

namespace {
/// Reports literals that make operations double, and else the first use of double.
class Finder {
public:
  Finder(const Kernel &K, Context &C)
      : K(K), C(C), LiteralsAreFloat(is_contained(C.module().Notes, FloatLiterals)) {}
  /// Returns whether to look at the operands of E.
  bool visit(const Expr *E);
  void reportFirst();

private:
  enum class Next { Operands, Skip, Continue };

  bool isInKernel(const Expr *E) const {
    return E->Range.File == K.Range.File && E->Range.Begin >= K.Range.Begin &&
           E->Range.End <= K.Range.End;
  }
  /// True if E is to replace First: the first expression, but one of the kernel's own text comes
  /// before one of a function that it calls, which other kernels may share.
  bool isBetter(const Expr *E, const Expr *First) const {
    return !First || (!isInKernel(First) && isInKernel(E));
  }
  Finding &reportAt(const Expr &Literal, StringRef What);
  bool reportFloatLiteral(const Expr *A, const Expr *B);
  Next reportLiteral(const Expr *Operation, const Expr *Operand, const Expr *Other, bool Rounded);
  void addFix(Finding &F, const Expr *Operation, const Expr *Operand, const Expr *Literal,
              bool Rounded, bool OfInteger);

  const Kernel &K;
  Context &C;
  bool LiteralsAreFloat;   ///< the source parses only with -cl-single-precision-constant
  std::set<uint32_t> Seen; ///< where the reported literals begin
  const Expr *Computed = nullptr, *Called = nullptr, *Converted = nullptr; ///< the first of each
};
} // namespace

/// float <- (double)x op literal
static bool roundsToFloat(const Expr *E) {
  return E->K == ExprKind::Cast && E->C == CastOp::Convert && !isDouble(E) && E->Ty->isFloat();
}

/// isgreater(x, 7.0), or sin of a double; the negative of a double; a comparison.
static bool usesDoubleInCall(const Expr *E) {
  bool Uses = E->K == ExprKind::Call || (E->K == ExprKind::Unary && hasDoubleValue(E)) ||
              (E->K == ExprKind::Binary && isComparison(E->O) &&
               (none_of(E->Ops, isConstant) || any_of(E->Ops, hasDoubleValue)));
  return Uses && E->Range.isValid() && any_of(E->Ops, isDouble);
}

/// A conversion from or to double, which is an operation in double, too.
static bool convertsDouble(const Expr *E) {
  if (E->K != ExprKind::Cast || E->C != CastOp::Convert || !E->Range.isValid())
    return false;
  const Expr *From = E->Ops[0];
  return (!isDouble(E) && isDouble(From) && hasDoubleValue(From)) ||
         (isDouble(E) && !isDouble(From) && !constantValue(From) && !isConstant(E));
}

bool Finder::visit(const Expr *E) {
  bool Rounded = roundsToFloat(E);
  const Expr *Operation = Rounded ? E->Ops[0] : E;
  if (!Called && usesDoubleInCall(E))
    Called = E;
  if (convertsDouble(E) && isBetter(E, Converted))
    Converted = E;
  if (Operation->K != ExprKind::Binary || Operation->Ops.size() != 2)
    return true;
  const Expr *A = Operation->Ops[0], *B = Operation->Ops[1];
  if (LiteralsAreFloat && reportFloatLiteral(A, B))
    return true;
  if (!isDouble(A) || !isDouble(B))
    return true;
  for (auto [Operand, Other] : {std::pair{A, B}, std::pair{B, A}})
    if (Next N = reportLiteral(Operation, Operand, Other, Rounded); N != Next::Continue)
      return N == Next::Operands;
  if (isBetter(Operation, Computed) && Operation->Ty->isFloat() && Operation->Range.isValid() &&
      !(isOfLiterals(A) && isOfLiterals(B)))
    Computed = Operation;
  return true;
}

/// Without cl_khr_fp64 an unsuffixed literal is single precision: information there.
Finding &Finder::reportAt(const Expr &Literal, StringRef What) {
  const rules::Fact *Fp64 = C.device().fact("fp64");
  Finding &F =
      C.report(Literal.Range, "where cl_khr_fp64 is present, the literal makes this " + What);
  if (Fp64 && !Fp64->Value)
    F.atMost(rules::Severity::Info);
  return F;
}

/// Where literals were parsed as float because the source does not parse otherwise: they are double
/// without the option. Returns whether one was reported.
bool Finder::reportFloatLiteral(const Expr *A, const Expr *B) {
  for (auto [Literal, Other] : {std::pair{A, B}, std::pair{B, A}})
    if (const Expr *L = withoutCasts(Literal); isUnsuffixed(L) && Other->Ty->isFloat() &&
                                               withoutCasts(Other)->K != ExprKind::FloatConst &&
                                               Seen.insert(L->Range.Begin).second) {
      reportAt(*L, "float operation double")
          .fix(Applicability::Unsafe, "a suffix f; the result changes in its last bits");
      return true;
    }
  return false;
}

/// Reports Operand if it is the literal that makes the operation double. Continue: it is not.
Finder::Next Finder::reportLiteral(const Expr *Operation, const Expr *Operand, const Expr *Other,
                                   bool Rounded) {
  const Expr *Literal = literalOf(Operand);
  // float y = 0.299 * byte; was reported with the conversion around it.
  if (Literal && isPromotedInteger(Other) && Seen.count(Literal->Range.Begin))
    return Next::Operands;
  bool OfInteger =
      Rounded && Literal == Operand && isPromotedInteger(Other) && !constantValue(Other->Ops[0]);
  if (!Literal || !Literal->Range.isValid() || (!isPromotedFloat(Other) && !OfInteger))
    return Next::Continue;
  if (!Seen.insert(Literal->Range.Begin).second)
    return Next::Skip;
  Finding &F = reportAt(*Literal, OfInteger ? "operation double, and its result is kept as float"
                                            : "float operation double");
  addFix(F, Operation, Operand, Literal, Rounded, OfInteger);
  return Next::Operands;
}

/// The suffix f. It is safe if the result cannot change.
void Finder::addFix(Finding &F, const Expr *Operation, const Expr *Operand, const Expr *Literal,
                    bool Rounded, bool OfInteger) {
  StringRef Text = C.text(Literal->Range);
  // The other arm of a selection may have a literal, too.
  bool IsOperand = Literal == Operand && isLiteral(Literal);
  bool Exact =
      IsOperand && static_cast<double>(static_cast<float>(Literal->Float)) == Literal->Float;
  bool Arithmetic = Operation->O == Op::Add || Operation->O == Op::Sub || Operation->O == Op::Mul ||
                    Operation->O == Op::Div;
  // The literal may come from a macro.
  bool Plain = !Text.empty() && Text.find_first_not_of("0123456789.eE+-") == StringRef::npos;
  if (Exact && Plain && !OfInteger && ((Rounded && Arithmetic) || isComparison(Operation->O)))
    F.fix(Applicability::Safe, "write " + Text + "f",
          {{{Literal->Range.File, Literal->Range.End, Literal->Range.End}, "f"}});
  else
    F.fix(Applicability::Unsafe,
          IsOperand ? "a suffix f; the result changes in its last bits"
                    : "the suffix f for each; the result changes in its last bits");
}

/// Reports the first operation in double. Calls and conversions count only if no operation and no
/// literal was found.
void Finder::reportFirst() {
  const Expr *First = Computed;
  if (!First && Seen.empty())
    First = Called;
  bool OnlyConverts = !First && Seen.empty() && Converted;
  if (OnlyConverts)
    First = Converted;
  SourceRange At = First ? First->Range : SourceRange();
  // The model has no long double, and Clang no operations of vectors of float with double, which
  // some compilers accept.
  for (const OpaqueNote &N : K.Opaques)
    if (!At.isValid() &&
        (StringRef(N.What).contains("long double") || N.What == "vectors of float with double"))
      At = N.Range;
  if (!At.isValid())
    return;
  Finding &F = C.report(At, OnlyConverts ? "it converts values of double precision"
                                         : "it computes in double precision");
  const rules::Fact *Fp64 = C.device().fact("fp64");
  auto IsDouble = [](const Var *V) { return holdsDouble(V->Ty); };
  if (Fp64 && !Fp64->Value && (any_of(K.Params, IsDouble) || any_of(K.Vars, IsDouble))) {
    F.cost("the drivers lack cl_khr_fp64, so the program does not build").fails();
  } else {
    F.cost("a fraction of the throughput of float");
    if (OnlyConverts)
      F.atMost(rules::Severity::Info);
  }
  // The declaration to change may be a parameter.
  for (const Var *P : K.Params)
    if (holdsDouble(P->Ty) && P->Range.isValid()) {
      F.note(P->Range, "'" + P->Name + "' is double");
      break;
    }
}

static void run(const Kernel &K, Context &C) {
  Finder F(K, C);
  for (Stmt *S : stmts(K.Body))
    forEachExpr(*S,
                [&](const Expr *Root) { walk(Root, [&](const Expr *E) { return F.visit(E); }); });
  F.reportFirst();
}

CLMALI_KERNEL_CHECK("double-precision", run);
