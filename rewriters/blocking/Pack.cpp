//===-- rewriters/blocking/Pack.cpp - Channels of an element as lanes --------------===//
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
// A value that is the same for all channels is replicated by a swizzle. Where the channels are
// computed differently, swizzles take the channels from vector loads, and put them together again
// for vector stores.
//
// Which statements are packed: FindPacks.cpp.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// N elements from lane 0's access on, offset by Elements.
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
  return movedBy(M, Lane0, Elements);
}

/// The constant that E, a variable with one definition, holds; else E.
const Expr *ItemBlocker::constantOf(const Expr *E) const {
  constexpr unsigned MaxDepth = 8;
  for (unsigned Depth = 0; Depth < MaxDepth && E->K == ExprKind::VarRef; ++Depth) {
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

/// A chunk of E, which is the same for all channels.
LaneVal ItemBlocker::evalShared(const Expr *E, unsigned Row, unsigned Chunk, unsigned Channels) {
  LaneVal V = eval(E, Row);
  if (V.K == LaneVal::Uniform)
    return V;
  bool IsMask = V.K == LaneVal::Mask;
  const Expr *X = temp(IsMask ? V.E : Convert.toVector(V, E->Ty), "shared");
  llvm::SmallVector<LaneOf, MostLanes> Lanes;
  for (unsigned T = 0; T < N; ++T)
    Lanes.push_back({X, uint8_t((Chunk * N + T) / Channels)});
  return {IsMask ? LaneVal::Mask : LaneVal::Vector, gatherLanes(M, Lanes)};
}

/// A chunk of the packed expression Given, one for each channel; null: any value will do.
LaneVal ItemBlocker::evalPack(llvm::ArrayRef<const Expr *> Given, unsigned Row, unsigned Chunk) {
  llvm::SmallVector<const Expr *, 4> Es;
  for (const Expr *E : Given)
    Es.push_back(!E || P.OfVar.count(E->V) ? E : constantOf(E));
  const Expr *E0 = Es[0];
  unsigned K = Es.size();
  bool AllEqual = true, AllUniform = true;
  for (const Expr *E : Es) {
    if (!E)
      continue;
    AllEqual &= equal(E, E0);
    AllUniform &= Block.shape(E).K == VShape::Uniform;
  }
  // A shared product that is added may be contracted with the addition: share its factors.
  if (AllEqual && !(isProduct(E0) && Block.shape(E0).K != VShape::Uniform))
    return evalShared(E0, Row, Chunk, K);
  if (AllUniform) {
    llvm::SmallVector<const Expr *, 16> Lanes, Each;
    for (const Expr *E : Es)
      Each.push_back(eval(E ? E : E0, Row).E);
    for (unsigned T = 0; T < N; ++T)
      Lanes.push_back(Each[(Chunk * N + T) % K]);
    return {LaneVal::Vector, M.vectorCtor(Convert.vectorType(E0->Ty), Lanes)};
  }
  if (E0->K == ExprKind::VarRef) {
    unsigned Pack = P.OfVar[E0->V].first;
    const Expr *Ref = M.ref(P.Vars[Pack].New[Row][Chunk]);
    return {E0->Ty->Scalar == ScalarKind::Bool ? LaneVal::Mask : LaneVal::Vector, Ref};
  }
  if (E0->K == ExprKind::Load) {
    Access Acc = elementsFrom(E0->Acc, Row, Chunk * N);
    if (Failed)
      return {LaneVal::Uniform, E0};
    ++VectorAccesses;
    return {LaneVal::Vector, loadOnce(Acc, Convert.vectorType(E0->Ty), true)};
  }
  llvm::SmallVector<LaneVal, 3> Ops;
  for (unsigned I = 0; I < E0->Ops.size(); ++I) {
    llvm::SmallVector<const Expr *, 4> Operands;
    for (const Expr *E : Es)
      Operands.push_back(E ? E->Ops[I] : nullptr);
    Ops.push_back(evalPack(Operands, Row, Chunk));
    if (Failed)
      return {LaneVal::Uniform, E0};
  }
  return combine(E0, Ops);
}

/// One channel of interleaved elements: vector loads from the first element accessed to the last,
/// and the lanes of this channel selected from them. The last load is moved back so that it ends
/// where the items' own accesses end.
LaneVal ItemBlocker::deinterleave(const Expr *E, const ChannelLoad &C, unsigned Row) {
  unsigned Total = (N - 1) * C.Channels + C.Accessed;
  llvm::SmallVector<const Expr *, 4> Chunks;
  llvm::SmallVector<unsigned, 4> Starts;
  for (unsigned Start = 0; Start < Total; Start += N) {
    Starts.push_back(std::min(Start, Total - N));
    Access Acc = elementsFrom(C.First, Row, Starts.back());
    if (Failed)
      return {LaneVal::Uniform, E};
    ++VectorAccesses;
    Chunks.push_back(loadOnce(Acc, Convert.vectorType(E->Ty), true));
  }
  llvm::SmallVector<LaneOf, MostLanes> Lanes;
  for (unsigned T = 0; T < N; ++T) {
    unsigned At = T * C.Channels + C.Channel, Q = std::min<unsigned>(At / N, Chunks.size() - 1);
    Lanes.push_back({Chunks[Q], uint8_t(At - Starts[Q])});
  }
  return {LaneVal::Vector, gatherLanes(M, Lanes)};
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// A variable's name without the number that a split live range was given.
static llvm::StringRef stem(const Var *V) {
  llvm::StringRef Name = V->Name;
  size_t Bar = Name.rfind('_');
  if (Bar != llvm::StringRef::npos && Bar + 1 < Name.size() && Bar > 0 &&
      Name.substr(Bar + 1).find_first_not_of("0123456789") == llvm::StringRef::npos)
    return Name.substr(0, Bar);
  return Name;
}

/// b, g, r of a pixel are bgr; pixel_b, pixel_g, pixel_r likewise.
static std::string packName(llvm::ArrayRef<Var *> Members) {
  llvm::StringRef First = stem(Members[0]);
  size_t Suffix = First.size();
  for (Var *V : Members) {
    if (!V)
      continue;
    llvm::StringRef Name = stem(V);
    size_t Same = 0;
    while (Same < Suffix && Same < Name.size() &&
           Name[Name.size() - 1 - Same] == First[First.size() - 1 - Same])
      ++Same;
    Suffix = Same;
  }
  std::string Joined;
  for (Var *V : Members)
    if (V)
      Joined += stem(V).drop_back(Suffix).str();
  if (Joined.empty() || Joined.size() + Suffix > 16)
    return First.str();
  Joined += First.substr(First.size() - Suffix).str();
  if (isdigit(Joined[0]))
    Joined = "v" + Joined;
  return Joined;
}

void ItemBlocker::emitPacked(Stmt *St) {
  if (auto It = P.LastStore.find(St); It != P.LastStore.end())
    return emitPackedStore(P.Stores[It->second]);
  if (auto It = P.LastDef.find(St); It != P.LastDef.end())
    emitPackedDef(P.Vars[It->second.first], It->second.second, St);
}

/// Definition Def of the pack VP, at the last of its statements.
void ItemBlocker::emitPackedDef(VarPack &VP, unsigned Def, const Stmt *At) {
  auto &Group = VP.Defs[Def];
  const unsigned K = Group.size();
  llvm::SmallVector<const Expr *, 4> Es;
  for (Stmt *X : Group)
    Es.push_back(X ? X->E : nullptr);
  const Type *Scalar = VP.Members[0]->Ty;
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
      Values[Row].push_back(Scalar->Scalar == ScalarKind::Bool
                                ? Convert.toMask(V, Scalar, Es[0]->Ty)
                                : Convert.toVector(V, Scalar));
    }
  const bool Declares = VP.New.empty();
  if (Declares) {
    std::string Name = packName(VP.Members);
    VP.New.resize(R);
    for (unsigned Row = 0; Row < R; ++Row)
      for (unsigned Q = 0; Q < K; ++Q)
        VP.New[Row].push_back(
            newVar(Name + (R > 1 ? std::to_string(Row) : "") + std::string(1, char('a' + Q)),
                   Convert.vectorType(Scalar)));
  }
  bool First = true;
  for (unsigned Row = 0; Row < R; ++Row)
    for (unsigned Q = 0; Q < K; ++Q) {
      Stmt *D = M.newStmt(Declares ? StmtKind::Decl : StmtKind::Assign, At->Range);
      D->V = VP.New[Row][Q];
      D->E = Values[Row][Q];
      if (std::exchange(First, false))
        for (Stmt *X : Group)
          if (X)
            D->Comments.insert(D->Comments.end(), X->Comments.begin(), X->Comments.end());
      add(D);
      Loads.assigned(D->V);
    }
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// A chunk of the vectors Channels, put together in memory order.
const Expr *ItemBlocker::interleave(llvm::ArrayRef<const Expr *> Channels, unsigned Chunk) {
  const unsigned K = Channels.size();
  llvm::SmallVector<LaneOf, MostLanes> Lanes;
  for (unsigned T = Chunk * N; T < (Chunk + 1) * N; ++T)
    Lanes.push_back({Channels[T % K], uint8_t(T / K)});
  return gatherLanes(M, Lanes);
}

/// Value, chunk Chunk of what SP stores, with the channels that are not packed: those that are
/// computed apart, and those that keep what is in memory.
const Expr *ItemBlocker::withChannelsApart(const StorePack &SP, const Expr *Value, unsigned Row,
                                           unsigned Chunk) {
  const unsigned K = SP.Members.size();
  const Access &Acc0 = SP.Members[0]->Acc;
  Var *All = nullptr;
  for (unsigned C = 0; C < K; ++C) {
    if (SP.Members[C] && !SP.apart(C))
      continue;
    llvm::SmallVector<uint8_t, 4> To, From;
    for (unsigned T = 0; T < N; ++T)
      if ((Chunk * N + T) % K == C) {
        To.push_back(T);
        From.push_back(SP.Members[C] ? (Chunk * N + T) / K : T);
      }
    LaneVal Lanes{LaneVal::Vector, nullptr};
    if (SP.Members[C])
      Lanes = eval(SP.Members[C]->E, Row);
    else
      Lanes.E = loadOnce(elementsFrom(Acc0, Row, Chunk * N), Value->Ty, true);
    if (Failed)
      return Value;
    if (!All) {
      All = newVar(Acc0.Base->Name + "_new", Value->Ty);
      add(makeDecl(All, Value));
    }
    Stmt *Set = M.newStmt(StmtKind::Assign, SP.Members[0]->Range);
    Set->V = All;
    Set->LaneIdx.assign(To.begin(), To.end());
    const Type *Scalar = M.value(Acc0.Elem), *Ty = M.value(Acc0.Elem, To.size());
    if (Lanes.K == LaneVal::Uniform)
      Set->E = M.cast(Lanes.E->Ty == Scalar ? Lanes.E : M.cast(Lanes.E, Scalar), Ty);
    else
      Set->E = M.swizzle(Convert.toVector(Lanes, Scalar), From);
    add(Set);
  }
  return All ? M.ref(All) : Value;
}

void ItemBlocker::emitPackedStore(const StorePack &SP) {
  const unsigned K = SP.Members.size();
  const Access &Acc0 = SP.Members[0]->Acc;
  const Type *Ty = M.value(Acc0.Elem);
  std::vector<std::pair<Access, const Expr *>> Stores;
  llvm::SmallVector<const Expr *, 4> Es;
  for (unsigned C = 0; C < K; ++C)
    Es.push_back(SP.Members[C] && !SP.apart(C) ? SP.Members[C]->E : nullptr);
  for (unsigned Row : ActiveRows) {
    llvm::SmallVector<const Expr *, 4> Channels;
    if (!SP.Isomorphic)
      for (const Expr *E : Es) {
        LaneVal V = eval(E, Row);
        if (Failed)
          return;
        Channels.push_back(temp(Convert.toVector(V, Ty), Acc0.Base->Name + "_new"));
      }
    for (unsigned Q = 0; Q < K; ++Q) {
      Access Acc = elementsFrom(Acc0, Row, Q * N);
      const Expr *Value = nullptr;
      if (SP.Isomorphic) {
        LaneVal V = evalPack(Es, Row, Q);
        if (Failed)
          return;
        Value = withChannelsApart(SP, Convert.toVector(V, Ty), Row, Q);
        if (Failed)
          return;
      } else {
        Value = interleave(Channels, Q);
      }
      ++VectorAccesses;
      Stores.push_back({Acc, Value});
    }
  }
  bool First = true;
  for (const auto &[Acc, Value] : Stores) {
    Stmt *C = M.newStmt(StmtKind::Store, SP.Members[0]->Range);
    C->Acc = Acc;
    C->E = Value;
    if (std::exchange(First, false))
      for (Stmt *X : SP.Members)
        if (X)
          C->Comments.insert(C->Comments.end(), X->Comments.begin(), X->Comments.end());
    add(C);
    Loads.stored(Acc.Base, Polys.address(Acc), sizeInBytes(Acc.Elem) * Acc.Lanes);
  }
}

} // namespace clmali::rewrite
