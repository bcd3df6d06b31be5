//===-- checks/model/pattern/HoistableWork.h - Work for before a barrier -*- C++ -*-===//
//
// Arithmetic directly behind a barrier that can hide the latency of a read directly before it:
//
//   float v = part[63 - l];
//   barrier(CLK_LOCAL_MEM_FENCE);
//   float w = a * b + a / b;        touches no memory: it may stand before the barrier
//
// Rule: barrier-after-local-access. Pass: hoist-arithmetic.
//
// Limits: the statement directly before the barrier reads; the work is the unbroken run of
// assignments directly behind it. The statements keep their order.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_PATTERN_HOISTABLEWORK_H
#define CLMALI_CHECKS_MODEL_PATTERN_HOISTABLEWORK_H

#include "checks/model/ir/Model.h"
#include <optional>

namespace clmali::model::pattern {

/// True if S reads the common store of PowerVR: local memory, or a constant table of the program.
bool readsCommonStore(const Stmt &S);

/// The index behind the last statement that may move before the barrier B[Barrier]; the first one
/// is B[Barrier + 1]. Nothing if no read stands before the barrier, or nothing behind it computes.
std::optional<size_t> endOfHoistableWork(const StmtList &B, size_t Barrier);

} // namespace clmali::model::pattern

#endif
