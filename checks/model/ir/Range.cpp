//===-- checks/model/ir/Range.cpp - Intervals of integers -----------------------------===//
//
// See Range.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Range.h"

namespace clmali::model {

Range rangeOf(ScalarKind K) {
  if (isFloat(K))
    return {};
  if (K == ScalarKind::ULong)
    return {0, INT64_MAX};
  unsigned Bits = sizeInBits(K);
  if (!isSigned(K))
    return {0, (int64_t(1) << Bits) - 1};
  int64_t Max = Bits == 64 ? INT64_MAX : (int64_t(1) << (Bits - 1)) - 1;
  return {-Max - 1, Max};
}

ScalarKind narrowest(Range R) {
  for (ScalarKind K : {ScalarKind::Char, ScalarKind::UChar, ScalarKind::Short, ScalarKind::UShort,
                       ScalarKind::Int, ScalarKind::UInt})
    if (rangeOf(K).contains(R))
      return K;
  return ScalarKind::Long;
}

} // namespace clmali::model
