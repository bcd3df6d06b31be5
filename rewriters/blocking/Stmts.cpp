//===-- rewriters/blocking/Stmts.cpp - Variables, definitions and stores ------===//
//
// Part of ItemBlocker. A variable of the original becomes
//   - one scalar if it is the same for all items, or linear in the lane,
//   - one scalar for each row if rows differ; or one for all, if they differ by a constant,
//   - a vector (for each row) otherwise.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

/// Constants that are split off an index stay below this.
static constexpr int64_t MaxSplitConstant = 1 << 20;

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

/// A new variable like V, for one item.
Var *ItemBlocker::copyVar(const Var *V) {
  Var *NV = newVar(V->Name, V->Ty);
  NV->Spelling = V->Spelling;
  NV->Range = V->Range;
  NV->IsPointerOffset = V->IsPointerOffset;
  return NV;
}

Stmt *ItemBlocker::makeDecl(Var *V, const Expr *E) {
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = V;
  D->E = E;
  return D;
}

/// E in a variable, so that it can be used repeatedly.
const Expr *ItemBlocker::temp(const Expr *E, llvm::StringRef Hint) {
  if (E->K == ExprKind::VarRef || E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst)
    return E;
  Var *V = newVar(Hint, E->Ty);
  add(makeDecl(V, E));
  return M.ref(V);
}

/// A copy of St without its expressions and nested statements.
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

