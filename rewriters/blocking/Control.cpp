//===-- rewriters/blocking/Control.cpp - Branches and loops of a block --------===//
//
// Part of ItemBlocker. A branch is
//   - left out, where the fast path assumes one arm of it,
//   - kept, where all lanes agree (rows may get one copy each),
//   - run under a mask with its assignments selected, where that is cheap and safe,
//   - else run for the items one by one (Items.cpp).
// A loop that lanes leave at different times runs under a mask of the active lanes, or is split
// into iterations of all lanes and a rest for each lane (SplitLoop.cpp).
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void ItemBlocker::emitIf(Stmt *St) {
  if (std::optional<bool> Then = Block.assumedArm(St)) {
    const Expr *C = allAgree(St->E, *Then);
    if (!C)
      return refuse(Refusal::OpaqueConstruct, "vectorize", "condition", St->Range);
    Assumed.add(C);
    return emit(*Then ? St->Body : St->Else);
  }
  VShape C = Block.shape(St->E);
  if (C.K == VShape::Uniform)
    return emitUniformIf(St, C.Rows);
  findSafeLoads(St);
  unsigned Cost = 0, GuardedCost = 0;
  if ((Block.canPredicate(St->Body, Cost) && Block.canPredicate(St->Else, Cost)) ||
      (Guarded && N > 1 && !Block.alternates(St->E) &&
       Block.canPredicate(St->Body, GuardedCost, false, true) &&
       Block.canPredicate(St->Else, GuardedCost, false, true)))
    return emitMaskedIf(St);
  emitDivergent(St);
}

/// A branch that all lanes of a row take or leave together.
void ItemBlocker::emitUniformIf(Stmt *St, bool RowsDiffer) {
  auto EmitFor = [&](unsigned Row) {
    Stmt *I = copyStmt(St);
    I->E = eval(St->E, Row).E;
    emitInto([&] { emit(St->Body); }, I->Body);
    emitInto([&] { emit(St->Else); }, I->Else);
    add(I);
  };
  declareBefore(St);
  auto Rows = ActiveRows;
  if (!RowsDiffer || Rows.size() == 1)
    return EmitFor(Rows[0]);
  // A row must not leave the loop that all rows share.
  bool Leaves = false;
  walk(StmtList{St}, [&](Stmt *X) {
    Leaves |= X->K == StmtKind::Break || X->K == StmtKind::Continue || X->K == StmtKind::Return;
    return X->K != StmtKind::Loop;
  });
  if (Leaves)
    return refuse(Refusal::UnstructuredControl, "coarsen", "rows leave a loop at different times",
                  St->Range);
  for (unsigned Row : Rows) {
    ActiveRows = {Row};
    EmitFor(Row);
  }
  ActiveRows = Rows;
}

/// Both arms for all lanes, with assignments selected and accesses guarded.
void ItemBlocker::emitMaskedIf(Stmt *St) {
  declareBefore(St);
  auto Masks = masksOf(St->E);
  if (Failed)
    return;
  std::vector<llvm::SmallVector<const Expr *, 2>> Yes(R), No(R);
  for (unsigned Row : ActiveRows) {
    Yes[Row].push_back(Masks[Row]);
    No[Row].push_back(M.unary(Op::BitNot, Masks[Row]));
  }
  for (auto [Branch, Lanes] : {std::pair(&St->Body, &Yes), std::pair(&St->Else, &No)}) {
    Loads.clearGuarded();
    emitPredicated(*Branch, *Lanes);
  }
  Loads.clearGuarded();
}

//===----------------------------------------------------------------------===//
// Statements under a mask
//===----------------------------------------------------------------------===//

/// The lanes for which all of Masks are set, as wide as Like's; null: all lanes.
const Expr *ItemBlocker::conjunction(llvm::ArrayRef<const Expr *> Masks, const Type *Like) {
  const Expr *All = nullptr;
  for (const Expr *C : Masks) {
    const Expr *W = Convert.toMask({LaneVal::Mask, C}, Like, Like);
    All = All ? M.binary(Op::And, All, W) : W;
  }
  return All;
}

/// The condition as a mask for each row, held in variables.
std::vector<const Expr *> ItemBlocker::masksOf(const Expr *Cond, Conditions Outer) {
  std::vector<const Expr *> Masks(R, nullptr);
  for (unsigned Row : ActiveRows) {
    if (!Outer.empty())
      guardLoads(Cond, Row, Outer[Row]);
    LaneVal C = eval(Cond, Row);
    const Type *Like = C.K == LaneVal::Mask ? M.value(C.E->Ty->Scalar) : Cond->Ty;
    Masks[Row] = temp(Convert.toMask(C, Like, Cond->Ty), "mask");
    if (!Block.shape(Cond).Rows) {
      for (unsigned Other : ActiveRows)
        Masks[Other] = Masks[Row];
      break;
    }
  }
  return Masks;
}

