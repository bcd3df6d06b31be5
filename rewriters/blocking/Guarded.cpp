//===-- rewriters/blocking/Guarded.cpp - Memory under a mask ------------------===//
//
// Branches and loops that lanes take or leave by their data, and that access memory: the
// lanes stay together, a mask says which of them go on, and what they access is guarded.
//
//   before                          after, 4 lanes
//   if (m[i])                       int4 mask = vload4(0, m + i) != 0;
//     y[i] = x[i] + 1;              int4 x_v = 0;
//                                   if (mask.s0 & mask.s3) x_v = vload4(0, x + i);
//                                   else if (any(mask)) { if (mask.s0) x_v.s0 = x[i]; ... }
//                                   ...
//
// Where the first and the last lane access memory, what lies between theirs is memory,
// too. Loads that each lane makes on its own stay so.
//
// Limits: it is what is tried last, for blocks that are refused otherwise. Stores to one
// element by all lanes, loops inside of what is masked, divisions that may be by zero.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

/// Can E be computed for all lanes if those that would not compute it load nothing?
bool ItemBlocker::guardable(const Expr *E) {
  bool Ok = true;
  std::function<void(const Expr *)> Visit = [&](const Expr *X) {
    if (X->K == ExprKind::Opaque)
      Ok = false;
    if (X->K == ExprKind::Load)
      Ok &= Safe.count(X) || (!X->Acc.Volatile && X->Acc.Lanes == 1 &&
                              X->Acc.Base->space() != AddressSpace::Private && X->Ty->isScalar());
    if (X->K == ExprKind::Binary && (X->O == Op::Div || X->O == Op::Rem) && X->Ty->isInteger()) {
      auto C = constantValue(X->Ops[1]);
      Ok &= C && *C != 0 && *C != -1;
    }
    bool Lazy = (X->K == ExprKind::Select && X->Ops[0]->Ty->isScalar()) ||
                (X->K == ExprKind::Binary && (X->O == Op::LogicalAnd || X->O == Op::LogicalOr));
    for (unsigned I = 1; Lazy && I < X->Ops.size(); ++I)
      Ok &= speculable(X->Ops[I]);
    if (Ok)
      forEachOperand(*X, Visit);
  };
  Visit(E);
  return Ok;
}

/// The lanes of Row that all of Conditions, and the loop around, let through; null: all.
const Expr *ItemBlocker::maskOf(llvm::ArrayRef<const Expr *> Conditions, unsigned Row) {
  const Type *Int = M.value(ScalarKind::Int);
  const Expr *All = Active.empty() ? nullptr : M.ref(Active[Row]);
  for (const Expr *C : Conditions) {
    const Expr *W = mask({LaneVal::Mask, C}, Int, Int);
    All = All ? M.binary(Op::And, All, W) : W;
  }
  return All ? temp(All, "here") : nullptr;
}

/// Do whole accesses by the lanes of Mask touch only what they may: the first and the last do.
const Expr *ItemBlocker::endsOf(const Expr *Mask) {
  const Expr *First = M.swizzle(Mask, {0}), *Last = M.swizzle(Mask, {uint8_t(N - 1)});
  return M.binary(Op::NE, M.binary(Op::And, First, Last), M.intConst(0));
}

const Expr *ItemBlocker::laneIn(const Expr *Mask, unsigned Lane) {
  return M.binary(Op::NE, M.swizzle(Mask, {uint8_t(Lane)}), M.intConst(0));
}

/// What Of makes for each lane, each behind the lane's own condition; what Of needs stands in front
/// of it.
StmtList ItemBlocker::laneByLane(const Expr *Mask, llvm::function_ref<Stmt *(unsigned Lane)> Of) {
  StmtList Each;
  StmtList *Was = std::exchange(Cur, &Each);
  for (unsigned L = 0; L < N; ++L) {
    Stmt *One = Of(L);
    Stmt *I = M.newStmt(StmtKind::If);
    I->E = laneIn(Mask, L);
    I->Body = {One};
    Each.push_back(I);
  }
  Cur = Was;
  return Each;
}

