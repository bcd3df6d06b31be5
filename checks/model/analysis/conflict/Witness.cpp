//===-- checks/model/analysis/conflict/Witness.cpp - Two work-items that conflict ----===//
//
// Must: two work-items at a fixed distance touch a common byte whatever the arguments are, and for
// small arguments both pass the guards:
//
//   p[i] = p[i + 1];   work-item 0 reads what work-item 1 writes
//
// Limits: launches of a few dozen work-items, small arguments. A guard whose value is not known for
// a work-item counts as not passed.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "checks/model/analysis/eval/Interpreter.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Guards of one work-item
//===----------------------------------------------------------------------===//

/// The value of guards for one work-item and one choice of arguments. Loads are not known. Counted
/// loops are in their first trip.
class ConflictTest::GuardInterpreter : public Interpreter {
public:
  explicit GuardInterpreter(KernelAnalysis::Impl &I) : I(I) {}

  std::map<const Var *, int64_t> Arguments;

  void start(WorkItemPosition P) {
    Position = P;
    Values.clear();
  }
  bool passes(const Guard &G, const Stmt *At) {
    if (!isIntScalar(G.Cond))
      return false;
    std::optional<int64_t> V = eval(G.Cond, At).scalar();
    return V && (*V != 0) == G.Holds;
  }

private:
  static constexpr int64_t ImageExtent = 64; ///< along each dimension: more than the launch has
  KernelAnalysis::Impl &I;
  WorkItemPosition Position;
  llvm::DenseMap<unsigned, LaneValues> Values; ///< by version
  unsigned Depth = 0;                          ///< definitions being evaluated

  LaneValues leaf(const Expr *E, const Stmt *At) override {
    if (E->K == ExprKind::VarRef)
      return valueOfVersion(I.versionAt(E->V, At));
    LaneValues R;
    if (E->K == ExprKind::WorkItem)
      R.Lanes.push_back(workItemValue(E, Position));
    if (E->K == ExprKind::ImageQuery && isExtent(*E))
      R.Lanes.assign(E->Ty->Lanes, ImageExtent);
    return R;
  }

  LaneValues valueOfVersion(unsigned N) {
    constexpr unsigned MaxDepth = 64;
    while (I.Versions[N].K == Version::LoopHead) {
      const auto &Loop = I.shape(I.Versions[N].S);
      if (!Loop || Loop->Head != N)
        return {};
      N = Loop->Init;
    }
    if (auto It = Values.find(N); It != Values.end())
      return It->second;
    const Version &V = I.Versions[N];
    if (V.K == Version::Entry) {
      auto It = Arguments.find(V.V);
      return It == Arguments.end() ? LaneValues() : LaneValues::known(It->second);
    }
    if (V.K != Version::Def || V.V->isMemory() || !V.S->E || !V.S->LaneIdx.empty() ||
        (V.S->K != StmtKind::Decl && V.S->K != StmtKind::Assign) || Depth >= MaxDepth)
      return {};
    ++Depth;
    LaneValues R = eval(V.S->E, V.S);
    --Depth;
    return Values[N] = R;
  }
};

/// Choices of small arguments. Of two arguments, or of two halves of them, one is a size and one is
/// an offset: they are tried alike, and far apart. In the last choice all are larger than the
/// launch.
static std::vector<std::map<const Var *, int64_t>> argumentChoices(const Kernel &K) {
  constexpr int64_t Small[] = {8, 10, 5};
  constexpr int64_t Size = 10, Offset = 3, Large = 64;
  constexpr unsigned Alike = 9, Apart = 4;
  llvm::SmallVector<const Var *, 8> Params;
  for (const Var *P : K.Params)
    if (P->Ty->isScalar() && P->Ty->isInteger())
      Params.push_back(P);
  unsigned Choices = Params.empty() ? 1 : Params.size() == 1 ? 3 : Alike + Apart;
  std::vector<std::map<const Var *, int64_t>> Result(Choices);
  for (auto [Choice, Arguments] : llvm::enumerate(Result))
    for (auto [N, P] : llvm::enumerate(Params)) {
      bool Odd = N % 2, Late = 2 * N >= Params.size();
      bool IsSize = (Choice % 2 ? Late : Odd) == (Choice < Alike + Apart / 2);
      Arguments[P] =
          Choice >= Alike ? (IsSize ? Size : Offset) : Small[Odd ? Choice / 3 : Choice % 3];
    }
  std::map<const Var *, int64_t> AllLarge;
  for (const Var *P : Params)
    AllLarge[P] = Large;
  if (!Params.empty())
    Result.push_back(std::move(AllLarge));
  return Result;
}

