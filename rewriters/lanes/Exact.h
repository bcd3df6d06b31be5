//===-- rewriters/lanes/Exact.h - Integers that do not wrap ------------*- C++ -*-===//
//
// The one rule of wrap-around. An operation on integers is exact if its result is that over the
// mathematical integers, whatever values its operands have:
//
//   int x; x + 1, x * w              exact: signed overflow is undefined
//   x << 1                           not exact: OpenCL defines the bits that are left
//   uint i; i + 1, i * 3, i - n      exact only if the operands' ranges show it
//   (int)i, (ulong)x                 exact only if the type holds every value of the operand
//
// Ids are bounded by the launch: what is exact only for ids below a limit demands that limit of the
// launch (IdsBelow). size_t may have 32 bits, so unsigned results must fit 32 bits.
//
// What is linear in the lane as long as nothing wraps stays linear through a conversion to a wider
// type, a division, a shift to the right or a comparison only where it is exact.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LANES_EXACT_H
#define CLMALI_REWRITERS_LANES_EXACT_H

#include "checks/model/ir/Poly.h"
#include "checks/model/ir/Range.h"
#include <array>
#include <functional>

namespace clmali::rewrite {

/// The ids of a kernel, by dimension.
struct IdSpace {
  /// How many work-items of the launch each id stands for.
  std::array<unsigned, 3> ItemsPerId = {1, 1, 1};
  /// The local size in work-items of the launch; 0: not known.
  std::array<unsigned, 3> LocalItems = {0, 0, 0};
};

class ExactInts {
public:
  /// The expression that a variable holds wherever it is read; null: not known.
  using DefinitionOf = std::function<const model::Expr *(const model::Var *)>;
  /// What is known of an expression's values besides; the range of its type if nothing is.
  using RangeOf = std::function<model::Range(const model::Expr *)>;

  /// IdsBelow: the limit on the launch's ids, a power of two; 0: none. Lowered as answers need it.
  ExactInts(IdSpace Ids, DefinitionOf Definition, RangeOf Known, int64_t &IdsBelow)
      : Ids(Ids), Definition(std::move(Definition)), Known(std::move(Known)), IdsBelow(IdsBelow) {}

  /// Off where lanes compute what the source does not: an overflow there is no error of the source.
  bool OverflowIsUndefined = true;

  /// True if E, a scalar operation or conversion of integers, is exact.
  bool isExact(const model::Expr *E);
  /// True if E, a scalar integer, is never negative.
  bool isNotNegative(const model::Expr *E);
  /// True if every value of P is one of a scalar integer of type K. Symbol: what P is made of.
  bool fits(const model::Poly &P, model::ScalarKind K,
            llvm::function_ref<const model::Expr *(unsigned)> Symbol);

private:
  const IdSpace Ids;
  const DefinitionOf Definition;
  const RangeOf Known;
  int64_t &IdsBelow;
  int64_t IdLimit = 0;  ///< of the question: ids are below
  bool ReadsId = false; ///< the answer rests on IdLimit

  bool underSomeLimit(llvm::function_ref<bool()> Holds);
  bool isExactHere(const model::Expr *E);
  model::Range values(const model::Expr *E, unsigned Depth);
  model::Range operation(const model::Expr *E, unsigned Depth);
  model::Range workItem(const model::Expr *E);
  bool fitsHere(const model::Poly &P, model::ScalarKind K,
                llvm::function_ref<const model::Expr *(unsigned)> Symbol);
};

/// Lowers IdsBelow, a limit on ids (0: none), to Limit.
inline void lowerTo(int64_t &IdsBelow, int64_t Limit) {
  IdsBelow = IdsBelow ? std::min(IdsBelow, Limit) : Limit;
}

/// The limit under which every id is a non-negative int.
constexpr int64_t IdsThatFitInt = int64_t(1) << 31;

} // namespace clmali::rewrite
#endif
