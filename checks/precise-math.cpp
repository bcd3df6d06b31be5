//===- precise-math.cpp -----------------------------------------------------------------------===//
//
// Before: exp(x)
// After:  native_exp(x)          (unsafe: other bits)
// Before: normalize(v)
// After:  fast_normalize(v)
// Limits: float functions with a native_ form (of pow, that of powr) or a fast_ one.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static constexpr StringLiteral WithNativeForm[] = {
    "cos", "exp", "exp2", "exp10", "log", "log2", "log10", "powr", "rsqrt", "sin", "sqrt", "tan"};

static constexpr StringLiteral WithFastForm[] = {"distance", "length", "normalize"};

/// The name of the called function if it may have a fast form.
static StringRef calledBy(const Expr &E) {
  return E.K == ExprKind::Call ? functionOf(E.Name) : StringRef();
}

/// pow and pown have no native_ form of their own: powr has, and small powers are products.
static std::string fastForm(const Expr &Call) {
  if (functionOf(Call.Name) == "sincos")
    return "native_sin and native_cos";
  if (is_contained(WithNativeForm, Call.Name))
    return "native_" + Call.Name;
  if (is_contained(WithFastForm, Call.Name))
    return "fast_" + Call.Name;
  if ((Call.Name != "pow" && Call.Name != "pown") || Call.Ops.size() != 2)
    return "";
  auto IsInteger = [](const Expr *E) {
    E = stripCasts(E);
    return E->K == ExprKind::IntConst ||
           (E->K == ExprKind::FloatConst && E->Float == std::trunc(E->Float));
  };
  if (IsInteger(Call.Ops[1]))
    return "products: the exponent is a number without fraction";
  return "native_powr, where the base is not negative";
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &An = C.analysis();
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  // sin(3.14 * x) is double only because of its literal if no variable is double.
  auto HoldsDouble = [](const Var *V) {
    return V->Ty->isValue() && V->Ty->Scalar == ScalarKind::Double;
  };
  auto PointsToDouble = [](const Var *V) {
    return V->Ty->Elem && V->Ty->Elem->isValue() && V->Ty->Elem->Scalar == ScalarKind::Double;
  };
  bool ByLiterals = none_of(K.Vars, HoldsDouble) && none_of(K.Params, HoldsDouble) &&
                    none_of(K.Vars, PointsToDouble) && none_of(K.Params, PointsToDouble);
  for (const auto &[E, S] : exprs(K.Body)) {
    StringRef Name = calledBy(*E);
    std::string Fast = Name.empty() ? "" : fastForm(*E);
    if (Fast.empty() ||
        !(E->Ty->Scalar == ScalarKind::Float ||
          (E->Ty->Scalar == ScalarKind::Double && ByLiterals)) ||
        !E->Range.isValid() || !Seen.insert({E->Range.File, E->Range.Begin}).second)
      continue;
    Finding &F = C.report(E->Range, Name + " is computed precisely");
    // The host may define the guessed float as half, which has no native functions. A known cost
    // of the function is reason enough to report it.
    F.restsOnGuess(guessed(C).names().Floats &&
                   C.device().functionCost(Name) == rules::CostClass::Unknown);
    switch (C.device().functionCost(Name)) {
    case rules::CostClass::Low:
      F.cost("low cost, below 30 instructions");
      F.atMost(rules::Severity::Info);
      break;
    case rules::CostClass::Medium:
      F.cost("medium cost, 30 to 100 instructions");
      break;
    case rules::CostClass::High:
      F.cost("high cost, over 100 instructions");
      break;
    case rules::CostClass::Unknown:
      F.cost(StringRef(Fast).starts_with("fast_") ? "the fast form takes a root of less precision"
                                                  : "the native form may be faster here");
      break;
    }
    if (StringRef(Fast).starts_with("fast_"))
      F.atMost(rules::Severity::Info);
    // Some compilers compute uniform values once.
    if (An.varies(E, S).uniformInLaunch())
      F.atMost(rules::Severity::Info);
    std::vector<Edit> Edits;
    // The edit needs float that stays float: half has no native functions.
    if (!guessed(C).names().Floats && StringRef(Fast).ends_with("_" + E->Name) &&
        E->Ty->Scalar == ScalarKind::Float && C.text(E->Range).starts_with(E->Name + "("))
      Edits.push_back({{E->Range.File, E->Range.Begin, E->Range.Begin},
                       Fast.substr(0, Fast.size() - E->Name.size())});
    F.fix(Applicability::Unsafe, Fast, std::move(Edits));
  }
}

CLMALI_KERNEL_CHECK("precise-math", run);
