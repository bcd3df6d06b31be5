//===- Scatter.h - addresses that depend on loaded data ---------------------------------------===//
//
// Classifies accesses whose index is computed from values that a work-item loads: bins[data[i]],
// grid[(int)(x[i] / d)].
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_SCATTER_H
#define CLMALI_CHECKS_QUERY_SCATTER_H

#include "checks/Check.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace clmali::checks {

/// True if the address depends on loaded data that differs between work-items, and on no id
/// directly: bins[data[i]].
bool isChosenByData(const model::KernelAnalysis &K, const model::AccessSite &A);

/// The accesses of a kernel for which that holds, and the work-item loads that data at an index of
/// its own. Data loaded once for a work-group shifts all its addresses equally.
class ChosenByOwnData {
public:
  explicit ChosenByOwnData(const model::KernelAnalysis &K) : K(K) {}
  bool contains(const model::AccessSite &A);

private:
  const model::KernelAnalysis &K;
  llvm::DenseMap<const model::AccessSite *, bool> Known; ///< answers so far: pairs ask often
};

/// Detects stores to a data-dependent element that several work-items may select: grid[(int)(x[id]
/// / d)] += q[id], or cost[edges[k]] = .. Returns true for an update, false for a plain store, and
/// nothing if no such conflict is likely.
std::optional<bool> isScattered(const model::KernelAnalysis &K, const model::AccessSite &A);

} // namespace clmali::checks

#endif
