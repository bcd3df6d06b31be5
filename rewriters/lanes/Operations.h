//===-- rewriters/lanes/Operations.h - Operations on all lanes --------*- C++ -*-===//
//
// One operation of the source for all lanes, from operands that have been evaluated: whatever the
// lanes are (work-items, iterations). Values that are the same in all lanes, or linear in the lane,
// stay scalars; the others become vectors. What must hold everywhere is written here once:
//   - a product that stands in a sum stays in it, so that a compiler contracts as before
//   - conversions of floating point to 8 and 16 bits go through int, as the scalar ones do
//   - amounts of shifts have the type of what is shifted
//   - functions whose vector form may round differently are called lane by lane
//   - truth values become masks, 0 or -1 in each lane
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LANES_OPERATIONS_H
#define CLMALI_REWRITERS_LANES_OPERATIONS_H

#include "rewriters/lanes/LaneValue.h"
#include <functional>
#include <optional>

namespace clmali::rewrite {

/// Built-ins whose vector form gives each lane exactly what the scalar form
/// gives: integer functions, and floating-point functions that IEEE or OpenCL
/// define to the bit. Others (exp, sin, pow ...) may round differently as
/// vectors (PoCL's do) and stay scalar.
bool isLanewise(llvm::StringRef Name);

/// Comparisons and tests of floating point by name: 1 as scalars, -1 in the lanes of vectors.
bool isRelational(llvm::StringRef Name);

/// True if E, an operation, has a form for lanes: functions are as exact as their scalar form.
bool hasLaneForm(const model::Expr *E);

/// True if Es are the same operation, on operands of the same types; null: does not matter.
bool isSameOperation(llvm::ArrayRef<const model::Expr *> Es);

/// True if E is a sum or difference that may be contracted with a product.
bool isFloatSum(const model::Expr *E);

/// True if E is an integer division that may fault.
bool mayDivideByZero(const model::Expr *E);
/// True if E must not be evaluated where the source does not: it loads, or may divide by zero.
bool mayFault(const model::Expr *E);
/// True if operand I of E is not always evaluated: one behind the first of a selection, && or ||.
bool isLazyOperand(const model::Expr *E, unsigned I);

class LaneOperations {
public:
  /// E in a variable, so that it can be read for each lane; Hint: its name. Null: no variable can
  /// be set here, and the operation is refused. May return E itself.
  using HoldFn = std::function<const model::Expr *(const model::Expr *E, llvm::StringRef Hint)>;
  /// Reassociate: functions may round differently, too.
  LaneOperations(model::Module &M, unsigned N, HoldFn Hold, bool Reassociate = false)
      : M(M), N(N), Convert(M, N), Hold(std::move(Hold)), Reassociate(Reassociate) {}

  /// E's operation on Ops, its operands. As: how the lanes of E differ where no operand is a
  /// vector: Uniform, Linear or Stepped with their differences; else Vector. Nothing: refused.
  std::optional<LaneVal> combine(const model::Expr *E, llvm::MutableArrayRef<LaneVal> Ops,
                                 const LaneVal &As);

  /// Functions that were called for each lane alone.
  unsigned ScalarCalls = 0;

private:
  model::Module &M;
  const unsigned N;
  const LaneConverter Convert;
  const HoldFn Hold;
  const bool Reassociate;

  LaneVal unary(const model::Expr *E, const LaneVal &V);
  std::optional<LaneVal> binary(const model::Expr *E, const LaneVal &X, const LaneVal &Y);
  LaneVal comparison(const model::Expr *E, const LaneVal &X, const LaneVal &Y);
  std::optional<LaneVal> withoutEffect(const model::Expr *E, const LaneVal &X, const LaneVal &Y);
  LaneVal select(const model::Expr *E, llvm::ArrayRef<LaneVal> Ops);
  std::optional<LaneVal> cast(const model::Expr *E, const LaneVal &V);
  std::optional<LaneVal> call(const model::Expr *E, llvm::MutableArrayRef<LaneVal> Args);
};

} // namespace clmali::rewrite
#endif
