//===-- checks/model/pattern/NarrowRange.h - Values of 16 bits -*- C++ -*-===//
//
// Rule: wide-integer. Pass: narrow. Each decides by more than this which operations to narrow.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_PATTERN_NARROWRANGE_H
#define CLMALI_CHECKS_MODEL_PATTERN_NARROWRANGE_H

#include "checks/model/analysis/Analysis.h"

namespace clmali::model::pattern {

/// True if 16 bits hold the values, signed or unsigned.
inline bool fits16Bits(Range R) {
  return rangeOf(ScalarKind::Short).contains(R) || rangeOf(ScalarKind::UShort).contains(R);
}

} // namespace clmali::model::pattern

#endif
