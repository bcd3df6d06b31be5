//===-- rewriters/lanes/LaneValue.cpp - A value of all lanes ---------------===//

#include "rewriters/lanes/LaneValue.h"
#include "checks/model/ir/Simplify.h"
#include "rewriters/lanes/Pieces.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

const Type *LaneConverter::vectorType(const Type *T) const {
  ScalarKind K = T->Scalar == ScalarKind::Bool ? ScalarKind::Int : T->Scalar;
  return M.value(K, N);
}

const Expr *LaneConverter::toVector(const LaneVal &V, const Type *Scalar) const {
  const Type *VT = vectorType(Scalar);
  switch (V.K) {
  case LaneVal::Vector:
    return V.E;
  case LaneVal::Mask: {
    // 0 or 1 as an integer; floating point has no `&`.
    const Type *Ones = Scalar->isFloat() ? vectorType(M.value(ScalarKind::Int)) : VT;
    const Expr *E = toMask(V, Scalar->isFloat() ? M.value(ScalarKind::Int) : Scalar, Scalar);
    if (E->Ty != Ones)
      E = M.cast(E, Ones);
    E = M.binary(Op::And, E, M.cast(M.intConst(1, Ones->Scalar), Ones));
    return Ones == VT ? E : M.cast(E, VT);
  }
  case LaneVal::Uniform:
  case LaneVal::Linear:
  case LaneVal::Stepped:
    break;
  }
  const Expr *Base = V.E;
  const Type *Lane = M.value(VT->Scalar);
  llvm::SmallVector<const Expr *, 16> Steps;
  if (V.K == LaneVal::Stepped && constantValue(Base) && VT->isInteger()) {
    for (unsigned L = 0; L < N; ++L)
      Steps.push_back(M.intConst(*constantValue(Base) + V.offset(L), Lane));
    return M.vectorCtor(VT, Steps);
  }
  if (Base->Ty->Scalar != VT->Scalar)
    Base = M.cast(Base, M.value(VT->Scalar));
  Expr *Splat = M.newExpr(ExprKind::Cast, VT, V.E->Range);
  Splat->C = CastOp::Splat;
  Splat->Ops = {Base};
  if (V.K == LaneVal::Uniform)
    return Splat;
  for (unsigned L = 0; L < N; ++L)
    Steps.push_back(M.intConst(V.offset(L), Lane));
  return M.binary(Op::Add, Splat, M.vectorCtor(VT, Steps));
}

const Expr *LaneConverter::sum(const Expr *E, const Expr *More, bool Wraps) const {
  if (!Wraps || !isSigned(E->Ty->Scalar))
    return M.binary(Op::Add, E, More);
  const Type *Unsigned =
      M.value(sizeInBits(E->Ty->Scalar) == 64 ? ScalarKind::ULong : ScalarKind::UInt);
  auto AsUnsigned = [&](const Expr *X) { return simplify(M, M.cast(X, Unsigned)); };
  return M.cast(M.binary(Op::Add, AsUnsigned(E), AsUnsigned(More)), E->Ty);
}

const Expr *LaneConverter::toScalar(const LaneVal &V, unsigned Lane, const Type *Ty) const {
  switch (V.K) {
  case LaneVal::Uniform:
    return V.E;
  case LaneVal::Linear:
  case LaneVal::Stepped:
    if (V.offset(Lane) == 0)
      return V.E;
    return simplify(M, sum(V.E, M.intConst(V.offset(Lane), V.E->Ty), V.Wraps));
  case LaneVal::Vector:
    return M.swizzle(V.E, {uint8_t(Lane)});
  case LaneVal::Mask: {
    const Expr *Bit = M.swizzle(V.E, {uint8_t(Lane)});
    const Expr *IsSet = M.binary(Op::NE, Bit, M.intConst(0, Bit->Ty));
    return Ty->Scalar == IsSet->Ty->Scalar ? IsSet : M.cast(IsSet, Ty, true);
  }
  }
  return V.E;
}

std::optional<LaneSteps> LaneConverter::constants(const LaneVal &V) const {
  LaneSteps Lanes;
  if (V.K == LaneVal::Vector || V.K == LaneVal::Mask) {
    if (V.E->K != ExprKind::VectorCtor || V.E->Ops.size() != N)
      return std::nullopt;
    for (const Expr *Op : V.E->Ops) {
      if (Op->K != ExprKind::IntConst)
        return std::nullopt;
      Lanes.push_back(*constantValue(Op));
    }
    return Lanes;
  }
  std::optional<int64_t> Base =
      V.E->Ty->isInteger() ? constantValue(V.E) : std::optional<int64_t>();
  if (!Base)
    return std::nullopt;
  for (unsigned L = 0; L < N; ++L)
    Lanes.push_back(*Base + V.offset(L));
  return Lanes;
}

