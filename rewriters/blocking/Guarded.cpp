//===-- rewriters/blocking/Guarded.cpp - Memory under a mask --------------------------===//
//
// Part of BlockEmitter: branches and loops that depend on data and access memory. The lanes stay
// together, a mask says which of them are active, and their accesses are guarded.
//
//   before                          after, 4 lanes
//   if (m[i])                       int4 mask = vload4(0, m + i) != 0;
//     y[i] = x[i] + 1;              int4 x_v = 0;
//                                   if (mask.s0 & mask.s3) x_v = vload4(0, x + i);
//                                   else if (any(mask)) { if (mask.s0) x_v.s0 = x[i]; ... }
//                                   ...
//
// Where the first and the last lane access memory, what lies between their elements is in the
// buffer too.
//
// Limits: tried last, for blocks that are refused otherwise. Not for stores of all lanes to one
// element, loops inside a masked region, divisions that may be by zero.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/BlockEmitter.h"

namespace clmali::rewrite {

/// The lanes of Row for which all of Conditions hold and that iterate in the loop around; null:
/// all.
const Expr *BlockEmitter::maskOf(llvm::ArrayRef<const Expr *> Conditions, unsigned Row) {
  const Expr *All = conjunction(withActive(Conditions, Row), M.value(ScalarKind::Int));
  return All ? W.temp(All, "here") : nullptr;
}

/// True if the first and the last lane of Mask are active: one access for all lanes is in bounds.
const Expr *BlockEmitter::endsOf(const Expr *Mask) {
  const Expr *First = M.swizzle(Mask, {0}), *Last = M.swizzle(Mask, {uint8_t(N - 1)});
  return M.binary(Op::NE, M.binary(Op::And, First, Last), M.intConst(0));
}

const Expr *BlockEmitter::laneIn(const Expr *Mask, unsigned Lane) {
  return M.binary(Op::NE, M.swizzle(Mask, {uint8_t(Lane)}), M.intConst(0));
}

/// What Of makes for each lane, each under the lane's own condition; statements that Of adds come
/// before it.
StmtList BlockEmitter::laneByLane(const Expr *Mask, llvm::function_ref<Stmt *(unsigned Lane)> Of) {
  StmtList Each;
  StmtList *Was = std::exchange(W.Cur, &Each);
  for (unsigned L = 0; L < N; ++L) {
    Stmt *One = Of(L);
    Stmt *I = M.newStmt(StmtKind::If);
    I->E = laneIn(Mask, L);
    I->Body = {One};
    Each.push_back(I);
  }
  W.Cur = Was;
  return Each;
}

/// if (Cond) Whole; else if (any(Mask)) Each;
Stmt *BlockEmitter::wholeOrLanes(const Expr *Cond, Stmt *Whole, const Expr *Mask, StmtList Each) {
  Stmt *I = M.newStmt(StmtKind::If), *Some = M.newStmt(StmtKind::If);
  I->E = Cond;
  I->Body = {Whole};
  Some->E = M.call("any", M.value(ScalarKind::Int), {Mask});
  Some->Body = std::move(Each);
  Some->Rare = true;
  I->Else = {Some};
  return I;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// Makes the loads of E for the lanes that Conditions leave active, before E is evaluated.
void BlockEmitter::guardLoads(const Expr *E, unsigned Row,
                              llvm::ArrayRef<const Expr *> Conditions) {
  if (!Guarded || N == 1)
    return;
  std::vector<const Expr *> Found; // operands first
  std::function<void(const Expr *)> Visit = [&](const Expr *X) {
    forEachOperand(*X, Visit);
    if (X->K == ExprKind::Load && !Block.SafeLoads.count(X) && !Block.inArrays(X->Acc))
      Found.push_back(X);
  };
  Visit(E);
  if (Failed || (Active.empty() && Conditions.empty()))
    return;
  const Expr *Mask = nullptr;
  for (const Expr *X : Found)
    if (!Failed && !GuardedLoads.count({X, Row}) && !covered(X->Acc))
      guardLoad(X, Row, Conditions, Mask);
}

/// Makes one load. Mask: made of Conditions when it is first needed.
void BlockEmitter::guardLoad(const Expr *X, unsigned Row, llvm::ArrayRef<const Expr *> Conditions,
                             const Expr *&Mask) {
  Access Lane0;
  std::optional<int64_t> Stride = laneStride(X->Acc, Row, Lane0);
  if (Failed)
    return;
  const Type *Ty = Stride && *Stride == 0 ? X->Ty : Convert.vectorType(X->Ty);
  auto Hold = [&](Var *V) {
    GuardedLoads[{X, Row}] = {Ty->isVector() ? LaneVal::Vector : LaneVal::Uniform, M.ref(V)};
  };
  // Already loaded for at least these lanes.
  Poly Address = Stride ? Polys.address(Lane0) : Poly();
  if (const KnownLoad *Known = Stride ? Loads.findGuarded(X->Acc.Base, Address, Ty, Row) : nullptr)
    return Hold(Known->V);
  if (!Mask)
    Mask = maskOf(Conditions, Row);
  const Expr *Zero =
      Ty->isFloat() ? M.floatConst(0, M.value(Ty->Scalar)) : M.intConst(0, M.value(Ty->Scalar));
  Var *V = W.newVar(X->Acc.Base->Name + "_v", Ty);
  Hold(V);
  W.declare(V, Ty->isVector() ? M.cast(Zero, Ty) : Zero);
  if (Stride)
    Loads.addGuarded({X->Acc.Base, Address, Ty, V}, Row, GuardDepth);
  if (Stride && *Stride == 0) {
    Stmt *I = M.newStmt(StmtKind::If);
    I->E = M.call("any", M.value(ScalarKind::Int), {Mask});
    I->Body = {W.makeAssign(V, M.load(Lane0))};
    return W.add(I);
  }
  StmtList Each = laneByLane(Mask, [&](unsigned L) {
    Access One = X->Acc;
    for (const Expr *&Ix : One.Index)
      Ix = evalLane(Ix, Row, L);
    Stmt *D = W.makeAssign(V, M.load(One));
    D->LaneIdx = {uint8_t(L)};
    return D;
  });
  if (Stride && *Stride == sizeInBytes(X->Acc.Elem)) {
    Lane0.F = Access::VLoad;
    Lane0.Lanes = N;
    ++VectorAccesses;
    W.add(wholeOrLanes(endsOf(Mask), W.makeAssign(V, M.load(Lane0)), Mask, std::move(Each)));
  } else {
    ++ScalarAccesses;
    W.Cur->insert(W.Cur->end(), Each.begin(), Each.end());
  }
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// St for the lanes that Masks leave active.
void BlockEmitter::guardStore(Stmt *St, Conditions Masks) {
  for (unsigned Row : ActiveRows) {
    guardStore(St, Row, Masks[Row]);
    if (Failed)
      return;
  }
}

void BlockEmitter::guardStore(Stmt *St, unsigned Row, llvm::ArrayRef<const Expr *> Conditions) {
  guardLoads(St->E, Row, Conditions);
  for (const Expr *Ix : St->Acc.Index)
    guardLoads(Ix, Row, Conditions);
  Access Lane0;
  std::optional<int64_t> Stride = laneStride(St->Acc, Row, Lane0);
  const Expr *Mask = Failed ? nullptr : maskOf(Conditions, Row);
  if (Failed || !Mask || St->Acc.Lanes > 1 || (Stride && *Stride == 0))
    return refuse(Refusal::UnstructuredControl, "vectorize",
                  "a store to " + St->Acc.Base->Name +
                      " under a condition that differs between neighbours",
                  St->Range);
  const Type *Ty = M.value(St->Acc.Elem);
  LaneVal Value = eval(St->E, Row);
  if (Failed)
    return;
  Value = {LaneVal::Vector, W.temp(Convert.toVector(Value, Ty), St->Acc.Base->Name + "_new")};
  StmtList Each = laneByLane(Mask, [&](unsigned L) {
    Stmt *One = M.newStmt(StmtKind::Store, St->Range);
    One->Acc = St->Acc;
    for (const Expr *&Ix : One->Acc.Index)
      Ix = evalLane(Ix, Row, L);
    One->E = Convert.toScalar(Value, L, Ty);
    return One;
  });
  if (Stride && *Stride == sizeInBytes(St->Acc.Elem)) {
    Lane0.F = Access::VLoad;
    Lane0.Lanes = N;
    ++VectorAccesses;
    Stmt *Whole = M.newStmt(StmtKind::Store, St->Range);
    Whole->Acc = Lane0;
    Whole->E = Value.E;
    Stmt *I =
        wholeOrLanes(M.call("all", M.value(ScalarKind::Int), {Mask}), Whole, Mask, std::move(Each));
    I->Comments = St->Comments;
    W.add(I);
  } else {
    ++ScalarAccesses;
    W.Cur->insert(W.Cur->end(), Each.begin(), Each.end());
  }
  Loads.clear();
  Loads.clearGuarded();
}

} // namespace clmali::rewrite
