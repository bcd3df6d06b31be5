//===- three-wide-vector.cpp ------------------------------------------------------------------===//
//
// Before: float3 a = b * c;       one lane of four is idle
// Limits: one finding for each function, at its first such operation.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <map>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  if (C.device().arithmeticLanes(32) < 4)
    return;
  std::map<unsigned, const Expr *> First; // of each function
  for (const auto &[E, S] : exprs(K.Body)) {
    bool Arithmetic = (E->K == ExprKind::Binary && !isComparison(E->O)) ||
                      (E->K == ExprKind::Unary && E->O == Op::Neg) ||
                      (E->K == ExprKind::Call && E->Name != "any" &&
                       E->Name != "all"); // a test, usually of coordinates
    // distance(a.xyz, b.xyz) is scalar, but computes on three components.
    bool Three = (E->Ty->isValue() && E->Ty->Lanes == 3) ||
                 (E->K == ExprKind::Call && any_of(E->Ops, [](const Expr *X) {
                    return X->Ty->isValue() && X->Ty->Lanes == 3;
                  }));
    if (!Arithmetic || !Three || !E->Range.isValid())
      continue;
    const Expr *&Known = First[functionOf(K, E->Range)];
    if (!Known || isEarlier(K, E->Range, Known->Range))
      Known = E;
  }
  for (const auto &[Function, E] : First)
    C.report(E->Range, "it computes with vectors of three components")
        .cost("one lane of four is idle, 75 % efficiency");
}

CLMALI_KERNEL_CHECK("three-wide-vector", run);
