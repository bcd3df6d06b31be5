//===-- checks/model/pattern/Texels.cpp - Texels as accesses ------------------===//

#include "checks/model/pattern/Texels.h"

#include "checks/model/analysis/Slice.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model::pattern {

llvm::SmallVector<const Expr *, 4> components(const KernelAnalysis &A, const Expr *E) {
  E = origin(A, E);
  if (E->K == ExprKind::Swizzle) {
    llvm::SmallVector<const Expr *, 4> Of = components(A, E->Ops[0]), Result;
    for (uint8_t Lane : E->LaneIdx)
      if (Lane < Of.size())
        Result.push_back(Of[Lane]);
    return Result.size() == E->LaneIdx.size() ? Result : llvm::SmallVector<const Expr *, 4>();
  }
  llvm::SmallVector<const Expr *, 4> Result;
  if (E->K == ExprKind::VectorCtor)
    for (const Expr *Part : E->Ops) {
      if (Part->Ty->isScalar()) {
        Result.push_back(Part);
        continue;
      }
      llvm::SmallVector<const Expr *, 4> Inner = components(A, Part);
      if (Inner.empty())
        return {};
      Result.append(Inner);
    }
  return Result;
}

std::optional<TexelSite> texelSite(const KernelAnalysis &A, const Stmt *S, const Expr *Read) {
  // Larger than any extent of an image with so many dimensions, so that different texels have
  // different addresses.
  constexpr unsigned RowBits = 20, SliceBits = 15;
  TexelSite T;
  T.Texel.Base = Read ? Read->Image : S->Image;
  T.Texel.Elem = ScalarKind::Char;
  T.Texel.Range = Read ? Read->Range : S->Range;
  const Expr *At = Read ? Read->Ops[0] : S->Args[0];
  const llvm::SmallVector<const Expr *, 4> Parts =
      At->Ty->isScalar() ? llvm::SmallVector<const Expr *, 4>{At} : components(A, At);
  const unsigned Dims = T.Texel.Base->Ty->Dims;
  if (Parts.size() < Dims ||
      llvm::any_of(Parts, [](const Expr *E) { return !E->Ty->isScalar() || !E->Ty->isInteger(); }))
    return std::nullopt;
  for (unsigned D = 0; D < Dims; ++D) {
    T.Texel.Index.push_back(Parts[D]);
    T.Texel.Stride.push_back(1u << D * (Dims > 2 ? SliceBits : RowBits));
  }
  T.Site = A.siteOf(S);
  T.Site.IsWrite = !Read;
  T.Site.IsRead = Read;
  T.Site.Load = Read;
  T.Site.Bytes = A.bytes(T.Texel, S);
  return T;
}

} // namespace clmali::model::pattern