ConflictTest::Ids ConflictTest::SampleLaunch::item(unsigned N) const {
  return {N % Extent[0], N / Extent[0] % Extent[1], N / Extent[0] / Extent[1]};
}

/// Which work-items of the sample launch pass all guards of Site, for each choice of arguments.
llvm::ArrayRef<llvm::BitVector> ConflictTest::passing(const AccessSite &Site,
                                                      const SampleLaunch &L) {
  std::vector<uint64_t> Key{reinterpret_cast<uintptr_t>(Site.S)};
  for (const Guard &G : Site.Guards)
    Key.push_back(reinterpret_cast<uintptr_t>(G.Cond) + G.Holds);
  auto [It, New] = I.Passing.try_emplace(std::move(Key));
  if (!New)
    return It->second;
  GuardInterpreter Guards(I);
  for (auto &Arguments : argumentChoices(I.K)) {
    Guards.Arguments = std::move(Arguments);
    llvm::BitVector Pass(L.Items);
    for (unsigned N = 0; N < L.Items; ++N) {
      Guards.start({L.item(N), L.LocalSize, L.GlobalSize});
      if (llvm::all_of(Site.Guards, [&](const Guard &G) { return Guards.passes(G, Site.S); }))
        Pass.set(N);
    }
    It->second.push_back(std::move(Pass));
  }
  return It->second;
}

//===----------------------------------------------------------------------===//
// Pairs of work-items
//===----------------------------------------------------------------------===//

/// A launch with a few groups of a few work-items; with one group, if the kernel does not depend on
/// groups, so that any two work-items may be in one.
ConflictTest::SampleLaunch ConflictTest::sampleLaunch() const {
  SampleLaunch L;
  unsigned Dims = llvm::popcount(I.ItemDims);
  int64_t Edge = Dims == 1 ? 40 : Dims == 2 ? 12 : 6;
  L.Items = 1;
  for (unsigned D = 0; D < 3; ++D) {
    bool Spreads = I.ItemDims >> D & 1;
    int64_t Size = I.K.ReqdWorkGroupSize ? (*I.K.ReqdWorkGroupSize)[D]
                   : !I.UsesGroups       ? Edge
                   : Dims == 3           ? 3
                                         : 4;
    L.LocalSize[D] = Spreads ? Size : 1;
    L.Extent[D] = Spreads ? Edge : 1;
    // Whole groups.
    L.GlobalSize[D] = (L.Extent[D] + L.LocalSize[D] - 1) / L.LocalSize[D] * L.LocalSize[D];
    L.Items *= unsigned(L.Extent[D]);
  }
  return L;
}

/// True if some work-item and its neighbour at -Shift, in one group, both pass their guards.
bool ConflictTest::bothPass(const SampleLaunch &L, std::array<int, 3> Shift) {
  auto OfA = passing(A, L), OfB = passing(B, L);
  for (unsigned N = 0; N < L.Items; ++N) {
    Ids P = L.item(N), Q;
    bool Fits = true;
    for (unsigned D = 0; D < 3; ++D) {
      Q[D] = P[D] - Shift[D];
      Fits =
          Fits && Q[D] >= 0 && Q[D] < L.Extent[D] && Q[D] / L.LocalSize[D] == P[D] / L.LocalSize[D];
    }
    if (!Fits)
      continue;
    unsigned Other = unsigned(Q[0] + L.Extent[0] * (Q[1] + L.Extent[1] * Q[2]));
    for (auto [PassA, PassB] : llvm::zip_equal(OfA, OfB))
      if (PassA.test(N) && PassB.test(Other))
        return true;
  }
  return false;
}

