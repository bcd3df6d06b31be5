//===-- checks/model/pattern/LockstepItems.h - Items that may be lanes --*- C++ -*-===//
//
// Work-items that may run in lockstep, as the lanes and rows of one new work-item. That is legal
// unless
//   - the kernel has something that the model cannot represent, or an access that must happen
//     exactly as written (volatile, or an atomic whose order matters),
//   - a barrier is not reached by all work-items,
//   - a private array has accesses that cannot be widened,
//   - a work-item may read or write what another one writes.
//
// Rules: those that offer vectorize. Passes: vectorize, coarsen.
//
// Limits: where a conflict is neither proved nor excluded, a kernel that reads and writes one
// buffer at different elements counts as dependent; other kernels are free of races by the rules of
// OpenCL.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_PATTERN_LOCKSTEPITEMS_H
#define CLMALI_CHECKS_MODEL_PATTERN_LOCKSTEPITEMS_H

#include "checks/model/analysis/Analysis.h"
#include <array>

namespace clmali::model::pattern {

/// Why work-items may not run in lockstep.
struct LockstepProblem {
  enum Kind : uint8_t {
    CrossItemDependence,
    DataDependentStore,
    DivergentBarrier,
    VolatileAccess,
    Atomic,
    InlineAssembly,
    IndexOverflow,
    OpaqueConstruct,
    AlreadyVectorized,
    UnsupportedType,
    UnstructuredControl,
  };
  Kind Why;
  std::string Detail; ///< names the variable, access or construct
  SourceRange Range;
};

struct LockstepItems {
  /// Empty if the work-items may run in lockstep. Every construct that no pass can represent, each
  /// kind once; if there is none, the first other problem.
  std::vector<LockstepProblem> Problems;
  std::vector<const Var *> Arrays; ///< private arrays in use; each can be widened
  uint64_t ArrayBytes = 0;         ///< of one work-item
  bool IdsBelow2G = false;         ///< a global id is used as a 32-bit integer
  bool GroupSemantics = false;     ///< barriers, local memory, group ids, a demanded size
  /// The global size or offset is read, by dimension.
  std::array<bool, 3> ReadsGlobalSize = {false, false, false};

  /// Along: the dimensions (bit d) whose neighbours run in lockstep. What is the same along them
  /// is the same for all items in question, wherever it comes from.
  LockstepItems(const KernelAnalysis &A, uint8_t Along);
  /// Along the dimension whose neighbours access neighbouring elements; all, if there is none.
  explicit LockstepItems(const KernelAnalysis &A);
  bool legal() const { return Problems.empty(); }
};

/// An access to V, memory that the work-items of a group share, that may be of an element which
/// another work-item writes between the same barriers; null: there is none.
const AccessSite *unorderedAccess(const KernelAnalysis &A, const Var &V);

/// True if some dimension's neighbours may become the lanes of a vector: the work-items may run in
/// lockstep, and neighbours along one dimension access neighbouring elements.
bool mayBecomeLanes(const KernelAnalysis &A, const LockstepItems &Items);

} // namespace clmali::model::pattern
#endif
