//===-- rewriters/blocking/Stmts.cpp - Statements of a whole block -------------===//
//
// Emits the new kernel: the fast path (all items of the block in lockstep), and
// where it makes assumptions, the path that runs item by item instead
// (Items.cpp).
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

void ItemBlocker::refuse(Refusal Why, llvm::StringRef Pass, llvm::StringRef Detail,
                         SourceRange At) {
  if (!Failed)
    Out.Refusals.push_back({Why, Pass.str(), Detail.str(), At});
  Failed = true;
}

std::string ItemBlocker::unique(llvm::StringRef Name) {
  std::string Try = Name.str();
  unsigned &Next = NextName.try_emplace(Name, 2).first->second;
  while (!Names.insert(Try).second)
    Try = (Name + "_" + llvm::Twine(Next++)).str();
  return Try;
}

Var *ItemBlocker::newVar(llvm::StringRef Name, const Type *Ty) {
  Var *V = M.newVar(Var::Temp, unique(Name), Ty);
  New->Vars.push_back(V);
  return V;
}

Stmt *ItemBlocker::copyStmt(const Stmt *St) {
  Stmt *C = M.newStmt(St->K, St->Range);
  C->V = St->V;
  C->LaneIdx = St->LaneIdx;
  C->Form = St->Form;
  C->EarlyReturn = false;
  C->LocalFence = St->LocalFence;
  C->GlobalFence = St->GlobalFence;
  C->UnrollHint = St->UnrollHint;
  C->Name = St->Name;
  C->Text = St->Text;
  C->Comments = St->Comments;
  C->Args = St->Args;
  return C;
}

