//===-- rewriters/lanes/Evaluator.cpp - Expressions over all lanes -------------===//

#include "rewriters/lanes/Evaluator.h"
#include "checks/model/ir/Simplify.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Linear.h"

namespace clmali::rewrite {

using namespace model;

LaneVal LaneEvaluator::evalIndex(const Expr *E, unsigned Row) {
  unsigned Was = std::exchange(bitsUsed(), IndexBits);
  LaneVal V = eval(E, Row);
  bitsUsed() = Was;
  return V;
}

LaneVal LaneEvaluator::eval(const Expr *E, unsigned Row) {
  if (Failed)
    return {LaneVal::Uniform, E};
  unsigned Was = std::exchange(bitsUsed(), bitsUsedOfOperands(E, bitsUsed()));
  LaneVal V = evalByKind(E, Row);
  bitsUsed() = Was;
  if ((V.K == LaneVal::Linear || V.K == LaneVal::Stepped) && isSigned(E->Ty->Scalar))
    V.Wraps = mayWrap(E);
  return V;
}

LaneVal LaneEvaluator::evalByKind(const Expr *E, unsigned Row) {
  if (E->Ty->isVector() && N > 1 && shape(E).K != LaneVal::Uniform)
    return fail(LaneFault::VectorType, E);
  switch (E->K) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
    return {LaneVal::Uniform, E};
  case ExprKind::VarRef:
    return evalVar(E, Row);
  case ExprKind::WorkItem:
    return evalWorkItem(E, Row);
  case ExprKind::Load:
    return evalLoad(E, Row);
  case ExprKind::Call:
  case ExprKind::Cast:
  case ExprKind::Binary:
  case ExprKind::Unary:
  case ExprKind::Select:
    return evalOperation(E, Row);
  case ExprKind::Swizzle:
  case ExprKind::VectorCtor: {
    // With several lanes only uniform ones are left (checked above).
    const Expr *X = mapOperands(M, E, [&](const Expr *O) { return eval(O, Row).E; });
    if (N > 1 && shape(E).K != LaneVal::Uniform)
      return fail(LaneFault::VectorComponent, E);
    return {LaneVal::Uniform, X};
  }
  case ExprKind::ImageQuery:
    return {LaneVal::Uniform, E};
  case ExprKind::ImageRead:
    return shape(E).K == LaneVal::Uniform ? evalTexel(E, Row) : fail(LaneFault::NoLaneForm, E);
  case ExprKind::HelperCall:
    return shape(E).K == LaneVal::Uniform ? evalOperation(E, Row) : fail(LaneFault::NoLaneForm, E);
  case ExprKind::Opaque:
    return fail(LaneFault::Opaque, E);
  }
  return {LaneVal::Uniform, E};
}

LaneVal LaneEvaluator::evalOperation(const Expr *E, unsigned Row) {
  if (std::optional<LaneVal> V = evalKnown(E, Row))
    return *V;
  llvm::SmallVector<LaneVal, 3> Ops;
  for (unsigned I = 0; I < E->Ops.size() && !Failed; ++I) {
    bool Lazy = isLazyOperand(E, I);
    // Masks are joined without a short circuit, and values selected without a branch.
    bool Diverges = Lazy && (Ops[0].K != LaneVal::Uniform ||
                             (E->K == ExprKind::Binary && shape(E->Ops[I]).K != LaneVal::Uniform));
    if (Diverges && !speculable(E->Ops[I]))
      return fail(LaneFault::Diverging, E);
    Conditional += Lazy;
    Masked += Diverges;
    Ops.push_back(eval(E->Ops[I], Row));
    Conditional -= Lazy;
    Masked -= Diverges;
  }
  if (!Failed && Masked && mayDivideByZero(E))
    return fail(LaneFault::Diverging, E);
  return Failed ? LaneVal{LaneVal::Uniform, E} : combine(E, Ops);
}

LaneVal LaneEvaluator::combine(const Expr *E, llvm::MutableArrayRef<LaneVal> Ops) {
  std::optional<LaneVal> V = Lanes.combine(E, Ops, shape(E));
  return V ? *V : fail(LaneFault::NoLaneForm, E);
}

const Expr *LaneEvaluator::evalLane(const Expr *E, unsigned Row, unsigned Lane) {
  if (shape(E).K < LaneVal::Vector || E->K == ExprKind::VarRef || E->K == ExprKind::Load ||
      E->K == ExprKind::Call) {
    LaneVal V = eval(E, Row);
    if (V.K == LaneVal::Vector && V.E->K != ExprKind::VarRef)
      V.E = hold(V.E, "lanes");
    return Failed ? E : Convert.toScalar(V, Lane, E->Ty);
  }
  return simplify(M, mapOperands(M, E, [&](const Expr *X) { return evalLane(X, Row, Lane); }));
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

LaneVal LaneEvaluator::evalTexel(const Expr *E, unsigned Row) {
  llvm::SmallVector<const Expr *, 2> Ops;
  for (const Expr *X : E->Ops)
    Ops.push_back(eval(X, Row).E);
  return {LaneVal::Uniform, M.imageRead(E, Ops)};
}

std::optional<int64_t> LaneEvaluator::laneStride(const Access &Acc, unsigned Row, Access &Lane0) {
  Lane0 = Acc;
  int64_t Stride = 0;
  for (unsigned D = 0; D < Acc.Index.size(); ++D) {
    unsigned Was = std::exchange(bitsUsed(), IndexBits);
    bool IsLinear = shape(Acc.Index[D]).K < LaneVal::Stepped;
    bitsUsed() = Was;
    if (!IsLinear)
      return std::nullopt;
    LaneVal V = evalIndex(Acc.Index[D], Row);
    if (V.K >= LaneVal::Stepped)
      return std::nullopt;
    Lane0.Index[D] = V.E;
    if (V.K == LaneVal::Linear)
      Stride += V.Stride * int64_t(Acc.Stride[D]);
  }
  return Stride;
}

LaneVal LaneEvaluator::gather(const Expr *E, unsigned Row) {
  llvm::SmallVector<const Expr *, 16> Each;
  for (unsigned L = 0; L < N && !Failed; ++L) {
    Access One = E->Acc;
    for (const Expr *&Index : One.Index)
      Index = evalLane(Index, Row, L);
    Each.push_back(loadOfLane(One));
  }
  if (Failed)
    return {LaneVal::Uniform, E};
  return {LaneVal::Vector,
          hold(M.vectorCtor(Convert.vectorType(E->Ty), Each), E->Acc.Base->Name + "_v")};
}

} // namespace clmali::rewrite
