//===-- checks/model/ir/Simplify.h - Constants folded -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_IR_SIMPLIFY_H
#define CLMALI_CHECKS_MODEL_IR_SIMPLIFY_H

#include "checks/model/ir/Model.h"

namespace clmali::model {

/// E simplified: constants folded with C's semantics of its type, x+0, x*1,
/// nested constant offsets joined (integers; floats only where bit-exact).
const Expr *simplify(Module &M, const Expr *E);
/// The value of an integer constant expression.
std::optional<int64_t> constantValue(const Expr *E);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_IR_SIMPLIFY_H