/// Gives V, which has no place in the new kernel yet, one for each row if rows
/// differ. The variables are declared where this is called.
void ItemBlocker::declareState(Var *V) {
  VarState &VS = States[V];
  VS.Live = true;
  VS.Shape = shapeOf(V);
  const Type *Ty = V->Ty;
  if (VS.Shape.K == VShape::Vector) {
    if (Ty->isVector()) {
      refuse(Refusal::UnsupportedType, "vectorize", "vector variable " + V->Name, V->Range);
      Ty = M.value(Ty->Scalar, 1);
    }
    Ty = vecTy(Ty);
  }
  unsigned Count = VS.Shape.Rows ? R : 1;
  for (unsigned I = 0; I < Count; ++I) {
    std::string Name = sourceName(M, *V).str();
    Var *NV = newVar(Count > 1 ? Name + std::to_string(I) : Name, Ty);
    if (Ty == V->Ty)
      NV->Spelling = V->Spelling;
    NV->IsPointerOffset = V->IsPointerOffset;
    NV->Range = V->Range;
    VS.New.push_back(NV);
  }
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// X without a constant addend, which goes to C.
static const Expr *splitConstant(Module &M, const Expr *X, int64_t &C) {
  C = 0;
  if (X->K == ExprKind::Binary && (X->O == Op::Add || X->O == Op::Sub)) {
    if (auto V = constantValue(X->Ops[1])) {
      C = X->O == Op::Add ? *V : -*V;
      return X->Ops[0];
    }
  }
  if (X->K == ExprKind::Binary && X->O == Op::Mul)
    if (auto V = constantValue(X->Ops[1]); V && std::abs(*V) < (1 << 20)) {
      int64_t Inner = 0;
      const Expr *In = splitConstant(M, X->Ops[0], Inner);
      if (!Inner || std::abs(Inner) > (1 << 20))
        return X;
      C = Inner * *V;
      return simplify(M, M.binary(Op::Mul, In, X->Ops[1]));
    }
  if (X->K == ExprKind::Cast && X->C == CastOp::Convert && X->Ty->isInteger() &&
      X->Ops[0]->Ty->isInteger() && sizeInBits(X->Ty->Scalar) >= 32) {
    const Expr *In = splitConstant(M, X->Ops[0], C);
    return C ? M.cast(In, X->Ty, X->Implicit) : X;
  }
  return X;
}

void ItemBlocker::emitDef(Var *V, const Expr *E, llvm::ArrayRef<uint8_t> LaneIdx, bool IsDecl,
                          const Stmt *From) {
  VShape Sh = shapeOf(V);
  bool First = true;
  auto Emit = [&](Var *NV, const Expr *Value, bool Decl) {
    Stmt *D = M.newStmt(Decl ? StmtKind::Decl : StmtKind::Assign, From->Range);
    D->V = NV;
    D->E = Value;
    D->LaneIdx.assign(LaneIdx.begin(), LaneIdx.end());
    if (First)
      D->Comments = From->Comments;
    First = false;
    add(D);
  };
  auto Value = [&](unsigned Row) -> const Expr * {
    if (!E)
      return nullptr;
    LaneVal X = eval(E, Row);
    if (Sh.K == VShape::Vector)
      return V->Ty->Scalar == ScalarKind::Bool ? mask(X, V->Ty, E->Ty) : vec(X, V->Ty);
    return X.E;
  };
  bool Known = States.count(V) && States[V].Live;
  if (IsDecl && !Known) {
    bool Single = A.singleDef(V) == From && E && LaneIdx.empty();
    // Rows that differ by a constant need one variable.
    if (Single && Sh.Rows && Sh.K != VShape::Vector && V->Ty->isInteger() && V->Ty->isScalar() &&
        ActiveRows.size() == R) {
      llvm::SmallVector<int64_t, 4> Offsets;
      int64_t C0 = 0, C = 0;
      const Expr *Core0 = splitConstant(M, eval(E, 0).E, C0);
      bool Ok = true;
      for (unsigned Row = 0; Row < R && Ok; ++Row) {
        const Expr *Core = splitConstant(M, eval(E, Row).E, C);
        Ok = equal(Core, Core0);
        Offsets.push_back(C - C0);
      }
      if (Ok) {
        const Expr *Base = eval(E, 0).E;
        VarState VS;
        VS.Shape = Sh;
        VS.Live = true;
        VS.Offset = Offsets;
        Var *NV = newVar(V->Name, V->Ty);
        NV->Spelling = V->Spelling;
        NV->Range = V->Range;
        NV->IsPointerOffset = V->IsPointerOffset;
        VS.New = {NV};
        States[V] = VS;
        NewDefs[NV] = Base;
        Emit(NV, Base, true);
        return;
      }
    }
    llvm::SmallVector<const Expr *, 4> Values;
    if (!Sh.Rows) {
      Values.push_back(Value(ActiveRows[0]));
    } else {
      for (unsigned Row = 0; Row < R; ++Row)
        Values.push_back(llvm::is_contained(ActiveRows, Row) ? Value(Row) : nullptr);
    }
    if (Failed)
      return;
    declareState(V);
    VarState &VS = States[V];
    for (unsigned I = 0; I < VS.New.size(); ++I) {
      if (VS.New.size() > 1 && !llvm::is_contained(ActiveRows, I)) {
        Later.insert(VS.New[I]); // where its row's turn comes
        continue;
      }
      if (Single && Values[I])
        NewDefs[VS.New[I]] = Values[I];
      Emit(VS.New[I], Values[I], true);
    }
    return;
  }
  if (!Known) {
    // Assigned before its declaration was seen: declare it here.
    declareState(V);
    for (Var *NV : States[V].New)
      Emit(NV, nullptr, true);
  }
  if (IsDecl && !E)
    for (unsigned Row : ActiveRows)
      if (Var *NV = States[V].New.size() > 1 ? States[V].New[Row] : nullptr; Later.erase(NV))
        Emit(NV, nullptr, true);
  if (!E)
    return;
  Unset.erase(V);
  // All values first: rows must not see each other's new ones.
  llvm::SmallVector<std::pair<Var *, const Expr *>, 4> Values;
  VarState VS = States[V];
  if (VS.New.size() == 1)
    Values.push_back({VS.New[0], Value(ActiveRows[0])});
  else
    for (unsigned Row : ActiveRows)
      Values.push_back({VS.New[Row], Value(Row)});
  if (Failed)
    return;
  for (auto [NV, X] : Values) {
    Emit(NV, X, Later.erase(NV) && IsDecl);
    forgetVar(NV);
  }
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void ItemBlocker::emitStore(Stmt *St) {
  struct Pending {
    Access Acc;
    const Expr *E;
  };
  std::vector<Pending> Stores;
  if (inArrays(St->Acc)) {
    for (unsigned Row : ActiveRows)
      storeArray(St, Row);
    return;
  }
  for (unsigned Row : ActiveRows) {
    Access Lane0;
    std::optional<int64_t> Stride = laneStride(St->Acc, Row, Lane0);
    LaneVal V = eval(St->E, Row);
    if (Failed)
      return;
    if (N == 1 || (Stride && *Stride == 0)) {
      if (N > 1) {
        refuse(Refusal::CrossItemDependence, "vectorize",
               "neighbouring work-items store to one element of " + St->Acc.Base->Name, St->Range);
        return;
      }
      Stores.push_back({Lane0, V.E});
      continue;
    }
    if (St->Acc.Lanes > 1) {
      refuse(Refusal::UnsupportedType, "vectorize", "vector store to " + St->Acc.Base->Name,
             St->Range);
      return;
    }
    const Type *Ty = M.value(St->Acc.Elem);
    if (Stride && *Stride == sizeInBytes(St->Acc.Elem)) {
      Lane0.F = Access::VLoad;
      Lane0.Lanes = N;
      ++VectorAccesses;
      Stores.push_back({Lane0, vec(V, Ty)});
      continue;
    }
    ++ScalarAccesses;
    LaneVal Held = V;
    if (V.K == LaneVal::Vector || V.K == LaneVal::Mask)
      Held.E = temp(V.E, St->Acc.Base->Name + "_new");
    for (unsigned L = 0; L < N; ++L) {
      Access One = St->Acc;
      for (unsigned D = 0; D < One.Index.size(); ++D)
        One.Index[D] = evalLane(St->Acc.Index[D], Row, L);
      Stores.push_back({One, scalarOf(Held, L, Ty)});
    }
  }
  if (Failed)
    return;
  bool First = true;
  for (const Pending &W : Stores) {
    Stmt *C = M.newStmt(StmtKind::Store, St->Range);
    C->Acc = W.Acc;
    C->E = W.E;
    if (First)
      C->Comments = St->Comments;
    First = false;
    add(C);
    invalidate(W.Acc.Base, address(W.Acc), sizeInBytes(W.Acc.Elem) * W.Acc.Lanes);
  }
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Emits F into Into; what was loaded before stays known, what F loads does not.
bool ItemBlocker::scoped(llvm::function_ref<void()> F, StmtList &Into) {
  std::vector<Available> Saved = Loads;
  StmtList *Was = Cur;
  Cur = &Into;
  F();
  Cur = Was;
  llvm::erase_if(Saved, [&](const Available &L) {
    return llvm::none_of(Loads, [&](const Available &X) { return X.V == L.V; });
  });
  Loads = std::move(Saved);
  return !Failed;
}

/// Can B run for all lanes with its assignments selected? Only assignments of
/// values that may be computed without need; in a masked loop, also leaving it. Memory: what
/// it loads and stores may be guarded.
bool ItemBlocker::canPredicate(const StmtList &B, unsigned &Cost, bool InMasked, bool Memory) {
  auto Runs = [&](const Expr *E) { return Memory ? guardable(E) : speculable(E); };
  for (Stmt *St : B) {
    switch (St->K) {
    case StmtKind::Decl:
    case StmtKind::Assign:
      if (!St->LaneIdx.empty() || (St->V->K == Var::Memory))
        return false;
      if (St->E && !Runs(St->E))
        return false;
      break;
    case StmtKind::Store:
      if (!Memory || St->Acc.Base->space() == AddressSpace::Private || !Runs(St->E) ||
          !llvm::all_of(St->Acc.Index, Runs))
        return false;
      Cost += 3;
      break;
    case StmtKind::If:
      if (!Runs(St->E) || !canPredicate(St->Body, Cost, InMasked, Memory) ||
          !canPredicate(St->Else, Cost, InMasked, Memory))
        return false;
      break;
    case StmtKind::Break:
      if (!InMasked)
        return false;
      break;
    default:
      return false;
    }
    if (++Cost > (InMasked ? 64 : 24))
      return false;
  }
  return true;
}

/// Emits B with each assignment to a variable from outside selected by Cond.
void ItemBlocker::emitPredicated(const StmtList &B, Conditions Outer) {
  for (Stmt *St : B) {
    if (Failed)
      return;
    GuardedLoads.clear();
    if (St->K == StmtKind::Store) {
      guardStore(St, Outer);
      continue;
    }
    if (St->K != StmtKind::If && St->E)
      for (unsigned Row : ActiveRows)
        guardLoads(St->E, Row, Outer[Row]);
    if (St->K == StmtKind::Assign && Counters.count(St->V)) {
      emitDef(St->V, St->E, St->LaneIdx, false, St);
      continue;
    }
    if (St->K == StmtKind::Decl) {
      emitDef(St->V, St->E, {}, true, St);
      if (!St->E)
        Unset.insert(St->V);
      continue;
    }
    if (St->K == StmtKind::Break) {
      // These lanes are done; what follows in this round leaves them alone.
      for (unsigned Row : ActiveRows) {
        const Expr *All = nullptr;
        for (const Expr *C : Outer[Row]) {
          const Expr *W =
              mask({LaneVal::Mask, C}, M.value(ScalarKind::Int), M.value(ScalarKind::Int));
          All = All ? M.binary(Op::And, All, W) : W;
        }
        Stmt *D = M.newStmt(StmtKind::Assign, St->Range);
        D->V = Active[Row];
        D->E = All ? M.binary(Op::And, M.ref(Active[Row]), M.unary(Op::BitNot, All))
                   : M.cast(M.intConst(0), Active[Row]->Ty);
        D->Comments = St->Comments;
        add(D);
      }
      continue;
    }
    if (St->K == StmtKind::If) {
      // Conditions are kept in variables: assignments below may change their operands.
      auto Masks = masksOf(St->E, Outer);
      std::vector<llvm::SmallVector<const Expr *, 2>> Yes = Outer.vec(), No = Outer.vec();
      for (unsigned Row : ActiveRows) {
        Yes[Row].push_back(Masks[Row]);
        No[Row].push_back(M.unary(Op::BitNot, Masks[Row]));
      }
      ++GuardDepth;
      for (auto [Branch, Lanes] : {std::pair(&St->Body, &Yes), std::pair(&St->Else, &No)}) {
        emitPredicated(*Branch, *Lanes);
        llvm::erase_if(GuardedKnown, [&](const GuardedLoad &K) { return K.Depth >= GuardDepth; });
      }
      --GuardDepth;
      continue;
    }
    Var *V = St->V;
    if (!States.count(V) || !States[V].Live) {
      declareState(V);
      Unset.insert(V);
      for (Var *NV : States[V].New) {
        Stmt *D = M.newStmt(StmtKind::Decl);
        D->V = NV;
        add(D);
      }
    }
    // A variable without a value yet has nothing to keep in the other lanes.
    bool Fresh = Unset.erase(V);
    llvm::SmallVector<std::pair<Var *, const Expr *>, 4> Values;
    for (unsigned Row : ActiveRows) {
      Var *NV = States[V].New.size() > 1 ? States[V].New[Row] : States[V].New[0];
      LaneVal X = eval(St->E, Row);
      bool Bool = V->Ty->Scalar == ScalarKind::Bool;
      const Expr *Value = Bool ? mask(X, V->Ty, St->E->Ty) : vec(X, V->Ty);
      const Expr *All = nullptr;
      llvm::SmallVector<const Expr *, 4> Conditions(Outer[Row].begin(), Outer[Row].end());
      if (!Active.empty())
        Conditions.insert(Conditions.begin(), M.ref(Active[Row]));
      for (const Expr *C : Conditions) {
        const Expr *W = mask({LaneVal::Mask, C}, V->Ty, V->Ty);
        All = All ? M.binary(Op::And, All, W) : W;
      }
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
      forgetVar(NV);
    }
  }
}

/// The condition as a mask for each row, held in variables.
std::vector<const Expr *> ItemBlocker::masksOf(const Expr *Cond, Conditions Outer) {
  std::vector<const Expr *> Masks(R, nullptr);
  for (unsigned Row : ActiveRows) {
    if (!Outer.empty())
      guardLoads(Cond, Row, Outer[Row]);
    LaneVal C = eval(Cond, Row);
    const Type *Like = C.K == LaneVal::Mask ? M.value(C.E->Ty->Scalar) : Cond->Ty;
    Masks[Row] = temp(mask(C, Like, Cond->Ty), "mask");
    if (!shape(Cond).Rows) {
      for (unsigned Other : ActiveRows)
        Masks[Other] = Masks[Row];
      break;
    }
  }
  return Masks;
}

void ItemBlocker::emitIf(Stmt *St) {
  if (AssumedIfs.count(St)) {
    bool Way = Decision[St];
    const Expr *C = allAgree(St->E, Way);
    if (!C) {
      refuse(Refusal::OpaqueConstruct, "vectorize", "condition", St->Range);
      return;
    }
    assume(C);
    emit(Way ? St->Body : St->Else);
    return;
  }
  VShape C = shape(St->E);
  if (C.K == VShape::Uniform) {
    auto Rows = ActiveRows;
    auto One = [&](unsigned Row) {
      Stmt *I = copyStmt(St);
      I->E = eval(St->E, Row).E;
      scoped([&] { emit(St->Body); }, I->Body);
      scoped([&] { emit(St->Else); }, I->Else);
      add(I);
    };
    declareBefore(St);
    if (!C.Rows || Rows.size() == 1) {
      One(Rows[0]);
      return;
    }
    // A row must not leave the loop that all rows share.
    bool Leaves = false;
    walk(StmtList{St}, [&](Stmt *X) {
      Leaves |= X->K == StmtKind::Break || X->K == StmtKind::Continue || X->K == StmtKind::Return;
      return X->K != StmtKind::Loop;
    });
    if (Leaves) {
      refuse(Refusal::UnstructuredControl, "coarsen", "rows leave a loop at different times",
             St->Range);
      return;
    }
    for (unsigned Row : Rows) {
      ActiveRows = {Row};
      One(Row);
    }
    ActiveRows = Rows;
    return;
  }
  unsigned Cost = 0;
  findSafe(St);
  unsigned More = 0;
  if ((canPredicate(St->Body, Cost) && canPredicate(St->Else, Cost)) ||
      (Guarded && N > 1 && !takesTurns(St->E) && canPredicate(St->Body, More, false, true) &&
       canPredicate(St->Else, More, false, true))) {
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
      GuardedKnown.clear();
      emitPredicated(*Branch, *Lanes);
    }
    GuardedKnown.clear();
    return;
  }
  emitDivergent(St);
}

/// Variables that St assigns but were declared without a value before it.
void ItemBlocker::declareBefore(const Stmt *St) {
  StmtList B = {const_cast<Stmt *>(St)};
  llvm::DenseSet<const Var *> Inside;
  walk(B, [&](Stmt *X) {
    if (X->K == StmtKind::Decl)
      Inside.insert(X->V);
    return true;
  });
  walk(B, [&](Stmt *X) {
    if (X->K == StmtKind::Assign && !Inside.count(X->V) && X->V->K == Var::Temp &&
        !(States.count(X->V) && States[X->V].Live)) {
      declareState(X->V);
      Unset.insert(X->V);
      for (Var *NV : States[X->V].New) {
        Stmt *D = M.newStmt(StmtKind::Decl);
        D->V = NV;
        add(D);
      }
    }
    return true;
  });
}

void ItemBlocker::emitLoop(Stmt *St) {
  VShape C = St->E ? shape(St->E) : VShape();
  if (divergent(St) && maskable(St)) {
    emitMaskedLoop(St);
    return;
  }
  if (C.K != VShape::Uniform) {
    emitSplitLoop(St);
    return;
  }
  declareBefore(St);
  Unset.clear(); // the second turn has values
  auto Rows = ActiveRows;
  auto One = [&](unsigned Row) {
    Stmt *L = copyStmt(St);
    // A load made before the loop may be stale in its second turn.
    if (hasStoreOrBarrier(St->Body) || hasStoreOrBarrier(St->Step))
      Loads.clear();
    StmtList *Was = Cur;
    Cur = &L->Init;
    emit(St->Init);
    Cur = Was;
    // Declarations that the loop header cannot hold go before it.
    if (L->Init.size() > 1) {
      for (Stmt *X : L->Init)
        add(X);
      L->Init.clear();
    }
    walk(StmtList{St}, [&](Stmt *X) {
      if ((X->K == StmtKind::Assign || X->K == StmtKind::Decl) && States.count(X->V))
        for (Var *NV : States[X->V].New)
          forgetVar(NV);
      return true;
    });
    scoped(
        [&] {
          if (St->E) {
            ++Conditional;
            L->E = eval(St->E, Row).E;
            --Conditional;
          }
          StmtList *Outer = Cur;
          Around.push_back(St);
          Cur = &L->Body;
          emit(St->Body);
          ++Conditional;
          Cur = &L->Step;
          emit(St->Step);
          --Conditional;
          Around.pop_back();
          Cur = Outer;
        },
        L->Body);
    if (hasStoreOrBarrier(St->Body))
      Loads.clear();
    add(L);
  };
  bool RowsDiffer = C.Rows && Rows.size() > 1;
  if (!RowsDiffer) {
    One(Rows[0]);
    return;
  }
  for (unsigned Row : Rows) {
    ActiveRows = {Row};
    One(Row);
  }
  ActiveRows = Rows;
}

void ItemBlocker::emit(const StmtList &B) {
  for (Stmt *St : B) {
    if (Failed)
      return;
    if (P.Stmts.count(St))
      emitPacked(St);
    else
      emit(St);
  }
}

void ItemBlocker::emit(Stmt *St) {
  switch (St->K) {
  case StmtKind::Decl:
    if (Arrays.count(St->V)) {
      declareArrays(St);
      return;
    }
    if (St->V->K == Var::Memory) {
      Stmt *C = copyStmt(St);
      C->E = St->E;
      add(C);
      return;
    }
    if (!St->E) {
      declareState(St->V);
      Unset.insert(St->V);
      for (Var *NV : States[St->V].New) {
        Stmt *D = copyStmt(St);
        D->V = NV;
        add(D);
      }
      return;
    }
    emitDef(St->V, St->E, St->LaneIdx, true, St);
    return;
  case StmtKind::Assign:
    emitDef(St->V, St->E, St->LaneIdx, false, St);
    return;
  case StmtKind::Store:
    emitStore(St);
    return;
  case StmtKind::If:
    emitIf(St);
    return;
  case StmtKind::Loop:
    emitLoop(St);
    return;
  case StmtKind::Barrier:
    if (ActiveRows.size() != R) {
      refuse(Refusal::DivergentBarrier, "vectorize", St->Name, St->Range);
      return;
    }
    Loads.clear();
    add(copyStmt(St));
    return;
  case StmtKind::Break:
  case StmtKind::Continue:
    add(copyStmt(St));
    return;
  default:
    refuse(Refusal::OpaqueConstruct, "vectorize", St->Text.empty() ? St->Name : St->Text,
           St->Range);
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

BlockOutcome ItemBlocker::run() {
  if (!legal())
    return Out;
  computeShapes();
  New = M.newKernel(Old.Name);
  New->Params = Old.Params;
  New->ReqdWorkGroupSize = Old.ReqdWorkGroupSize;
  New->VecTypeHint = Old.VecTypeHint;
  New->Range = Old.Range;
  New->NameRange = Old.NameRange;
  New->BodyRange = Old.BodyRange;
  New->UsesFp16 = Old.UsesFp16;
  New->UsesFp64 = Old.UsesFp64;
  for (Var *P : Old.Params)
    Names.insert(P->Name);
  for (Var *V : Old.Vars)
    if (V->K == Var::Memory && !Arrays.count(V)) {
      New->Vars.push_back(V);
      Names.insert(V->Name);
    }
  for (unsigned Row = 0; Row < R; ++Row)
    ActiveRows.push_back(Row);
  findPacks();

  // The prologue: what both paths need and what assumptions are made of.
  Cur = &New->Body;
  size_t Split = 0;
  for (; Split < Old.Body.size(); ++Split) {
    Stmt *St = Old.Body[Split];
    if (St->K == StmtKind::Decl && St->V->K == Var::Memory) {
      emit(St);
      continue;
    }
    if (St->K != StmtKind::Decl || !St->E || St->V->K != Var::Temp || A.singleDef(St->V) != St ||
        shapeOf(St->V).K == VShape::Vector || !St->V->Ty->isScalar())
      break;
    unsigned W = 0;
    bool Pure = true;
    walk(St->E, [&](const Expr *X) {
      std::optional<BitsOp> Bits = bitsOp(X);
      Pure &= X->K != ExprKind::Load && !(Bits && Bits->Assumes) && !coordinateOp(X, W);
      return Pure;
    });
    if (!Pure)
      break;
    emit(St);
    Prologue.push_back(St);
  }
  StmtList Rest(Old.Body.begin() + Split, Old.Body.end());
  StmtList Fast;
  Cur = &Fast;
  emit(Rest);
  if (Failed)
    return Out;
  if (N > 1 && Parted && !VectorAccesses) {
    refuse(Refusal::UnstructuredControl, "vectorize",
           "all that is done stands in a branch that differs between neighbours", Old.NameRange);
    return Out;
  }
  if (Assumptions.empty()) {
    New->Body.insert(New->Body.end(), Fast.begin(), Fast.end());
  } else {
    const Expr *All = nullptr;
    for (const Expr *C : Assumptions)
      All = All ? M.binary(Op::LogicalAnd, All, C) : C;
    Stmt *I = M.newStmt(StmtKind::If);
    I->E = All;
    I->Body = std::move(Fast);
    I->Else = slowPath(Rest);
    New->Body.push_back(I);
    Out.Versioned = true;
    countBorder();
  }
  if (NeedsNoOverlap)
    Out.Obligations.push_back(NoOverlapText.str());
  Out.K = New;
  Out.Packs = P.Stores.size();
  Out.VectorAccesses = VectorAccesses;
  Out.ScalarAccesses = ScalarAccesses;
  return Out;
}

BlockOutcome block(Module &M, const Kernel &Original, const KernelAnalysis &A, const BlockShape &S,
                   const Kernel *Short) {
  BlockOutcome Out = ItemBlocker(M, Original, A, S, Short).run();
  auto Parts = [](const RefusalAt &R) {
    return R.Why == Refusal::UnstructuredControl || R.Why == Refusal::DivergentLoop;
  };
  if (Out.K || S.Lanes == 1 || !llvm::any_of(Out.Refusals, Parts))
    return Out;
  // Lanes that part: together, with what they access guarded.
  BlockOutcome Together;
  Kernel *Counted = cloneKernel(M, Original, Original.Name);
  if (countApart(M, *Counted)) {
    KernelAnalysis Again(M, *Counted);
    Together = ItemBlocker(M, *Counted, Again, S, Short, true).run();
  } else {
    Together = ItemBlocker(M, Original, A, S, Short, true).run();
  }
  return Together.K ? Together : Out;
}

} // namespace clmali::rewrite