const Expr *LaneConverter::toMask(const LaneVal &V, const Type *Like, const Type *Of) const {
  static const ScalarKind Kinds[] = {ScalarKind::Char, ScalarKind::Short, ScalarKind::Int,
                                     ScalarKind::Long};
  unsigned Bytes = Like->Scalar == ScalarKind::Bool ? 4 : sizeInBytes(Like->Scalar);
  ScalarKind K = Kinds[Bytes == 1 ? 0 : Bytes == 2 ? 1 : Bytes == 4 ? 2 : 3];
  const Type *MT = M.value(K, N);
  if (V.K == LaneVal::Mask)
    return V.E->Ty == MT ? V.E : M.cast(V.E, MT);
  if (auto Known = constants(V); Known && V.K != LaneVal::Uniform) {
    llvm::SmallVector<const Expr *, 16> Lanes;
    for (int64_t C : *Known)
      Lanes.push_back(M.intConst(C ? -1 : 0, M.value(K)));
    return M.vectorCtor(MT, Lanes);
  }
  const Expr *E = V.E;
  if (V.K != LaneVal::Vector)
    E = toVector(V, Of);
  const Expr *Zero = M.cast(Of->isFloat() ? M.floatConst(0, M.value(E->Ty->Scalar))
                                          : M.intConst(0, M.value(E->Ty->Scalar)),
                            E->Ty);
  const Expr *NonZero = M.binary(Op::NE, E, Zero);
  return NonZero->Ty == MT ? NonZero : M.cast(NonZero, MT);
}

const Type *LaneConverter::maskLike(const LaneVal &V, const Type *Of) const {
  return V.K == LaneVal::Mask ? M.value(V.E->Ty->Scalar) : Of;
}

/// Parts as a vector of type Ty; where all are one scalar, that in each lane.
const Expr *LaneConverter::together(llvm::ArrayRef<const Expr *> Parts, const Type *Ty) const {
  bool Same = Parts[0]->Ty->isScalar() &&
              llvm::all_of(Parts, [&](const Expr *E) { return equal(E, Parts[0]); });
  return Same ? M.cast(Parts[0], Ty) : putTogether(M, Parts);
}

static bool isNegation(const Expr *E) { return E->K == ExprKind::Unary && E->O == Op::Neg; }

bool isProduct(const Expr *E) {
  while (isNegation(E))
    E = E->Ops[0];
  return E->K == ExprKind::Binary && E->O == Op::Mul && E->Ty->isFloat();
}

/// Adds the parts that E is put together of, at any depth.
static void findParts(const Expr *E, llvm::SmallVectorImpl<const Expr *> &Parts) {
  if (E->K != ExprKind::VectorCtor)
    return Parts.push_back(E);
  for (const Expr *X : E->Ops)
    findParts(X, Parts);
}

bool areOneSummand(llvm::ArrayRef<const Expr *> Parts) {
  auto Negations = [](const Expr *E) {
    int Count = 0;
    for (; isProduct(E) && isNegation(E); E = E->Ops[0])
      ++Count;
    return isProduct(E) ? Count : -1;
  };
  const Expr *First = *llvm::find_if(Parts, [](const Expr *E) { return E; });
  return llvm::all_of(Parts, [&](const Expr *E) { return !E || Negations(E) == Negations(First); });
}

/// Products, all negated alike, as one product of type Ty.
const Expr *LaneConverter::productOf(llvm::ArrayRef<const Expr *> Products, const Type *Ty) const {
  llvm::SmallVector<const Expr *, 16> Left, Right;
  for (const Expr *E : Products) {
    Left.push_back(E->Ops[0]);
    Right.push_back(E->Ops.back());
  }
  if (isNegation(Products[0]))
    return M.unary(Op::Neg, productOf(Left, Ty));
  return M.binary(Op::Mul, together(Left, Ty), together(Right, Ty));
}

const Expr *LaneConverter::toSummand(const LaneVal &V, const Type *Ty) const {
  if (V.K == LaneVal::Vector && V.E->K == ExprKind::VectorCtor) {
    llvm::SmallVector<const Expr *, 16> Parts;
    findParts(V.E, Parts);
    if (!areOneSummand(Parts))
      return nullptr;
    return isProduct(Parts[0]) ? productOf(Parts, V.E->Ty) : V.E;
  }
  if (V.K == LaneVal::Uniform && isProduct(V.E))
    return productOf(V.E, vectorType(Ty));
  return toVector(V, Ty);
}

} // namespace clmali::rewrite
