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

#include "rewriters/blocking/BlockEmitter.h"

namespace clmali::rewrite {

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

void BlockEmitter::emitPacked(Stmt *St) {
  if (auto It = P.LastStore.find(St); It != P.LastStore.end())
    return emitPackedStore(P.Stores[It->second]);
  if (auto It = P.LastDef.find(St); It != P.LastDef.end())
    emitPackedDef(P.Vars[It->second.first], It->second.second, St);
}

/// Definition Def of the pack VP, at the last of its statements.
void BlockEmitter::emitPackedDef(VarPack &VP, unsigned Def, const Stmt *At) {
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
      Values[Row].push_back(asHeld(VP.Members[0], V, Es[0]->Ty));
    }
  const bool Declares = VP.New.empty();
  if (Declares) {
    std::string Name = packName(VP.Members);
    VP.New.resize(R);
    for (unsigned Row = 0; Row < R; ++Row)
      for (unsigned Q = 0; Q < K; ++Q)
        VP.New[Row].push_back(
            W.newVar(Name + (R > 1 ? std::to_string(Row) : "") + std::string(1, char('a' + Q)),
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
      W.add(D);
      Loads.assigned(D->V);
    }
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// A chunk of the vectors Channels, put together in memory order.
const Expr *BlockEmitter::interleave(llvm::ArrayRef<const Expr *> Channels, unsigned Chunk) {
  const unsigned K = Channels.size();
  llvm::SmallVector<LaneOf, MostLanes> Lanes;
  for (unsigned T = Chunk * N; T < (Chunk + 1) * N; ++T)
    Lanes.push_back({Channels[T % K], uint8_t(T / K)});
  return gatherLanes(M, Lanes);
}

/// Value, chunk Chunk of what SP stores, with the channels that are not packed: those that are
/// computed apart, and those that keep what is in memory.
const Expr *BlockEmitter::withChannelsApart(const StorePack &SP, const Expr *Value, unsigned Row,
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
      All = W.newVar(Acc0.Base->Name + "_new", Value->Ty);
      W.declare(All, Value);
    }
    Stmt *Set = M.newStmt(StmtKind::Assign, SP.Members[0]->Range);
    Set->V = All;
    Set->LaneIdx.assign(To.begin(), To.end());
    const Type *Scalar = M.value(Acc0.Elem), *Ty = M.value(Acc0.Elem, To.size());
    if (Lanes.K == LaneVal::Uniform)
      Set->E = M.cast(Lanes.E->Ty == Scalar ? Lanes.E : M.cast(Lanes.E, Scalar), Ty);
    else
      Set->E = M.swizzle(Convert.toVector(Lanes, Scalar), From);
    W.add(Set);
  }
  return All ? M.ref(All) : Value;
}

void BlockEmitter::emitPackedStore(const StorePack &SP) {
  const unsigned K = SP.Members.size();
  const Access &Acc0 = SP.Members[0]->Acc;
  const Type *Ty = M.value(Acc0.Elem);
  std::vector<NewStore> Stores;
  llvm::SmallVector<const Expr *, 4> Es;
  for (unsigned C = 0; C < K; ++C)
    Es.push_back(SP.Members[C] && !SP.apart(C) ? SP.Members[C]->E : nullptr);
  for (unsigned Row : ActiveRows) {
    llvm::SmallVector<const Expr *, 4> Channels;
    if (!SP.Isomorphic)
      for (const Expr *E : Es) {
        if (!E) { // what is in memory takes its place
          Channels.push_back(Channels[0]);
          continue;
        }
        LaneVal V = eval(E, Row);
        if (Failed)
          return;
        Channels.push_back(W.temp(Convert.toVector(V, Ty), Acc0.Base->Name + "_new"));
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
        Value = withChannelsApart(SP, interleave(Channels, Q), Row, Q);
        if (Failed)
          return;
      }
      ++VectorAccesses;
      Stores.push_back({Acc, Value});
    }
  }
  addStores(Stores, SP.Members);
}

} // namespace clmali::rewrite
