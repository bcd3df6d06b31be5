//===-- checks/model/ir/Division.h - Quotients and remainders ------*- C++ -*-===//
//
// One form for the ways to divide a number by a constant:
//
//   k / 16   k >> 4        Of = k, By = 16
//   k % 16   k & 15        Of = k, By = 16, Rest
//
// For shifts and masks this holds for numbers that are not negative (Exact is false).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_IR_DIVISION_H
#define CLMALI_CHECKS_MODEL_IR_DIVISION_H

#include "checks/model/ir/Poly.h"
#include "checks/model/ir/Simplify.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::model {

struct Division {
  const Expr *Of = nullptr;
  int64_t By = 1;
  bool Rest = false; ///< the remainder, not the quotient
  bool Exact = true; ///< for negative numbers, too
};

/// E as a division; nullopt: it is none. Value gives a divisor that is no constant as written.
inline std::optional<Division> divisionOf(const Expr *E,
                                          llvm::function_ref<Poly(const Expr *)> Value = nullptr) {
  if (!E || E->K != ExprKind::Binary || !E->Ty->isScalar() || !E->Ty->isInteger() ||
      sizeInBytes(E->Ty->Scalar) < 4)
    return std::nullopt;
  auto By = constantValue(E->Ops[1]);
  if (!By && Value && (E->O == Op::Div || E->O == Op::Rem))
    if (Poly P = Value(E->Ops[1]); P.isConstant())
      By = P.constantTerm();
  if (!By || *By < 0 || *By >= (1 << 30))
    return std::nullopt;
  switch (E->O) {
  case Op::Div:
  case Op::Rem:
    if (*By < 1)
      return std::nullopt;
    return Division{E->Ops[0], *By, E->O == Op::Rem, true};
  case Op::Shr:
    if (*By > 30)
      return std::nullopt;
    return Division{E->Ops[0], int64_t(1) << *By, false, false};
  case Op::And:
    if (!llvm::isPowerOf2_64(uint64_t(*By) + 1))
      return std::nullopt;
    return Division{E->Ops[0], *By + 1, true, false};
  default:
    return std::nullopt;
  }
}

} // namespace clmali::model
#endif
