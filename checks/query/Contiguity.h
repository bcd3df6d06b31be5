//===- Contiguity.h - which buffers are walked element by element
//-------------------------------===//
//
// Before: for (i = get_global_id(0)): dst[3*i] = ..; dst[3*i+1] = ..; dst[3*i+2] = ..;
// After:  { dst, written, dimension 0, 3 accesses for each work-item, together contiguous }
// Limits: scalar elements only; a buffer that the kernel also accesses as vectors is taken as done
// by
//         hand already, with its scalar accesses being the tail.
//
// Shared by scalar-byte-load and scalar-global-access, which differ in the element's size.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_CONTIGUITY_H
#define CLMALI_CHECKS_QUERY_CONTIGUITY_H

#include "checks/Check.h"

namespace clmali::checks {

struct ContiguousBuffer {
  const model::AccessSite *First = nullptr; ///< the first such access, in source order
  unsigned Dim = 0;
  unsigned Count = 0;   ///< scalar accesses
  unsigned ForEach = 1; ///< elements that one work-item covers without a gap
  bool Read = false, Written = false;
  std::vector<const model::AccessSite *> Sites; ///< all of them
};

/// Elements that one work-item takes one after another.
struct NeighbouringElements {
  const model::AccessSite *First = nullptr; ///< the first such access
  unsigned Count = 0; ///< how many stand next to each other; 0: as many as a loop has rounds
  bool Read = false, Written = false;
  bool Alike = false; ///< all work-items read the same ones: a key, a table
  std::vector<const model::AccessSite *> Sites; ///< all of them
};

/// Of accesses to several buffers those that stand apart from what is told already: the first of
/// each group of neighbouring lines in which nothing is told. Who mends one place is to see the
/// others.
std::vector<const model::AccessSite *> otherPlaces(Context &C,
                                                   llvm::ArrayRef<const model::AccessSite *> Told,
                                                   llvm::ArrayRef<const model::AccessSite *> All);

/// Global buffers with elements of \p ElementBits of which a work-item reads, or writes, neighbours
/// one at a time: in statements that run together (in[3 * i], in[3 * i + 1]), by component of what
/// is a vector or a structure in memory (image[i].x, image[i].y), or in the rounds of a loop.
std::vector<NeighbouringElements> neighboursOfOneItem(Context &C,
                                                      llvm::ArrayRef<unsigned> ElementBits);

/// Is there another form of the kernel, with the same arguments (scale_v4 beside scale), that takes
/// \p Buffer by vloadN or vstoreN: a kernel beside it, or what a condition of the preprocessor
/// leaves out? Then the host chooses, and this one is for what vectors do not divide.
bool hasVectorForm(Context &C, const model::Var &Buffer);

/// Global buffers with scalar elements of \p ElementBits that neighbouring work-items walk.
std::vector<ContiguousBuffer> contiguousScalars(Context &C, llvm::ArrayRef<unsigned> ElementBits);

} // namespace clmali::checks

#endif
