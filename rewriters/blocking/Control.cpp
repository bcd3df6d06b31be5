//===-- rewriters/blocking/Control.cpp - Branches and loops of a block --------===//
//
// Part of BlockEmitter. A branch is
//   - left out, where the fast path assumes one arm of it,
//   - kept, where all lanes agree (rows may get one copy each),
//   - run under a mask with its assignments selected, where that is cheap and safe,
//   - else run for the items one by one, as scalar code between the vectors: unrolled, or as a loop
//     over the lanes where nothing of it is in vectors. If all lanes agree, and that makes only
//     vector accesses, the block stays together.
// A loop that lanes leave at different times runs under a mask of the active lanes, or is split
// into iterations of all lanes and a rest for each lane (SplitLoop.cpp).
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/BlockEmitter.h"

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void BlockEmitter::emitIf(Stmt *St) {
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
  // if (lid == 0): one lane alone needs no mask.
  bool OneLane = N > 1 && St->Else.empty() && hasStoreOrBarrier(St->Body) &&
                 isNeverTrue(St->E, ActiveRows[0], N - 1);
  if (OneLane)
    return emitDivergent(St);
  if ((Block.canPredicate(St->Body, Cost) && Block.canPredicate(St->Else, Cost)) ||
      (Guarded && N > 1 && !Block.alternates(St->E) &&
       Block.canPredicate(St->Body, GuardedCost, false, true) &&
       Block.canPredicate(St->Else, GuardedCost, false, true)))
    return emitMaskedIf(St);
  emitDivergent(St);
}

