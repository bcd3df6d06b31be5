//===-- checks/model/analysis/Reachable.h - Statements that never run -----*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_REACHABLE_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_REACHABLE_H

#include "checks/model/analysis/Analysis.h"

namespace clmali::model {

/// True if ranges prove that the condition of S, a branch or loop, has one value wherever S runs.
bool isDecided(const KernelAnalysis &K, const Stmt *S);

/// True if it is proved that no work-item executes S: a condition around it never holds there, or
/// it follows a return, break or continue in a statement list.
bool isDead(const KernelAnalysis &K, const Stmt *S);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_ANALYSIS_REACHABLE_H
