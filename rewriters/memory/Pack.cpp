//===-- rewriters/memory/Pack.cpp - Channels of an element as lanes --------------===//
//
// Interleaved data has several channels for each work-item: out[3 * i + 0],
// out[3 * i + 1], out[3 * i + 2]. Where the channels are computed in the same
// way (isomorphic statements), the lanes of a block are laid out as memory is:
//
//   before, for each item i            after, 16 items, 3 vectors of 16 bytes
//   out[3*i]     = in[3*i] >> 1;       vstore16(vload16(0, in + 3*i) >> 1, 0, out + 3*i);
//   out[3*i + 1] = in[3*i + 1] >> 1;   vstore16(vload16(0, in + 3*i + 16) >> 1, 0, ...);
//   out[3*i + 2] = in[3*i + 2] >> 1;   ...
//
// A value that is the same for all channels is replicated by a swizzle. Where
// the channels are computed differently, loads of all channels are vector loads
// and swizzles that pull the channels apart, and stores of all channels put
// them together again.
//
// Limits: 2 to 4 channels; the group's statements must stand together.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

void ItemBlocker::place(const StmtList &B, const Stmt *Parent) {
  for (unsigned I = 0; I < B.size(); ++I) {
    Places[B[I]] = {&B, I, Parent};
    if ((B[I]->K == StmtKind::Decl || B[I]->K == StmtKind::Assign) && B[I]->V)
      Writes[B[I]->V].push_back(B[I]);
    forEachStmtList(*B[I], [&](StmtList &Inner) { place(Inner, B[I]); });
  }
}

/// The number of channels: the stride along the lanes in elements, 2 to 4.
static unsigned channels(const KernelAnalysis &A, const Access &Acc, unsigned Dim) {
  if (Acc.Lanes != 1 || Acc.Volatile)
    return 0;
  std::optional<Poly> S = A.stride(Acc, Dim);
  if (!S || !S->isConstant())
    return 0;
  int64_t K = S->constantTerm() / int64_t(sizeInBytes(Acc.Elem));
  return S->constantTerm() % int64_t(sizeInBytes(Acc.Elem)) == 0 && K >= 2 && K <= 4 ? K : 0;
}

/// Do the statements of Group stand in one list with only assignments of
/// variables between them? Last is the index of the last one in Group.
bool ItemBlocker::adjacent(llvm::ArrayRef<Stmt *> Group, unsigned &Last) {
  const Place &P0 = Places[Group[0]];
  unsigned Lo = P0.Index, Hi = P0.Index;
  Last = 0;
  for (unsigned I = 0; I < Group.size(); ++I) {
    const Place &Pl = Places[Group[I]];
    if (Pl.In != P0.In)
      return false;
    Lo = std::min(Lo, Pl.Index);
    if (Pl.Index > Hi) {
      Hi = Pl.Index;
      Last = I;
    }
  }
  // What the group reads must not change before its last statement.
  llvm::DenseSet<const Var *> Reads;
  for (Stmt *St : Group)
    forEachExpr(*St, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::VarRef)
          Reads.insert(E->V);
        return true;
      });
    });
  for (unsigned I = Lo; I <= Hi; ++I) {
    const Stmt *St = (*P0.In)[I];
    if (llvm::is_contained(Group, St))
      continue;
    if (St->K != StmtKind::Decl && St->K != StmtKind::Assign)
      return false;
    if (!St->E)
      continue;
    // A variable that the group reads may be set between, if only once at all
    // (it is then set before the member that reads it).
    if (Reads.count(St->V) && A.singleDef(St->V) != St)
      return false;
  }
  return true;
}

