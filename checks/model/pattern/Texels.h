//===-- checks/model/pattern/Texels.h - Texels as accesses --------------*- C++ -*-===//
//
// An access of an image as one of memory, so that conflicts can be asked of texels as of elements
// of a buffer.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_PATTERN_TEXELS_H
#define CLMALI_CHECKS_MODEL_PATTERN_TEXELS_H

#include "checks/model/analysis/Analysis.h"

namespace clmali::model::pattern {

/// The components of a vector, x first: of a constructor, or swizzled from one. Empty: unknown.
llvm::SmallVector<const Expr *, 4> components(const KernelAnalysis &A, const Expr *E);

/// An image access as one of a byte for each texel: its address is made of the coordinates.
struct TexelSite {
  Access Texel;
  AccessSite Site; ///< Site.A is to be set to Texel of the object as it is used
};
/// Of S, which writes the texel, or holds Read, which reads it. Nothing: the coordinates are no
/// integers, or their components are not known.
std::optional<TexelSite> texelSite(const KernelAnalysis &A, const Stmt *S,
                                   const Expr *Read = nullptr);

} // namespace clmali::model::pattern
#endif
