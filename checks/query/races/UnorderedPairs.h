//===- UnorderedPairs.h - pairs of accesses that no barrier orders ----------------------------===//
//
// A write and a read of one buffer by different work-items that barriers, work-groups or guards on
// data leave unordered. Used by write-race.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_RACES_UNORDEREDPAIRS_H
#define CLMALI_CHECKS_QUERY_RACES_UNORDEREDPAIRS_H

#include "checks/model/analysis/eval/LaunchSimulator.h"
#include "checks/query/Scatter.h"

namespace clmali::checks {

/// True if work-items read in a loop condition what one of them initialises before it, with no
/// barrier between: if (local id == 0) n = 0; while (n < end) ..
bool readsBeforeInitialized(const model::KernelAnalysis &K, const model::AccessSite &Write,
                            const model::AccessSite &Read);

/// True if each work-item initialises its own element and then, with no barrier between, updates
/// one that data select: result[id] = 0; atomic_inc(&result[data[id]]). The owner of that element
/// may not have initialised it yet.
bool initializesUpdatedElement(const model::KernelAnalysis &K, const model::AccessSite &Set,
                               const model::AccessSite &Update);

/// True if each work-item fills a part of a table and then reads an element that data select, with
/// no barrier between: table[lid] = constants[lid]; .. table[x & 255].
bool readsFilledTable(const model::KernelAnalysis &K, ChosenByOwnData &ByOwnData,
                      const model::AccessSite &Set, const model::AccessSite &Read);

/// True if the group copies an element that a work-item may not have written yet: part[l] = ..;
/// async_work_group_copy(out, part, ..)
bool copiesBeforeBarrier(const model::KernelAnalysis &K, const model::AccessSite &Write,
                         const model::AccessSite &Copied);

/// True if the copy of the next iteration begins while others still read the tile: for (..) { copy
/// to tile; wait; .. tile[k] ..; }
bool overwritesReadTile(const model::KernelAnalysis &K, const model::AccessSite &Copy,
                        const model::AccessSite &Read);

/// In a kernel that uses global ids only, the first read of an element that another group wrote in
/// the previous iteration: for (..) { next[id] = now[id - s]; barrier(..); swap them }. A barrier
/// orders one group only.
const model::AccessSite *readOfPreviousIteration(const model::KernelAnalysis &K);

/// True if other groups may still read the element that a work-item writes: for (all groups) {
/// tile[l] = x[group * size + l]; barrier(..); .. } x[id] = ..
bool writesWhatGroupsRead(const model::KernelAnalysis &K, const model::AccessSite &Write,
                          const model::AccessSite &Read);

/// True if the guard of the write reads an element that another work-item writes, if (x[i] > x[i +
/// 1]) { x[i + 1] = .., and the pair conflicts without the guards on data.
bool guardReadsWrittenElement(const model::KernelAnalysis &K, const model::AccessSite &Write,
                              const model::AccessSite &Read);

/// True if the write and the read conflict for some data, if (flag[i]) x[i] = x[i - 1] + x[i + 1]:
/// only guards on data separate the two work-items.
bool conflictsForSomeData(const model::KernelAnalysis &K, model::LaunchSimulator &Simulated,
                          const model::AccessSite &Write, const model::AccessSite &Read);

} // namespace clmali::checks

#endif
