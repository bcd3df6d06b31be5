//===-- checks/model/cost/Instructions.h - Instructions of an operation -*- C++ -*-===//
//
// How many instructions of a device execute an operation of the lowered kernel:
//
//   uchar16 a + b, registers of 32 bits, vector-bits-8 = 32:   4, one for each 4 lanes
//   ushort16 a >> b, where shift-cost-16 is 200 (per cent):    16, as no instruction shifts 2 lanes
//
// One instruction processes vector-bits-N bits. The facts CLASS-cost-N (CLASS: name(OpClass), N:
// bits of an element; CLASS-float-cost-N for floating point) of rules/devices.yaml give other
// numbers of instructions, in per cent. Without such a fact it is one.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_COST_INSTRUCTIONS_H
#define CLMALI_CHECKS_MODEL_COST_INSTRUCTIONS_H

#include "checks/model/cost/Lowering.h"

namespace clmali::model {

class InstructionCosts {
public:
  explicit InstructionCosts(const rules::DeviceFacts &D);
  /// Instructions for O. Of loads and stores: those that the arithmetic unit executes to issue
  /// them. Of divisions and functions: cycles.
  double of(const Program &P, const Operation &O) const;

private:
  const rules::DeviceFacts &D;
  /// For integers of 8, 16, 32 and 64 bits, then for floating point.
  std::array<std::array<double, 8>, OpClasses> Each;

  double packets(const Operation &O) const;
  double moves(const Program &P, const Operation &O) const;
  double standard(OpClass C, bool Float) const;
};

} // namespace clmali::model
#endif
