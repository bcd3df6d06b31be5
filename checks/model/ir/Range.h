//===-- checks/model/ir/Range.h - Intervals of integers -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_IR_RANGE_H
#define CLMALI_CHECKS_MODEL_IR_RANGE_H

#include "checks/model/ir/Model.h"

namespace clmali::model {

/// Inclusive. A full range of the type when nothing better is known.
struct Range {
  int64_t Lo = INT64_MIN, Hi = INT64_MAX;
  bool contains(const Range &O) const { return Lo <= O.Lo && O.Hi <= Hi; }
  bool isConstant() const { return Lo == Hi; }
  bool operator==(const Range &O) const = default;
};
/// What a type can hold (ulong is cut to [0, INT64_MAX] and is never "exact").
Range rangeOf(ScalarKind K);
/// The narrowest of char uchar short ushort int uint long that holds R.
ScalarKind narrowest(Range R);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_IR_RANGE_H
