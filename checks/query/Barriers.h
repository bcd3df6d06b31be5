//===- Barriers.h - what barriers order -------------------------------------------------------===//
//
// Ordering queries for checks: which access pairs could conflict if a barrier were missing, and
// whether a barrier separates two statements.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_BARRIERS_H
#define CLMALI_CHECKS_QUERY_BARRIERS_H

#include "checks/Check.h"

namespace clmali::checks {

bool isGroupBarrier(const model::Stmt *S);

/// True if A and B may access the same byte from different work-items when no barrier lies between
/// them.
bool mayOverlapUnordered(const model::KernelAnalysis &K, const model::AccessSite &A,
                         const model::AccessSite &B);

/// True if To follows From in source order with no barrier between them.
bool barrierFree(const model::KernelAnalysis &K, const model::Stmt *From, const model::Stmt *To);

/// True if the source text between A and B has a barrier that the preprocessor removed with the
/// current macros: #ifdef TARGET barrier(..); #endif
bool leavesBarrierOut(Context &C, const model::AccessSite &A, const model::AccessSite &B);

} // namespace clmali::checks

#endif
