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

#include "rewriters/pass/Pass.h"
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

/// The dimension that is to become 0: that of the lanes; without blocks the contiguous one, if the
/// user named the pass.
static unsigned along(const PassState &S) {
  const BlockShape &Shape = S.How.Shape;
  if (Shape.Lanes > 1)
    return Shape.LaneDim;
  return S.context().named() && Shape.rows() == 1 ? S.Contiguous.value_or(0) : 0;
}

/// Groups would have another shape.
static bool suits(const PassState &S) { return !S.Contract.GroupSemantics; }

static unsigned edit(PassState &S) {
  unsigned Along = along(S);
  if (!Along)
    return 0;
  swapDimensions(S.module(), S.kernel(), 0, Along);
  std::swap(S.Axis[0], S.Axis[Along]);
  return 1;
}

CLMALI_PASS(.Id = "swap-dimensions", .ShownAs = "swap-dimensions",
            .Does = "Dimension 0 becomes the one that walks along memory.", .Suits = suits,
            .Edit = edit);

} // namespace clmali::rewrite
