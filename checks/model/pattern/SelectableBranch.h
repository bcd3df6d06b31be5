//===-- checks/model/pattern/SelectableBranch.h - A branch that a select replaces -*- C++ -*-===//
//
// A short branch that only assigns variables, on a condition that differs between the work-items of
// a group:
//
//   if (v < 0.0f)                   v = v < 0.0f ? -2.0f * v : v;
//     v = -2.0f * v;
//
// Rule: divergent-branch. Pass: select.
//
// Limits: at most three assignments on both sides together, each to a variable of its own, from
// values that no earlier assignment of the same side has changed. No loads, calls or divisions:
// these are worth a branch. No components of vectors.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_PATTERN_SELECTABLEBRANCH_H
#define CLMALI_CHECKS_MODEL_PATTERN_SELECTABLEBRANCH_H

#include "checks/model/analysis/Analysis.h"
#include <optional>

namespace clmali::model::pattern {

struct SelectableBranch {
  /// Every variable that a side assigns, in the order of the source.
  std::vector<Var *> Assigned;
  /// True if the condition reads one of several assigned variables: it must be computed once,
  /// before the first assignment.
  bool NeedsCondition = false;
};

/// If as a select; nothing if it may not become one, or a branch is cheaper.
std::optional<SelectableBranch> selectableBranch(const KernelAnalysis &A, const Stmt &If);

} // namespace clmali::model::pattern

#endif
