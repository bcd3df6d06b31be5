//===-- rewriters/plan/Cost.h - What a kernel costs on a device ------*- C++ -*-===//
//
// The model of the vendors' offline compilers: a kernel keeps an arithmetic, a
// load/store and a texture pipe busy, and its registers decide how many
// work-items run at once. Figures are for one work-item along the kernel's
// longest path, in cycles; every constant comes from rules/devices.yaml.
//
//   a 3x3 byte filter, one pixel, on mali-midgard:  A 22, L/S 30, bound by L/S
//
// Limits: loops of unknown length count as 16 turns; what caches miss is known
// only through the distance between neighbouring work-items' accesses; images
// are not in the model, so the texture pipe is always idle. Registers are an
// estimate of what a compiler's scheduler makes of the source.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PLAN_COST_H
#define CLMALI_REWRITERS_PLAN_COST_H

#include "checks/model/ir/Model.h"
#include "rules/Devices.h"

namespace clmali::rewrite {

struct Cost {
  double Arithmetic = 0; ///< cycles of the arithmetic pipes
  double LoadStore = 0;  ///< cycles of the load/store pipe, spilled registers included
  double Texture = 0;    ///< cycles of the texture pipe
  double Branch = 0;     ///< cycles of branches and barriers
  double Stalls = 0; ///< cycles that accesses far from the neighbours' add; no report counts them
  double Registers = 0; ///< of RegisterBits, alive at once at most
  unsigned Threads = 0; ///< work-items that a core holds with so many registers
  double MemoryOps = 0; ///< loads and stores made
  /// What candidates are ranked by, for one work-item: the busier pipe, stalls,
  /// branches, slowed by what few threads cost.
  double Cycles = 0;

  /// The busiest pipe: "overall" in an offline compiler's report.
  double busiest() const;
  /// That pipe: "A", "L/S" or "T".
  llvm::StringRef bound() const;
};

/// Of a block's fast path: the branch with more vector work is the one counted.
Cost cost(model::Module &M, const model::Kernel &K, const rules::DeviceFacts &D);

} // namespace clmali::rewrite
#endif
