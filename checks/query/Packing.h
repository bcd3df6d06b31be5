//===- Packing.h - scalar accesses that are lanes of one vector -------------------------------===//
//
// Before: v.x = in[o]; v.y = in[o + plane]; v.z = in[o + 2 * plane]; .. vstore4(v, i, out);
// After:  isPacked(in): adjacent elements of a plane do not form v without a transposition
// Limits: only for planes a run-time distance apart; adjacent elements are loaded as a vector
// anyway.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_PACKING_H
#define CLMALI_CHECKS_QUERY_PACKING_H

#include "checks/Check.h"

namespace clmali::checks {

/// True if the scalars that a work-item reads from (or writes to) Buffer, each from a different
/// plane, are the lanes of vectors or texels that the kernel stores (or loads) whole.
bool isPacked(Context &C, const model::Var *Buffer);

/// True if every access of Buffer is a scalar read in a loop that also reads whole vectors of
/// another buffer, as for rows and columns of a blocked matrix product.
bool isReadBesideVectors(Context &C, const model::Var *Buffer);

/// True if P is Of times a polynomial.
bool isMultipleOf(model::Poly P, const model::Poly &Of);

/// in[y * pitch + x * channels + c], c < channels: true if dimension 0 steps by pixels and another
/// dimension by rows of them, so that dimension Dim counts the few elements of a pixel. (It may as
/// well be the depth of a volume; the kernel does not tell.)
bool isPixelElement(const model::KernelAnalysis &K, const model::AccessSite &Site, unsigned Dim);

} // namespace clmali::checks

#endif
