//===-- checks/model/ir/Constants.h - Integer constants in sums -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_IR_CONSTANTS_H
#define CLMALI_CHECKS_MODEL_IR_CONSTANTS_H

#include "checks/model/ir/Model.h"

namespace clmali::model {

/// C, a constant of type K, as a term of a sum or product: the integer closest to zero that is
/// equal modulo 2^32 for uint, so that i + 4294967295u is i - 1. Constants of other types are kept
/// sign-extended, or are too small to matter.
inline int64_t asTerm(int64_t C, ScalarKind K) {
  return K == ScalarKind::UInt ? int64_t(int32_t(uint32_t(C))) : C;
}

} // namespace clmali::model
#endif // CLMALI_CHECKS_MODEL_IR_CONSTANTS_H
