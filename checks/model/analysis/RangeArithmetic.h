//===-- checks/model/analysis/RangeArithmetic.h - Intervals of integers -*- C++ -*-===//
//
// Interval arithmetic with C's semantics (Ranges.cpp): what an operation of a type gives for all
// values of its operands' intervals.
//
// Limits: a range of ulong is cut to [0, INT64_MAX], where INT64_MAX stands for "or more".
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_RANGEARITHMETIC_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_RANGEARITHMETIC_H

#include "checks/model/analysis/Analysis.h"
#include <initializer_list>

namespace clmali::model::ranges {

using Wide = __int128;

/// The empty interval: not computed yet, or never executed.
constexpr Range Nothing{1, 0};
inline bool isNothing(Range R) { return R.Lo > R.Hi; }

Range join(Range A, Range B);
Range meet(Range A, Range B);

/// The true upper bound of a value of type K.
Wide top(Range R, ScalarKind K);
Wide typeTop(ScalarKind K);

/// [Lo, Hi] as the result of an operation of type K: unsigned results outside the type wrap (full
/// range), signed ones are undefined (clamped).
Range fitted(Wide Lo, Wide Hi, ScalarKind K);
/// The same where overflow wraps for signed types too (shifts, conversions, vectors).
Range wrapped(Wide Lo, Wide Hi, ScalarKind K);
Range converted(Range R, ScalarKind From, ScalarKind To);
/// The interval of all Values.
Range hull(std::initializer_list<Wide> Values, ScalarKind K, bool Wraps = false);

Range divided(Range A, Range B, ScalarKind K);
Range remainder(Range A, Range B, ScalarKind K);
Range shifted(Op O, Range A, Range Count, ScalarKind K);
Range bitwise(Op O, Range A, Range B, ScalarKind K);
/// [0, 0], [1, 1] or [0, 1].
Range compared(Op O, Range A, Range B, ScalarKind K);

} // namespace clmali::model::ranges
#endif // CLMALI_CHECKS_MODEL_ANALYSIS_RANGEARITHMETIC_H
