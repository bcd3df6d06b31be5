//===- integer-division.cpp ------------------------------------------------------------------------===//
//
// Before: row = i / width;
// After:  (advice; for a power of two and a value that is never negative: i >> 4, i & 15)
// Limits: divisions that are the same for all work-items and stand in no loop are left alone, and so
//         are unsigned values divided by a power of two, which every compiler shifts.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Does E's value change while a loop runs, or between work-items?
static bool computedOften(const KernelAnalysis &K, const Expr *E) {
  if (!K.varies(E).uniformInLaunch())
    return true;
  bool Often = false;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Load || X->K == ExprKind::Opaque)
      Often = true;
    if (X->K == ExprKind::VarRef && X->V->K == Var::Temp && K.defs(X->V).size() > 1)
      Often = true;
    return !Often;
  });
  return Often;
}

static std::optional<int64_t> constantOf(const KernelAnalysis &K, const Expr *E) {
  if (std::optional<int64_t> C = constantValue(E))
    return C;
  return constantValue(origin(K, E));
}

static void reportDivision(const Expr *E, const Stmt *S, Context &C) {
  const KernelAnalysis &K = C.analysis();
  const Expr *Dividend = E->Ops[0], *Divisor = E->Ops[1];
  bool IsRemainder = E->O == Op::Rem;
  std::optional<int64_t> Constant = constantOf(K, Divisor);
  if (constantOf(K, Dividend) && Constant)
    return;
  bool Signed = isSigned(E->Ty->Scalar);
  if (Constant && *Constant > 0 && isPowerOf2_64(*Constant) && !Signed)
    return;
  if (Constant && (*Constant == 1 || *Constant == 0))
    return;
  if (!computedOften(K, E))
    return;

  std::string What = IsRemainder ? "the remainder" : "the quotient";
  std::string Of = " of two integers ";
  const rules::Fact *Known = C.device().fact("integer-divide-cycles");
  std::string Cost = Known && Known->Source != "E"
                         ? utostr(Known->Value) + " cycles"
                         : std::string("a sequence of instructions, for there is none that divides");

  if (Constant) {
    Finding &F = C.report(E->Range, What + " by the constant " + itostr(*Constant) +
                                        " is computed");
    F.atMost(rules::Severity::Info);
    F.cost("the compiler multiplies and shifts instead");
    // x / 2^k is x >> k where x is never negative.
    if (*Constant > 0 && isPowerOf2_64(*Constant) && E->Ty->isScalar() &&
        K.range(Dividend, S).Lo >= 0) {
      StringRef Left = C.text(Dividend->Range);
      bool Inside = Dividend->Range.File == E->Range.File &&
                    Dividend->Range.Begin == E->Range.Begin && Dividend->Range.End < E->Range.End;
      std::vector<Edit> Edits;
      std::string Text = IsRemainder ? "((" + Left.str() + ") & " + itostr(*Constant - 1) + ")"
                                     : "((" + Left.str() + ") >> " + itostr(Log2_64(*Constant)) + ")";
      if (Inside && !Left.empty())
        Edits.push_back({E->Range, Text});
      F.fix(Applicability::Safe,
            IsRemainder ? "the value is never negative: mask it" : "the value is never negative: shift it",
            std::move(Edits));
    }
    return;
  }
  bool UniformDivisor = K.varies(Divisor).uniformInLaunch();
  Finding &F = C.report(
      E->Range, What + Of + "is computed, and the divisor" +
                    (UniformDivisor ? " is the same for all work-items"
                                    : " differs from work-item to work-item"));
  F.cost(Cost);
  F.fix(Applicability::Verify, "clmali-rewrite --passes=strength-reduce");
}

static void run(const Kernel &K, Context &C) {
  // A helper inlined twice, or an expression that became several nodes, is one place.
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> Seen;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem) &&
            E->Ty->isInteger() && E->Range.isValid() &&
            Seen.insert({E->Range.File, E->Range.Begin, E->Range.End}).second)
          reportDivision(E, S, C);
        return true;
      });
    });
    return true;
  });
}

CLMALI_KERNEL_CHECK("integer-division", run);