/// Is St emitted for all items of the block at once?
bool ItemBlocker::inLockstep(const Stmt *St) {
  for (const Stmt *Up = Places[St].Parent; Up; Up = Places[Up].Parent) {
    auto Inside = within(Up);
    if (Up->K == StmtKind::If && !AssumedIfs.count(Up)) {
      VShape C = shape(Up->E);
      if (C.K != VShape::Uniform || C.Rows)
        return false;
    }
    if (Up->K == StmtKind::Loop && Up->E) {
      VShape C = shape(Up->E);
      if (C.K != VShape::Uniform || C.Rows)
        return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

void ItemBlocker::findPacks() {
  if (N < 2)
    return;
  place(Old.Body, nullptr);
  findStores(Old.Body);
  findInterleavedLoads(Old.Body);
}

void ItemBlocker::findStores(const StmtList &B) {
  for (Stmt *St : B)
    forEachStmtList(*St, [&](StmtList &Inner) { findStores(Inner); });
  for (Stmt *First : B) {
    if (First->K != StmtKind::Store || P.Stmts.count(First))
      continue;
    unsigned K = channels(A, First->Acc, S.LaneDim);
    if (!K)
      continue;
    // First may be any channel; try each.
    llvm::SmallVector<Stmt *, 4> Group;
    for (unsigned Of = 0; Of < K && Group.empty(); ++Of) {
      llvm::SmallVector<Stmt *, 4> Try(K, nullptr);
      for (Stmt *St : B) {
        if (St->K != StmtKind::Store || St->Acc.Base != First->Acc.Base ||
            St->Acc.Elem != First->Acc.Elem || P.Stmts.count(St))
          continue;
        std::optional<int64_t> D = A.distance(First->Acc, St->Acc);
        if (!D)
          continue;
        int64_t C = *D / int64_t(sizeInBytes(First->Acc.Elem)) + Of;
        if (C >= 0 && C < K && !Try[C] && channels(A, St->Acc, S.LaneDim) == K)
          Try[C] = St;
      }
      if (!llvm::is_contained(Try, nullptr))
        Group = Try;
    }
    unsigned Last = 0;
    if (Group.empty() || !inLockstep(First) || !adjacent(Group, Last))
      continue;
    // The stores happen together at the last one: what it reads must not be
    // what an earlier one stores.
    bool Reads = false;
    for (Stmt *St : Group)
      walk(St->E, [&](const Expr *E) {
        if (E->K == ExprKind::Load && E->Acc.Base == First->Acc.Base) {
          std::optional<int64_t> D = A.distance(First->Acc, E->Acc);
          // Its own channel is fine; another channel's element is not.
          std::optional<int64_t> Own = A.distance(St->Acc, E->Acc);
          Reads |= !D || !(Own && *Own == 0);
        }
        return true;
      });
    for (unsigned I = Places[Group[0]].Index; I <= Places[Group[Last]].Index; ++I) {
      const Stmt *Between = B[I];
      if (Between->K == StmtKind::Decl || Between->K == StmtKind::Assign)
        forEachExpr(*Between, [&](const Expr *Root) {
          walk(Root, [&](const Expr *E) {
            Reads |= E->K == ExprKind::Load && E->Acc.Base == First->Acc.Base;
            return true;
          });
        });
    }
    if (Reads)
      continue;
    Packs Saved = P;
    llvm::SmallVector<const Expr *, 4> Values;
    for (Stmt *St : Group)
      Values.push_back(St->E);
    auto Inside = within(First);
    StorePack SP;
    SP.Members = Group;
    SP.Isomorphic = packExprs(Values);
    if (SP.Isomorphic) {
      for (Stmt *St : Group)
        P.Stmts.insert(St);
      // Each use of a packed variable must be packed.
      for (const auto &[V, Of] : P.OfVar)
        SP.Isomorphic &= !P.Whole.count(V);
      walk(Old.Body, [&](Stmt *St) {
        if (!P.Stmts.count(St))
          forEachExpr(*St, [&](const Expr *Root) {
            walk(Root, [&](const Expr *E) {
              if (E->K == ExprKind::VarRef && P.OfVar.count(E->V))
                SP.Isomorphic = false;
              return true;
            });
          });
        return true;
      });
    }
    if (!SP.Isomorphic)
      P = Saved;
    for (Stmt *St : Group)
      P.Stmts.insert(St);
    P.LastStore[Group[Last]] = P.Stores.size();
    P.Stores.push_back(SP);
  }
}

/// Can the expressions, one for each channel, be one packed expression?
bool ItemBlocker::packExprs(llvm::ArrayRef<const Expr *> Es) {
  const Expr *E0 = Es[0];
  bool AllEqual = true, AllUniform = true;
  for (const Expr *E : Es) {
    AllEqual &= equal(E, E0);
    AllUniform &= shape(E).K == VShape::Uniform;
  }
  if (E0->Ty->isVector())
    return false;
  if (AllEqual || AllUniform) {
    for (const Expr *Root : Es)
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::VarRef)
          P.Whole.insert(E->V);
        return true;
      });
    for (const Expr *E : Es)
      if (E->Ty != E0->Ty)
        return false;
    return true;
  }
  for (const Expr *E : Es)
    if (E->K != E0->K || E->Ty != E0->Ty || E->O != E0->O || E->C != E0->C || E->Name != E0->Name ||
        E->Ops.size() != E0->Ops.size() || (E->K == ExprKind::Cast && E->Text != E0->Text))
      return false;
  switch (E0->K) {
  case ExprKind::VarRef: {
    llvm::SmallVector<Var *, 4> Vs;
    for (const Expr *E : Es) {
      if (E->V->K != Var::Temp)
        return false;
      Vs.push_back(E->V);
    }
    return packVars(Vs);
  }
  case ExprKind::Load: {
    unsigned K = Es.size();
    for (unsigned C = 0; C < K; ++C) {
      const Access &Acc = Es[C]->Acc;
      if (Acc.Base != E0->Acc.Base || Acc.Elem != E0->Acc.Elem || channels(A, Acc, S.LaneDim) != K)
        return false;
      std::optional<int64_t> D = A.distance(E0->Acc, Acc);
      if (!D || *D != int64_t(C) * sizeInBytes(Acc.Elem))
        return false;
      for (const Expr *Ix : Acc.Index) {
        if (shape(Ix).K == VShape::Vector)
          return false;
        walk(Ix, [&](const Expr *E) {
          if (E->K == ExprKind::VarRef)
            P.Whole.insert(E->V);
          return true;
        });
      }
    }
    return true;
  }
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Cast:
  case ExprKind::Select:
  case ExprKind::Call: {
    bool Lazy = E0->K == ExprKind::Select || E0->O == Op::LogicalAnd || E0->O == Op::LogicalOr;
    for (unsigned I = 0; I < E0->Ops.size(); ++I) {
      llvm::SmallVector<const Expr *, 4> Operands;
      for (const Expr *E : Es) {
        Operands.push_back(E->Ops[I]);
        if (E->Ops[I]->Ty != E0->Ops[I]->Ty || (Lazy && I && !speculable(E->Ops[I])))
          return false;
      }
      if (!packExprs(Operands))
        return false;
    }
    return true;
  }
  default:
    return false;
  }
}

