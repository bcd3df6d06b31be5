//===- Scatter.h - places that data choose
//-----------------------------------------------------===//
//
// What a buffer is accessed at where a work-item's own data say it: bins[data[i]], grid[(int)(x[i]
// / d)].
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_SCATTER_H
#define CLMALI_CHECKS_QUERY_SCATTER_H

#include "checks/Check.h"
#include <optional>

namespace clmali::checks {

/// bins[data[i]]: an element that the data of a work-item choose, and nothing else of its own.
bool isChosenByData(const model::KernelAnalysis &K, const model::AccessSite &A);

/// The same, of data that a work-item has loaded for itself: one for a group moves all of its
/// places alike.
bool isChosenByOwnData(const model::KernelAnalysis &K, const model::AccessSite &A);

/// grid[(int)(x[id] / d)] += q[id], or cost[edges[k]] = ..: a place that data choose in a way that
/// those of several work-items may choose one; true: it is updated. Nothing: no, or nobody can say
/// so.
std::optional<bool> isScattered(const model::KernelAnalysis &K, const model::AccessSite &A);

} // namespace clmali::checks

#endif