/// True if both store the same value: the order is not observable.
bool ConflictTest::writesOneValue() {
  if (!A.IsWrite || !B.IsWrite || A.S->K != StmtKind::Store || B.S->K != StmtKind::Store)
    return false;
  return !I.varies(A.S->E, A.S).Item && I.valueOf(A.S->E, A.S) == I.valueOf(B.S->E, B.S);
}

/// True if all that decides whether a work-item executes the two accesses is in their guards.
bool ConflictTest::canBeTested() {
  // A work-item may have left in an earlier loop.
  if (I.LeavesEarly)
    return false;
  // The very same interval, not only one that a loop joins with it.
  if (I.Info.lookup(A.S).Interval != I.Info.lookup(B.S).Interval)
    return false;
  // Loop variables: both work-items run all trips, so consider the same trip.
  for (const Poly *P : {&PA, &PB})
    for (const auto &[Mono, C] : P->Terms)
      for (unsigned S : Mono)
        if (I.Symbols[S].K == SymbolInfo::Atom && !isShared(S))
          return false;
  for (const AccessSite *S : {&A, &B}) {
    // Conditions that no guard lists (a variable that changes below, a loop that does not count).
    for (const GuardLink *G = I.Info.lookup(S->S).Guards; G; G = G->Outer)
      if (!G->Listed)
        return false;
    for (const Stmt *L : S->Loops) {
      const auto &Shape = I.shape(L);
      if (!Shape || Shape->LeavesEarly)
        return false;
      // The loop's own test is among the guards; it must run at least once, which is known for
      // constant bounds only.
      std::optional<int64_t> Trips = I.tripCount(L);
      if (!Trips || *Trips < 1)
        return false;
    }
  }
  return true;
}

/// True if work-items at distance Shift touch a common byte whatever the arguments are: within one
/// group, global and local ids differ by the same amount.
bool ConflictTest::touchAtDistance(std::array<int, 3> Shift) {
  Poly Other = PB;
  for (unsigned D = 0; D < 3; ++D)
    for (Query Q : {Query::GlobalId, Query::LocalId}) {
      unsigned S = id(Q, D);
      if (Shift[D] && Other.has(S))
        Other = Other.substitute(S, Poly::symbol(S) - Poly::constant(Shift[D]));
    }
  Poly D = PA - Other;
  return D.isConstant() && D.constantTerm() < WB && D.constantTerm() > -WA;
}

/// The distance along Dim at which two work-items touch one element whatever the arguments are.
std::optional<int> ConflictTest::distanceAlong(unsigned Dim, const SampleLaunch &L) {
  Poly Step = PB.coefficient(id(Query::GlobalId, Dim)) + PB.coefficient(id(Query::LocalId, Dim));
  if (Step.isZero())
    return std::nullopt;
  const auto &[Mono, By] = *Step.Terms.begin();
  Poly Apart = PB - PA;
  auto It = Apart.Terms.find(Mono);
  int64_t Distance = It == Apart.Terms.end() ? 0 : It->second / By;
  bool Fits = Distance && std::abs(Distance) < L.LocalSize[Dim];
  return Fits ? std::optional(int(Distance)) : std::nullopt;
}

/// The distance of two work-items that conflict; nullopt: none was found.
std::optional<std::array<int, 3>> ConflictTest::findWitness() {
  // A kernel without global or local ids is a task of a single work-item.
  if (!I.ItemDims || writesOneValue() || !canBeTested())
    return std::nullopt;
  SampleLaunch L = sampleLaunch();
  // Local memory is shared by a group: in a dimension whose local id the kernel never uses it
  // expects groups of size 1.
  unsigned Dims = I.ItemDims & (Local ? I.LocalDims : 7);
  std::array<int, 3> Reach{};
  for (unsigned D = 0; D < 3; ++D)
    Reach[D] = Dims >> D & 1 ? (I.ItemDims == 7 ? 1 : 2) : 0;
  for (int Z = -Reach[2]; Z <= Reach[2]; ++Z)
    for (int Y = -Reach[1]; Y <= Reach[1]; ++Y)
      for (int X = -Reach[0]; X <= Reach[0]; ++X) {
        std::array<int, 3> Shift{X, Y, Z};
        if ((X || Y || Z) && touchAtDistance(Shift) && bothPass(L, Shift))
          return Shift;
      }
  for (unsigned D = 0; D < 3; ++D)
    if (std::optional<int> Distance = Dims >> D & 1 ? distanceAlong(D, L) : std::nullopt) {
      std::array<int, 3> Shift{};
      Shift[D] = *Distance;
      if (touchAtDistance(Shift) && bothPass(L, Shift))
        return Shift;
    }
  return anyTwo(L, Dims);
}