/// Makes the loads of E for the lanes that Conditions let through, ahead of E.
void ItemBlocker::guardLoads(const Expr *E, unsigned Row, llvm::ArrayRef<const Expr *> Conditions) {
  if (!Guarded || N == 1)
    return;
  std::vector<const Expr *> Found;
  std::function<void(const Expr *)> Visit = [&](const Expr *X) {
    forEachOperand(*X, Visit);
    if (X->K == ExprKind::Load && !Safe.count(X) && !inArrays(X->Acc))
      Found.push_back(X);
  };
  Visit(E);
  if (Found.empty() || Failed)
    return;
  if (Active.empty() && Conditions.empty())
    return;
  const Expr *Mask = nullptr;
  auto Make = [&](StmtKind K, Var *V, const Expr *Value) {
    Stmt *D = M.newStmt(K);
    D->V = V;
    D->E = Value;
    return D;
  };
  for (const Expr *X : Found) {
    if (Failed || GuardedLoads.count({X, Row}))
      continue;
    Access Lane0;
    std::optional<int64_t> Stride = laneStride(X->Acc, Row, Lane0);
    if (Failed)
      return;
    const Type *Ty = Stride && *Stride == 0 ? X->Ty : vecTy(X->Ty);
    // More lanes had it already.
    Poly Address = Stride ? address(Lane0) : Poly();
    auto Known = llvm::find_if(GuardedKnown, [&](const GuardedLoad &K) {
      return Stride && K.Load.Base == X->Acc.Base && K.Load.Ty == Ty && K.Load.Address == Address;
    });
    if (Known != GuardedKnown.end()) {
      GuardedLoads[{X, Row}] = {Ty->isVector() ? LaneVal::Vector : LaneVal::Uniform,
                                M.ref(Known->Load.V)};
      continue;
    }
    if (!Mask)
      Mask = maskOf(Conditions, Row);
    const Expr *Zero =
        Ty->isFloat() ? M.floatConst(0, M.value(Ty->Scalar)) : M.intConst(0, M.value(Ty->Scalar));
    Var *V = newVar(X->Acc.Base->Name + "_v", Ty);
    add(Make(StmtKind::Decl, V, Ty->isVector() ? M.cast(Zero, Ty) : Zero));
    if (Stride)
      GuardedKnown.push_back({{X->Acc.Base, Address, Ty, V}, GuardDepth});
    if (Stride && *Stride == 0) {
      Stmt *I = M.newStmt(StmtKind::If);
      I->E = M.call("any", M.value(ScalarKind::Int), {Mask});
      I->Body = {Make(StmtKind::Assign, V, M.load(Lane0))};
      add(I);
      GuardedLoads[{X, Row}] = {LaneVal::Uniform, M.ref(V)};
      continue;
    }
    StmtList Each = laneByLane(Mask, [&](unsigned L) {
      Access One = X->Acc;
      for (const Expr *&Ix : One.Index)
        Ix = evalLane(Ix, Row, L);
      Stmt *Set = Make(StmtKind::Assign, V, M.load(One));
      Set->LaneIdx = {uint8_t(L)};
      return Set;
    });
    if (Stride && *Stride == sizeInBytes(X->Acc.Elem)) {
      Lane0.F = Access::VLoad;
      Lane0.Lanes = N;
      ++VectorAccesses;
      Stmt *I = M.newStmt(StmtKind::If), *Some = M.newStmt(StmtKind::If);
      I->E = endsOf(Mask);
      I->Body = {Make(StmtKind::Assign, V, M.load(Lane0))};
      Some->E = M.call("any", M.value(ScalarKind::Int), {Mask});
      Some->Body = std::move(Each);
      Some->Rare = true;
      I->Else = {Some};
      add(I);
    } else {
      ++ScalarAccesses;
      Cur->insert(Cur->end(), Each.begin(), Each.end());
    }
    GuardedLoads[{X, Row}] = {LaneVal::Vector, M.ref(V)};
  }
}

