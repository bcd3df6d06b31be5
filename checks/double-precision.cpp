//===- double-precision.cpp
//--------------------------------------------------------------------===//
//
// Before: data[i] * 0.5
// After:  data[i] * 0.5f
// Limits: the fix needs a literal that float holds exactly, and one operation that is rounded back
// to
//         float at once: double has more than twice the digits, so rounding twice changes nothing.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/MacroInference.h"
#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool isDouble(const Expr *E) {
  return E->Ty->isValue() && E->Ty->Scalar == ScalarKind::Double;
}

/// A literal of type double that nobody converted.
static bool isLiteral(const Expr *E) {
  return E->K == ExprKind::FloatConst && isDouble(E) && E->Ty->isScalar() && E->Range.isValid();
}

/// A literal, or what is computed of literals: 3.14 * 2.0, sqrt(2.0)
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

/// 0.5 that became a float.
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

/// An integer that is double only because of what stands beside it.
static bool isPromotedInteger(const Expr *E) {
  return E->K == ExprKind::Cast && E->Implicit && E->C == CastOp::Convert && isDouble(E) &&
         E->Ops[0]->Ty->isInteger();
}

/// The literal that makes E double: E itself, or an arm of i == j ? 1.0 : x, whose other arm is a
/// literal or a float.
static const Expr *literalOf(const Expr *E) {
  if (E->K != ExprKind::Select || !isDouble(E))
    return isConstant(E) && !isPromotedFloat(E) ? E : nullptr;
  const Expr *A = literalOf(E->Ops[1]), *B = literalOf(E->Ops[2]);
  if ((A || isPromotedFloat(E->Ops[1])) && (B || isPromotedFloat(E->Ops[2])))
    return A ? A : B;
  return nullptr;
}

/// Is there a value below E that is double by its declaration, and no float or literal that was
/// promoted?
static bool hasDoubleValue(const Expr *Root) {
  bool Found = false;
  walk(Root, [&](const Expr *E) {
    Found |= isDouble(E) && (E->K == ExprKind::VarRef || E->K == ExprKind::Load);
    return !Found && E->K != ExprKind::Load;
  });
  return Found;
}

static bool holdsDouble(const Type *T) {
  if (T->K == Type::Pointer || T->K == Type::Array)
    return holdsDouble(T->Elem);
  if (T->K == Type::Struct)
    return any_of(T->Fields, [](const Field &F) { return holdsDouble(F.Ty); });
  return T->isValue() && T->Scalar == ScalarKind::Double;
}

