//===- Election.h - the last work-group, chosen by a counter ----------------------------------===//
//
//   if (l == 0 && atomic_inc(count) == get_num_groups(0) - 1) { .. }       one work-item
//   if (l == 0) last = atomic_inc(count) == n - 1; barrier(..); if (last)  one group
//
// What the elected ones execute, and what is ordered before it. Used by write-race.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_RACES_ELECTION_H
#define CLMALI_CHECKS_QUERY_RACES_ELECTION_H

#include "checks/Check.h"
#include <set>

namespace clmali::checks {

struct Election {
  const model::Stmt *Counter = nullptr;  ///< the atomic; null: the kernel elects none
  bool OneItem = false;                  ///< its result itself is the guard, in a register
  std::set<const model::Stmt *> Elected; ///< statements that only the elected ones execute

  bool isElected(const model::AccessSite &A) const { return Elected.count(A.S); }
};
Election electionOf(const model::KernelAnalysis &K);

/// True if Read may be executed after the elected ones began: it follows the counter, or other
/// work-items of the group raise the counter before, with no barrier between.
bool readsWhileElected(const model::KernelAnalysis &K, const Election &E,
                       const model::AccessSite &Read);

/// True if no fence stands between Write and the counter, so that the elected ones may not see it.
bool lacksFence(const model::KernelAnalysis &K, const Election &E, const model::AccessSite &Write);

} // namespace clmali::checks

#endif
