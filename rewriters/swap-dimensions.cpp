//===-- rewriters/swap-dimensions.cpp - Ids trade places ---------*- C++ -*-===//
//
// What it does: makes the dimension that walks along memory dimension 0 (or any
// other), so that neighbouring work-items touch neighbouring elements:
//
//   before                          after
//   int y = get_global_id(0);       int y = get_global_id(1);
//   int x = get_global_id(1);       int x = get_global_id(0);
//
// All that a work-item can ask about the two dimensions trades places: ids,
// sizes, numbers of groups, offsets, and the required work-group size. The host
// must launch with the two dimensions exchanged.
//
// Limits: get_work_dim stays as it is: the launch needs max(A, B) + 1 dimensions
// before and after.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Passes.h"

namespace clmali::rewrite {

using namespace model;

void swapDimensions(Module &M, Kernel &K, unsigned A, unsigned B) {
  auto swapped = [&](unsigned D) { return D == A ? B : D == B ? A : D; };
  auto Leaf = [&](const Expr *X) -> const Expr * {
    if (X->K != ExprKind::WorkItem || X->Query == WorkItemQuery::WorkDim ||
        swapped(X->Dim) == X->Dim)
      return nullptr;
    Expr *New = M.newExpr(ExprKind::WorkItem, X->Ty, X->Range);
    *New = *X;
    New->Dim = uint8_t(swapped(X->Dim));
    return New;
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, [&](const Expr *E) { return substitute(M, E, Leaf); });
    return true;
  });
  for (auto *Size : {&K.ReqdWorkGroupSize, &K.WorkGroupSizeHint})
    if (*Size && A < 3 && B < 3)
      std::swap((**Size)[A], (**Size)[B]);
}

} // namespace clmali::rewrite