/// A branch that all lanes of a row take or leave together.
void BlockEmitter::emitUniformIf(Stmt *St, bool RowsDiffer) {
  auto EmitFor = [&](unsigned Row) {
    Stmt *I = W.copyStmt(St);
    I->E = eval(St->E, Row).E;
    emitInto([&] { emit(St->Body); }, I->Body);
    emitInto([&] { emit(St->Else); }, I->Else);
    W.add(I);
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
void BlockEmitter::emitMaskedIf(Stmt *St) {
  declareBefore(St);
  Loads.clearGuarded();
  predicateIf(St, std::vector<llvm::SmallVector<const Expr *, 2>>(R));
  Loads.clearGuarded();
}

//===----------------------------------------------------------------------===//
// Statements under a mask
//===----------------------------------------------------------------------===//

/// The lanes for which all of Masks are set, as wide as Like's; null: all lanes.
const Expr *BlockEmitter::conjunction(llvm::ArrayRef<const Expr *> Masks, const Type *Like) {
  const Expr *All = nullptr;
  for (const Expr *C : Masks) {
    const Expr *W = Convert.toMask({LaneVal::Mask, C}, Like, Like);
    All = All ? M.binary(Op::And, All, W) : W;
  }
  return All;
}

/// Masks, and the lanes that iterate in the masked loop around.
llvm::SmallVector<const Expr *, 4> BlockEmitter::withActive(llvm::ArrayRef<const Expr *> Masks,
                                                            unsigned Row) const {
  llvm::SmallVector<const Expr *, 4> All;
  if (!Active.empty())
    All.push_back(M.ref(Active[Row]));
  All.append(Masks.begin(), Masks.end());
  return All;
}

/// The condition as a mask for each row, held in variables.
std::vector<const Expr *> BlockEmitter::masksOf(const Expr *Cond, Conditions Outer) {
  std::vector<const Expr *> Masks(R, nullptr);
  for (unsigned Row : ActiveRows) {
    guardLoads(Cond, Row, Outer[Row]);
    LaneVal C = eval(Cond, Row);
    const Type *Like = C.K == LaneVal::Mask ? M.value(C.E->Ty->Scalar) : Cond->Ty;
    Masks[Row] = W.temp(Convert.toMask(C, Like, Cond->Ty), "mask");
    if (!Block.shape(Cond).Rows) {
      for (unsigned Other : ActiveRows)
        Masks[Other] = Masks[Row];
      break;
    }
  }
  return Masks;
}

/// Emits B for the lanes of Masks.
void BlockEmitter::emitPredicated(const StmtList &B, Conditions Masks) {
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
    if (St->K == StmtKind::Atomic) {
      emitUpdate(St, Masks);
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
void BlockEmitter::predicateBreak(const Stmt *St, Conditions Masks) {
  for (unsigned Row : ActiveRows) {
    const Expr *All = conjunction(Masks[Row], M.value(ScalarKind::Int));
    Stmt *D = M.newStmt(StmtKind::Assign, St->Range);
    D->V = Active[Row];
    D->E = All ? M.binary(Op::And, M.ref(Active[Row]), M.unary(Op::BitNot, All))
               : M.cast(M.intConst(0), Active[Row]->Ty);
    D->Comments = St->Comments;
    W.add(D);
  }
}

void BlockEmitter::predicateIf(const Stmt *St, Conditions Outer) {
  // Masks are held in variables: assignments in the branch may change the condition's operands.
  auto Masks = masksOf(St->E, Outer);
  if (Failed)
    return;
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

void BlockEmitter::predicateAssign(const Stmt *St, Conditions Masks) {
  Var *V = St->V;
  if (!States.count(V) || !States[V].Live)
    declareUnset(V);
  // A variable without a value has nothing to keep in the other lanes.
  bool Fresh = Unset.erase(V);
  llvm::SmallVector<std::pair<Var *, const Expr *>, 4> Values;
  for (unsigned Row : ActiveRows) {
    Var *NV = varOfRow(V, Row);
    LaneVal X = eval(St->E, Row);
    const Expr *Value = asHeld(V, X, St->E->Ty);
    const Expr *All = conjunction(withActive(Masks[Row], Row), V->Ty);
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
    W.add(D);
    Loads.assigned(NV);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void BlockEmitter::emitLoop(Stmt *St) {
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
void BlockEmitter::emitLockstepLoop(Stmt *St, unsigned Row) {
  Stmt *L = W.copyStmt(St);
  // A load before the loop may be outdated in the second iteration.
  if (hasStoreOrBarrier(St->Body) || hasStoreOrBarrier(St->Step))
    Loads.clear();
  StmtList *Was = std::exchange(W.Cur, &L->Init);
  emit(St->Init);
  W.Cur = Was;
  // Declarations that the loop header cannot hold go before it.
  if (L->Init.size() > 1) {
    for (Stmt *X : L->Init)
      W.add(X);
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
    StmtList *Outer = W.Cur;
    Block.Around.push_back(St);
    W.Cur = &L->Body;
    emit(St->Body);
    ++Conditional;
    W.Cur = &L->Step;
    emit(St->Step);
    --Conditional;
    Block.Around.pop_back();
    W.Cur = Outer;
  };
  emitInto(EmitParts, L->Body);
  if (hasStoreOrBarrier(St->Body))
    Loads.clear();
  W.add(L);
}

/// Loop's condition for Row as a mask. Null: it has none, or it is Uniform and stays the
/// condition of the new loop.
const Expr *BlockEmitter::activeLanes(const Stmt *Loop, unsigned Row, bool Uniform) {
  if (!Loop->E || Uniform)
    return nullptr;
  GuardedLoads.clear();
  guardLoads(Loop->E, Row, {});
  return condition(Loop->E, Row, M.value(ScalarKind::Int));
}

/// A loop that computes a value by a different number of iterations in each lane (iterated
/// functions, Newton's method, searches): runs as long as any lane is active, and keeps the values
/// of those that are not.
void BlockEmitter::emitMaskedLoop(Stmt *St) {
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
    D->V = Lanes[Row] = W.newVar("active", Mask);
    W.add(D);
  }
  Stmt *L = W.copyStmt(St);
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
      W.add(D);
    }
    GuardedLoads.clear();
    Loads.clearGuarded();
    Active.clear();
  };
  emitInto(EmitParts, L->Body);
  Loads.clear();
  W.add(L);
}

//===----------------------------------------------------------------------===//
// Branches whose items run one by one
//===----------------------------------------------------------------------===//

/// Scalar statements that a branch may become.
static constexpr unsigned MaxScalarStatements = 96;

void BlockEmitter::emitDivergent(Stmt *St) {
  StmtList B = {St};
  unsigned Count = 0;
  bool Simple = true;
  for (const Stmt *X : stmts(B)) {
    ++Count;
    if (X->K == StmtKind::Loop || X->K == StmtKind::Barrier || X->K == StmtKind::Break ||
        X->K == StmtKind::Continue || X->K == StmtKind::Return)
      Simple = false;
  }
  if (!Simple || Count * N * ActiveRows.size() > MaxScalarStatements)
    return refuse(Refusal::UnstructuredControl, "vectorize",
                  "a branch that differs between neighbours", St->Range);
  declareBefore(St);
  StmtList *Was = W.Cur;
  StmtList *Others = emitIfTogether(St);
  if (Others)
    W.Cur = Others;
  bool AsLoop = Others && St->Else.empty() && Block.readsNoVectors(St->Body, St->E);
  for (unsigned Row : ActiveRows) {
    OwnVars Own;
    if (AsLoop) {
      Var *Lane = W.newVar("lane", M.value(ScalarKind::Int));
      Stmt *Each = countingLoop(Lane, N);
      StmtList *Outer = std::exchange(W.Cur, &Each->Body);
      W.add(copyForLane(St, Row, Lane, Own, [](const Var *) { return nullptr; }));
      W.Cur = Outer;
      W.add(Each);
      continue;
    }
    for (unsigned L = 0; L < N && !Failed; ++L) {
      if (St->Else.empty() && isNeverTrue(St->E, Row, L))
        continue;
      Own.clear();
      scalarItem(B, Row, L, Own);
    }
  }
  W.Cur = Was;
  Loads.clear();
  HasSplitBranch = true;
}

/// Emits St as vector code for blocks whose lanes all take it, if that pays. Returns the list for
/// the other blocks; null: nothing was emitted.
StmtList *BlockEmitter::emitIfTogether(Stmt *St) {
  StmtList Together;
  if (Block.alternates(St->E) || !emitTogether(St, Together))
    return nullptr;
  const Expr *All = allAgreeHere(St->E, true);
  const Expr *None = St->Else.empty() ? allAgreeHere(St->E, false) : nullptr;
  if (!All)
    return nullptr;
  Stmt *Outer = M.newStmt(StmtKind::If, St->Range);
  Outer->E = All;
  Outer->Body = std::move(Together);
  Outer->Comments = St->Comments;
  W.add(Outer);
  if (!None)
    return &Outer->Else;
  Stmt *Some = M.newStmt(StmtKind::If);
  Some->E = simplify(M, M.unary(Op::LogicalNot, None));
  Outer->Else.push_back(Some);
  return &Some->Body;
}

/// The body of St for lanes that all take it, into Into. False: it would not consist of vector
/// accesses only, and nothing was done.
bool BlockEmitter::emitTogether(Stmt *St, StmtList &Into) {
  if (N == 1 || !Block.speculable(St->E) || Failed)
    return false;
  unsigned Vectors = VectorAccesses, Scalars = ScalarAccesses, Calls = Lanes.ScalarCalls;
  bool NoOverlap = Loads.assumedNoOverlap();
  size_t Refused = Out.Refusals.size();
  emitInto([&] { emit(St->Body); }, Into);
  bool Good = !Failed && VectorAccesses > Vectors && ScalarAccesses == Scalars &&
              Lanes.ScalarCalls == Calls;
  if (!Good) {
    Failed = false;
    Out.Refusals.resize(Refused);
    Loads.setAssumedNoOverlap(NoOverlap);
    VectorAccesses = Vectors, ScalarAccesses = Scalars, Lanes.ScalarCalls = Calls;
  }
  return Good;
}

} // namespace clmali::rewrite
