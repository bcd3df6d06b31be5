// Values at which a comparison of either program decides otherwise than at most others.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_SOLVE_H
#define CLMALI_REWRITERS_VERIFY_CASES_SOLVE_H

#include "rewriters/verify/cases/TestPlan.h"

#include <string>
#include <vector>

namespace clmali::verify {

/// A size at which a comparison decides rarely.
struct RareSize {
  std::string Variable; ///< that was searched
  launch::Size At;
  std::vector<std::string> Others; ///< variables on which the comparison depends too
};
/// For comparisons of sizes, of ids (sizes with such work-items), and in the manifest.
std::vector<RareSize> rareSizes(const TestPlan &P, unsigned Launch);

/// Values of scalar argument \p Index, of \p Width bits, at which a comparison decides rarely: from
/// \p First on. The other arguments have their values at the first listed size.
std::vector<int64_t> rareScalars(const TestPlan &P, unsigned Launch, unsigned Index, unsigned Width,
                                 uint64_t First = 0);

/// The uses of values in buffers at which a comparison decides rarely, in \p Conditions.
std::vector<ConstantUse> rareContents(llvm::ArrayRef<Condition> Conditions);

} // namespace clmali::verify

#endif
