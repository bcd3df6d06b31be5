//===-- rewriters/blocking/analysis/FindPacks.cpp - Channels of interleaved data ------------===//
//
// Finds groups of statements, one for each channel of an interleaved element, that are isomorphic
// (the same operations on the channels), and loads of single channels of elements that are loaded
// completely. How they are emitted: Pack.cpp.
//
// Of four channels, some may be computed in another way than the others, or be left as they are
// (alpha): those are put into the vectors of the others.
//
// Limits: 2 to 4 channels; the statements of a group are in one list, with only assignments of
// variables between them.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/analysis/Packs.h"
#include <map>

namespace clmali::rewrite {

namespace {

constexpr unsigned MinChannels = 2, MaxChannels = 4;
/// Elements from the load of one lane to that of the next, of which all are loaded.
constexpr unsigned MaxLoadStride = 8;

/// An access to a channel: by a load, or by a store (Load is null).
struct ChannelAccess {
  const Access *Acc;
  const Expr *Load;
};

class PackFinder {
public:
  PackFinder(const Kernel &Old, const KernelAnalysis &A, const BlockShape &S, BlockAnalysis &Block)
      : Old(Old), A(A), N(S.Lanes), LaneDim(S.LaneDim), Block(Block),
        Tree(const_cast<StmtList &>(Old.Body)) {}
  Packs run();

private:
  const Kernel &Old;
  const KernelAnalysis &A;
  const unsigned N, LaneDim;
  BlockAnalysis &Block;
  StmtTree Tree;
  llvm::DenseMap<const Var *, llvm::SmallVector<Stmt *, 4>> Writes; ///< Decls and Assigns
  Packs P;
  const Stmt *Here = nullptr;     ///< the first of the statements whose values are packed
  llvm::ArrayRef<Stmt *> Storing; ///< the stores whose values are packed; made at the last of them

  /// Questions to Block are about the location of St until the result is destroyed.
  auto within(const Stmt *St) {
    auto Was = Block.Around;
    auto Loops = Tree.loopsOf(St);
    Block.Around.assign(Loops.begin(), Loops.end());
    return llvm::make_scope_exit([this, Was] { Block.Around = Was; });
  }
  unsigned channels(const Access &Acc, unsigned Most = MaxChannels) const;
  bool mayKeep(llvm::ArrayRef<Stmt *> Group);
  bool endsInside(const Access &First, const Stmt *At, unsigned K);
  bool adjacent(llvm::ArrayRef<Stmt *> Group, unsigned &Last);
  bool inLockstep(const Stmt *St);
  void readWhole(const Expr *E);

  void findStores(const StmtList &B);
  llvm::SmallVector<Stmt *, 4> storesOfElement(const StmtList &B, const Stmt *First, unsigned K);
  bool readsStored(const StmtList &B, llvm::ArrayRef<Stmt *> Group, unsigned Last);
  bool readsOtherChannel(llvm::ArrayRef<Stmt *> Group, llvm::ArrayRef<bool> Stored,
                         const Access &Acc) const;
  bool packValues(llvm::ArrayRef<Stmt *> Group, llvm::ArrayRef<bool> Packed, StorePack &SP);
  bool packStores(llvm::ArrayRef<Stmt *> Group, StorePack &SP);
  bool packExprs(llvm::ArrayRef<const Expr *> Es);
  bool packLoads(llvm::ArrayRef<const Expr *> Es);
  bool packOperands(llvm::ArrayRef<const Expr *> Es);
  bool packVars(llvm::ArrayRef<Var *> Vs);

