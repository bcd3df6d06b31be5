//===- square-by-pow.cpp ----------------------------------------------------------------------===//
//
// Before: pow(x, 2.0f)
// After:  x * x
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <cmath>

using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The number that E is: 2, 2.0f.
static std::optional<double> number(const Expr *E) {
  E = stripCasts(E);
  if (E->K == ExprKind::FloatConst)
    return E->Float;
  std::optional<int64_t> Value = constantValue(E);
  return Value ? std::optional<double>(double(*Value)) : std::nullopt;
}

static void run(const Kernel &K, Context &C) {
  for (ExprAt X : exprs(K.Body)) {
    if (X->K != ExprKind::Call || (X->Name != "pow" && X->Name != "powr" && X->Name != "pown"))
      continue;
    std::optional<double> Exponent = number(X->Ops[1]);
    if (Exponent && *Exponent >= 2 && *Exponent <= double(C.option("MaxExponent")) &&
        *Exponent == std::floor(*Exponent))
      C.report(X->Range, X->Name + " with a constant exponent").cost("a product computes the same");
  }
}

CLMALI_KERNEL_CHECK("square-by-pow", run);
