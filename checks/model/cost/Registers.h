//===-- checks/model/cost/Registers.h - How many registers a kernel needs -*- C++ -*-===//
//
// What the rule register-pressure reports. --cost and the order of candidates follow from
// Schedule.h, which models the scheduler of a compiler on the lowered kernel.
//
//   float4 a = p[i], b = p[j];   a and b are live at once: 2 registers of 128 bits, or 8 of 32
//   q[i] = a * b + a;
//
// Two bounds follow from the live ranges of the variables: with the statements in the order of the
// source, and as a scheduler can order them that computes a value used once where it is used. A
// compiler moves loads up to hide their latency as long as half of the work-items remain, and
// moves them down where they would not. So the estimate is that of the source's order, as far as
// half of the work-items remain, and else the smaller bound.
//
// Limits: kernel arguments and constants are in registers of their own (uniform registers); what a
// compiler rematerializes is not known.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_COST_REGISTERS_H
#define CLMALI_CHECKS_MODEL_COST_REGISTERS_H

#include "checks/model/analysis/Analysis.h"
#include "rules/Devices.h"

namespace clmali::model {

/// All numbers of registers are in units of the device's RegisterBits.
struct RegisterUse {
  double Values = 0;            ///< for values, where they need the most
  double Executions = 1;        ///< how often that statement runs
  const Stmt *Where = nullptr;  ///< that statement, in the order of the source
  double Objects = 0;           ///< for private arrays and structures, where they need the most
  const Var *Largest = nullptr; ///< the largest of those
  double All = 0;               ///< for values and objects at one statement
};

/// Arrays and structures count whole, from their declaration to their last access, and only those
/// for which IsObject is true (null: none).
RegisterUse registers(const KernelAnalysis &A, const rules::DeviceFacts &D,
                      llvm::function_ref<bool(const Var *)> IsObject = nullptr);

} // namespace clmali::model
#endif