bool ItemBlocker::packVars(llvm::ArrayRef<Var *> Vs) {
  unsigned K = Vs.size();
  for (unsigned C = 0; C < K; ++C) {
    auto It = P.OfVar.find(Vs[C]);
    if (It == P.OfVar.end())
      continue;
    // All must be one pack, in this order.
    for (unsigned X = 0; X < K; ++X) {
      auto Of = P.OfVar.find(Vs[X]);
      if (Of == P.OfVar.end() || Of->second != std::make_pair(It->second.first, X))
        return false;
    }
    return true;
  }
  VarPack VP;
  VP.Members.assign(Vs.begin(), Vs.end());
  auto &First = Writes[Vs[0]];
  for (Var *V : Vs)
    if (Writes[V].size() != First.size() || V->Ty != Vs[0]->Ty || !V->Ty->isScalar())
      return false;
  unsigned Number = P.Vars.size();
  for (unsigned D = 0; D < First.size(); ++D) {
    llvm::SmallVector<Stmt *, 4> Group;
    for (Var *V : Vs)
      Group.push_back(Writes[V][D]);
    unsigned Last = 0;
    for (Stmt *St : Group)
      if (St->K != Group[0]->K || !St->E != !Group[0]->E || !St->LaneIdx.empty() ||
          P.Stmts.count(St))
        return false;
    if (!adjacent(Group, Last) || !inLockstep(Group[0]))
      return false;
    for (Stmt *St : Group)
      P.Stmts.insert(St);
    P.LastDef[Group[Last]] = {Number, D};
    VP.Defs.push_back(Group);
  }
  for (unsigned C = 0; C < K; ++C)
    P.OfVar[Vs[C]] = {Number, C};
  auto Defs = VP.Defs;
  P.Vars.push_back(std::move(VP));
  for (auto &Group : Defs) {
    if (!Group[0]->E)
      continue;
    llvm::SmallVector<const Expr *, 4> Values;
    for (Stmt *St : Group)
      Values.push_back(St->E);
    auto Inside = within(Group[0]);
    if (!packExprs(Values))
      return false;
  }
  return true;
}

