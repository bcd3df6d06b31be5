//===-- checks/model/cost/CostModel.h - What a kernel costs on a device -*- C++ -*-===//
//
// A model like those of the vendors' offline compilers: a kernel keeps an arithmetic, a load/store
// and a texture pipe busy, and its registers decide how many work-items run at once. Figures are
// cycles of one work-item along the kernel's longest path.
//
//   a 3x3 byte filter, one pixel, on mali-midgard:  A 22, L/S 30, bound by L/S
//
// Where the numbers come from: facts of a device are in rules/devices.yaml, estimates that hold for
// all devices in Constants.h. Parts of the model that can be asked for alone: Coalescing.h (one
// access), Banks.h (conflicts in local memory), Registers.h, TripCount.h.
//
// Limits: loops of unknown length count as 16 iterations; cache misses are known only through the
// distance between the accesses of neighbouring work-items; formats of images are those that a
// launch gives.
// Registers are an estimate of what a compiler's scheduler does with
// the source.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_COST_COSTMODEL_H
#define CLMALI_CHECKS_MODEL_COST_COSTMODEL_H

#include "checks/model/analysis/Analysis.h"
#include "checks/model/ir/Model.h"
#include "rules/Devices.h"

namespace clmali::model {

struct LaunchFacts; // launch/LaunchFacts.h

struct Cost {
  double Arithmetic = 0; ///< cycles of the arithmetic pipes
  double LoadStore = 0;  ///< cycles of the load/store pipe, spilled registers included
  double Texture = 0;    ///< cycles of the texture pipe
  double Branch = 0;     ///< cycles of branches and barriers
  /// Cycles added because the accesses of neighbours are far apart. Offline compilers do not report
  /// them.
  double Stalls = 0;
  /// Of RegisterBits, for the values that are live at once in the order that a compiler's scheduler
  /// finds (Schedule.h), those that are spilled included; no private arrays.
  double Registers = 0;
  double Spilled = 0;    ///< of Registers, those that go to memory
  unsigned Threads = 0;  ///< work-items that a core holds at once
  double MemoryOps = 0;  ///< loads and stores executed, reads and writes of images among them
  double TexelReads = 0; ///< of these, reads of images; what they cost is in Texture
  /// What candidates are ranked by: the busier pipe with its stalls, a part of the other one, and
  /// branches, slowed down where few work-items are resident.
  double Cycles = 0;

  /// Cycles of the busiest pipe: "overall" in an offline compiler's report.
  double busiest() const;
  /// That pipe: "A", "L/S" or "T".
  llvm::StringRef bound() const;
};

/// Of K on D. Of two branches, the one with more work counts; branches marked as rare do not.
/// Launch: the formats of images; null: all reads of images take the same time.
Cost cost(Module &M, const Kernel &K, const rules::DeviceFacts &D,
          const LaunchFacts *Launch = nullptr);
Cost cost(const KernelAnalysis &A, const rules::DeviceFacts &D,
          const LaunchFacts *Launch = nullptr);

/// The part of the kernel's cycles, 0 to 1, that Cycles of its arithmetic take (before they are
/// divided by arithmetic-lanes). Little of them counts where accesses keep the kernel busy.
double shareOfArithmetic(const Cost &C, double Cycles, const rules::DeviceFacts &D);

} // namespace clmali::model
#endif
