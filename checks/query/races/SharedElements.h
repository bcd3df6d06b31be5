//===- SharedElements.h - elements that several work-items access -----------------------------===//
//
// Which work-items access the same element, and whether they store the same value. Used by
// write-race.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_RACES_SHAREDELEMENTS_H
#define CLMALI_CHECKS_QUERY_RACES_SHAREDELEMENTS_H

#include "checks/Check.h"
#include <set>

namespace clmali::checks {

/// True if both store the same constant: their order does not matter.
bool sameConstant(const model::AccessSite &A, const model::AccessSite &B);

/// True if all work-items that may conflict store the same value.
bool storesUniform(const model::KernelAnalysis &K, const model::AccessSite &A);

/// True if two work-items at Distance (of their ids) store the same value through A: nothing that
/// the value is computed from varies along it, and what is loaded for it is not written meanwhile.
bool storesSameAt(const model::KernelAnalysis &K, const model::AccessSite &A,
                  std::array<int, 3> Distance);

/// The dimensions of which a kernel makes use, as bit sets; computed once for each kernel.
struct DimensionUse {
  explicit DimensionUse(const model::KernelAnalysis &K);
  uint8_t ItemIds = 0;   ///< global or local ids occur. An unknown value may vary along any
                         ///< dimension, but not along one whose id is not used
  uint8_t LocalIds;      ///< local ids are part of an address
  uint8_t Addresses = 0; ///< ids are part of an address or of an image coordinate
};

/// True if A and B conflict only between work-items of a dimension that the kernel uses in guards
/// at most. The host then launches one work-item along it.
bool onlyUnusedDimensions(const model::KernelAnalysis &K, const DimensionUse &Use,
                          const model::AccessSite &A, const model::AccessSite &B);

/// True if adjacent work-items share a quotient of their id, and the address has nothing else that
/// differs between them: out[id / 2].
bool isManyToOne(const model::KernelAnalysis &K, const model::AccessSite &A);

/// True if a condition depends on the bitwise mix (xor) of two values computed from an id: several
/// ids may satisfy it, as with a hash.
bool dependsOnMixedBits(const model::KernelAnalysis &K, const model::Expr *Cond);

/// True for a non-atomic update of one element by several work-items: x[0]++ under a guard on data,
/// or bins[data[i]]++.
bool isLostUpdate(const model::KernelAnalysis &K, const model::AccessSite &A);

/// True if the guards leave one work-item of a group: if (local id == 0) n = 0;
bool isOfOneItem(const model::KernelAnalysis &K, const model::AccessSite &A);

/// True if several work-items store one value to one element: local[0] = 0, or found[0] = 1 under a
/// guard on data.
bool allWriteOneElement(const model::KernelAnalysis &K, const model::AccessSite &A);

/// True if the value differs between work-items that share a quotient of their ids; false if it
/// depends on such quotients only.
bool dependsBeyondQuotients(const model::KernelAnalysis &K, const model::Expr *Root,
                            const model::Stmt *At, unsigned Depth = 0);

/// True if the two addresses differ by an argument, and one does not depend on ids: x[to + id] = ..
/// x[from + k]; or both have one index of unknown extent in two regions of local memory: b[s * id]
/// = .. a[s * id], where b is &a[n].
bool differByArgument(const model::KernelAnalysis &K, const model::AccessSite &A,
                      const model::AccessSite &B);

/// True if the address assumes a work-group size, x[id / 512 * 1024 + local id]: it is unique only
/// for groups of that size.
bool assumesGroupSize(const model::KernelAnalysis &K, const model::AccessSite &A);

/// Variables that hold the result of an atomic, or a value computed from one.
std::set<const model::Var *> resultsOfAtomics(const model::KernelAnalysis &K);

/// Compare-and-store of a running minimum, if (mine < best[0]) best[0] = mine: several work-items
/// can pass the test, so the store races.
bool isRunningExtremum(const model::KernelAnalysis &K, const model::AccessSite &A);

/// True if work-items that pass a guard on data store different values to one element: if (hash(id)
/// == wanted) result[0] = id.
bool storesDifferentValues(const model::KernelAnalysis &K, const model::AccessSite &A,
                           const std::set<const model::Var *> &AtomicResults);

/// True for different fields of a structure: p[i].x and p[j].y.
bool areFields(const model::AccessSite &A, const model::AccessSite &B);

/// True if a buffer of bytes holds wider elements. Small simulated launches would use row pitches
/// that are shorter than a row.
bool isByteBuffer(const model::Access &A);

} // namespace clmali::checks

#endif
