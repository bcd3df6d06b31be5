//===-- rewriters/blocking/SplitLoop.cpp - Trip counts that differ ------------===//
//
// Part of BlockEmitter. A loop that adjacent lanes leave at different times (grid-stride and
// triangular loops) runs for all lanes as long as all of them iterate, then for each lane alone:
//
//   for (; k < n[i]; ++k) s += a[k];      while (all lanes have k < n) { ... }
//                                         for (lane = 0; lane < 4; ++lane)
//                                           for (; k < n of this lane; ++k) ...
//
// A lane in a variable cannot select a component: vectors that the rest reads or changes are in
// arrays meanwhile.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/BlockEmitter.h"

namespace clmali::rewrite {

/// One iteration of St, whose iterations are independent, for all lanes: together where the
/// assumptions of this iteration hold, else one by one.
void BlockEmitter::emitTrip(Stmt *St, unsigned Row) {
  std::vector<const Expr *> Outer = Assumed.startNew();
  StmtList Fast;
  emitInto([&] { emit(St->Body); }, Fast);
  const Expr *Here = Assumed.conjunction();
  Assumed.restore(std::move(Outer));
  if (Failed)
    return;
  if (!Here) {
    W.Cur->insert(W.Cur->end(), Fast.begin(), Fast.end());
    return;
  }
  Stmt *I = M.newStmt(StmtKind::If);
  I->E = Here;
  I->Body = std::move(Fast);
  W.add(I);
  Var *Lane = W.newVar("lane", M.value(ScalarKind::Int));
  Stmt *Each = countingLoop(Lane, N), *Trip = M.newStmt(StmtKind::If, St->Range);
  I->Else = {Each};
  Trip->E = M.intConst(1);
  Trip->Body = St->Body;
  StmtList *Was = std::exchange(W.Cur, &Each->Body);
  OwnVars Own;
  Stmt *Whole = copyForLane(Trip, Row, Lane, Own, [](const Var *) { return nullptr; });
  W.Cur->insert(W.Cur->end(), Whole->Body.begin(), Whole->Body.end());
  W.Cur = Was;
  Loads.clear();
}

/// The iterations of St that all lanes make, while All holds.
void BlockEmitter::emitWhileAllRun(Stmt *St, const Expr *All, unsigned Row) {
  Loads.clear();
  Stmt *L = W.copyStmt(St);
  L->Form = Stmt::While;
  L->E = All;
  const Var *Counter = Block.independentTrips(St);
  auto EmitParts = [&] {
    Block.Around.push_back(St);
    Block.TripCounter = Counter;
    if (Counter)
      emitTrip(St, Row);
    else
      emit(St->Body);
    Block.TripCounter = nullptr;
    emit(St->Step);
    Block.Around.pop_back();
  };
  emitInto(EmitParts, L->Body);
  Loads.clear();
  W.add(L);
}

/// The vectors that St reads or changes, in order. False: one cannot be held in an array.
bool BlockEmitter::vectorsUsedIn(Stmt *St, llvm::SmallVectorImpl<Var *> &Order) {
  llvm::DenseSet<const Var *> OfOneTrip;
  for (const Stmt *X : stmts(St->Body))
    if (X->K == StmtKind::Decl)
      OfOneTrip.insert(X->V);
  bool Fits = true;
  auto Use = [&](Var *V) {
    if (V->K != Var::Temp || OfOneTrip.count(V) || Block.shapeOf(V).K != VShape::Vector ||
        llvm::is_contained(Order, V))
      return;
    Fits &= V->Ty->isScalar() && V->Ty->Scalar != ScalarKind::Bool;
    Order.push_back(V);
  };
  for (Stmt *X : stmts(StmtList{St})) {
    if (X->K == StmtKind::Assign)
      Use(X->V);
    for (ExprAt E : exprs(*X))
      if (E->K == ExprKind::VarRef)
        Use(E->V);
  }
  return Fits;
}

/// The element at Index of Array.
static Access elementOf(Var *Array, const Expr *Index) {
  Access Acc;
  Acc.Base = Array;
  Acc.Index = {Index};
  Acc.Elem = Array->Ty->Elem->Scalar;
  Acc.Stride = {sizeInBytes(Acc.Elem)};
  return Acc;
}

/// The first N elements of Array.
static Access wholeArray(Module &M, Var *Array, unsigned N) {
  Access Acc = elementOf(Array, M.intConst(0));
  Acc.F = Access::VLoad;
  Acc.Lanes = N;
  return Acc;
}

/// The iterations of St that are left, for each lane alone. Order: vectors that it uses. IsResult:
/// variables of the loop that are read after it.
StmtList BlockEmitter::restLaneByLane(Stmt *St, unsigned Row, llvm::ArrayRef<Var *> Order,
                                      llvm::function_ref<bool(const Var *)> IsResult) {
  StmtList Left;
  StmtList *Was = std::exchange(W.Cur, &Left);
  llvm::DenseMap<const Var *, Var *> ArrayOf;
  for (Var *V : Order) {
    Var *Array = ArrayOf[V] = W.newArray(V->Name + "_of", M.array(V->Ty, N), V);
    W.declare(Array);
    Stmt *Put = M.newStmt(StmtKind::Store);
    Put->Acc = wholeArray(M, Array, N);
    Put->E = Convert.toVector(eval(M.ref(V), Row), V->Ty);
    W.add(Put);
  }
  Var *Lane = W.newVar("lane", M.value(ScalarKind::Int));
  Stmt *Rest = countingLoop(Lane, N);
  W.Cur = &Rest->Body;
  OwnVars Own;
  auto Held = [&](const Var *V) -> const Expr * {
    Var *Array = ArrayOf.lookup(V);
    return Array ? M.load(elementOf(Array, M.ref(Lane))) : nullptr;
  };
  W.add(copyForLane(St, Row, Lane, Own, Held));
  for (Var *V : Order)
    if (IsResult(V)) {
      Stmt *Back = M.newStmt(StmtKind::Store);
      Back->Acc = elementOf(ArrayOf[V], M.ref(Lane));
      Back->E = M.ref(Own[V]);
      W.add(Back);
    }
  W.Cur = &Left;
  W.add(Rest);
  for (Var *V : Order)
    if (IsResult(V)) {
      Stmt *Get = M.newStmt(StmtKind::Assign);
      Get->V = varOfRow(V, Row);
      Get->E = M.load(wholeArray(M, ArrayOf[V], N));
      W.add(Get);
    }
  W.Cur = Was;
  return Left;
}

void BlockEmitter::emitSplitLoop(Stmt *St) {
  auto No = [&](const std::string &Detail) {
    refuse(Refusal::DivergentLoop, "vectorize", Detail, St->Range);
  };
  const std::string Differs = "whose trip count differs between neighbours";
  if (!St->E || St->Form == Stmt::DoWhile || ActiveRows.size() > 1)
    return No("a loop " + Differs);
  bool Simple = true;
  llvm::DenseSet<Var *> Assigned, Declared;
  for (const Stmt *X : stmts(StmtList{St})) {
    if (X != St && (X->K == StmtKind::Barrier || X->K == StmtKind::Break ||
                    X->K == StmtKind::Continue || X->K == StmtKind::Return))
      Simple = false;
    if (X->K == StmtKind::Decl)
      Declared.insert(X->V);
    if (X->K == StmtKind::Assign)
      Assigned.insert(X->V);
  }
  if (!Simple)
    return No("a loop with break or barrier " + Differs);
  declareBefore(St);
  Unset.clear();
  unsigned Row = ActiveRows[0];
  emit(St->Init);
  if (Failed)
    return;
  const Expr *All = allAgreeHere(St->E, true), *None = allAgreeHere(St->E, false);
  if (!All)
    return No("a loop " + Differs);
  emitWhileAllRun(St, All, Row);
  if (Failed)
    return;
  llvm::SmallVector<Var *, 4> Order;
  if (!vectorsUsedIn(St, Order))
    return No("a loop " + Differs + " carries a value");
  for (Var *V : Assigned)
    if (!Declared.count(V) && !llvm::is_contained(Order, V) && Block.usedOutside(V, St))
      return No("a loop " + Differs + " sets " + V->Name);
  StmtList Left = restLaneByLane(St, Row, Order, [&](const Var *V) {
    return Assigned.count(const_cast<Var *>(V)) && Block.usedOutside(V, St);
  });
  if (Order.empty() || !None) {
    W.Cur->insert(W.Cur->end(), Left.begin(), Left.end());
    return;
  }
  // If no lane has iterations left, nothing goes through memory.
  Stmt *I = M.newStmt(StmtKind::If);
  I->Rare = true;
  I->E = simplify(M, M.unary(Op::LogicalNot, None));
  I->Body = std::move(Left);
  W.add(I);
}

} // namespace clmali::rewrite
