// A counterexample made small: the smallest size, the fewest values that are not
// zero, and a launch file with which anybody can see it again.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_SHRINK_H
#define CLMALI_REWRITERS_VERIFY_CASES_SHRINK_H

#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/rungs/RungRun.h"

namespace clmali::verify {

/// Shrinks what \p Found found, writes the launch file, and runs it once more
/// in a fresh process. Takes a few seconds at most.
Counterexample shrink(const TestPlan &P, const RungRun &Found);

/// Input values of \p Ready that are not zero.
uint64_t nonZeroValues(const PreparedCase &Ready, const KernelShape &Shape);

/// Fills in who wrote the element that \p X names.
void nameWriters(const TestPlan &P, const TestInput &C, const PreparedCase &Data,
                 Counterexample &X);

/// Whether the very data of \p Data show a difference once more, in a fresh
/// process and from a launch file; \p LaunchFile gets its text.
bool showsAgain(const TestPlan &P, const TestInput &C, const PreparedCase &Data,
                const WorkerSetup &Setup, std::string &LaunchFile);

} // namespace clmali::verify

#endif
