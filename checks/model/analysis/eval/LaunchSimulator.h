//===-- checks/model/analysis/eval/LaunchSimulator.h - Facts seen in small launches -*- C++ -*-===//
//
// Answers from executing the kernel in a few small launches (KernelSimulation.h), also where no
// polynomial describes the addresses:
//
//   x = id % w; y = id / w;  cells[y * w + (x + 1) % w]
//
// Limits: what is seen in the sample launches is no proof. Accesses below a condition on unknown
// data count only where the functions say so.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_LAUNCHSIMULATOR_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_LAUNCHSIMULATOR_H

#include "checks/model/analysis/Analysis.h"
#include <memory>

namespace clmali::model {

class KernelSimulation;

class LaunchSimulator {
public:
  explicit LaunchSimulator(const KernelAnalysis &K);
  ~LaunchSimulator();

  /// True if in every launch in which work-items execute both accesses, two different work-items
  /// touch a common byte and nothing orders them. MaybeToo: count executions that depend on data.
  bool conflicts(const AccessSite &Write, const AccessSite &Read, bool MaybeToo = false);

  /// The reuse of a window: how many work-items read one byte (the median), through these loads of
  /// one buffer, where each work-item reads a window that moves with its ids. 0: not known, or all
  /// read the same few elements.
  double reuse(llvm::ArrayRef<const AccessSite *> Reads);

  /// Bytes from a work-item to its neighbour in dimension Dim, where nearly all pairs (but for
  /// clamped or wrapped borders) have the same distance, independent of the arguments.
  std::optional<int64_t> stride(const AccessSite &Site, unsigned Dim);

  // The former names of these three.
  bool meet(const AccessSite &Write, const AccessSite &Read, bool MaybeToo = false) {
    return conflicts(Write, Read, MaybeToo);
  }
  double readers(llvm::ArrayRef<const AccessSite *> Reads) { return reuse(Reads); }
  std::optional<int64_t> pace(const AccessSite &Site, unsigned Dim) { return stride(Site, Dim); }

private:
  std::unique_ptr<KernelSimulation> Simulation;
};

} // namespace clmali::model
#endif // CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_LAUNCHSIMULATOR_H
