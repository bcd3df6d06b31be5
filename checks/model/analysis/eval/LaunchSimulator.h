//===-- checks/model/analysis/eval/LaunchSimulator.h - Small launches, tried out --------*- C++
//-*-===//
//
// What it is: the integers of a kernel are computed, work-item by work-item, in a few small
// launches with small arguments; what is loaded or computed in floating point is unknown. What
// comes out is which addresses each work-item touches, also where no polynomial says so:
//
//   x = id % w; y = id / w;  cells[y * w + (x + 1) % w]
//
// Limits: behind a condition that is unknown only windows count; loops run a few rounds; a kernel
// that takes too many steps is given up.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_LAUNCHSIMULATOR_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_LAUNCHSIMULATOR_H

#include "checks/model/analysis/Analysis.h"
#include <memory>

namespace clmali::model {

class LaunchSimulator {
public:
  explicit LaunchSimulator(const KernelAnalysis &K);
  ~LaunchSimulator();

  /// Does a work-item read, or write, what another one writes, and nothing orders the two, in every
  /// launch in which work-items get to both? MaybeToo: also where only data say that they do.
  bool meet(const AccessSite &Write, const AccessSite &Read, bool MaybeToo = false);

  /// How many work-items read one byte of a window that each of them moves along with its ids,
  /// mostly, through these loads of one buffer; 0 where it is not known, or where each of them
  /// reads at the same few places.
  double readers(llvm::ArrayRef<const AccessSite *> Reads);

  /// Bytes from a work-item to its neighbour in dimension Dim, where that is the same nearly
  /// everywhere (but for the borders, where places are clamped or wrapped) and whatever the
  /// arguments are.
  std::optional<int64_t> pace(const AccessSite &Site, unsigned Dim);

private:
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace clmali::model
#endif // CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_LAUNCHSIMULATOR_H
