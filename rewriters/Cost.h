//===-- rewriters/Cost.h - What a kernel costs on a device ------*- C++ -*-===//
//
// The model of the vendors' offline compilers: a kernel keeps an arithmetic pipe
// and a load/store pipe busy, and its registers decide how many work-items run
// at once. Figures are for one work-item, in cycles.
//
// Limits: loops of unknown length count as 16 turns; caches are not modelled.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_COST_H
#define CLMALI_REWRITERS_COST_H

#include "checks/model/Model.h"
#include "rules/Devices.h"

namespace clmali::rewrite {

struct Cost {
  double Arithmetic = 0; ///< cycles of the arithmetic pipes
  double LoadStore = 0;  ///< cycles of the load/store pipe
  double Branch = 0;     ///< cycles of branches and barriers
  double Registers = 0;  ///< of RegisterBits, alive at once at most
  double MemoryOps = 0;  ///< loads and stores made
  /// One work-item's time: the busier pipe, slowed by what registers cost.
  double Cycles = 0;
};

/// Of a block's fast path: the branch with more vector work is the one counted.
Cost cost(model::Module &M, const model::Kernel &K, const rules::DeviceFacts &D);

} // namespace clmali::rewrite
#endif
