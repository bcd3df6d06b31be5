//===-- checks/model/analysis/conflict/ConflictReason.h - Why two accesses conflict -*- C++ -*-===//
//
// The answer of KernelAnalysis::conflictReason: the kind of KernelAnalysis::conflict, the reason
// for it (a closed list, as that of LLVM's MemoryDepChecker::Dependence), and two work-items where
// a conflict was found.
//
//   p[i] = p[i + 1];                 Must, Witness, distance (1, 0, 0): the reader's neighbour
//   p[2 * i] = p[2 * i + 1];         No, DisjointAddresses
//   p[4 * i] = ..                    No, SameWorkItem: equal addresses mean equal ids
//   p[in[i]] = ..                    May, DataDependentAddress
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_CONFLICT_CONFLICTREASON_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_CONFLICT_CONFLICTREASON_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>

namespace clmali::model {

enum class Conflict : uint8_t;

enum class ConflictReason : uint8_t {
  // No
  DifferentObjects,    ///< the accesses have different bases
  NoWrite,             ///< both read
  BothAtomic,          ///< atomic operations order themselves
  NotShared,           ///< private or constant memory
  BarrierBetween,      ///< local memory, in different barrier intervals
  DisjointAddresses,   ///< by remainder or range: the addresses are apart for any two work-items
  SameWorkItem,        ///< equal addresses mean equal ids
  DisjointRowsColumns, ///< row and column, with the guards: x < y and y < x exclude each other
  OnePartnerOnly,      ///< of x and x ^ m, one work-item accesses both
  // May
  GroupCopy,            ///< an asynchronous copy touches more than its address says
  DataDependentAddress, ///< an address depends on loaded data
  Unproved,             ///< no proof applies and no conflicting pair was found
  // Must
  Witness,      ///< two work-items at Distance pass the guards and touch a common byte
  PartnersMeet, ///< x and x ^ m both access the element, without guards
};
/// "same-work-item", for dumps and tests.
llvm::StringRef name(ConflictReason R);

struct ConflictResult {
  Conflict Kind;
  ConflictReason Reason;
  /// Witness: the ids of the work-item that executes A minus those of the one that executes B; both
  /// are in one work-group.
  std::optional<std::array<int, 3>> Distance;
};

} // namespace clmali::model
#endif // CLMALI_CHECKS_MODEL_ANALYSIS_CONFLICT_CONFLICTREASON_H
