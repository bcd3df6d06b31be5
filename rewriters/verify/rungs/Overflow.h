// Signed overflow is undefined, and compilers use that: two programs that do the same where it
// wraps may differ on an input on which the original overflows. Such a difference refutes nothing.
#ifndef CLMALI_REWRITERS_VERIFY_RUNGS_OVERFLOW_H
#define CLMALI_REWRITERS_VERIFY_RUNGS_OVERFLOW_H

#include "rewriters/verify/cases/TestPlan.h"

#include <functional>

namespace clmali::verify {

/// A check for WorkerSetup::DiffersByOverflow. It executes both programs on an input, with the
/// symbolic machine. True if they leave the same in every buffer where signed overflow wraps, the
/// original overflows, and the rewritten program overflows nowhere else. What the machine cannot
/// execute counts as smaller inputs of the launch with the same kind of data did. Keeps \p P.
std::function<bool(const TestInput &, const PreparedInput &)> overflowCheck(const TestPlan &P);

} // namespace clmali::verify

#endif
