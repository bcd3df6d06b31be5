// A counterexample made small: the smallest size, the fewest values that are not
// zero, and a launch file with which anybody can see it again.
#ifndef CLMALI_REWRITERS_VERIFY_SHRINK_H
#define CLMALI_REWRITERS_VERIFY_SHRINK_H

#include "rewriters/verify/Campaign.h"
#include "rewriters/verify/Judge.h"
#include "rewriters/verify/Plan.h"

namespace clmali::verify {

/// Shrinks what \p Found found, writes the launch file, and runs it once more
/// in a fresh process. Takes a few seconds at most.
Counterexample shrink(const Plan &P, const Campaign &Found);

} // namespace clmali::verify

#endif
