//===-- rewriters/plan/Registers.h - How many registers a kernel needs -*- C++ -*-===//
#ifndef CLMALI_REWRITERS_PLAN_REGISTERS_H
#define CLMALI_REWRITERS_PLAN_REGISTERS_H

#include "checks/model/analysis/Analysis.h"
#include "rules/Devices.h"

namespace clmali::rewrite {

/// Facts that nobody but the cost model reads; 0 where a device has none.
struct CostFacts {
  bool MultiplyBesideAdd = false;  ///< one instruction word multiplies and adds
  bool ScalarBesideVector = false; ///< ... and so it does with scalars beside the vectors
  bool FreeConversions = false;    ///< integers widen and narrow on the way to an operation
  bool FreeSwizzles = false;       ///< operands are swizzled on the way to an operation
  double Reissue256 = 0; ///< per cent of the cycles of an access when neighbours are 256 bits apart
  double Reissue512 = 0; ///< the same for 512 bits and more
  double CoalesceBytes = 0;     ///< segment in which neighbours' accesses become one
  bool SplitsUnaligned = false; ///< vloadN of unknown alignment is an access for each element
  explicit CostFacts(const rules::DeviceFacts &D);
};

/// How often Loop's body runs each time it is entered; loops of unknown length
/// count to 16 in steps of their own.
double expectedTrips(const model::KernelAnalysis &A, const model::Stmt *Loop);

struct RegisterUse {
  double Registers = 0; ///< of RegisterBits
  double Times = 1;     ///< how often the place with most of them runs
};

RegisterUse registers(const model::Kernel &K, const model::KernelAnalysis &A,
                      const rules::DeviceFacts &D);

} // namespace clmali::rewrite
#endif
