//===- Barriers.h - what barriers order
//--------------------------------------------------------===//
//
// Questions of the checks that ask what would be, were a barrier not there.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_BARRIERS_H
#define CLMALI_CHECKS_QUERY_BARRIERS_H

#include "checks/Check.h"

namespace clmali::checks {

bool isGroupBarrier(const model::Stmt *S);

/// Might the two be of different work-items and touch one byte, were there no barrier between them?
bool mayMeetUnordered(const model::KernelAnalysis &K, const model::AccessSite &A,
                      const model::AccessSite &B);

/// Does To stand behind From in the source, and no barrier between them?
bool barrierFree(const model::KernelAnalysis &K, const model::Stmt *From, const model::Stmt *To);

/// #ifdef TARGET barrier(..); #endif: does a barrier stand between the two that is not seen with
/// the macros of now?
bool leavesBarrierOut(Context &C, const model::AccessSite &A, const model::AccessSite &B);

} // namespace clmali::checks

#endif
