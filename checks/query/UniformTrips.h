//===- UniformTrips.h - loops with the same trip count for a whole group ----------------------===//

#ifndef CLMALI_CHECKS_QUERY_UNIFORMTRIPS_H
#define CLMALI_CHECKS_QUERY_UNIFORMTRIPS_H

#include "checks/Check.h"

namespace clmali::checks {

/// True if all work-items of a group run the same number of iterations of Loop, a statement of
/// Around, although its condition depends on their ids. False: not proved.
bool hasEqualTrips(Context &C, const model::StmtList &Around, const model::Stmt *Loop);

} // namespace clmali::checks

#endif