/// Loads of single channels: where enough of an element is touched in the same
/// list of statements without a condition, whole vectors are loaded and the
/// channels picked. Elements between the first and the last one touched lie
/// inside the buffer; they are read along only where nobody writes the buffer,
/// or where the items touch all channels.
void ItemBlocker::findInterleavedLoads(const StmtList &B) {
  struct Touch {
    const Access *Acc;
    const Expr *Load; ///< null: a store
  };
  std::vector<Touch> Found;
  bool Leaves = false;
  walk(B, [&](Stmt *St) {
    Leaves |= St->K == StmtKind::Break || St->K == StmtKind::Continue || St->K == StmtKind::Return;
    return true;
  });
  for (Stmt *St : B) {
    forEachStmtList(*St, [&](StmtList &Inner) { findInterleavedLoads(Inner); });
    if (St->K == StmtKind::Loop)
      continue;
    auto Inside = within(St);
    if (St->K == StmtKind::Store && channels(A, St->Acc, S.LaneDim))
      Found.push_back({&St->Acc, nullptr});
    forEachExpr(*St, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::Load && channels(A, E->Acc, S.LaneDim) &&
            shape(E).K == VShape::Vector)
          Found.push_back({&E->Acc, E});
        // What stands behind a condition may not be read at all.
        return E->K != ExprKind::Select && E->O != Op::LogicalAnd && E->O != Op::LogicalOr;
      });
    });
  }
  if (Leaves)
    return;
  auto Written = [&](const Var *Base) {
    return llvm::any_of(A.accesses(),
                        [&](const AccessSite &X) { return X.IsWrite && X.A->Base == Base; });
  };
  for (const Touch &T : Found) {
    if (!T.Load || Interleaved.count(T.Load))
      continue;
    unsigned K = channels(A, *T.Acc, S.LaneDim);
    int64_t Size = sizeInBytes(T.Acc->Elem);
    // Offsets in elements from this load, of all that touch the same element.
    std::map<int64_t, const Access *> At;
    for (const Touch &X : Found) {
      if (X.Acc->Base != T.Acc->Base || X.Acc->Elem != T.Acc->Elem ||
          channels(A, *X.Acc, S.LaneDim) != K)
        continue;
      std::optional<int64_t> D = A.distance(*T.Acc, *X.Acc);
      if (D && *D % Size == 0 && *D / Size > -int64_t(K) && *D / Size < int64_t(K))
        At[*D / Size] = X.Acc;
    }
    // The window of K that holds most of them.
    int64_t Best = 0;
    unsigned Most = 0;
    for (int64_t From = 1 - int64_t(K); From <= 0; ++From) {
      unsigned Count = 0;
      for (auto &[Offset, Acc] : At)
        Count += Offset >= From && Offset < From + int64_t(K);
      if (Count > Most) {
        Most = Count;
        Best = From;
      }
    }
    if (Most < K && Written(T.Acc->Base))
      continue;
    ChannelLoad C;
    C.Channels = K;
    int64_t Low = INT64_MAX, High = INT64_MIN;
    for (auto &[Offset, Acc] : At)
      if (Offset >= Best && Offset < Best + int64_t(K)) {
        if (Offset < Low)
          C.First = *Acc;
        Low = std::min(Low, Offset);
        High = std::max(High, Offset);
      }
    C.Channel = -Low;
    C.Touched = High - Low + 1;
    unsigned Total = (N - 1) * K + C.Touched, Chunks = (Total + N - 1) / N;
    if (Chunks >= Most * N)
      continue;
    Interleaved[T.Load] = C;
  }
}

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

