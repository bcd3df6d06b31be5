//===-- checks/model/ir/Comparison.h - Operators of comparisons -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_IR_COMPARISON_H
#define CLMALI_CHECKS_MODEL_IR_COMPARISON_H

#include "checks/model/ir/Model.h"

namespace clmali::model {

/// The comparison with its operands exchanged: < becomes >. Other operators stay.
Op mirrored(Op O);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_IR_COMPARISON_H