namespace {

/// An address that is known but for what both work-items share.
struct KnownPart {
  int64_t Constant = 0;
  struct Term {
    unsigned Dim;
    bool Global;
    int64_t Coefficient;
  };
  llvm::SmallVector<Term, 3> Ids;

  int64_t at(const std::array<int64_t, 3> &Item, const std::array<int64_t, 3> &LocalSize) const {
    int64_t V = Constant;
    for (const Term &T : Ids)
      V += T.Coefficient * (T.Global ? Item[T.Dim] : Item[T.Dim] % LocalSize[T.Dim]);
    return V;
  }
};

} // namespace

/// Addresses that are known but for what both work-items share, as x[id] and x[0]: all pairs of
/// work-items of a group are tried.
std::optional<std::array<int, 3>> ConflictTest::anyTwo(const SampleLaunch &L, unsigned Dims) {
  KnownPart OfA, OfB;
  Poly Rest;
  for (auto [P, Own, Sign] : {std::tuple(&PA, &OfA, 1), std::tuple(&PB, &OfB, -1)})
    for (const auto &[Mono, C] : P->Terms) {
      auto IsId = [&](unsigned S) {
        return isQuery(S, Query::GlobalId) || isQuery(S, Query::LocalId);
      };
      if (llvm::any_of(Mono, IsId)) {
        if (Mono.size() != 1)
          return std::nullopt;
        unsigned S = Mono.front();
        Own->Ids.push_back({I.Symbols[S].E->Dim, isQuery(S, Query::GlobalId), C});
        continue;
      }
      if (!llvm::all_of(Mono, [&](unsigned S) { return isShared(S); }))
        return std::nullopt;
      Poly Term;
      Term.Terms[Mono] = C * Sign;
      Rest = Rest + Term;
    }
  if (!Rest.isConstant() || (OfA.Ids.empty() && OfB.Ids.empty()))
    return std::nullopt;
  OfA.Constant = Rest.constantTerm();
  auto PassA = passing(A, L), PassB = passing(B, L);
  // Work-items with equal parts may conflict: those of one group that differ along Dims only.
  std::vector<Ids> Part(L.Items);
  std::vector<int64_t> AtA(L.Items), AtB(L.Items);
  for (unsigned N = 0; N < L.Items; ++N) {
    Ids P = L.item(N);
    AtA[N] = OfA.at(P, L.LocalSize);
    AtB[N] = OfB.at(P, L.LocalSize);
    for (unsigned D = 0; D < 3; ++D)
      Part[N][D] = Dims >> D & 1 ? P[D] / L.LocalSize[D] : P[D];
  }
  spend(L.Items);
  for (unsigned N = 0; N < L.Items; ++N)
    for (unsigned Other = 0; Other < L.Items; ++Other) {
      int64_t Distance = AtA[N] - AtB[Other];
      if (Distance >= WB || Distance <= -WA || N == Other || Part[N] != Part[Other])
        continue;
      Ids P = L.item(N), Q = L.item(Other);
      for (auto [X, Y] : llvm::zip_equal(PassA, PassB))
        if (X.test(N) && Y.test(Other))
          return std::array{int(P[0] - Q[0]), int(P[1] - Q[1]), int(P[2] - Q[2])};
    }
  return std::nullopt;
}

} // namespace clmali::model