/// Makes the new variables of V, which has none yet: one, or one for each row if rows differ. The
/// caller declares them.
void ItemBlocker::declareState(Var *V) {
  VarState &VS = States[V];
  VS.Live = true;
  VS.Shape = Block.shapeOf(V);
  const Type *Ty = V->Ty;
  if (VS.Shape.K == VShape::Vector) {
    if (Ty->isVector()) {
      refuse(Refusal::UnsupportedType, "vectorize", "vector variable " + V->Name, V->Range);
      Ty = M.value(Ty->Scalar, 1);
    }
    Ty = Convert.vectorType(Ty);
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

/// Makes and declares the new variables of V, without a value.
void ItemBlocker::declareUnset(Var *V) {
  declareState(V);
  Unset.insert(V);
  for (Var *NV : States[V].New)
    add(makeDecl(NV));
}

/// Declares the variables that St assigns but that were declared without a value before it.
void ItemBlocker::declareBefore(const Stmt *St) {
  StmtList B = {const_cast<Stmt *>(St)};
  llvm::DenseSet<const Var *> Inside;
  for (const Stmt *X : stmts(B))
    if (X->K == StmtKind::Decl)
      Inside.insert(X->V);
  for (Stmt *X : stmts(B))
    if (X->K == StmtKind::Assign && !Inside.count(X->V) && X->V->K == Var::Temp &&
        !(States.count(X->V) && States[X->V].Live))
      declareUnset(X->V);
}

/// The new variable that holds V for Row.
Var *ItemBlocker::varOfRow(const Var *V, unsigned Row) {
  const VarState &VS = States[V];
  return VS.New.size() > 1 ? VS.New[Row] : VS.New[0];
}

/// Runs F with statements added to Into. What was loaded before stays known afterwards, what F
/// loads does not. False: F was refused.
bool ItemBlocker::emitInto(llvm::function_ref<void()> F, StmtList &Into) {
  std::vector<KnownLoad> Saved = Loads.save();
  StmtList *Was = std::exchange(Cur, &Into);
  F();
  Cur = Was;
  Loads.restore(std::move(Saved));
  return !Failed;
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// X without a constant addend, which goes to C. Exact: what X wraps to counts, because X is
/// converted to a wider type.
static const Expr *splitConstant(Module &M, Polynomials &Polys, const Expr *X, int64_t &C,
                                 bool Exact = false) {
  C = 0;
  if (Exact && X->K == ExprKind::Binary && !Polys.operations().isExact(X))
    return X;
  if (X->K == ExprKind::Binary && (X->O == Op::Add || X->O == Op::Sub)) {
    if (auto V = constantValue(X->Ops[1])) {
      C = X->O == Op::Add ? *V : -*V;
      return X->Ops[0];
    }
  }
  if (X->K == ExprKind::Binary && X->O == Op::Mul)
    if (auto V = constantValue(X->Ops[1]); V && std::abs(*V) < MaxSplitConstant) {
      int64_t Inner = 0;
      const Expr *In = splitConstant(M, Polys, X->Ops[0], Inner, Exact);
      if (!Inner || std::abs(Inner) > MaxSplitConstant)
        return X;
      C = Inner * *V;
      return simplify(M, M.binary(Op::Mul, In, X->Ops[1]));
    }
  if (X->K == ExprKind::Cast && X->C == CastOp::Convert && X->Ty->isInteger() &&
      X->Ops[0]->Ty->isInteger() && sizeInBits(X->Ty->Scalar) >= 32) {
    bool Widens = sizeInBits(X->Ty->Scalar) > sizeInBits(X->Ops[0]->Ty->Scalar);
    const Expr *In = splitConstant(M, Polys, X->Ops[0], C, Exact || Widens);
    return C ? M.cast(In, X->Ty, X->Implicit) : X;
  }
  return X;
}

/// Adds NV = Value; the first statement of a definition has the original's comments.
void ItemBlocker::place(Definition &D, Var *NV, const Expr *Value, bool IsDecl) {
  Stmt *St = M.newStmt(IsDecl ? StmtKind::Decl : StmtKind::Assign, D.From->Range);
  St->V = NV;
  St->E = Value;
  St->LaneIdx.assign(D.LaneIdx.begin(), D.LaneIdx.end());
  if (std::exchange(D.HasComments, false))
    St->Comments = D.From->Comments;
  add(St);
}

/// The value of D for Row, as V's new variable holds it. Null: D has none.
const Expr *ItemBlocker::valueOf(const Definition &D, unsigned Row) {
  if (!D.E)
    return nullptr;
  LaneVal X = eval(D.E, Row);
  if (Block.shapeOf(D.V).K != VShape::Vector)
    return X.E;
  return D.V->Ty->Scalar == ScalarKind::Bool ? Convert.toMask(X, D.V->Ty, D.E->Ty)
                                             : Convert.toVector(X, D.V->Ty);
}

/// One variable for all rows, if their values differ by a constant. False: they do not.
bool ItemBlocker::defineByOffsets(Definition &D) {
  llvm::SmallVector<int64_t, 4> Offsets;
  int64_t C0 = 0, C = 0;
  const Expr *Core0 = splitConstant(M, Polys, eval(D.E, 0).E, C0);
  for (unsigned Row = 0; Row < R; ++Row) {
    const Expr *Core = splitConstant(M, Polys, eval(D.E, Row).E, C);
    if (!equal(Core, Core0))
      return false;
    Offsets.push_back(C - C0);
  }
  const Expr *Base = eval(D.E, 0).E;
  VarState VS;
  VS.Shape = Block.shapeOf(D.V);
  VS.Live = true;
  VS.Offset = Offsets;
  VS.OffsetWraps = !Block.isExact(D.E, true);
  Var *NV = copyVar(D.V);
  VS.New = {NV};
  States[D.V] = VS;
  Polys.define(NV, Base);
  place(D, NV, Base, true);
  return true;
}

/// Declares V with its value.
void ItemBlocker::defineNew(Definition &D) {
  VShape Sh = Block.shapeOf(D.V);
  bool Single = A.singleDef(D.V) == D.From && D.E && D.LaneIdx.empty();
  if (Single && Sh.Rows && Sh.K != VShape::Vector && D.V->Ty->isInteger() && D.V->Ty->isScalar() &&
      ActiveRows.size() == R && defineByOffsets(D))
    return;
  llvm::SmallVector<const Expr *, 4> Values;
  if (!Sh.Rows) {
    Values.push_back(valueOf(D, ActiveRows[0]));
  } else {
    for (unsigned Row = 0; Row < R; ++Row)
      Values.push_back(llvm::is_contained(ActiveRows, Row) ? valueOf(D, Row) : nullptr);
  }
  if (Failed)
    return;
  declareState(D.V);
  VarState &VS = States[D.V];
  for (unsigned I = 0; I < VS.New.size(); ++I) {
    if (VS.New.size() > 1 && !llvm::is_contained(ActiveRows, I)) {
      DeclaredLater.insert(VS.New[I]); // when its row is emitted
      continue;
    }
    if (Single && Values[I])
      Polys.define(VS.New[I], Values[I]);
    place(D, VS.New[I], Values[I], true);
  }
}

/// Sets the new variables of V, which exist.
void ItemBlocker::assign(Definition &D, bool IsDecl) {
  Unset.erase(D.V);
  // All values first: rows must not see each other's new ones.
  llvm::SmallVector<std::pair<Var *, const Expr *>, 4> Values;
  VarState VS = States[D.V];
  if (VS.New.size() == 1)
    Values.push_back({VS.New[0], valueOf(D, ActiveRows[0])});
  else
    for (unsigned Row : ActiveRows)
      Values.push_back({VS.New[Row], valueOf(D, Row)});
  if (Failed)
    return;
  for (auto [NV, X] : Values) {
    place(D, NV, X, DeclaredLater.erase(NV) && IsDecl);
    Loads.assigned(NV);
  }
}

void ItemBlocker::emitDef(Var *V, const Expr *E, llvm::ArrayRef<uint8_t> LaneIdx, bool IsDecl,
                          const Stmt *From) {
  Definition D{V, E, LaneIdx, From};
  bool Known = States.count(V) && States[V].Live;
  if (IsDecl && !Known)
    return defineNew(D);
  if (!Known) {
    // Assigned before its declaration was seen: declare it here.
    declareState(V);
    for (Var *NV : States[V].New)
      place(D, NV, nullptr, true);
  }
  if (IsDecl && !E)
    for (unsigned Row : ActiveRows)
      if (Var *NV = States[V].New.size() > 1 ? States[V].New[Row] : nullptr;
          DeclaredLater.erase(NV))
        place(D, NV, nullptr, true);
  if (E)
    assign(D, IsDecl);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void ItemBlocker::emitStore(Stmt *St) {
  std::vector<ItemStore> Stores;
  if (Block.inArrays(St->Acc)) {
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
      Stores.push_back({Lane0, Convert.toVector(V, Ty)});
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
      Stores.push_back({One, Convert.toScalar(Held, L, Ty)});
    }
  }
  if (Failed)
    return;
  bool First = true;
  if (N > 1)
    Stores = joinStores(std::move(Stores));
  for (const ItemStore &W : Stores) {
    Stmt *C = M.newStmt(StmtKind::Store, St->Range);
    C->Acc = W.Acc;
    C->E = W.E;
    if (First)
      C->Comments = St->Comments;
    First = false;
    add(C);
    Loads.stored(W.Acc.Base, Polys.address(W.Acc), sizeInBytes(W.Acc.Elem) * W.Acc.Lanes);
  }
}

//===----------------------------------------------------------------------===//
// All statements
//===----------------------------------------------------------------------===//

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
    if (Arrays.count(St->V))
      return declareArrays(St);
    if (St->V->K == Var::Memory) {
      Stmt *C = copyStmt(St);
      C->E = St->E;
      return add(C);
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
    return emitDef(St->V, St->E, St->LaneIdx, true, St);
  case StmtKind::Assign:
    return emitDef(St->V, St->E, St->LaneIdx, false, St);
  case StmtKind::Store:
    return emitStore(St);
  case StmtKind::If:
    return emitIf(St);
  case StmtKind::Loop:
    return emitLoop(St);
  case StmtKind::Barrier:
    if (ActiveRows.size() != R)
      return refuse(Refusal::DivergentBarrier, "vectorize", St->Name, St->Range);
    Loads.clear();
    return add(copyStmt(St));
  case StmtKind::Break:
  case StmtKind::Continue:
    return add(copyStmt(St));
  default:
    refuse(Refusal::OpaqueConstruct, "vectorize", St->Text.empty() ? St->Name : St->Text,
           St->Range);
  }
}

} // namespace clmali::rewrite
