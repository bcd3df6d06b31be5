//===-- checks/model/analysis/eval/SampleLaunches.h - Which launches are tried -*- C++ -*-===//
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
  bool ForWindows = false; ///< one argument is large and the other small: a window in long rows
  bool ForPlaces = false;  ///< all arguments differ: where the data of one begin is not where those
                           ///< of another one do
  bool LongRows = false;   ///< all arguments are larger than the launch, or there are no rows
  bool Unbounded = false;  ///< an argument that only ends the data is larger than all of it
  std::array<int64_t, 3> item(int64_t N) const {
    return {N % Extent[0], N / Extent[0] % Extent[1], N / Extent[0] / Extent[1]};
  }
};

/// Launches that tell what a kernel does from what its arguments happen to be.
std::vector<Launch> launchesFor(const KernelAnalysis &K);

} // namespace clmali::model
#endif // CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_SAMPLELAUNCHES_H
