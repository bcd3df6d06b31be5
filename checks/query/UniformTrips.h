//===- UniformTrips.h - conditions with one value for a whole group ---------------------------===//

#ifndef CLMALI_CHECKS_QUERY_UNIFORMTRIPS_H
#define CLMALI_CHECKS_QUERY_UNIFORMTRIPS_H

#include "checks/Check.h"

namespace clmali::checks {

/// True if all work-items of a group run the same number of iterations of Loop, a statement of
/// Around, although its condition depends on their ids. False: not proved.
bool hasEqualTrips(Context &C, const model::StmtList &Around, const model::Stmt *Loop);

/// True if all work-items of a group that come to S, a branch or loop, take the same way. False:
/// not proved.
bool isSameForGroup(Context &C, const model::Stmt *S);

/// True if the work-items of a group may differ in whether they execute Exit, in Loop (null: in
/// the kernel).
bool exitDiverges(Context &C, const model::Stmt *Exit, const model::Stmt *Loop);

/// True if work-items of a group may leave Loop in different iterations by a break or return.
bool hasDivergentExit(Context &C, const model::Stmt *Loop);

} // namespace clmali::checks

#endif
