//===-- checks/model/analysis/eval/SampleLaunches.h - Launches to simulate -*- C++ -*-===//
//
// Small launches with small arguments, chosen so that a property which holds in all of them hardly
// depends on the arguments.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_SAMPLELAUNCHES_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_SAMPLELAUNCHES_H

#include "checks/model/analysis/Analysis.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <map>
#include <optional>
#include <vector>

namespace clmali::model {

/// A small launch, and the arguments of its kernel.
struct Launch {
  std::array<int64_t, 3> Extent{1, 1, 1}, Local{1, 1, 1};
  std::map<const Var *, llvm::SmallVector<std::optional<int64_t>, 4>> Arguments; ///< lanes
  int64_t ImageSize = 0;
  bool ForWindows = false;  ///< one argument is large and the other small: a window in long rows
  bool AllDistinct = false; ///< all arguments differ, so that two regions of a buffer begin at
                            ///< different offsets
  bool LongRows = false;    ///< all arguments are larger than the launch, or there are no rows
  bool Unbounded = false;   ///< arguments that are only compared with are larger than all ids
  /// The ids of work-item N.
  std::array<int64_t, 3> item(int64_t N) const {
    return {N % Extent[0], N / Extent[0] % Extent[1], N / Extent[0] / Extent[1]};
  }
};

/// Empty: the kernel's required work-group size does not allow small launches.
std::vector<Launch> launchesFor(const KernelAnalysis &K);

} // namespace clmali::model
#endif // CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_SAMPLELAUNCHES_H
