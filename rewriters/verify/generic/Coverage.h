// The launches of a manifest as claims: which block of original work-items each work-item of a
// launch stands for, and that every original work-item is in exactly one block, at every size. A
// block may reach beyond the upper end of the original's range.
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_COVERAGE_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_COVERAGE_H

#include "rewriters/launch/Manifest.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clmali::verify::generic {

/// The integer scalar arguments, with the least and the largest value of their types.
struct ScalarRange {
  std::string Name;
  int64_t Low = 0, High = 0;
};

/// What is known of one launch of the manifest, at every size at which its `when` holds.
struct LaunchClaim {
  unsigned Index = 0; ///< in ManifestKernel::Launches
  std::string Kernel;
  bool Never = false; ///< `when` never holds
  bool Whole = false; ///< the same sizes, offsets and groups as the original's launch
  launch::Blocks Block;
  /// The last block may reach beyond the original's range, by axis. It begins inside.
  std::array<bool, 3> Exceeds{};
  /// The largest id of a work-item, by dimension; nothing: no bound below 2^62.
  std::array<std::optional<uint64_t>, 3> LargestId;
  /// The same for the original's launch, by axis.
  std::array<std::optional<uint64_t>, 3> LargestOriginal;
};

using GroupSize = std::array<uint64_t, 3>;

/// What is the same in each of the original's launches.
struct LaunchFacts {
  unsigned Dimensions = 1;
  GroupSize Local{};     ///< 0: not known
  bool NoOffset = false; ///< the offset is 0
};

struct Covered {
  std::string Problem;     ///< empty: every original work-item is done exactly once
  bool Unmodelled = false; ///< Problem is about an expression, or the solver has no answer
  std::vector<LaunchClaim> Claims;
};

/// True if launch \p L begins and ends at multiples of \p Size original work-items, by axis.
bool consistsOfBlocks(const launch::ManifestKernel &Manifest, const LaunchClaim &L,
                      const LaunchFacts &Original, llvm::ArrayRef<ScalarRange> Scalars,
                      const std::array<uint64_t, 3> &Size);

/// Proves the claims of \p Manifest (without `require`, see launch::withRequireInWhen).
Covered proveCoverage(const launch::ManifestKernel &Manifest,
                      llvm::ArrayRef<launch::LaunchFile> Launches, const LaunchFacts &Original,
                      llvm::ArrayRef<ScalarRange> Scalars);

} // namespace clmali::verify::generic

#endif
