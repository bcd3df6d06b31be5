//===-- checks/model/analysis/RangeArithmetic.cpp - Intervals of integers -----------===//
//
// See RangeArithmetic.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/RangeArithmetic.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model::ranges {

Range join(Range A, Range B) {
  if (isNothing(A))
    return B;
  if (isNothing(B))
    return A;
  return {std::min(A.Lo, B.Lo), std::max(A.Hi, B.Hi)};
}

Range meet(Range A, Range B) { return {std::max(A.Lo, B.Lo), std::min(A.Hi, B.Hi)}; }

Wide top(Range R, ScalarKind K) {
  return K == ScalarKind::ULong && R.Hi == INT64_MAX ? Wide(UINT64_MAX) : Wide(R.Hi);
}
Wide typeTop(ScalarKind K) { return top(rangeOf(K), K); }

Range fitted(Wide Lo, Wide Hi, ScalarKind K) {
  Range Full = rangeOf(K);
  if (Lo >= Full.Lo && Hi <= typeTop(K))
    return {int64_t(std::min<Wide>(Lo, INT64_MAX)), int64_t(std::min<Wide>(Hi, INT64_MAX))};
  if (!isSigned(K) || Lo > Full.Hi || Hi < Full.Lo)
    return Full;
  return {int64_t(std::max<Wide>(Lo, Full.Lo)), int64_t(std::min<Wide>(Hi, Full.Hi))};
}

Range wrapped(Wide Lo, Wide Hi, ScalarKind K) {
  Range Full = rangeOf(K);
  return Lo >= Full.Lo && Hi <= typeTop(K) ? fitted(Lo, Hi, K) : Full;
}

Range converted(Range R, ScalarKind From, ScalarKind To) {
  if (To == ScalarKind::Bool) {
    if (R.isConstant())
      return {R.Lo != 0, R.Lo != 0};
    return {R.Lo > 0 || R.Hi < 0, 1};
  }
  return wrapped(R.Lo, top(R, From), To);
}

Range hull(std::initializer_list<Wide> Values, ScalarKind K, bool Wraps) {
  Wide Lo = *llvm::min_element(Values), Hi = *llvm::max_element(Values);
  return Wraps ? wrapped(Lo, Hi, K) : fitted(Lo, Hi, K);
}

Range divided(Range A, Range B, ScalarKind K) {
  if (B.Lo <= 0 && B.Hi >= 0)
    return rangeOf(K); // division by zero gives any value
  Wide AL = A.Lo, AH = top(A, K), BL = B.Lo, BH = top(B, K);
  return hull({AL / BL, AL / BH, AH / BL, AH / BH}, K);
}

Range remainder(Range A, Range B, ScalarKind K) {
  if (B.Lo <= 0 && B.Hi >= 0)
    return rangeOf(K);
  Wide BL = B.Lo, BH = top(B, K);
  Wide Most = std::max(BL < 0 ? -BL : BL, BH < 0 ? -BH : BH) - 1;
  Wide Lo = A.Lo >= 0 ? 0 : std::max<Wide>(-Most, A.Lo);
  Wide Hi = A.Hi <= 0 ? 0 : std::min(Most, top(A, K));
  // Smaller than every divisor: unchanged.
  Wide Least = std::min(BL < 0 ? -BL : BL, BH < 0 ? -BH : BH);
  if (A.Lo >= 0 && top(A, K) < Least)
    return A;
  return fitted(Lo, Hi, K);
}

Range shifted(Op O, Range A, Range Count, ScalarKind K) {
  int64_t Bits = sizeInBits(K);
  if (Count.Lo < 0 || Count.Hi >= Bits)
    Count = {0, Bits - 1};
  Wide AL = A.Lo, AH = top(A, K);
  if (O == Op::Shr)
    return hull({AL >> Count.Lo, AL >> Count.Hi, AH >> Count.Lo, AH >> Count.Hi}, K);
  if (Count.Hi > 62)
    return A == Range{0, 0} ? A : rangeOf(K);
  Wide Lo = Wide(1) << Count.Lo, Hi = Wide(1) << Count.Hi;
  return hull({AL * Lo, AL * Hi, AH * Lo, AH * Hi}, K, /*Wraps=*/true);
}

/// The smallest 2^n - 1 that no value of R exceeds; a negative x counts as -x - 1.
static Wide bitBound(Range R, ScalarKind K) {
  Wide Most = std::max<Wide>(top(R, K), R.Lo < 0 ? -Wide(R.Lo) - 1 : 0);
  Wide Bound = 0;
  while (Bound < Most)
    Bound = Bound * 2 + 1;
  return Bound;
}

Range bitwise(Op O, Range A, Range B, ScalarKind K) {
  if (A.isConstant() && B.isConstant() && K != ScalarKind::ULong) {
    int64_t V = O == Op::And ? A.Lo & B.Lo : O == Op::Or ? A.Lo | B.Lo : A.Lo ^ B.Lo;
    return {V, V};
  }
  bool NonNegative = A.Lo >= 0 && B.Lo >= 0;
  if (O == Op::And) {
    if (NonNegative)
      return fitted(0, std::min(top(A, K), top(B, K)), K);
    if (A.Lo >= 0)
      return fitted(0, top(A, K), K);
    if (B.Lo >= 0)
      return fitted(0, top(B, K), K);
  }
  Wide Bound = std::max(bitBound(A, K), bitBound(B, K));
  if (NonNegative)
    return fitted(O == Op::Or ? std::max(A.Lo, B.Lo) : 0, Bound, K);
  return fitted(-Bound - 1, Bound, K);
}

Range compared(Op O, Range A, Range B, ScalarKind K) {
  Wide AH = top(A, K), BH = top(B, K);
  auto Known = [](bool Yes, bool No) { return Range{Yes, !No}; };
  switch (O) {
  case Op::LT:
    return Known(AH < B.Lo, A.Lo >= BH);
  case Op::LE:
    return Known(AH <= B.Lo, A.Lo > BH);
  case Op::GT:
    return Known(A.Lo > BH, AH <= B.Lo);
  case Op::GE:
    return Known(A.Lo >= BH, AH < B.Lo);
  case Op::EQ:
    return Known(A.Lo == AH && B.Lo == BH && A.Lo == B.Lo, AH < B.Lo || BH < A.Lo);
  case Op::NE:
    return Known(AH < B.Lo || BH < A.Lo, A.Lo == AH && B.Lo == BH && A.Lo == B.Lo);
  default:
    return {0, 1};
  }
}

} // namespace clmali::model::ranges
