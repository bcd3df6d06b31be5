//===-- rewriters/blocking/Stmts.cpp - Variables, definitions and stores ------===//
//
// Part of BlockEmitter. A variable of the original becomes
//   - one scalar if it is the same for all items, or linear in the lane,
//   - one scalar for each row if rows differ; or one for all, if they differ by a constant,
//   - a vector (for each row) otherwise.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/BlockEmitter.h"

namespace clmali::rewrite {

/// Constants that are split off an index stay below this.
static constexpr int64_t MaxSplitConstant = 1 << 20;

/// Makes and declares the new variables of V, without a value.
void BlockEmitter::declareUnset(Var *V) {
  declareState(V);
  Unset.insert(V);
  for (Var *NV : States[V].New)
    W.declare(NV);
}

/// Declares the variables that St assigns but that were declared without a value before it.
void BlockEmitter::declareBefore(const Stmt *St) {
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

/// Runs F with statements added to Into. What was loaded before stays known afterwards, what F
/// loads does not. False: F was refused.
bool BlockEmitter::emitInto(llvm::function_ref<void()> F, StmtList &Into) {
  KnownLoads::Snapshot Saved = Loads.save();
  StmtList *Was = std::exchange(W.Cur, &Into);
  F();
  W.Cur = Was;
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
void BlockEmitter::place(Definition &D, Var *NV, const Expr *Value, bool IsDecl) {
  Stmt *St = M.newStmt(IsDecl ? StmtKind::Decl : StmtKind::Assign, D.From->Range);
  St->V = NV;
  St->E = Value;
  St->LaneIdx.assign(D.LaneIdx.begin(), D.LaneIdx.end());
  if (std::exchange(D.HasComments, false))
    St->Comments = D.From->Comments;
  W.add(St);
}

const Expr *BlockEmitter::asHeld(const Var *V, const LaneVal &X, const Type *Of) const {
  return V->Ty->Scalar == ScalarKind::Bool ? Convert.toMask(X, V->Ty, Of)
                                           : Convert.toVector(X, V->Ty);
}

/// The value of D for Row, as V's new variable holds it. Null: D has none.
const Expr *BlockEmitter::valueOf(const Definition &D, unsigned Row) {
  if (!D.E)
    return nullptr;
  LaneVal X = eval(D.E, Row);
  return Block.shapeOf(D.V).K != VShape::Vector ? X.E : asHeld(D.V, X, D.E->Ty);
}

/// One variable for all rows, if their values differ by a constant. False: they do not.
bool BlockEmitter::defineByOffsets(Definition &D) {
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
  Var *NV = W.copyVar(D.V);
  VS.New = {NV};
  States[D.V] = VS;
  Polys.define(NV, Base);
  place(D, NV, Base, true);
  return true;
}

/// Declares V with its value.
void BlockEmitter::defineNew(Definition &D) {
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
void BlockEmitter::assign(Definition &D, bool IsDecl) {
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

void BlockEmitter::emitDef(Var *V, const Expr *E, llvm::ArrayRef<uint8_t> LaneIdx, bool IsDecl,
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

void BlockEmitter::emitStore(Stmt *St) {
  std::vector<NewStore> Stores;
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
      refuse(Refusal::AlreadyVectorized, "vectorize", "vector store to " + St->Acc.Base->Name,
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
      Held.E = W.temp(V.E, St->Acc.Base->Name + "_new");
    for (unsigned L = 0; L < N; ++L) {
      Access One = St->Acc;
      for (unsigned D = 0; D < One.Index.size(); ++D)
        One.Index[D] = evalLane(St->Acc.Index[D], Row, L);
      Stores.push_back({One, Convert.toScalar(Held, L, Ty)});
    }
  }
  if (Failed)
    return;
  addStores(N > 1 ? joinStores(std::move(Stores)) : Stores, {St});
}

/// Texels of all rows: what they are made of is computed before the first is written.
void BlockEmitter::emitImageWrite(Stmt *St) {
  if (N > 1)
    return refuse(Refusal::UnsupportedType, "vectorize", "texels of " + St->Image->Name, St->Range);
  std::vector<Stmt *> Writes;
  for (unsigned Row : ActiveRows) {
    Stmt *C = W.copyStmt(St);
    if (!Writes.empty())
      C->Comments.clear();
    for (const Expr *&X : C->Args)
      X = eval(X, Row).E;
    C->E = W.temp(eval(St->E, Row).E, St->Image->Name + "_new");
    Writes.push_back(C);
  }
  if (!Failed)
    for (Stmt *C : Writes)
      W.add(C);
}

void BlockEmitter::addStores(llvm::ArrayRef<NewStore> Stores, llvm::ArrayRef<Stmt *> From) {
  for (const NewStore &One : Stores) {
    Stmt *C = M.newStmt(StmtKind::Store, From.front()->Range);
    C->Acc = One.Acc;
    C->E = One.E;
    if (&One == &Stores.front())
      for (const Stmt *X : From)
        if (X)
          C->Comments.insert(C->Comments.end(), X->Comments.begin(), X->Comments.end());
    W.add(C);
    Loads.stored(C->Acc.Base, Polys.address(C->Acc), sizeInBytes(C->Acc.Elem) * C->Acc.Lanes);
  }
}

void BlockEmitter::declareArrays(const Stmt *Decl) {
  const Var *V = Decl->V;
  const Type *Elem = V->Ty;
  while (Elem->K == Type::Array)
    Elem = Elem->Elem;
  auto &Rows = Arrays[V];
  Rows.clear();
  for (unsigned Row = 0; Row < R; ++Row) {
    Var *Array = W.newArray(R > 1 ? V->Name + std::to_string(Row) : V->Name,
                            M.array(Elem, V->Ty->Size / Elem->Size * N), V);
    Rows.push_back(Array);
    Stmt *D = W.copyStmt(Decl);
    D->V = Array;
    if (Row)
      D->Comments.clear();
    W.add(D);
  }
}

void BlockEmitter::storeArray(Stmt *St, unsigned Row) {
  const Access &Acc = St->Acc;
  const Type *Ty = M.value(Acc.Elem);
  LaneVal V = eval(St->E, Row);
  std::vector<NewStore> Stores;
  if (std::optional<Indices> Index = commonIndices(Acc, Row)) {
    if (!Failed)
      Stores.push_back(
          {elementOfArray(Acc, Row, *Index, nullptr), N == 1 ? V.E : Convert.toVector(V, Ty)});
  } else {
    if (V.K >= LaneVal::Vector)
      V.E = W.temp(V.E, Acc.Base->Name + "_new");
    for (unsigned L = 0; L < N && !Failed; ++L) {
      Indices Own = indicesOfLane(Acc, Row, L);
      Stores.push_back({elementOfArray(Acc, Row, Own, M.intConst(L)), Convert.toScalar(V, L, Ty)});
    }
  }
  if (!Failed)
    addStores(Stores, {St});
}

//===----------------------------------------------------------------------===//
// Adjacent stores of different items
//
// Where the lanes of a row store to elements that are far apart, the rows of
// one lane may store to adjacent ones. Those become one vector store:
//
//   before, 2 lanes, 2 rows              after
//   out[x * h + y] = a.s0;               vstore2((float2)(a.s0, b.s0), 0, out + x * h + y);
//   out[(x + 1) * h + y] = a.s1;         vstore2((float2)(a.s1, b.s1), 0, out + (x + 1) * h + y);
//   out[x * h + y + 1] = b.s0;
//   out[(x + 1) * h + y + 1] = b.s1;
//
// The stores are those of one statement of the source, of all items, and their values have been
// computed before the first of them. The source gives them no order: the items of a block are
// different work-items.
//
//===----------------------------------------------------------------------===//

namespace {
/// A store whose address differs by a constant from that of the first of its group.
struct Adjacent {
  size_t At;
  int64_t Bytes;
};
} // namespace

static bool joinable(const Access &Acc) {
  AddressSpace AS = Acc.Base->space();
  return Acc.Lanes == 1 && !Acc.Volatile && Acc.Elem != ScalarKind::Bool && !Acc.Index.empty() &&
         (AS == AddressSpace::Global || AS == AddressSpace::Local);
}

std::vector<BlockEmitter::NewStore> BlockEmitter::joinStores(std::vector<NewStore> Stores) {
  constexpr int64_t MaxBytes = 16;
  if (!llvm::all_of(Stores, [](const NewStore &One) { return joinable(One.Acc); }))
    return Stores;
  std::vector<Poly> Addresses;
  for (const NewStore &One : Stores)
    Addresses.push_back(Polys.address(One.Acc));
  const int64_t Size = sizeInBytes(Stores[0].Acc.Elem);
  std::vector<bool> Done(Stores.size());
  std::vector<NewStore> Joined;
  for (size_t First = 0; First < Stores.size(); ++First) {
    if (Done[First])
      continue;
    std::vector<Adjacent> Group;
    for (size_t At = First; At < Stores.size(); ++At)
      if (Poly D = Addresses[At] - Addresses[First]; !Done[At] && D.isConstant())
        Group.push_back({At, D.constantTerm()});
    llvm::stable_sort(Group,
                      [](const Adjacent &X, const Adjacent &Y) { return X.Bytes < Y.Bytes; });
    for (size_t From = 0; From < Group.size();) {
      size_t Run = 1;
      while (From + Run < Group.size() &&
             Group[From + Run].Bytes == Group[From].Bytes + int64_t(Run) * Size)
        ++Run;
      size_t Take = pieceLength(Run, MaxBytes / Size);
      NewStore Whole = Stores[Group[From].At];
      if (Take > 1) {
        llvm::SmallVector<const Expr *, MostLanes> Lanes;
        for (size_t I = From; I < From + Take; ++I)
          Lanes.push_back(Stores[Group[I].At].E);
        Whole.Acc.F = Access::VLoad;
        Whole.Acc.Lanes = Take;
        Whole.E = putTogether(M, Lanes);
        ++VectorAccesses;
      }
      for (size_t I = From; I < From + Take; ++I)
        Done[Group[I].At] = true;
      Joined.push_back(Whole);
      From += Take;
    }
  }
  return Joined;
}

//===----------------------------------------------------------------------===//
// All statements
//===----------------------------------------------------------------------===//

void BlockEmitter::emit(const StmtList &B) {
  for (Stmt *St : B) {
    if (Failed)
      return;
    if (P.Stmts.count(St))
      emitPacked(St);
    else
      emit(St);
  }
}

void BlockEmitter::emit(Stmt *St) {
  switch (St->K) {
  case StmtKind::Decl:
    if (Arrays.count(St->V))
      return declareArrays(St);
    if (St->V->K == Var::Memory) {
      Stmt *C = W.copyStmt(St);
      C->E = St->E;
      return W.add(C);
    }
    if (!St->E) {
      declareState(St->V);
      Unset.insert(St->V);
      for (Var *NV : States[St->V].New) {
        Stmt *D = W.copyStmt(St);
        D->V = NV;
        W.add(D);
      }
      return;
    }
    return emitDef(St->V, St->E, St->LaneIdx, true, St);
  case StmtKind::Assign:
    return emitDef(St->V, St->E, St->LaneIdx, false, St);
  case StmtKind::Store:
    return emitStore(St);
  case StmtKind::ImageWrite:
    return emitImageWrite(St);
  case StmtKind::Atomic:
    return emitUpdate(St, std::vector<llvm::SmallVector<const Expr *, 2>>(R));
  case StmtKind::If:
    return emitIf(St);
  case StmtKind::Loop:
    return emitLoop(St);
  case StmtKind::Barrier:
    if (ActiveRows.size() != R)
      return refuse(Refusal::DivergentBarrier, "vectorize",
                    "the branch or loop around this barrier may differ in a block of work-items",
                    St->Range);
    Loads.clear();
    return W.add(W.copyStmt(St));
  case StmtKind::Break:
  case StmtKind::Continue:
    return W.add(W.copyStmt(St));
  default:
    refuse(Refusal::OpaqueConstruct, "vectorize", St->Text.empty() ? St->Name : St->Text,
           St->Range);
  }
}

} // namespace clmali::rewrite
