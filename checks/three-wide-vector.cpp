//===- three-wide-vector.cpp -------------------------------------------------------------------===//
//
// Before: float3 a = b * c;       one lane of four is idle
// Limits: once for each kernel, at its first such operation.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  if (C.device().arithmeticLanes(32) < 4)
    return;
  const Expr *First = nullptr;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        bool Arithmetic = (E->K == ExprKind::Binary && !isComparison(E->O)) ||
                          (E->K == ExprKind::Unary && E->O == Op::Neg) ||
                          (E->K == ExprKind::Call && E->Name != "any" && E->Name != "all"); // a test, mostly of a place
        // distance(a.xyz, b.xyz) gives a scalar and computes with three.
        bool Three = (E->Ty->isValue() && E->Ty->Lanes == 3) ||
                     (E->K == ExprKind::Call && any_of(E->Ops, [](const Expr *X) { return X->Ty->isValue() && X->Ty->Lanes == 3; }));
        if (Arithmetic && Three && E->Range.isValid() &&
            (!First || isEarlier(K, E->Range, First->Range)))
          First = E;
        return true;
      });
    });
    return true;
  });
  if (First)
    C.report(First->Range, "it computes with vectors of three components")
        .cost("one lane of four is idle, 75 % efficiency");
}

CLMALI_KERNEL_CHECK("three-wide-vector", run);
