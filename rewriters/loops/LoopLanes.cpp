//===-- rewriters/loops/LoopLanes.cpp - Iterations as lanes --------------------------===//
//
// What it does: a loop that reduces a value over its iterations (sum, product, minimum ...) does
// several iterations at once, with a partial sum in each lane:
//
//   before                               after, 4 lanes
//   float s = 0;                         float s = 0;
//   for (int k = 0; k < n; ++k)          float4 s_v = (float4)(0);
//     s += a[k] * b[k];                  int k = 0;
//                                        for (; k < (n & -4); k += 4)
//                                          s_v += vload4(0, a + k) * vload4(0, b + k);
//                                        for (; k < n; ++k)
//                                          s += a[k] * b[k];
//                                        s += s_v.s0 + s_v.s1 + s_v.s2 + s_v.s3;
//
// The partial sums live as long as only the reduction touches the variable: also across outer
// loops. Integers wrap, so their sums are exact in any order (computed unsigned, where an overflow
// is defined); floating point is reassociated only where that is allowed.
//
// Limits: the body only computes, and its iterations are independent except for the reductions.
// Nothing is loaded that the iterations do not load. If the index of the best element is kept too,
// the order matters, and nothing is done.
//
//===----------------------------------------------------------------------===//

#include "rewriters/loops/LoopLanes.h"
#include "rewriters/lanes/Exact.h"
#include "rewriters/lanes/Pieces.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

namespace clmali::rewrite {

using namespace model;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Var *LoopLanes::newVar(llvm::StringRef Name, const Type *Ty) {
  Var *V = newTemp(M, K, Name, Ty);
  return V;
}

const Expr *LoopLanes::hold(const Expr *E, llvm::StringRef Name) {
  if (Conditional || E->K == ExprKind::VarRef || E->K == ExprKind::IntConst ||
      E->K == ExprKind::FloatConst)
    return E;
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = newVar(Name, E->Ty);
  D->E = E;
  Cur->push_back(D);
  return M.ref(D->V);
}

const Expr *LoopLanes::splat(const Expr *E, const Type *Lanes) {
  if (E->Ty->Scalar != Lanes->Scalar)
    E = M.cast(E, M.value(Lanes->Scalar), true);
  Expr *S = M.newExpr(ExprKind::Cast, Lanes, E->Range);
  S->C = CastOp::Splat;
  S->Ops = {E};
  return S;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// How E differs from iteration to iteration; nothing is evaluated.
LaneVal LoopLanes::shape(const Expr *E) {
  switch (E->K) {
  case ExprKind::VarRef: {
    auto It = Now.find(E->V);
    return It == Now.end() ? LaneVal{LaneVal::Uniform, E} : It->second;
  }
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::WorkItem:
    return {LaneVal::Uniform, E};
  default:
    break;
  }
  unsigned Was = std::exchange(BitsUsed, bitsUsedOfOperands(E, BitsUsed));
  auto Restore = llvm::make_scope_exit([&] { BitsUsed = Was; });
  return shapeOfOperation(E);
}

/// As shape, for an operation. BitsUsed is that of its operands.
LaneVal LoopLanes::shapeOfOperation(const Expr *E) {
  llvm::SmallVector<int64_t, 3> Strides;
  bool Uniform = true, Vector = false, Wraps = false;
  forEachOperand(*E, [&](const Expr *X) {
    LaneVal V = shape(X);
    Uniform &= V.K == LaneVal::Uniform;
    Vector |= V.K >= LaneVal::Vector;
    Wraps |= V.Wraps;
    Strides.push_back(V.Stride);
  });
  const LaneVal Varies{LaneVal::Vector, E};
  if (Uniform)
    return {LaneVal::Uniform, E};
  if (Vector || !keepsLowBits(E))
    return Varies;
  std::optional<int64_t> Stride = strideOf(E, Strides);
  if (isLinearConversion(E) && !(Wraps && extends(E, BitsUsed)))
    Stride = Strides[0];
  if (!Stride.value_or(0))
    return Varies;
  LaneVal Linear{LaneVal::Linear, E, *Stride};
  // Limits on ids cannot be demanded here.
  int64_t IdsBelow = 0;
  ExactInts Ints({}, [](const Var *) { return nullptr; }, nullptr, IdsBelow);
  Ints.OverflowIsUndefined = !Masked;
  Linear.Wraps = Wraps || !Ints.isExact(E) || IdsBelow;
  return Linear;
}

/// The vector that starts at First; Down: that ends there, in reverse.
LaneVal LoopLanes::vectorAt(const Access &First, bool Down) {
  Access Acc = First;
  Acc.F = Access::VLoad;
  Acc.Lanes = N;
  if (!Down)
    return {LaneVal::Vector, M.load(Acc)};
  Acc = movedBy(M, Acc, 1 - int64_t(N));
  llvm::SmallVector<uint8_t, 16> Reversed;
  for (unsigned L = N; L-- > 0;)
    Reversed.push_back(uint8_t(L));
  return {LaneVal::Vector, M.swizzle(M.load(Acc), Reversed)};
}

LaneVal LoopLanes::evalVar(const Expr *E, unsigned) {
  if (Joined.count(E->V) || Unset.count(E->V))
    Failed = true;
  return shape(E);
}

LaneVal LoopLanes::evalLoad(const Expr *E, unsigned Row) {
  const Access &Acc = E->Acc;
  Access First;
  std::optional<int64_t> Stride = laneStride(Acc, Row, First);
  // Lanes that would not load it may do so only if all of them have loaded the element before.
  bool Known = Stride && llvm::any_of(Loaded, [&](const Access &X) { return equal(X, First); });
  Failed |= Acc.Volatile || (Masked && !Known) || (Stride.value_or(1) && Acc.Lanes > 1);
  if (Failed)
    return {LaneVal::Uniform, E};
  if (Stride && !Known && !Conditional)
    Loaded.push_back(First);
  if (Stride && !*Stride)
    return {LaneVal::Uniform, M.load(First)};
  int64_t Size = sizeInBytes(Acc.Elem);
  bool Whole = Acc.Base->space() != AddressSpace::Private && !Acc.Base->ProgramScope &&
               Acc.Elem != ScalarKind::Bool && Acc.Path.empty() && !Acc.Disp &&
               !Acc.Index.empty() && Acc.Stride.back() == Size;
  bool Down = Stride == -Size;
  // Only the last index may vary, so that the vector starts N - 1 elements below it.
  if (Down)
    for (size_t D = 0; D + 1 < Acc.Index.size(); ++D)
      Down &= shape(Acc.Index[D]).K == LaneVal::Uniform;
  if (Whole && (Stride == Size || Down))
    return vectorAt(First, Down);
  return gather(E, Row);
}

} // namespace clmali::rewrite