/// N elements from lane 0's access on, moved by Elements.
Access ItemBlocker::elementsFrom(const Access &Acc, unsigned Row, unsigned Elements) {
  Access Lane0;
  if (!laneStride(Acc, Row, Lane0)) {
    refuse(Refusal::OpaqueConstruct, "vectorize", "address of interleaved channels", Acc.Range);
    return Acc;
  }
  Lane0.F = Access::VLoad;
  Lane0.Lanes = N;
  Lane0.Path.clear();
  unsigned Size = sizeInBytes(Acc.Elem);
  // A vector of an array of vectors is loaded as what it is.
  const Type *Whole = Acc.Base->Ty;
  while (Whole->K == Type::Array || Whole->K == Type::Pointer)
    Whole = Whole->Elem;
  if (Whole->isVector() && Whole->Lanes == N && N != 3 && Lane0.Stride.back() == Whole->Size) {
    unsigned Bytes = Lane0.Disp + Elements * Size;
    if (Bytes % Whole->Size == 0) {
      Lane0.F = Access::Subscript;
      Lane0.Disp = 0;
      if (Bytes)
        Lane0.Index.back() =
            simplify(M, M.binary(Op::Add, Lane0.Index.back(),
                                 M.intConst(Bytes / Whole->Size, Lane0.Index.back()->Ty)));
      return Lane0;
    }
  }
  if (!Elements)
    return Lane0;
  if (!Lane0.Stride.empty() && Lane0.Stride.back() == Size)
    Lane0.Index.back() = simplify(
        M, M.binary(Op::Add, Lane0.Index.back(), M.intConst(Elements, Lane0.Index.back()->Ty)));
  else
    Lane0.Disp += Elements * Size;
  return Lane0;
}

/// The constant that E, a variable with one definition, stands for; else E.
const Expr *ItemBlocker::constantOf(const Expr *E) const {
  for (unsigned Depth = 0; Depth < 8 && E->K == ExprKind::VarRef; ++Depth) {
    const Stmt *D = A.singleDef(E->V);
    if (!D || !D->E ||
        (D->E->K != ExprKind::VarRef && D->E->K != ExprKind::IntConst &&
         D->E->K != ExprKind::FloatConst) ||
        (D->E->K == ExprKind::VarRef && !A.singleDef(D->E->V)))
      return E;
    E = D->E;
  }
  return E;
}

LaneVal ItemBlocker::evalPack(llvm::ArrayRef<const Expr *> Given, unsigned Row, unsigned Chunk) {
  llvm::SmallVector<const Expr *, 4> Es;
  for (const Expr *E : Given)
    Es.push_back(P.OfVar.count(E->V) ? E : constantOf(E));
  const Expr *E0 = Es[0];
  unsigned K = Es.size();
  bool AllEqual = true, AllUniform = true;
  for (const Expr *E : Es) {
    AllEqual &= equal(E, E0);
    AllUniform &= shape(E).K == VShape::Uniform;
  }
  // A shared product that is added may be contracted there: share its factors.
  bool Product = E0->Ty->isFloat() && ((E0->K == ExprKind::Binary && E0->O == Op::Mul) ||
                                       (E0->K == ExprKind::Unary && E0->O == Op::Neg));
  if (AllEqual && !(Product && shape(E0).K != VShape::Uniform)) {
    LaneVal V = eval(E0, Row);
    if (V.K == LaneVal::Uniform)
      return V;
    bool IsMask = V.K == LaneVal::Mask;
    const Expr *X = temp(IsMask ? V.E : vec(V, E0->Ty), "shared");
    llvm::SmallVector<uint8_t, 16> Lanes;
    for (unsigned T = 0; T < N; ++T)
      Lanes.push_back((Chunk * N + T) / K);
    return {IsMask ? LaneVal::Mask : LaneVal::Vector, M.swizzle(X, Lanes)};
  }
  if (AllUniform) {
    llvm::SmallVector<const Expr *, 16> Lanes, Each;
    for (const Expr *E : Es)
      Each.push_back(eval(E, Row).E);
    for (unsigned T = 0; T < N; ++T)
      Lanes.push_back(Each[(Chunk * N + T) % K]);
    return {LaneVal::Vector, M.vectorCtor(vecTy(E0->Ty), Lanes)};
  }
  if (E0->K == ExprKind::VarRef) {
    auto [Number, Channel] = P.OfVar[E0->V];
    (void)Channel;
    const Expr *Ref = M.ref(P.Vars[Number].New[Row][Chunk]);
    return {E0->Ty->Scalar == ScalarKind::Bool ? LaneVal::Mask : LaneVal::Vector, Ref};
  }
  if (E0->K == ExprKind::Load) {
    Access Acc = elementsFrom(E0->Acc, Row, Chunk * N);
    if (Failed)
      return {LaneVal::Uniform, E0};
    ++VectorAccesses;
    return {LaneVal::Vector, loadOnce(Acc, vecTy(E0->Ty), true)};
  }
  llvm::SmallVector<LaneVal, 3> Ops;
  for (unsigned I = 0; I < E0->Ops.size(); ++I) {
    llvm::SmallVector<const Expr *, 4> Operands;
    for (const Expr *E : Es)
      Operands.push_back(E->Ops[I]);
    Ops.push_back(evalPack(Operands, Row, Chunk));
    if (Failed)
      return {LaneVal::Uniform, E0};
  }
  return combine(E0, Ops);
}

