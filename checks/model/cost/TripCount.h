//===-- checks/model/cost/TripCount.h - How often a loop's body runs -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_COST_TRIPCOUNT_H
#define CLMALI_CHECKS_MODEL_COST_TRIPCOUNT_H

#include "checks/model/analysis/Analysis.h"

namespace clmali::model {

/// Iterations of Loop for each time that it is entered. A loop of unknown length is taken to cover
/// 16 steps of 1, so that it costs the same after it has been unrolled (`k += 4`: 4 iterations), or
/// fewer where its counter ends it before (`i < 5 && x + i < n`).
double expectedTrips(const KernelAnalysis &A, const Stmt *Loop);

/// How often a work-item computes E, which S contains: once for all iterations of the inner loops
/// that do not change it.
double expectedExecutions(const KernelAnalysis &A, const Expr *E, const Stmt *S);

/// How often the statement inside Loops (outermost first) runs in one work-item.
double expectedExecutions(const KernelAnalysis &A, llvm::ArrayRef<const Stmt *> Loops);

} // namespace clmali::model
#endif
