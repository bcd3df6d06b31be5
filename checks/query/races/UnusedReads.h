//===- UnusedReads.h - reads of which a work-item does not use what another writes ------------===//
//
//   float sum = part[0];                 read by all, while work-item 0 may still write it
//   if (get_local_id(0) == 0)
//     out[g] = sum;                      used by work-item 0 alone
//
//   float2 step = dt[0];                 only step.y is used, and dt[0].x is written
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_RACES_UNUSEDREADS_H
#define CLMALI_CHECKS_QUERY_RACES_UNUSEDREADS_H

#include "checks/model/analysis/Analysis.h"

namespace clmali::checks {

/// True if no work-item uses what it reads through Read of elements that another one may write
/// through Write. Both are of one buffer.
bool isUnusedWhereWritten(const model::KernelAnalysis &K, const model::AccessSite &Write,
                          const model::AccessSite &Read);

} // namespace clmali::checks

#endif
