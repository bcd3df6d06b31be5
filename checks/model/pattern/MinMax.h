//===-- checks/model/pattern/MinMax.h - Choices that limit a value -*- C++ -*-===//
//
// A comparison that chooses between what it compares is a minimum or a maximum; two of them are
// clamp:
//
//   v < 7 ? v : 7                          min(v, 7)
//   i > 0 ? i - 1 : 0                      max(i - 1, 0)
//   v < 0 ? 0 : v > 255 ? 255 : v          clamp(v, 0, 255)
//   if (v > hi) v = hi;                    v = min(v, hi)
//
// In general: D is the difference of the compared values, and that of the chosen ones is D or -D,
// but for a constant by which the choice stays right at the limit.
//
// Rule: manual-clamp. Pass: use-builtins, which edits what is Exact.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_PATTERN_MINMAX_H
#define CLMALI_CHECKS_MODEL_PATTERN_MINMAX_H

#include "checks/model/ir/Range.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clmali::model::pattern {

struct MinMax {
  enum Form : uint8_t { Min, Max, Clamp };
  enum Proof : uint8_t {
    Exact,        ///< the built-in computes the same for all values
    IfNoOverflow, ///< unless Overflows wraps around
    Unproved,     ///< floating point (NaN), conversions, or limits that may be out of order
  };
  Form F = Min;
  Proof P = Exact;
  const Expr *Value = nullptr; ///< what is limited
  const Expr *Low = nullptr;   ///< Max, Clamp
  const Expr *High = nullptr;  ///< Min, Clamp
  const Expr *Overflows = nullptr;
  bool IsFloat = false; ///< floating point is compared

  const Expr *limit() const { return F == Max ? Low : High; }
};

/// The range of an expression at its statement.
using RangeOf = llvm::function_ref<Range(const Expr *)>;

/// What E is, a conditional expression or a call of a built-in. Conversions on top of it are left
/// out if they keep every value.
std::optional<MinMax> asMinMax(const Expr *E, RangeOf Of);

/// What an `if` makes of the one variable or element that it sets.
struct LimitedTarget {
  const Stmt *Set; ///< the assignment or store in its first branch
  MinMax M;
};
/// IsOwn: no other work-item accesses what the store sets; asked where only one branch stores.
std::optional<LimitedTarget> asLimitedTarget(const Stmt *If, RangeOf Of,
                                             llvm::function_ref<bool(const Stmt *)> IsOwn);

/// True if A and B, assignments or stores, set the same variable, component or element.
bool isSameTarget(const Stmt *A, const Stmt *B);

/// The integer that E, or each of its lanes, is.
std::optional<__int128> integerConstant(const Expr *E);

/// E without the conversions on top of it that keep every value of their type.
const Expr *withoutExtensions(const Expr *E);

} // namespace clmali::model::pattern

#endif // CLMALI_CHECKS_MODEL_PATTERN_MINMAX_H