/// St, a store that only the lanes make that Conditions let through.
void ItemBlocker::guardStore(Stmt *St, llvm::ArrayRef<llvm::SmallVector<const Expr *, 2>> Outer) {
  for (unsigned Row : ActiveRows) {
    guardLoads(St->E, Row, Outer[Row]);
    for (const Expr *Ix : St->Acc.Index)
      guardLoads(Ix, Row, Outer[Row]);
    Access Lane0;
    std::optional<int64_t> Stride = laneStride(St->Acc, Row, Lane0);
    const Expr *Mask = Failed ? nullptr : maskOf(Outer[Row], Row);
    if (Failed || !Mask || St->Acc.Lanes > 1 || (Stride && *Stride == 0)) {
      refuse(Refusal::UnstructuredControl, "vectorize",
             "a store to " + St->Acc.Base->Name +
                 " under a condition that differs between neighbours",
             St->Range);
      return;
    }
    const Type *Ty = M.value(St->Acc.Elem);
    LaneVal Value = eval(St->E, Row);
    if (Failed)
      return;
    Value = {LaneVal::Vector, temp(vec(Value, Ty), St->Acc.Base->Name + "_new")};
    StmtList Each = laneByLane(Mask, [&](unsigned L) {
      Stmt *One = M.newStmt(StmtKind::Store, St->Range);
      One->Acc = St->Acc;
      for (const Expr *&Ix : One->Acc.Index)
        Ix = evalLane(Ix, Row, L);
      One->E = scalarOf(Value, L, Ty);
      return One;
    });
    if (Stride && *Stride == sizeInBytes(St->Acc.Elem)) {
      Lane0.F = Access::VLoad;
      Lane0.Lanes = N;
      ++VectorAccesses;
      Stmt *Whole = M.newStmt(StmtKind::Store, St->Range);
      Whole->Acc = Lane0;
      Whole->E = Value.E;
      Stmt *I = M.newStmt(StmtKind::If), *Some = M.newStmt(StmtKind::If);
      I->E = M.call("all", M.value(ScalarKind::Int), {Mask});
      I->Body = {Whole};
      I->Comments = St->Comments;
      Some->E = M.call("any", M.value(ScalarKind::Int), {Mask});
      Some->Body = std::move(Each);
      Some->Rare = true;
      I->Else = {Some};
      add(I);
    } else {
      ++ScalarAccesses;
      Cur->insert(Cur->end(), Each.begin(), Each.end());
    }
    Loads.clear();
    GuardedKnown.clear();
  }
}

//===----------------------------------------------------------------------===//
// Counters that are read behind their loops
//===----------------------------------------------------------------------===//

unsigned countApart(Module &M, Kernel &K) {
  KernelAnalysis A(M, K);
  std::vector<std::pair<Stmt *, CountedLoop>> Found;
  walk(K.Body, [&](Stmt *L) {
    auto C = L->K == StmtKind::Loop && L->Form != Stmt::DoWhile && L->E ? A.countedLoop(L)
                                                                        : std::nullopt;
    if (!C || !C->Lower || L->Step.size() != 1 || L->Step[0]->V != C->V ||
        !L->Step[0]->LaneIdx.empty())
      return true;
    bool Leaves = false, Reads = false, Own = false, Elsewhere = false;
    walk(L->Body, [&](Stmt *X) {
      Leaves |= X->K == StmtKind::Break;
      Elsewhere |= X->V == C->V;
      return true;
    });
    walk(L->Init, [&](Stmt *X) { return !(Own |= X->K == StmtKind::Decl && X->V == C->V); });
    walk(C->Lower, [&](const Expr *E) {
      return !(Reads |= E->K == ExprKind::VarRef || E->K == ExprKind::Load);
    });
    if (Leaves && !Own && !Elsewhere && !Reads)
      Found.push_back({L, *C});
    return true;
  });
  for (auto &[L, C] : Found) {
    Var *Count = M.newVar(Var::Temp, uniqueName(K, C.V->Name + "_now"), C.V->Ty);
    Count->Spelling = C.V->Spelling;
    Count->Range = C.V->Range;
    K.Vars.push_back(Count);
    auto Counts = [&, V = C.V](const Expr *E) -> const Expr * {
      return E->K == ExprKind::VarRef && E->V == V ? M.ref(Count) : nullptr;
    };
    auto Replace = [&](const Expr *E) { return substitute(M, E, Counts); };
    walk(L->Body, [&](Stmt *X) {
      mapExprs(M, *X, Replace);
      return true;
    });
    L->E = Replace(L->E);
    Stmt *Start = M.newStmt(StmtKind::Decl),
         *Follow = M.newStmt(StmtKind::Assign, L->Step[0]->Range);
    Start->V = Count;
    Start->E = C.Lower;
    L->Init.push_back(Start);
    Follow->V = C.V;
    Follow->E = M.ref(Count);
    L->Step[0]->E = Replace(L->Step[0]->E);
    L->Step[0]->V = Count;
    L->Step.push_back(Follow);
  }
  return Found.size();
}

} // namespace clmali::rewrite
