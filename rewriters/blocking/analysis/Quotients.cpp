//===-- rewriters/blocking/analysis/Quotients.cpp - Quotients of ids by few --------------===//
//
// Part of BlockAnalysis. The id of a block's first work-item is a multiple of the lane count, and
// of the rows along the other dimensions. So its quotient by a power of two that is no larger is
// exact, and what the other lanes and rows add to it is known:
//
//   x / 2, x >> 1       lane 0's value, plus 0, 0, 1, 1, 2, 2, ..
//   x & ~1              lane 0's value, plus 0, 0, 2, 2, 4, 4, ..
//   x % 4, x & 3        0, 1, 2, 3, 0, 1, 2, 3, ..
//
// Such values are Stepped: one scalar, and constants for the lanes. Sums of them, and products with
// constants, are Stepped, too.
//
// Limits: powers of two; integers of at least 32 bits; lanes are never below lane 0.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/analysis/BlockAnalysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::rewrite {

/// Larger alignments are of no use.
static constexpr int64_t MaxAlignment = int64_t(1) << 30;

static int64_t lowestBit(int64_t C) { return C ? std::min(C & -C, MaxAlignment) : MaxAlignment; }

/// A power of two that divides E at the block's first lane, in each row or (FirstRow) in the first.
int64_t BlockAnalysis::alignment(const Expr *E, bool FirstRow, unsigned Depth) {
  constexpr unsigned MaxDepth = 24;
  if (Depth > MaxDepth || !E->Ty->isScalar() || !E->Ty->isInteger() ||
      sizeInBits(E->Ty->Scalar) < 32)
    return 1;
  auto Of = [&](unsigned I) { return alignment(E->Ops[I], FirstRow, Depth + 1); };
  switch (E->K) {
  case ExprKind::IntConst:
    return lowestBit(*constantValue(E));
  case ExprKind::WorkItem: {
    if (E->Query != WorkItemQuery::GlobalId && E->Query != WorkItemQuery::LocalId)
      return 1;
    return E->Dim == S.LaneDim || FirstRow ? lowestBit(S.factor(E->Dim)) : 1;
  }
  case ExprKind::VarRef: {
    const Stmt *D = E->V->K == Var::Temp ? A.singleDef(E->V) : nullptr;
    return D && D->E && D->LaneIdx.empty() ? alignment(D->E, FirstRow, Depth + 1) : 1;
  }
  case ExprKind::Cast:
    return E->C == CastOp::Convert && E->Ops[0]->Ty->isInteger() ? Of(0) : 1;
  case ExprKind::Binary:
    break;
  default:
    return 1;
  }
  auto C = constantValue(E->Ops[1]);
  switch (E->O) {
  case Op::Add:
  case Op::Sub:
    return std::min(Of(0), Of(1));
  case Op::Mul:
    return std::min(Of(0) * Of(1), MaxAlignment);
  case Op::Shl:
    return C && *C >= 0 && *C < 30 ? std::min(Of(0) << *C, MaxAlignment) : 1;
  case Op::Shr:
    return C && *C >= 0 && *C < 30 ? std::max<int64_t>(Of(0) >> *C, 1) : 1;
  case Op::And:
    return std::max(Of(0), Of(1));
  default:
    return 1;
  }
}

/// E as a quotient or remainder by a power of two.
std::optional<BlockAnalysis::ConstantOp> BlockAnalysis::constantOp(const Expr *E) {
  if (E->K != ExprKind::Binary || !E->Ty->isScalar() || !E->Ty->isInteger() ||
      sizeInBits(E->Ty->Scalar) < 32)
    return std::nullopt;
  auto C = constantValue(E->Ops[1]);
  if (!C)
    return std::nullopt;
  auto IsPower = [](int64_t X) { return X > 1 && llvm::isPowerOf2_64(X) && X <= MaxAlignment; };
  switch (E->O) {
  case Op::Shr:
    if (*C > 0 && *C < 30)
      return ConstantOp{int64_t(1) << *C, false, true};
    break;
  case Op::Div:
  case Op::Rem:
    if (IsPower(*C))
      return ConstantOp{*C, E->O == Op::Rem, true};
    break;
  case Op::And: {
    if (IsPower(*C + 1))
      return ConstantOp{*C + 1, true, false};
    int64_t Kept = sizeInBits(E->Ty->Scalar) == 32 ? int64_t(int32_t(*C)) : *C;
    if (Kept < 0 && IsPower(-Kept))
      return ConstantOp{-Kept, false, false};
    break;
  }
  default:
    break;
  }
  return std::nullopt;
}

/// True if X may wrap between the first row and one where it is larger by Offset. A multiple of a
/// power of two that is larger than Offset does not.
bool BlockAnalysis::mayWrapInRow(const Expr *X, int64_t Offset) {
  return Offset >= alignment(X, true) && !isExact(X, true);
}

