// Makes a counterexample small: the smallest size, the fewest values that are not zero, and a
// launch file that reproduces it.
#ifndef CLMALI_REWRITERS_VERIFY_RUNGS_SHRINK_H
#define CLMALI_REWRITERS_VERIFY_RUNGS_SHRINK_H

#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/rungs/RungRun.h"

namespace clmali::verify {

/// Shrinks the finding of \p Found, writes the launch file, and runs it once more in a fresh
/// process. Takes a few seconds at most.
Counterexample shrink(const TestPlan &P, const RungRun &Found);

/// Input values of \p Ready that are not zero.
uint64_t nonZeroValues(const PreparedInput &Ready, const KernelShape &Shape);

/// Fills in the work-items that wrote the element that \p X names.
void nameWriters(const TestPlan &P, const TestInput &In, const PreparedInput &Data,
                 Counterexample &X);

/// True if \p Data show a difference once more, in a fresh process and from a launch file.
/// \p LaunchFile gets the text of that file.
bool showsAgain(const TestPlan &P, const TestInput &In, const PreparedInput &Data,
                const WorkerSetup &Setup, std::string &LaunchFile);

} // namespace clmali::verify

#endif