/// Emits B for the lanes of Masks.
void ItemBlocker::emitPredicated(const StmtList &B, Conditions Masks) {
  bool Was = Block.setMasked(true);
  auto Restore = llvm::make_scope_exit([&] { Block.setMasked(Was); });
  for (Stmt *St : B) {
    if (Failed)
      return;
    GuardedLoads.clear();
    if (St->K == StmtKind::Store) {
      guardStore(St, Masks);
      continue;
    }
    if (St->K != StmtKind::If && St->E)
      for (unsigned Row : ActiveRows)
        guardLoads(St->E, Row, Masks[Row]);
    switch (St->K) {
    case StmtKind::Decl:
      emitDef(St->V, St->E, {}, true, St);
      if (!St->E)
        Unset.insert(St->V);
      break;
    case StmtKind::Break:
      predicateBreak(St, Masks);
      break;
    case StmtKind::If:
      predicateIf(St, Masks);
      break;
    default:
      if (St->K == StmtKind::Assign && Block.isCommonCounter(St->V))
        emitDef(St->V, St->E, St->LaneIdx, false, St);
      else
        predicateAssign(St, Masks);
    }
  }
}

/// The lanes of Masks are done; what follows in this iteration does not change their values.
void ItemBlocker::predicateBreak(const Stmt *St, Conditions Masks) {
  for (unsigned Row : ActiveRows) {
    const Expr *All = conjunction(Masks[Row], M.value(ScalarKind::Int));
    Stmt *D = M.newStmt(StmtKind::Assign, St->Range);
    D->V = Active[Row];
    D->E = All ? M.binary(Op::And, M.ref(Active[Row]), M.unary(Op::BitNot, All))
               : M.cast(M.intConst(0), Active[Row]->Ty);
    D->Comments = St->Comments;
    add(D);
  }
}

void ItemBlocker::predicateIf(const Stmt *St, Conditions Outer) {
  // Masks are held in variables: assignments in the branch may change the condition's operands.
  auto Masks = masksOf(St->E, Outer);
  std::vector<llvm::SmallVector<const Expr *, 2>> Yes = Outer.vec(), No = Outer.vec();
  for (unsigned Row : ActiveRows) {
    Yes[Row].push_back(Masks[Row]);
    No[Row].push_back(M.unary(Op::BitNot, Masks[Row]));
  }
  ++GuardDepth;
  for (auto [Branch, Lanes] : {std::pair(&St->Body, &Yes), std::pair(&St->Else, &No)}) {
    emitPredicated(*Branch, *Lanes);
    Loads.leaveGuard(GuardDepth);
  }
  --GuardDepth;
}

