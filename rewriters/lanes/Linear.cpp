//===-- rewriters/lanes/Linear.cpp - Values that are linear in the lane -------===//

#include "rewriters/lanes/Linear.h"
#include "checks/model/ir/Simplify.h"

namespace clmali::rewrite {

using namespace model;

/// Values of larger strides are vectors: differences of lanes must not wrap.
static constexpr int64_t MaxStride = 1 << 20, MaxShift = 16;

static bool isInt(const Expr *E) { return E->Ty->isScalar() && E->Ty->isInteger(); }

bool keepsLowBits(const Expr *E) {
  if (!isInt(E) || E->Ty->Scalar == ScalarKind::Bool || E->Ops.empty() || !isInt(E->Ops[0]))
    return false;
  return (E->K == ExprKind::Cast && E->C == CastOp::Convert) ||
         (E->K == ExprKind::Unary && E->O == Op::Neg) ||
         (E->K == ExprKind::Binary &&
          (E->O == Op::Add || E->O == Op::Sub || E->O == Op::Mul || E->O == Op::Shl));
}

unsigned bitsUsedOfOperands(const Expr *E, unsigned BitsUsed) {
  const unsigned Own = std::max<unsigned>(sizeInBits(E->Ty->Scalar), IndexBits);
  return keepsLowBits(E) ? std::min(BitsUsed, Own) : AllBits;
}

bool extends(const Expr *E, unsigned BitsUsed) {
  return std::min<unsigned>(sizeInBits(E->Ty->Scalar), BitsUsed) >
         sizeInBits(E->Ops[0]->Ty->Scalar);
}

bool isLinearConversion(const Expr *E) {
  return E->K == ExprKind::Cast && keepsLowBits(E) && sizeInBits(E->Ty->Scalar) >= 32;
}

std::optional<int64_t> strideOf(const Expr *E, llvm::ArrayRef<int64_t> Of) {
  if (!isInt(E) || sizeInBits(E->Ty->Scalar) < 32)
    return std::nullopt;
  if (E->K == ExprKind::Unary)
    return E->O == Op::Neg ? std::optional(-Of[0]) : std::nullopt;
  if (E->K != ExprKind::Binary)
    return std::nullopt;
  auto C0 = constantValue(E->Ops[0]), C1 = constantValue(E->Ops[1]);
  if (E->O == Op::Mul && std::abs(C1 ? *C1 : C0.value_or(0)) > MaxStride)
    return std::nullopt;
  int64_t Stride;
  if (E->O == Op::Add)
    Stride = Of[0] + Of[1];
  else if (E->O == Op::Sub)
    Stride = Of[0] - Of[1];
  else if (E->O == Op::Mul && C1)
    Stride = Of[0] * *C1;
  else if (E->O == Op::Mul && C0)
    Stride = Of[1] * *C0;
  else if (E->O == Op::Shl && C1 && *C1 < MaxShift && *C1 >= 0)
    Stride = Of[0] << *C1;
  else
    return std::nullopt;
  return Stride <= MaxStride && Stride >= -MaxStride ? std::optional(Stride) : std::nullopt;
}

} // namespace clmali::rewrite