std::optional<BlockAnalysis::Quotient> BlockAnalysis::quotient(const Expr *E) {
  if (!UseSteps || N < 2 || !llvm::isPowerOf2_32(N))
    return std::nullopt;
  std::optional<ConstantOp> How = constantOp(E);
  if (!How)
    return std::nullopt;
  const Expr *X = E->Ops[0];
  VShape Sh = shape(X);
  if ((Sh.K != VShape::Linear && Sh.K != VShape::Stepped) || alignment(X, false) < How->By)
    return std::nullopt;
  Quotient Q;
  Q.By = How->By;
  Q.Low = How->Low;
  if ((E->O == Op::Div || E->O == Op::Rem) && !Ints.isNotNegative(X))
    return std::nullopt;
  LaneSteps Offsets = offsets(Sh);
  if (*llvm::min_element(Offsets) < 0 || !isExact(X))
    return std::nullopt;
  for (int64_t &O : Offsets)
    O = Q.Low ? O % Q.By : How->Divides ? O / Q.By : O - O % Q.By;
  Q.Out = ofOffsets(std::move(Offsets), Sh.Rows && !Q.Low);
  return Q;
}

std::optional<BlockAnalysis::Quotient> BlockAnalysis::quotientOfRow(const Expr *E, int64_t Offset) {
  std::optional<ConstantOp> How = constantOp(E);
  if (!How || Offset < 0 || alignment(E->Ops[0], true) < How->By ||
      mayWrapInRow(E->Ops[0], Offset) ||
      ((E->O == Op::Div || E->O == Op::Rem) && !Ints.isNotNegative(E->Ops[0])))
    return std::nullopt;
  Quotient Q;
  Q.Low = How->Low;
  Q.By = Q.Low ? Offset % How->By : How->Divides ? Offset / How->By : Offset - Offset % How->By;
  return Q;
}

/// The differences of the lanes of Sh, which is no vector, from lane 0.
LaneSteps BlockAnalysis::offsets(const VShape &Sh) const {
  if (Sh.K == VShape::Stepped)
    return *Sh.Steps;
  LaneSteps Offsets;
  for (unsigned L = 0; L < N; ++L)
    Offsets.push_back(L * Sh.Stride);
  return Offsets;
}

VShape BlockAnalysis::ofOffsets(LaneSteps Offsets, bool Rows) {
  bool Linear = true;
  for (unsigned L = 0; L < N; ++L)
    Linear &= Offsets[L] == L * Offsets[1];
  if (Linear)
    return {Offsets[1] ? VShape::Linear : VShape::Uniform, Offsets[1], Rows};
  constexpr int64_t MaxOffset = 1 << 24;
  if (llvm::any_of(Offsets, [](int64_t O) { return O < 0 || O > MaxOffset; }))
    return {VShape::Vector, 0, Rows};
  return {VShape::Stepped, 0, Rows, &*AllSteps.insert(std::move(Offsets)).first};
}

/// The shape of E, an operation of which an operand is Stepped and none is a vector.
VShape BlockAnalysis::steppedBinary(const Expr *E, VShape X, VShape Y, bool Rows) {
  LaneSteps Offsets = offsets(X), More = offsets(Y);
  auto C0 = constantValue(E->Ops[0]), C1 = constantValue(E->Ops[1]);
  constexpr int64_t MaxFactor = 1 << 20, MaxShift = 16;
  int64_t Factor = 1;
  if (E->O == Op::Mul && (C0 || C1)) {
    Factor = C1 ? *C1 : *C0;
    if (!C1)
      Offsets = More;
  } else if (E->O == Op::Shl && C1 && *C1 >= 0 && *C1 < MaxShift) {
    Factor = int64_t(1) << *C1;
  } else if (E->O != Op::Add && E->O != Op::Sub) {
    return {VShape::Vector, 0, Rows};
  }
  if (std::abs(Factor) > MaxFactor)
    return {VShape::Vector, 0, Rows};
  for (unsigned L = 0; L < N; ++L) {
    Offsets[L] *= Factor;
    if (E->O == Op::Add || E->O == Op::Sub)
      Offsets[L] += E->O == Op::Add ? More[L] : -More[L];
  }
  return ofOffsets(std::move(Offsets), Rows);
}

std::optional<LaneSteps> BlockAnalysis::laneOffsets(const Access &Acc) {
  LaneSteps Sum(N, 0);
  for (unsigned D = 0; D < Acc.Index.size(); ++D) {
    VShape Sh = indexShape(Acc.Index[D]);
    if (Sh.K == VShape::Vector)
      return std::nullopt;
    LaneSteps Offsets = offsets(Sh);
    for (unsigned L = 0; L < N; ++L)
      Sum[L] += Offsets[L] * int64_t(Acc.Stride[D]);
  }
  return Sum;
}

} // namespace clmali::rewrite
