//===-- checks/model/ir/Verifier.h - Is a kernel well formed? ----------*- C++ -*-===//
//
// Checks what Model.h promises and what every analysis and pass relies on: operand types, lanes in
// range, one stride for each index, declarations before uses, each statement in one list only.
//
// Limits: it checks the form, never the meaning. Operands of built-in calls are not checked.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_IR_VERIFIER_H
#define CLMALI_CHECKS_MODEL_IR_VERIFIER_H

#include "checks/model/ir/Model.h"

namespace clmali::model {

/// What is wrong with K, one sentence each, with the statement or expression; empty: nothing.
/// Reports at most MostErrors.
std::vector<std::string> verify(const Kernel &K, unsigned MostErrors = 10);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_IR_VERIFIER_H