  void findInterleavedLoads(const StmtList &B);
  std::vector<ChannelAccess> channelAccesses(const StmtList &B);
  std::optional<ChannelLoad> channelLoad(const ChannelAccess &T,
                                         llvm::ArrayRef<ChannelAccess> Found);
};

} // namespace

//===----------------------------------------------------------------------===//
// Groups of statements
//===----------------------------------------------------------------------===//

/// The number of channels of Acc: the stride along the lanes in elements. 0: not interleaved, or
/// more than Most.
unsigned PackFinder::channels(const Access &Acc, unsigned Most) const {
  if (Acc.Lanes != 1 || Acc.Volatile)
    return 0;
  std::optional<Poly> S = A.stride(Acc, LaneDim);
  if (!S || !S->isConstant())
    return 0;
  int64_t Size = sizeInBytes(Acc.Elem), K = S->constantTerm() / Size;
  return S->constantTerm() % Size == 0 && K >= MinChannels && K <= int64_t(Most) ? K : 0;
}

/// True if the statements of Group are in one list with only assignments of variables, and stores
/// that are made later, between them. Last: the index in Group of the last one.
bool PackFinder::adjacent(llvm::ArrayRef<Stmt *> Group, unsigned &Last) {
  const StmtTree::Position P0 = Tree.positionOf(Group[0]);
  size_t Lo = P0.Index, Hi = P0.Index;
  Last = 0;
  for (unsigned I = 0; I < Group.size(); ++I) {
    if (!Group[I])
      continue;
    const StmtTree::Position At = Tree.positionOf(Group[I]);
    if (At.List != P0.List)
      return false;
    Lo = std::min(Lo, At.Index);
    if (At.Index > Hi) {
      Hi = At.Index;
      Last = I;
    }
  }
  // What the group reads must not change before its last statement.
  llvm::DenseSet<const Var *> Reads;
  for (const Stmt *St : Group)
    if (St)
      for (ExprAt E : exprs(*St))
        if (E->K == ExprKind::VarRef)
          Reads.insert(E->V);
  for (size_t I = Lo; I <= Hi; ++I) {
    const Stmt *St = (*P0.List)[I];
    if (llvm::is_contained(Group, St) || llvm::is_contained(Storing, St))
      continue;
    if (St->K != StmtKind::Decl && St->K != StmtKind::Assign)
      return false;
    // A variable that the group reads may be set in between if this is its only definition: it is
    // then set before the member that reads it.
    if (St->E && Reads.count(St->V) && A.singleDef(St->V) != St)
      return false;
  }
  return true;
}

/// True if all items of the block execute St together.
bool PackFinder::inLockstep(const Stmt *St) {
  for (const Stmt *Up = Tree.parentOf(St); Up; Up = Tree.parentOf(Up)) {
    auto Location = within(Up);
    bool Tests =
        (Up->K == StmtKind::If && !Block.assumedArm(Up)) || (Up->K == StmtKind::Loop && Up->E);
    if (Tests && varies(Block.shape(Up->E)))
      return false;
  }
  return true;
}

/// The variables in E are read as single values, not as packs.
void PackFinder::readWhole(const Expr *E) {
  for (ExprAt X : exprs(E))
    if (X->K == ExprKind::VarRef)
      P.Whole.insert(X->V);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// The stores in B to the K channels of the element that First stores a channel of, by channel.
/// Empty: some channel is not stored, and may not be stored as it is.
llvm::SmallVector<Stmt *, 4> PackFinder::storesOfElement(const StmtList &B, const Stmt *First,
                                                         unsigned K) {
  // First may store any of the channels.
  for (unsigned Of = 0; Of < K; ++Of) {
    llvm::SmallVector<Stmt *, 4> Group(K, nullptr);
    for (Stmt *St : B) {
      if (St->K != StmtKind::Store || St->Acc.Base != First->Acc.Base ||
          St->Acc.Elem != First->Acc.Elem || P.Stmts.count(St))
        continue;
      std::optional<int64_t> D = A.distance(First->Acc, St->Acc);
      if (!D)
        continue;
      int64_t C = *D / int64_t(sizeInBytes(First->Acc.Elem)) + Of;
      if (C >= 0 && C < K && !Group[C] && channels(St->Acc) == K)
        Group[C] = St;
    }
    if (!llvm::is_contained(Group, nullptr) || mayKeep(Group))
      return Group;
  }
  return {};
}

/// True if the channels that are not in Group may be stored with the values that they have: no item
/// writes them, and they lie in the buffer.
bool PackFinder::mayKeep(llvm::ArrayRef<Stmt *> Group) {
  if (Group.size() != 4 || N < 4 || !Group[0] || llvm::count(Group, nullptr) > 1)
    return false;
  auto IsMember = [&](const AccessSite &X) {
    return llvm::any_of(Group, [&](const Stmt *St) { return St && X.A == &St->Acc; });
  };
  for (const AccessSite &X : A.accesses())
    if (X.IsWrite && X.A->Base->space() != AddressSpace::Private && !IsMember(X))
      return false;
  bool Needs = P.NeedsNext; // packValues asks again
  bool Ends = Group.back() || endsInside(Group[0]->Acc, Group[0], Group.size());
  P.NeedsNext = Needs;
  return Ends;
}

/// True if vectors of K channels from First on, which some statement At accesses, end where the
/// block's own items access something, or the next item does (NeedsNext).
bool PackFinder::endsInside(const Access &First, const Stmt *At, unsigned K) {
  if (hasWaysOut(*Tree.positionOf(At).List))
    return false;
  for (const ChannelAccess &X : channelAccesses(*Tree.positionOf(At).List)) {
    if (X.Acc->Base != First.Base || X.Acc->Elem != First.Elem)
      continue;
    std::optional<int64_t> D = A.distance(First, *X.Acc);
    if (D && *D == int64_t(K - 1) * sizeInBytes(First.Elem))
      return true;
  }
  if (!hasNextItem(Old, Tree, Block, At))
    return false;
  P.NeedsNext = true;
  return true;
}

/// The stores of Group happen together at the last one. True if a value, or a statement between
/// them, may read what an earlier one stores.
bool PackFinder::readsStored(const StmtList &B, llvm::ArrayRef<Stmt *> Group, unsigned Last) {
  const Var *Base = Group[0]->Acc.Base;
  auto IsLoad = [&](ExprAt E) { return E->K == ExprKind::Load && E->Acc.Base == Base; };
  for (const Stmt *St : Group) {
    if (!St)
      continue;
    for (ExprAt E : exprs(St->E)) {
      // A channel may read itself.
      if (!IsLoad(E))
        continue;
      std::optional<int64_t> Own = A.distance(St->Acc, E->Acc);
      if (!Own || *Own != 0 || !A.distance(Group[0]->Acc, E->Acc))
        return true;
    }
  }
  // Between them, a channel may be loaded that none of them has stored yet.
  llvm::SmallVector<bool, 4> Stored(Group.size(), false);
  for (size_t I = 0; I <= Tree.positionOf(Group[Last]).Index; ++I) {
    bool Begun = llvm::is_contained(Stored, true);
    if (auto Member = llvm::find(Group, B[I]); Member != Group.end())
      Stored[Member - Group.begin()] = true;
    else if (Begun && llvm::any_of(exprs(*B[I]), [&](ExprAt E) {
               return IsLoad(E) && !readsOtherChannel(Group, Stored, E->Acc);
             }))
      return true;
  }
  return false;
}

/// True if Acc is a channel of the element of Group that Stored does not have.
bool PackFinder::readsOtherChannel(llvm::ArrayRef<Stmt *> Group, llvm::ArrayRef<bool> Stored,
                                   const Access &Acc) const {
  const int64_t Size = sizeInBytes(Group[0]->Acc.Elem);
  std::optional<int64_t> D = A.distance(Group[0]->Acc, Acc);
  return D && *D % Size == 0 && *D >= 0 && *D / Size < int64_t(Group.size()) &&
         !Stored[*D / Size] && Acc.Elem == Group[0]->Acc.Elem && channels(Acc) == Group.size();
}

/// Packs the values that Group stores to the channels in Packed; the others are stored apart.
/// False: they are not isomorphic, or a packed variable has a use that is not packed.
bool PackFinder::packValues(llvm::ArrayRef<Stmt *> Group, llvm::ArrayRef<bool> Packed,
                            StorePack &SP) {
  llvm::SmallVector<const Expr *, 4> Values;
  SP.Apart.assign(Group.size(), nullptr);
  for (unsigned C = 0; C < Group.size(); ++C) {
    Values.push_back(Packed[C] ? Group[C]->E : nullptr);
    if (!Group[C] || Packed[C])
      continue;
    SP.Apart[C] = Group[C]->E;
    readWhole(Group[C]->E);
  }
  auto Location = within(Group[0]);
  Here = Group[0];
  Storing = Group;
  auto Done = llvm::make_scope_exit([this] { Storing = {}; });
  if (!packExprs(Values))
    return false;
  if (!Group.back() && !endsInside(Group[0]->Acc, Group[0], Group.size()))
    return false;
  for (Stmt *St : Group)
    if (St)
      P.Stmts.insert(St);
  for (const auto &[V, Of] : P.OfVar)
    if (P.Whole.count(V))
      return false;
  for (ExprAt E : exprs(Old.Body))
    if (E->K == ExprKind::VarRef && P.OfVar.count(E->V) && !P.Stmts.count(E.S))
      return false;
  return true;
}

/// Packs what Group stores: all channels, or all but those that only some differ from.
bool PackFinder::packStores(llvm::ArrayRef<Stmt *> Group, StorePack &SP) {
  const unsigned K = Group.size();
  llvm::SmallVector<bool, 4> Stored;
  for (Stmt *St : Group)
    Stored.push_back(St != nullptr);
  const Packs Saved = P;
  if (packValues(Group, Stored, SP))
    return true;
  P = Saved;
  // Lanes of one channel of a vector are a vector of a quarter.
  if (K != 4 || N < 4 || !Stored[K - 1])
    return false;
  Stored[K - 1] = false;
  if (packValues(Group, Stored, SP))
    return true;
  P = Saved;
  return false;
}

void PackFinder::findStores(const StmtList &B) {
  for (Stmt *St : B)
    forEachStmtList(*St, [&](StmtList &Inner) { findStores(Inner); });
  for (Stmt *First : B) {
    if (First->K != StmtKind::Store || P.Stmts.count(First))
      continue;
    unsigned K = channels(First->Acc), Last = 0;
    if (!K)
      continue;
    llvm::SmallVector<Stmt *, 4> Group = storesOfElement(B, First, K);
    if (Group.empty() || !inLockstep(First) || !adjacent(Group, Last) ||
        readsStored(B, Group, Last))
      continue;
    StorePack SP;
    SP.Members = Group;
    SP.Isomorphic = packStores(Group, SP);
    auto Location = within(First);
    if (!SP.Isomorphic && !Group.back() && !endsInside(Group[0]->Acc, Group[0], Group.size()))
      continue;
    for (Stmt *St : Group)
      if (St)
        P.Stmts.insert(St);
    P.LastStore[Group[Last]] = P.Stores.size();
    P.Stores.push_back(SP);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// True if Es, one for each channel, can be one packed expression. Null: any value will do there;
/// The first is not null.
bool PackFinder::packExprs(llvm::ArrayRef<const Expr *> Es) {
  const Expr *E0 = Es[0];
  bool AllEqual = true, AllUniform = true;
  llvm::SmallVector<const Expr *, 4> Given;
  llvm::copy_if(Es, std::back_inserter(Given), [](const Expr *E) { return E; });
  for (const Expr *E : Given) {
    AllEqual &= equal(E, E0);
    AllUniform &= Block.shape(E).K == VShape::Uniform;
  }
  if (E0->Ty->isVector())
    return false;
  if (AllEqual || AllUniform) {
    for (const Expr *E : Given)
      readWhole(E);
    return llvm::all_of(Given, [&](const Expr *E) { return E->Ty == E0->Ty; });
  }
  if (!isSameOperation(Es))
    return false;
  switch (E0->K) {
  case ExprKind::VarRef: {
    llvm::SmallVector<Var *, 4> Vs;
    for (const Expr *E : Es) {
      if (E && E->V->K != Var::Temp)
        return false;
      Vs.push_back(E ? E->V : nullptr);
    }
    return packVars(Vs);
  }
  case ExprKind::Load:
    return packLoads(Es);
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Cast:
  case ExprKind::Select:
  case ExprKind::Call:
    return packOperands(Es);
  default:
    return false;
  }
}

/// Loads of the channels of one element, in order.
bool PackFinder::packLoads(llvm::ArrayRef<const Expr *> Es) {
  const Access &First = Es[0]->Acc;
  for (unsigned C = 0; C < Es.size(); ++C) {
    if (!Es[C])
      continue;
    const Access &Acc = Es[C]->Acc;
    if (Acc.Base != First.Base || Acc.Elem != First.Elem || channels(Acc) != Es.size())
      return false;
    std::optional<int64_t> D = A.distance(First, Acc);
    if (!D || *D != int64_t(C) * sizeInBytes(Acc.Elem))
      return false;
    for (const Expr *Ix : Acc.Index) {
      if (Block.indexShape(Ix).K >= VShape::Stepped)
        return false;
      readWhole(Ix);
    }
  }
  return Es.back() || endsInside(First, Here, Es.size());
}

/// The same operation on all channels.
bool PackFinder::packOperands(llvm::ArrayRef<const Expr *> Es) {
  const Expr *E0 = Es[0];
  // A lane whose result is unused must not divide by an arbitrary value.
  if (llvm::is_contained(Es, nullptr) && (E0->O == Op::Div || E0->O == Op::Rem) &&
      E0->Ty->isInteger() &&
      !llvm::all_of(Es, [](const Expr *E) { return !E || constantValue(E->Ops[1]).value_or(0); }))
    return false;
  for (unsigned I = 0; I < E0->Ops.size(); ++I) {
    llvm::SmallVector<const Expr *, 4> Operands;
    for (const Expr *E : Es) {
      Operands.push_back(E ? E->Ops[I] : nullptr);
      if (!E)
        continue;
      if (isLazyOperand(E, I) && !Block.speculable(E->Ops[I]))
        return false;
    }
    if ((isFloatSum(E0) && !areOneSummand(Operands)) || !packExprs(Operands))
      return false;
  }
  return true;
}

/// Packs Vs, one for each channel: all their definitions must be packed.
bool PackFinder::packVars(llvm::ArrayRef<Var *> Vs) {
  unsigned K = Vs.size();
  for (unsigned C = 0; C < K; ++C) {
    auto It = P.OfVar.find(Vs[C]);
    if (!Vs[C] || It == P.OfVar.end())
      continue;
    // All must be one pack, in this order.
    return P.Vars[It->second.first].Members == llvm::SmallVector<Var *, 4>(Vs);
  }
  VarPack VP;
  VP.Members.assign(Vs.begin(), Vs.end());
  auto &First = Writes[Vs[0]];
  for (Var *V : Vs)
    if (V && (Writes[V].size() != First.size() || V->Ty != Vs[0]->Ty || !V->Ty->isScalar()))
      return false;
  unsigned Number = P.Vars.size();
  for (unsigned D = 0; D < First.size(); ++D) {
    llvm::SmallVector<Stmt *, 4> Group;
    for (Var *V : Vs)
      Group.push_back(V ? Writes[V][D] : nullptr);
    unsigned Last = 0;
    for (Stmt *St : Group)
      if (St && (St->K != Group[0]->K || !St->E != !Group[0]->E || !St->LaneIdx.empty() ||
                 P.Stmts.count(St)))
        return false;
    if (!adjacent(Group, Last) || !inLockstep(Group[0]))
      return false;
    for (Stmt *St : Group)
      if (St)
        P.Stmts.insert(St);
    P.LastDef[Group[Last]] = {Number, D};
    VP.Defs.push_back(Group);
  }
  for (unsigned C = 0; C < K; ++C)
    if (Vs[C])
      P.OfVar[Vs[C]] = {Number, C};
  auto Defs = VP.Defs;
  P.Vars.push_back(std::move(VP));
  for (auto &Group : Defs) {
    if (!Group[0]->E)
      continue;
    llvm::SmallVector<const Expr *, 4> Values;
    for (Stmt *St : Group)
      Values.push_back(St ? St->E : nullptr);
    auto Inside = within(Group[0]);
    auto Was = std::exchange(Here, Group[0]);
    if (!packExprs(Values))
      return false;
    Here = Was;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// The accesses to channels that B, without its loops, makes unconditionally.
std::vector<ChannelAccess> PackFinder::channelAccesses(const StmtList &B) {
  std::vector<ChannelAccess> Found;
  for (Stmt *St : B) {
    if (St->K == StmtKind::Loop)
      continue;
    auto Location = within(St);
    if (St->K == StmtKind::Store && channels(St->Acc))
      Found.push_back({&St->Acc, nullptr});
    ExprRange All = exprs(*St);
    for (auto It = All.begin(); It != All.end(); ++It) {
      const Expr *E = (*It).E;
      if (E->K == ExprKind::Load && channels(E->Acc, MaxLoadStride) &&
          Block.shape(E).K == VShape::Vector)
        Found.push_back({&E->Acc, E});
      // An operand behind a condition may not be read at all.
      if (isLazyOperand(E, 1))
        It.skipOperands();
    }
  }
  return Found;
}

/// T, a load, as part of an element of which Found accesses enough that vector loads pay. Elements
/// between the first and the last access lie in the buffer; they are read only where nothing
/// writes the buffer, or where the items access all channels.
std::optional<ChannelLoad> PackFinder::channelLoad(const ChannelAccess &T,
                                                   llvm::ArrayRef<ChannelAccess> Found) {
  const int64_t K = channels(*T.Acc, MaxLoadStride), Size = sizeInBytes(T.Acc->Elem);
  // All that access the same element, by their distance from this load in channels.
  std::map<int64_t, const Access *> At;
  for (const ChannelAccess &X : Found) {
    if (X.Acc->Base != T.Acc->Base || X.Acc->Elem != T.Acc->Elem ||
        channels(*X.Acc, MaxLoadStride) != K)
      continue;
    std::optional<int64_t> D = A.distance(*T.Acc, *X.Acc);
    if (D && *D % Size == 0 && *D / Size > -K && *D / Size < K)
      At.try_emplace(*D / Size, X.Acc); // the first one
  }
  // The window of K channels that holds most of them.
  int64_t Best = 0;
  unsigned Most = 0;
  for (int64_t From = 1 - K; From <= 0; ++From) {
    unsigned Count =
        llvm::count_if(At, [&](const auto &X) { return X.first >= From && X.first < From + K; });
    if (Count > Most) {
      Most = Count;
      Best = From;
    }
  }
  bool Written = llvm::any_of(
      A.accesses(), [&](const AccessSite &X) { return X.IsWrite && X.A->Base == T.Acc->Base; });
  // Nothing writes the channels that a pack keeps.
  bool Kept = llvm::any_of(P.Stores, [&](const StorePack &SP) {
    return llvm::is_contained(SP.Members, nullptr) && SP.Members[0]->Acc.Base == T.Acc->Base;
  });
  if (Most < K && Written && !Kept)
    return std::nullopt;
  ChannelLoad C;
  C.Channels = K;
  int64_t Low = INT64_MAX, High = INT64_MIN;
  for (auto &[Offset, Acc] : At)
    if (Offset >= Best && Offset < Best + K) {
      Low = std::min(Low, Offset);
      High = std::max(High, Offset);
    }
  C.First = *At[Low];
  C.Channel = -Low;
  // What a later access reads may not be set yet.
  auto Place = [&](const Access *Acc) {
    return llvm::find_if(Found, [&](const ChannelAccess &X) { return X.Acc == Acc; });
  };
  if (Place(At[Low]) > Place(T.Acc)) {
    if (T.Acc->Disp || !T.Acc->Path.empty())
      return std::nullopt;
    C.First = *T.Acc;
    C.Back = C.Channel;
  }
  C.Accessed = High - Low + 1;
  unsigned Total = (N - 1) * K + C.Accessed, Chunks = (Total + N - 1) / N;
  return Chunks < Most * N ? std::optional(C) : std::nullopt;
}

void PackFinder::findInterleavedLoads(const StmtList &B) {
  for (Stmt *St : B)
    forEachStmtList(*St, [&](StmtList &Inner) { findInterleavedLoads(Inner); });
  if (hasWaysOut(B))
    return;
  std::vector<ChannelAccess> Found = channelAccesses(B);
  for (const ChannelAccess &T : Found)
    if (T.Load && !P.Interleaved.count(T.Load))
      if (std::optional<ChannelLoad> C = channelLoad(T, Found))
        P.Interleaved[T.Load] = *C;
}

Packs PackFinder::run() {
  for (Stmt *St : stmts(Old.Body))
    if ((St->K == StmtKind::Decl || St->K == StmtKind::Assign) && St->V)
      Writes[St->V].push_back(St);
  findStores(Old.Body);
  findInterleavedLoads(Old.Body);
  return std::move(P);
}

Packs findPacks(const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
                BlockAnalysis &Block) {
  return S.Lanes < 2 ? Packs() : PackFinder(Old, A, S, Block).run();
}

} // namespace clmali::rewrite
