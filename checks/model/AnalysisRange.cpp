//===-- checks/model/AnalysisRange.cpp - Value ranges ---------------------===//

#include "checks/model/Analysis.h"

namespace clmali::model {

Range rangeOf(ScalarKind K) {
  if (isFloat(K))
    return {};
  if (K == ScalarKind::ULong)
    return {0, INT64_MAX};
  unsigned Bits = sizeInBits(K);
  if (isSigned(K))
    return {Bits == 64 ? INT64_MIN : -(int64_t(1) << (Bits - 1)),
            Bits == 64 ? INT64_MAX : (int64_t(1) << (Bits - 1)) - 1};
  return {0, (int64_t(1) << Bits) - 1};
}

ScalarKind narrowest(Range R) {
  for (ScalarKind K : {ScalarKind::Char, ScalarKind::UChar, ScalarKind::Short, ScalarKind::UShort,
                       ScalarKind::Int, ScalarKind::UInt})
    if (rangeOf(K).contains(R))
      return K;
  return ScalarKind::Long;
}

} // namespace clmali::model
