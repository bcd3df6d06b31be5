//===-- checks/model/lift/Lift.h - From Clang's AST to the model -----*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_LIFT_LIFT_H
#define CLMALI_CHECKS_MODEL_LIFT_LIFT_H

#include "checks/model/ir/Model.h"

namespace clang {
class ASTContext;
}

namespace clmali::model {

/// Lifts every kernel defined in Ctx. Never fails: what cannot be represented
/// is opaque. The result refers to nothing of Ctx.
std::unique_ptr<Module> lift(clang::ASTContext &Ctx);

} // namespace clmali::model
#endif
