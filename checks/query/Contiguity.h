//===- Contiguity.h - contiguous scalar accesses ----------------------------------------------===//
//
// Before: for (i = get_global_id(0)): dst[3*i] = ..; dst[3*i+1] = ..; dst[3*i+2] = ..;
// After:  { dst, written, dimension 0, 3 accesses for each work-item, together contiguous }
// Limits: scalar elements only. A buffer that the kernel also accesses as vectors counts as
//         vectorized: its scalar accesses are the tail.
//
// Shared by scalar-byte-load and scalar-global-access, which differ in the element size.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_CONTIGUITY_H
#define CLMALI_CHECKS_QUERY_CONTIGUITY_H

#include "checks/Check.h"

namespace clmali::checks {

/// A buffer whose scalar accesses by adjacent work-items are contiguous.
struct ContiguousBuffer {
  const model::AccessSite *First = nullptr; ///< the first access in source order
  unsigned Dim = 0;
  unsigned Count = 0;   ///< scalar accesses
  unsigned ForEach = 1; ///< elements that one work-item covers without a gap
  bool Read = false, Written = false;
  std::vector<const model::AccessSite *> Sites; ///< all of them
};

/// Adjacent elements of a buffer that one work-item accesses one at a time.
struct NeighbouringElements {
  const model::AccessSite *First = nullptr; ///< the first such access
  unsigned Count = 0; ///< number of adjacent elements; 0: the trip count of a loop
  bool Read = false, Written = false;
  bool Alike = false; ///< all work-items read the same elements: a key, a table
  std::vector<const model::AccessSite *> Sites; ///< all of them
};

/// Of the accesses All, returns those far from every access in Reported: the first access of each
/// group of neighbouring source lines in which none is reported.
std::vector<const model::AccessSite *>
distinctLocations(Context &C, llvm::ArrayRef<const model::AccessSite *> Reported,
                  llvm::ArrayRef<const model::AccessSite *> All);

/// Global buffers with elements of \p ElementBits of which a work-item reads, or writes, adjacent
/// elements one at a time: in statements of one block (in[3 * i], in[3 * i + 1]), by component of a
/// vector or structure in memory (image[i].x, image[i].y), or in the iterations of a loop.
std::vector<NeighbouringElements> neighboursOfOneItem(Context &C,
                                                      llvm::ArrayRef<unsigned> ElementBits);

/// A kernel's name without the words for its vector width: scale of scale_v4, scale_vec8, scale_4.
std::string nameWithoutWidth(llvm::StringRef Name);

/// True if the kernel has another form with the same arguments that accesses \p Buffer by vloadN or
/// vstoreN: another kernel (scale and scale_v4), or code that the preprocessor removed. Then the
/// host selects the form, and this one handles sizes that the vector width does not divide.
bool hasVectorForm(Context &C, const model::Var &Buffer);

/// Global buffers with scalar elements of \p ElementBits that adjacent work-items access
/// contiguously.
std::vector<ContiguousBuffer> contiguousScalars(Context &C, llvm::ArrayRef<unsigned> ElementBits);

} // namespace clmali::checks

#endif