/// A variable's name without the number that a split web was given.
static llvm::StringRef stem(const Var *V) {
  llvm::StringRef Name = V->Name;
  size_t Bar = Name.rfind('_');
  if (Bar != llvm::StringRef::npos && Bar + 1 < Name.size() && Bar > 0 &&
      Name.substr(Bar + 1).find_first_not_of("0123456789") == llvm::StringRef::npos)
    return Name.substr(0, Bar);
  return Name;
}

static std::string packName(llvm::ArrayRef<Var *> Members) {
  llvm::StringRef First = stem(Members[0]);
  size_t Suffix = First.size();
  for (Var *V : Members) {
    llvm::StringRef Name = stem(V);
    size_t Same = 0;
    while (Same < Suffix && Same < Name.size() &&
           Name[Name.size() - 1 - Same] == First[First.size() - 1 - Same])
      ++Same;
    Suffix = Same;
  }
  std::string Joined;
  for (Var *V : Members)
    Joined += stem(V).drop_back(Suffix).str();
  if (Joined.empty() || Joined.size() + Suffix > 16)
    return First.str();
  Joined += First.substr(First.size() - Suffix).str();
  if (isdigit(Joined[0]))
    Joined = "v" + Joined;
  return Joined;
}

void ItemBlocker::emitPacked(Stmt *St) {
  if (auto It = P.LastStore.find(St); It != P.LastStore.end()) {
    emitPackedStore(P.Stores[It->second]);
    return;
  }
  auto It = P.LastDef.find(St);
  if (It == P.LastDef.end())
    return;
  VarPack &VP = P.Vars[It->second.first];
  auto &Group = VP.Defs[It->second.second];
  unsigned K = Group.size();
  bool Declares = VP.New.empty();
  llvm::SmallVector<const Expr *, 4> Es;
  for (Stmt *X : Group)
    Es.push_back(X->E);
  const Type *Ty = vecTy(VP.Members[0]->Ty);
  bool Bool = VP.Members[0]->Ty->Scalar == ScalarKind::Bool;
  bool First = true;
  std::vector<llvm::SmallVector<const Expr *, 4>> Values(R);
  for (unsigned Row = 0; Row < R; ++Row)
    for (unsigned Q = 0; Q < K; ++Q) {
      if (!Es[0]) {
        Values[Row].push_back(nullptr);
        continue;
      }
      LaneVal V = evalPack(Es, Row, Q);
      if (Failed)
        return;
      Values[Row].push_back(Bool ? mask(V, VP.Members[0]->Ty, Es[0]->Ty)
                                 : vec(V, VP.Members[0]->Ty));
    }
  std::string Name = packName(VP.Members);
  for (unsigned Row = 0; Row < R; ++Row)
    for (unsigned Q = 0; Q < K; ++Q) {
      bool Decl = Declares;
      if (Declares) {
        VP.New.resize(R);
        VP.New[Row].resize(K, nullptr);
        VP.New[Row][Q] =
            newVar(Name + (R > 1 ? std::to_string(Row) : "") + std::string(1, char('a' + Q)), Ty);
      }
      Stmt *D = M.newStmt(Decl ? StmtKind::Decl : StmtKind::Assign, St->Range);
      D->V = VP.New[Row][Q];
      D->E = Values[Row][Q];
      if (First)
        for (Stmt *X : Group)
          D->Comments.insert(D->Comments.end(), X->Comments.begin(), X->Comments.end());
      First = false;
      add(D);
      forgetVar(D->V);
    }
}

