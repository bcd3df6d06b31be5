//===-- rewriters/blocking/Updates.cpp - Atomic updates of a block --------------------===//
//
// Part of BlockEmitter: atomic operations whose order does not matter (pattern/AtomicUpdates.h).
// Where all lanes update one element, their operands are joined before one operation:
//
//   before                          after, 4 lanes
//   if (x[i] > t)                   int4 mask = vload4(0, x + i) > t;
//     atomic_inc(count);            uint4 by = select((uint4)(0), (uint4)(1), as_uint4(mask));
//                                   if (any(mask)) atomic_add(count, by.s0 + by.s1 + ...);
//   atomic_inc(&bins[x[i]]);        atomic_inc(&bins[x_v.s0]); atomic_inc(&bins[x_v.s1]); ...
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/AtomicUpdates.h"
#include "rewriters/blocking/BlockEmitter.h"
#include "rewriters/lanes/Joins.h"

namespace clmali::rewrite {

using pattern::AtomicUpdate;

static Join joinOf(AtomicUpdate::Kind K) {
  switch (K) {
  case AtomicUpdate::Sum:
    return Join::Sum;
  case AtomicUpdate::Min:
    return Join::Min;
  case AtomicUpdate::Max:
    return Join::Max;
  case AtomicUpdate::And:
    return Join::And;
  case AtomicUpdate::Or:
    return Join::Or;
  case AtomicUpdate::Xor:
    return Join::Xor;
  }
  llvm_unreachable("no such update");
}

/// The operands of all lanes of Row as one, in the type in which they are joined. Mask: lanes that
/// execute; null: all. Null: there is no such value.
const Expr *BlockEmitter::joinedOperand(const Stmt *St, unsigned Row, const Expr *Mask) {
  const AtomicUpdate Update = *pattern::atomicUpdate(*St);
  const Join How = joinOf(Update.K);
  const Type *Elem = M.value(joinedIn(How, St->Acc.Elem));
  LaneVal By =
      Update.Operand ? eval(Update.Operand, Row) : LaneVal{LaneVal::Uniform, M.intConst(1, Elem)};
  if (Failed)
    return nullptr;
  auto asElem = [&](const Expr *E) {
    const Type *Ty = M.value(Elem->Scalar, E->Ty->Lanes);
    return E->Ty == Ty ? E : simplify(M, M.cast(E, Ty));
  };
  if (N == 1)
    return asElem(By.E);
  if (By.K == LaneVal::Uniform && Update.K != AtomicUpdate::Sum && Update.K != AtomicUpdate::Xor)
    return asElem(By.E); // x & x, x | x, min(x, x)
  if (By.K == LaneVal::Uniform && !Mask) {
    if (Update.K == AtomicUpdate::Sum)
      return simplify(M, M.binary(Op::Mul, asElem(By.E), M.intConst(N, Elem)));
    return M.intConst(0, Elem); // x ^ x, for an even number of lanes
  }
  const Type *From = Update.Operand ? Update.Operand->Ty : Elem;
  const Expr *All = asElem(Convert.toVector(By, From));
  if (Mask) {
    const Expr *None = neutralFor(M, How, Elem);
    if (!None)
      return nullptr;
    const Expr *Lanes = Convert.toMask({LaneVal::Mask, Mask}, Elem, M.value(ScalarKind::Int));
    All = M.select(Lanes, All, M.cast(None, All->Ty));
  }
  auto Both = [&](const Expr *X, const Expr *Y) { return join(M, How, X, Y); };
  auto Hold = [&](const Expr *E, unsigned) { return W.temp(E, St->Acc.Base->Name + "_by"); };
  return joinLanes(M, Hold(All, N), Both, Hold);
}

/// St, which updates At by By, the operand of several items.
Stmt *BlockEmitter::updateBy(const Stmt *St, const Access &At, const Expr *By) {
  const AtomicUpdate Update = *pattern::atomicUpdate(*St);
  Stmt *C = W.copyStmt(St);
  C->Acc = At;
  C->Args = {M.cast(By, M.value(St->Acc.Elem), true)};
  if (Update.K == AtomicUpdate::Sum)
    C->Name = (Update.Prefix + (Update.Subtracts ? "sub" : "add")).str();
  return C;
}

/// St for one lane of Row.
Stmt *BlockEmitter::updateOfLane(const Stmt *St, unsigned Row, unsigned Lane) {
  Stmt *One = W.copyStmt(St);
  One->Acc = St->Acc;
  for (const Expr *&Ix : One->Acc.Index)
    Ix = evalLane(Ix, Row, Lane);
  for (const Expr *&X : One->Args)
    X = evalLane(X, Row, Lane);
  return One;
}

void BlockEmitter::emitUpdate(Stmt *St, Conditions Masks) {
  struct OneElement {
    Access At;
    const Expr *By, *Mask;
  };
  std::vector<OneElement> Joined; // rows that update one element are joined, too
  StmtList New;
  for (unsigned Row : ActiveRows) {
    for (const Expr *X : St->Args)
      guardLoads(X, Row, Masks[Row]);
    for (const Expr *Ix : St->Acc.Index)
      guardLoads(Ix, Row, Masks[Row]);
    Access Lane0;
    std::optional<int64_t> Stride = laneStride(St->Acc, Row, Lane0);
    const Expr *Mask = Failed ? nullptr : maskOf(Masks[Row], Row);
    const bool IsOne = llvm::isPowerOf2_32(N) && (N == 1 || (Stride && *Stride == 0));
    const Expr *By = !Failed && IsOne ? joinedOperand(St, Row, Mask) : nullptr;
    if (Failed)
      return;
    if (!By) {
      ++ScalarAccesses;
      auto Of = [&](unsigned L) { return updateOfLane(St, Row, L); };
      if (Mask)
        llvm::append_range(New, laneByLane(Mask, Of));
      for (unsigned L = 0; L < N && !Mask; ++L)
        New.push_back(Of(L));
      continue;
    }
    OneElement *Same = nullptr;
    for (OneElement &One : Joined)
      if (!Mask && !One.Mask && (Polys.address(One.At) - Polys.address(Lane0)).isZero())
        Same = &One;
    if (Same)
      Same->By = join(M, joinOf(pattern::atomicUpdate(*St)->K), Same->By, By);
    else
      Joined.push_back({Lane0, By, Mask});
  }
  for (const OneElement &One : Joined) {
    Stmt *C = updateBy(St, One.At, One.By);
    if (One.Mask) {
      Stmt *I = M.newStmt(StmtKind::If);
      I->E = M.call("any", M.value(ScalarKind::Int), {One.Mask});
      I->Body = {C};
      C = I;
    }
    New.push_back(C);
  }
  for (Stmt *C : New) {
    if (C != New.front())
      C->Comments.clear();
    W.add(C);
  }
  Loads.clear();
  Loads.clearGuarded();
}

} // namespace clmali::rewrite
