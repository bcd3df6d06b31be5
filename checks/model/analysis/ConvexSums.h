//===-- checks/model/analysis/ConvexSums.h - Ranges of mixed values -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_CONVEXSUMS_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_CONVEXSUMS_H

#include "checks/model/analysis/AnalysisImpl.h"

namespace clmali::model {

/// The interval of E = x * a + y * (c - a) where guards G hold. Nothing: E is no such sum.
std::optional<Range> convexSum(KernelAnalysis::Impl &I, const Expr *E, const Stmt *At,
                               const GuardLink *G);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_ANALYSIS_CONVEXSUMS_H
