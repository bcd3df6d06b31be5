//===-- rewriters/lanes/Linear.h - Values that are linear in the lane -*- C++ -*-===//
//
// How the lanes of an operation on integers differ, from how those of its operands do. Differences
// are modulo the width of the type; whether the value may wrap between two lanes, lanes/Exact.h
// says.
//
//   x + 3, x * 5, x << 2, -x       linear
//   (long)x                        linear if x does not wrap, or if only the low bits matter
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LANES_LINEAR_H
#define CLMALI_REWRITERS_LANES_LINEAR_H

#include "checks/model/ir/Model.h"
#include <optional>

namespace clmali::rewrite {

/// How many low bits of a value matter: all, or those of an index that is in bounds.
constexpr unsigned AllBits = 64, IndexBits = 32;

/// True if the low bits of E, a scalar integer, depend on the low bits of its operands only.
bool keepsLowBits(const model::Expr *E);
/// How many low bits of E's operands matter where BitsUsed of its own do.
unsigned bitsUsedOfOperands(const model::Expr *E, unsigned BitsUsed);
/// True if E, a conversion of which BitsUsed bits matter, is linear only where its operand does not
/// wrap between two lanes.
bool extends(const model::Expr *E, unsigned BitsUsed);
/// True for conversions of integers under which lanes stay linear: to at least 32 bits.
bool isLinearConversion(const model::Expr *E);
/// The difference from lane to lane of E, a sum or a product with a constant, by those of its
/// operands. Nothing: E is no such operation, or its stride is too large.
std::optional<int64_t> strideOf(const model::Expr *E, llvm::ArrayRef<int64_t> OfOperands);

} // namespace clmali::rewrite
#endif
