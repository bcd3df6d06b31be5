//===-- rewriters/lanes/LaneValue.h - A value of all lanes --------*- C++ -*-===//
//
// How the new kernel holds a value of one row of a block, and conversions between the forms:
//
//   Uniform  x       the same in all lanes; a scalar
//   Linear   i       lane 0's scalar; lane l has i + l * Stride, modulo the width of the type
//   Stepped  i       lane 0's scalar; lane l has i + Steps[l], likewise
//   Vector   v       a vector with a lane for each work-item
//   Mask     m       the result of a comparison: a vector, lanes 0 or -1
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LANES_LANEVALUE_H
#define CLMALI_REWRITERS_LANES_LANEVALUE_H

#include "checks/model/ir/Model.h"
#include <vector>

namespace clmali::rewrite {

using LaneSteps = std::vector<int64_t>;

struct LaneVal {
  enum Kind : uint8_t { Uniform, Linear, Stepped, Vector, Mask } K = Uniform;
  const model::Expr *E = nullptr;
  int64_t Stride = 0;
  const LaneSteps *Steps = nullptr;
  /// The value may wrap between two lanes. A signed one is then added to as an unsigned one.
  bool Wraps = false;
  /// The difference of Lane from lane 0, for a scalar value.
  int64_t offset(unsigned Lane) const { return K == Stepped ? (*Steps)[Lane] : Lane * Stride; }
};

/// True if E is a product, negated or not, that a compiler may contract with a sum it stands in.
bool isProduct(const model::Expr *E);
/// True if Parts can be the lanes of one summand: none is a product, or all are, and negated
/// equally often (some compilers contract a negated product). Null: any value will do.
bool areOneSummand(llvm::ArrayRef<const model::Expr *> Parts);

/// Conversions for N lanes. The expressions are made, not placed: no statement is added.
class LaneConverter {
public:
  LaneConverter(model::Module &M, unsigned N) : M(M), N(N) {}

  /// N lanes of T; int for bool.
  const model::Type *vectorType(const model::Type *T) const;
  /// V as N lanes of Scalar.
  const model::Expr *toVector(const LaneVal &V, const model::Type *Scalar) const;
  /// The lanes of V that are known here: constants, and constants plus the lanes' offsets.
  std::optional<LaneSteps> constants(const LaneVal &V) const;
  /// As toVector; a product stays a product, so that x * y + z is contracted as before. Null: the
  /// lanes were put together, and are no areOneSummand.
  const model::Expr *toSummand(const LaneVal &V, const model::Type *Ty) const;
  /// E, a scalar integer, plus More, which has its type. Wraps: the sum may leave a signed type.
  const model::Expr *sum(const model::Expr *E, const model::Expr *More, bool Wraps) const;
  /// Lane's value as a scalar of type Ty.
  const model::Expr *toScalar(const LaneVal &V, unsigned Lane, const model::Type *Ty) const;
  /// V, a truth value of scalar type Of, as a mask whose lanes are as wide as Like's.
  const model::Expr *toMask(const LaneVal &V, const model::Type *Like, const model::Type *Of) const;
  /// The type whose width the mask of V, of scalar type Of, has without a conversion.
  const model::Type *maskLike(const LaneVal &V, const model::Type *Of) const;

private:
  model::Module &M;
  const unsigned N;
  const model::Expr *together(llvm::ArrayRef<const model::Expr *> Parts,
                              const model::Type *Ty) const;
  const model::Expr *productOf(llvm::ArrayRef<const model::Expr *> Products,
                               const model::Type *Ty) const;
};

} // namespace clmali::rewrite
#endif
