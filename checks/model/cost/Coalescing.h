//===-- checks/model/cost/Coalescing.h - What one memory access costs -*- C++ -*-===//
//
// The cycles of the load/store pipe depend on how far apart the accesses of neighbouring
// work-items are:
//
//   p[get_global_id(0)]        4 bytes   one access for many work-items, nothing waits
//   p[16 * get_global_id(0)]   64 bytes  a segment for each work-item, or one issued again
//
// Limits: caches are known only through this distance; bank conflicts are counted in Banks.h.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_COST_COALESCING_H
#define CLMALI_CHECKS_MODEL_COST_COALESCING_H

#include "checks/model/analysis/Analysis.h"
#include "rules/Devices.h"

namespace clmali::model {

struct AccessCycles {
  double Issue = 0;  ///< of the load/store pipe; an offline compiler's report counts these
  double Stalls = 0; ///< added because the accesses of neighbouring work-items are far apart
};

/// Cycles that one work-item spends on Times executions of Acc in At. Private memory costs nothing.
AccessCycles accessCycles(const KernelAnalysis &A, const Access &Acc, const Stmt *At, double Times,
                          const rules::DeviceFacts &D);

} // namespace clmali::model
#endif
