// The sizes at which a launch file is run.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_SIZES_H
#define CLMALI_REWRITERS_VERIFY_CASES_SIZES_H

#include "rewriters/verify/cases/TestPlan.h"

namespace clmali::verify {

struct ChosenSize {
  launch::Size At;
  InputShape Shape;
  bool Listed; ///< in the launch file
};

/// The judge's own sizes for launch file \p Launch: small numbers, primes, and one below and
/// above each multiple of the manifest's constants (its vector widths are among them).
std::vector<ChosenSize> ownSizes(TestPlan &P, unsigned Launch);

/// Sizes beyond those: fixed large ones for each variable, and those at which a constant of either
/// program decides something. Each is run once or twice. \p Chosen are the sizes that are run
/// anyway.
std::vector<ChosenSize> largeSizes(const TestPlan &P, unsigned Launch,
                                   llvm::ArrayRef<ChosenSize> Chosen);

/// True if each two variables are in the order in which every listed size has them, such as a pitch
/// of at least the width. The others may be sizes that no host uses.
bool keepsOrder(const launch::LaunchFile &F, const launch::Size &At);

} // namespace clmali::verify

#endif