void ItemBlocker::predicateAssign(const Stmt *St, Conditions Masks) {
  Var *V = St->V;
  if (!States.count(V) || !States[V].Live)
    declareUnset(V);
  // A variable without a value has nothing to keep in the other lanes.
  bool Fresh = Unset.erase(V);
  llvm::SmallVector<std::pair<Var *, const Expr *>, 4> Values;
  for (unsigned Row : ActiveRows) {
    Var *NV = varOfRow(V, Row);
    LaneVal X = eval(St->E, Row);
    const Expr *Value = V->Ty->Scalar == ScalarKind::Bool ? Convert.toMask(X, V->Ty, St->E->Ty)
                                                          : Convert.toVector(X, V->Ty);
    llvm::SmallVector<const Expr *, 4> Conditions(Masks[Row].begin(), Masks[Row].end());
    if (!Active.empty())
      Conditions.insert(Conditions.begin(), M.ref(Active[Row]));
    const Expr *All = conjunction(Conditions, V->Ty);
    Values.push_back({NV, Fresh || !All ? Value : M.select(All, Value, M.ref(NV))});
    if (States[V].New.size() == 1)
      break;
  }
  if (Failed)
    return;
  for (auto [NV, X] : Values) {
    Stmt *D = M.newStmt(StmtKind::Assign, St->Range);
    D->V = NV;
    D->E = X;
    D->Comments = St->Comments;
    add(D);
    Loads.assigned(NV);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void ItemBlocker::emitLoop(Stmt *St) {
  VShape C = St->E ? Block.shape(St->E) : VShape();
  if (Block.divergent(St) && Block.maskable(St))
    return emitMaskedLoop(St);
  if (C.K != VShape::Uniform)
    return emitSplitLoop(St);
  declareBefore(St);
  Unset.clear(); // the second iteration has values
  auto Rows = ActiveRows;
  if (!C.Rows || Rows.size() == 1)
    return emitLockstepLoop(St, Rows[0]);
  for (unsigned Row : Rows) {
    ActiveRows = {Row};
    emitLockstepLoop(St, Row);
  }
  ActiveRows = Rows;
}

/// A loop that all lanes, and all active rows, leave at the same time. Row: of the condition.
void ItemBlocker::emitLockstepLoop(Stmt *St, unsigned Row) {
  Stmt *L = copyStmt(St);
  // A load before the loop may be outdated in the second iteration.
  if (hasStoreOrBarrier(St->Body) || hasStoreOrBarrier(St->Step))
    Loads.clear();
  StmtList *Was = std::exchange(Cur, &L->Init);
  emit(St->Init);
  Cur = Was;
  // Declarations that the loop header cannot hold go before it.
  if (L->Init.size() > 1) {
    for (Stmt *X : L->Init)
      add(X);
    L->Init.clear();
  }
  for (const Stmt *X : stmts(StmtList{St}))
    if ((X->K == StmtKind::Assign || X->K == StmtKind::Decl) && States.count(X->V))
      for (Var *NV : States[X->V].New)
        Loads.assigned(NV);
  auto EmitParts = [&] {
    if (St->E) {
      ++Conditional;
      L->E = eval(St->E, Row).E;
      --Conditional;
    }
    StmtList *Outer = Cur;
    Block.Around.push_back(St);
    Cur = &L->Body;
    emit(St->Body);
    ++Conditional;
    Cur = &L->Step;
    emit(St->Step);
    --Conditional;
    Block.Around.pop_back();
    Cur = Outer;
  };
  emitInto(EmitParts, L->Body);
  if (hasStoreOrBarrier(St->Body))
    Loads.clear();
  add(L);
}

/// Loop's condition for Row as a mask. Null: it has none, or it is Uniform and stays the
/// condition of the new loop.
const Expr *ItemBlocker::activeLanes(const Stmt *Loop, unsigned Row, bool Uniform) {
  if (!Loop->E || Uniform)
    return nullptr;
  GuardedLoads.clear();
  guardLoads(Loop->E, Row, {});
  return condition(Loop->E, Row, M.value(ScalarKind::Int));
}

/// A loop that computes a value by a different number of iterations in each lane (iterated
/// functions, Newton's method, searches): runs as long as any lane is active, and keeps the values
/// of those that are not.
void ItemBlocker::emitMaskedLoop(Stmt *St) {
  if (!Active.empty() || A.hasBarrier())
    return refuse(Refusal::DivergentLoop, "vectorize",
                  "a loop whose trip count differs between neighbours", St->Range);
  declareBefore(St);
  Unset.clear();
  emit(St->Init);
  if (Failed)
    return;
  const Type *Mask = M.value(ScalarKind::Int, N);
  // A condition that is the same in all lanes stays the loop's own.
  bool Uniform = St->E && St->Form != Stmt::DoWhile && !varies(Block.shape(St->E));
  std::vector<llvm::SmallVector<const Expr *, 2>> None(R);
  std::vector<Var *> Lanes(R, nullptr);
  for (unsigned Row : ActiveRows) {
    Stmt *D = M.newStmt(StmtKind::Decl, St->Range);
    const Expr *First = St->Form == Stmt::DoWhile ? nullptr : activeLanes(St, Row, Uniform);
    D->E = First ? First : M.cast(M.intConst(-1), Mask);
    D->V = Lanes[Row] = newVar("active", Mask);
    add(D);
  }
  Stmt *L = copyStmt(St);
  L->Form = Stmt::While;
  const Expr *Any = nullptr;
  for (unsigned Row : ActiveRows)
    Any = Any ? M.binary(Op::Or, Any, M.ref(Lanes[Row])) : M.ref(Lanes[Row]);
  L->E = M.call("any", M.value(ScalarKind::Int), {Any});
  Loads.clear();
  Loads.clearGuarded();
  auto EmitParts = [&] {
    Block.Around.push_back(St);
    Active = Lanes;
    if (Uniform) {
      ++Conditional;
      L->E = M.binary(Op::LogicalAnd, eval(St->E, ActiveRows[0]).E, L->E);
      --Conditional;
    }
    emitPredicated(St->Body, None);
    emitPredicated(St->Step, None);
    Block.Around.pop_back();
    for (unsigned Row : ActiveRows) {
      const Expr *C = Failed ? nullptr : activeLanes(St, Row, Uniform);
      if (!C)
        continue;
      Stmt *D = M.newStmt(StmtKind::Assign, St->Range);
      D->V = Lanes[Row];
      D->E = M.binary(Op::And, M.ref(Lanes[Row]), C);
      add(D);
    }
    GuardedLoads.clear();
    Loads.clearGuarded();
    Active.clear();
  };
  emitInto(EmitParts, L->Body);
  Loads.clear();
  add(L);
}

} // namespace clmali::rewrite