static void run(const Kernel &K, Context &C) {
  bool TakenAsFloat = is_contained(C.module().Notes, FloatLiterals);
  std::set<uint32_t> Seen;
  // The first one; better, the first that stands in the kernel itself: a helper is many kernels'.
  const Expr *First = nullptr, *Called = nullptr, *Converted = nullptr;
  auto InKernel = [&](const Expr *E) {
    return E->Range.File == K.Range.File && E->Range.Begin >= K.Range.Begin &&
           E->Range.End <= K.Range.End;
  };
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        // float <- (double)x op literal
        bool Rounded =
            E->K == ExprKind::Cast && E->C == CastOp::Convert && !isDouble(E) && E->Ty->isFloat();
        const Expr *Binary = Rounded ? E->Ops[0] : E;
        // isgreater(x, 7.0), or sin of a double; its negative; a comparison
        if ((E->K == ExprKind::Call || (E->K == ExprKind::Unary && hasDoubleValue(E)) ||
             (E->K == ExprKind::Binary && isComparison(E->O) &&
              (none_of(E->Ops, isConstant) || any_of(E->Ops, hasDoubleValue)))) &&
            !Called && E->Range.isValid() && any_of(E->Ops, isDouble))
          Called = E;
        // A conversion is an operation in double, too.
        if (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Range.isValid() &&
            (!Converted || (!InKernel(Converted) && InKernel(E))) &&
            ((!isDouble(E) && isDouble(E->Ops[0]) && hasDoubleValue(E->Ops[0])) ||
             (isDouble(E) && !isDouble(E->Ops[0]) && !constantValue(E->Ops[0]) && !isConstant(E))))
          Converted = E;
        if (Binary->K != ExprKind::Binary || Binary->Ops.size() != 2)
          return true;
        const Expr *A = Binary->Ops[0], *B = Binary->Ops[1];
        // Without -cl-single-precision-constant it would not parse; a literal is double all the
        // same.
        if (TakenAsFloat)
          for (auto [Literal, Other] : {std::pair{A, B}, std::pair{B, A}})
            if (const Expr *L = withoutCasts(Literal);
                isUnsuffixed(L) && Other->Ty->isFloat() &&
                withoutCasts(Other)->K != ExprKind::FloatConst &&
                Seen.insert(L->Range.Begin).second) {
              C.report(L->Range, "the literal makes this operation on float values one in double")
                  .fix(Applicability::Unsafe, "a suffix f; the result changes in its last bits");
              return true;
            }
        if (!isDouble(A) || !isDouble(B))
          return true;
        for (auto [Operand, Other] : {std::pair{A, B}, std::pair{B, A}}) {
          const Expr *Literal = literalOf(Operand);
          // float y = 0.299 * byte;
          if (Literal && isPromotedInteger(Other) && Seen.count(Literal->Range.Begin))
            return true; // told with the conversion around it
          bool OfInteger = Rounded && Literal == Operand && isPromotedInteger(Other) &&
                           !constantValue(Other->Ops[0]);
          if (!Literal || !Literal->Range.isValid() || (!isPromotedFloat(Other) && !OfInteger))
            continue;
          if (!Seen.insert(Literal->Range.Begin).second)
            return false;
          StringRef Text = C.text(Literal->Range);
          Finding &F = C.report(
              Literal->Range,
              OfInteger ? "the literal makes this operation one in double, and its result is kept "
                          "as float"
                        : "the literal makes this operation on float values one in double");
          // The other arm of a selection may have one, too.
          bool Exact = Literal == Operand && isLiteral(Literal) &&
                       static_cast<double>(static_cast<float>(Literal->Float)) == Literal->Float;
          bool Arithmetic = Binary->O == Op::Add || Binary->O == Op::Sub || Binary->O == Op::Mul ||
                            Binary->O == Op::Div;
          // A literal from a macro stands elsewhere.
          bool Plain =
              !Text.empty() && Text.find_first_not_of("0123456789.eE+-") == StringRef::npos;
          if (Exact && Plain && !OfInteger && ((Rounded && Arithmetic) || isComparison(Binary->O)))
            F.fix(Applicability::Safe, "write " + Text + "f",
                  {{{Literal->Range.File, Literal->Range.End, Literal->Range.End}, "f"}});
          else
            F.fix(Applicability::Unsafe,
                  Literal == Operand && isLiteral(Literal)
                      ? "a suffix f; the result changes in its last bits"
                      : "the suffix f for each; the result changes in its last bits");
          return true;
        }
        if ((!First || (!InKernel(First) && InKernel(Binary))) && Binary->Ty->isFloat() &&
            Binary->Range.isValid() && !(isConstant(A) && isConstant(B)) &&
            ((!isPromotedFloat(A) && !isPromotedFloat(B)) || hasDoubleValue(A) ||
             hasDoubleValue(B)))
          First = Binary;
        return true;
      });
    });
    return true;
  });
  // What is wider still, the model does not compute with.
  if (!First && Seen.empty())
    First = Called;
  bool OnlyConverts = !First && Seen.empty() && Converted;
  if (OnlyConverts)
    First = Converted;
  SourceRange Place = First ? First->Range : SourceRange();
  // Nor does Clang mix it with vectors of float, as some compilers do.
  for (const OpaqueNote &N : K.Opaques)
    if (!Place.isValid() &&
        (StringRef(N.What).contains("long double") || N.What == "vectors of float with double"))
      Place = N.Range;
  if (!Place.isValid())
    return;
  Finding &F = C.report(Place, OnlyConverts ? "it converts values of double precision"
                                            : "it computes in double precision")
                   .cost("a fraction of the throughput of float");
  if (OnlyConverts)
    F.atMost(rules::Severity::Info);
  // What has to change may stand in the kernel's head.
  for (const Var *P : K.Params)
    if (holdsDouble(P->Ty) && P->Range.isValid()) {
      F.note(P->Range, "'" + P->Name + "' is double");
      break;
    }
}

CLMALI_KERNEL_CHECK("double-precision", run);