void ItemBlocker::emitPackedStore(const StorePack &SP) {
  unsigned K = SP.Members.size();
  const Access &Acc0 = SP.Members[0]->Acc;
  const Type *Ty = M.value(Acc0.Elem);
  struct Pending {
    Access Acc;
    const Expr *E;
  };
  std::vector<Pending> Stores;
  llvm::SmallVector<const Expr *, 4> Es;
  for (Stmt *St : SP.Members)
    Es.push_back(St->E);
  for (unsigned Row : ActiveRows) {
    llvm::SmallVector<const Expr *, 4> Channels;
    if (!SP.Isomorphic)
      for (const Expr *E : Es) {
        LaneVal V = eval(E, Row);
        if (Failed)
          return;
        Channels.push_back(temp(vec(V, Ty), Acc0.Base->Name + "_new"));
      }
    for (unsigned Q = 0; Q < K; ++Q) {
      Access Acc = elementsFrom(Acc0, Row, Q * N);
      const Expr *Value = nullptr;
      if (SP.Isomorphic) {
        LaneVal V = evalPack(Es, Row, Q);
        if (Failed)
          return;
        Value = vec(V, Ty);
      } else {
        llvm::SmallVector<const Expr *, 16> Lanes;
        for (unsigned T = 0; T < N; ++T)
          Lanes.push_back(M.swizzle(Channels[(Q * N + T) % K], {uint8_t((Q * N + T) / K)}));
        Value = M.vectorCtor(vecTy(Ty), Lanes);
      }
      ++VectorAccesses;
      Stores.push_back({Acc, Value});
    }
  }
  bool First = true;
  for (const Pending &W : Stores) {
    Stmt *C = M.newStmt(StmtKind::Store, SP.Members[0]->Range);
    C->Acc = W.Acc;
    C->E = W.E;
    if (First)
      for (Stmt *X : SP.Members)
        C->Comments.insert(C->Comments.end(), X->Comments.begin(), X->Comments.end());
    First = false;
    add(C);
    invalidate(W.Acc.Base, address(W.Acc), sizeInBytes(W.Acc.Elem) * W.Acc.Lanes);
  }
}

/// One channel of interleaved elements: vector loads from the first element
/// touched to the last, and the lanes of this channel picked from them. The last
/// load is moved back so that it ends where the items' own accesses end.
LaneVal ItemBlocker::deinterleave(const Expr *E, const ChannelLoad &C, unsigned Row) {
  unsigned Total = (N - 1) * C.Channels + C.Touched;
  llvm::SmallVector<const Expr *, 4> Chunks;
  llvm::SmallVector<unsigned, 4> Starts;
  for (unsigned Start = 0; Start < Total; Start += N) {
    Starts.push_back(std::min(Start, Total - N));
    Access Acc = elementsFrom(C.First, Row, Starts.back());
    if (Failed)
      return {LaneVal::Uniform, E};
    ++VectorAccesses;
    Chunks.push_back(loadOnce(Acc, vecTy(E->Ty), true));
  }
  auto ChunkOf = [&](unsigned T) {
    return std::min<unsigned>((T * C.Channels + C.Channel) / N, Chunks.size() - 1);
  };
  // A run of lanes from one chunk is split into lengths that vectors have.
  llvm::SmallVector<const Expr *, 8> Pieces;
  for (unsigned T = 0; T < N;) {
    unsigned Q = ChunkOf(T), Run = 0;
    while (T + Run < N && ChunkOf(T + Run) == Q)
      ++Run;
    unsigned Take = Run >= 16 ? 16 : Run >= 8 ? 8 : Run >= 4 ? 4 : Run >= 2 ? 2 : 1;
    llvm::SmallVector<uint8_t, 16> Lanes;
    for (unsigned I = 0; I < Take; ++I)
      Lanes.push_back((T + I) * C.Channels + C.Channel - Starts[Q]);
    Pieces.push_back(M.swizzle(Chunks[Q], Lanes));
    T += Take;
  }
  const Expr *V = Pieces.size() == 1 ? Pieces[0] : M.vectorCtor(vecTy(E->Ty), Pieces);
  return {LaneVal::Vector, V};
}

} // namespace clmali::rewrite
