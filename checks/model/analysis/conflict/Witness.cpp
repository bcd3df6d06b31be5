//===-- checks/model/analysis/conflict/Witness.cpp - Two items that meet ----===//
//
// Must: two work-items at a fixed distance touch a common byte whatever the arguments
// are, and for small arguments the guards let both through:
//
//   p[i] = p[i + 1];   item 0 reads what item 1 writes
//
// Limits: launches of a few dozen work-items, small arguments.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

/// E for the work-item and arguments being tried; small numbers, so nothing
/// wraps but what is negative in an unsigned type (then: no value).
std::optional<int64_t> ConflictTest::value(const Expr *E, const Stmt *At, unsigned Depth) {
  auto No = [&]() -> std::optional<int64_t> {
    Unknown = true;
    return std::nullopt;
  };
  if (Depth > 64 || !isIntScalar(E))
    return No();
  auto Sub = [&](unsigned N) { return value(E->Ops[N], At, Depth + 1); };
  auto Checked = [&](Wide V) -> std::optional<int64_t> {
    Range R = rangeOf(E->Ty->Scalar);
    if (V < R.Lo || V > R.Hi)
      return std::nullopt;
    return int64_t(V);
  };
  switch (E->K) {
  case ExprKind::IntConst:
    return Checked(E->Int);
  case ExprKind::WorkItem: {
    unsigned D = E->Dim;
    if (D > 2)
      return No();
    switch (E->Query) {
    case Query::GlobalId:
      return Global[D];
    case Query::LocalId:
      return Global[D] % LocalSize[D];
    case Query::GroupId:
      return Global[D] / LocalSize[D];
    case Query::GlobalSize:
      return GlobalSize[D];
    case Query::LocalSize:
      return LocalSize[D];
    case Query::NumGroups:
      return GlobalSize[D] / LocalSize[D];
    case Query::GlobalOffset:
      return 0;
    case Query::WorkDim:
      return No();
    }
    return No();
  }
  case ExprKind::VarRef: {
    unsigned N = I.versionAt(E->V, At);
    // Both items in the first round of a counted loop.
    while (I.Versions[N].K == Version::LoopHead) {
      const auto &Loop = I.shape(I.Versions[N].S);
      if (!Loop || Loop->Head != N)
        return No();
      N = Loop->Init;
    }
    const Version &V = I.Versions[N];
    if (V.K == Version::Entry && V.V->K == Var::Param) {
      auto It = Params.find(V.V);
      return It == Params.end() ? No() : Checked(It->second);
    }
    if (V.K != Version::Def || !V.S->E || !V.S->LaneIdx.empty() ||
        (V.S->K != StmtKind::Decl && V.S->K != StmtKind::Assign))
      return No();
    return value(V.S->E, V.S, Depth + 1);
  }
  case ExprKind::Cast: {
    if (E->C != CastOp::Convert)
      return No();
    std::optional<int64_t> V = Sub(0);
    if (V && E->Ty->Scalar == ScalarKind::Bool)
      return *V != 0;
    return V ? Checked(*V) : V;
  }
  case ExprKind::Unary: {
    std::optional<int64_t> V = Sub(0);
    if (!V)
      return V;
    return E->O == Op::Neg          ? Checked(-Wide(*V))
           : E->O == Op::LogicalNot ? std::optional<int64_t>(!*V)
                                    : No();
  }
  case ExprKind::Select: {
    std::optional<int64_t> C = Sub(0);
    return C ? Sub(*C ? 1 : 2) : C;
  }
  case ExprKind::Binary: {
    std::optional<int64_t> X = Sub(0);
    if (!X)
      return X;
    if (E->O == Op::LogicalAnd && !*X)
      return 0;
    if (E->O == Op::LogicalOr && *X)
      return 1;
    std::optional<int64_t> Y = Sub(1);
    if (!Y)
      return Y;
    switch (E->O) {
    case Op::Add:
      return Checked(Wide(*X) + *Y);
    case Op::Sub:
      return Checked(Wide(*X) - *Y);
    case Op::Mul:
      return Checked(Wide(*X) * *Y);
    case Op::Div:
      return *Y ? Checked(Wide(*X) / *Y) : std::nullopt;
    case Op::Rem:
      return *Y ? Checked(Wide(*X) % *Y) : std::nullopt;
    case Op::And:
      return Checked(*X & *Y);
    case Op::Or:
      return Checked(*X | *Y);
    case Op::Xor:
      return Checked(*X ^ *Y);
    case Op::Shl:
      return *Y >= 0 && *Y < 16 ? Checked(Wide(*X) << *Y) : std::nullopt;
    case Op::Shr:
      return *Y >= 0 && *Y < 32 && *X >= 0 ? Checked(*X >> *Y) : std::nullopt;
    case Op::LT:
      return *X < *Y;
    case Op::LE:
      return *X <= *Y;
    case Op::GT:
      return *X > *Y;
    case Op::GE:
      return *X >= *Y;
    case Op::EQ:
      return *X == *Y;
    case Op::NE:
      return *X != *Y;
    case Op::LogicalAnd:
    case Op::LogicalOr:
      return *Y != 0;
    default:
      return No();
    }
  }
  default:
    return No();
  }
}

/// Which items of a small launch all guards of Site let through, for each
/// choice of small arguments; null: a guard cannot be evaluated.
const KernelAnalysis::Impl::Simulated *ConflictTest::tried(const AccessSite &Site) {
  std::vector<uint64_t> Key{reinterpret_cast<uintptr_t>(Site.S)};
  for (const Guard &G : Site.Guards)
    Key.push_back(reinterpret_cast<uintptr_t>(G.Cond) + G.Holds);
  auto [It, New] = I.TriedAt.try_emplace(std::move(Key));
  KernelAnalysis::Impl::Simulated &T = It->second;
  if (!New)
    return T.Known ? &T : nullptr;
  unsigned Arguments = 0;
  for (const Var *P : I.K.Params)
    Arguments += P->Ty->isScalar() && P->Ty->isInteger();
  constexpr int64_t Small[] = {8, 10, 5};
  // Sizes and where they begin, in whatever order: of two arguments, or two halves of them, one is
  // a size and one an offset.
  constexpr int64_t Size = 10, Offset = 3;
  constexpr unsigned Alike = 9, Apart = 4;
  unsigned Choices = Arguments == 0 ? 1 : Arguments == 1 ? 3 : Alike + Apart;
  for (unsigned Choice = 0; Choice < Choices; ++Choice) {
    Params.clear();
    unsigned N = 0;
    for (const Var *P : I.K.Params)
      if (P->Ty->isScalar() && P->Ty->isInteger()) {
        bool Odd = N % 2, Late = 2 * N >= Arguments;
        bool IsSize = (Choice % 2 ? Late : Odd) == (Choice < Alike + Apart / 2);
        Params[P] =
            Choice >= Alike ? (IsSize ? Size : Offset) : Small[Odd ? Choice / 3 : Choice % 3];
        ++N;
      }
    llvm::BitVector Pass(Items);
    for (unsigned N = 0; N < Items; ++N) {
      Global = item(N);
      bool All = true;
      for (const Guard &G : Site.Guards) {
        Unknown = false;
        std::optional<int64_t> V = value(G.Cond, Site.S, 0);
        if (Unknown)
          return nullptr;
        All = All && V && (*V != 0) == G.Holds;
      }
      if (All)
        Pass.set(N);
    }
    T.Pass.push_back(std::move(Pass));
  }
  T.Known = true;
  return &T;
}

/// A launch with a few groups of a few items.
void ConflictTest::launch() {
  unsigned Dims = llvm::popcount(I.ItemDims);
  int64_t Edge = Dims == 1 ? 40 : Dims == 2 ? 12 : 6;
  Items = 1;
  for (unsigned D = 0; D < 3; ++D) {
    bool Spreads = I.ItemDims >> D & 1;
    int64_t Size = I.K.ReqdWorkGroupSize ? (*I.K.ReqdWorkGroupSize)[D] : Dims == 3 ? 3 : 4;
    LocalSize[D] = Spreads ? Size : 1;
    Extent[D] = Spreads ? Edge : 1;
    // Whole groups.
    GlobalSize[D] = (Extent[D] + LocalSize[D] - 1) / LocalSize[D] * LocalSize[D];
    Items *= unsigned(Extent[D]);
  }
}

std::array<int64_t, 3> ConflictTest::item(unsigned N) const {
  return {N % Extent[0], N / Extent[0] % Extent[1], N / Extent[0] / Extent[1]};
}

/// Do the guards let an item and its neighbour at -Shift, in one group,
/// through?
bool ConflictTest::witness(std::array<int, 3> Shift) {
  const auto *OfA = tried(A), *OfB = tried(B);
  if (!OfA || !OfB)
    return false;
  for (unsigned N = 0; N < Items; ++N) {
    std::array<int64_t, 3> P = item(N), Q;
    bool Fits = true;
    for (unsigned D = 0; D < 3; ++D) {
      Q[D] = P[D] - Shift[D];
      Fits = Fits && Q[D] >= 0 && Q[D] < Extent[D] && Q[D] / LocalSize[D] == P[D] / LocalSize[D];
    }
    if (!Fits)
      continue;
    unsigned Other = unsigned(Q[0] + Extent[0] * (Q[1] + Extent[1] * Q[2]));
    for (auto [PassA, PassB] : llvm::zip_equal(OfA->Pass, OfB->Pass))
      if (PassA.test(N) && PassB.test(Other))
        return true;
  }
  return false;
}

/// Both write, and the same: nobody can tell who was last.
bool ConflictTest::writesOneValue() {
  if (!A.IsWrite || !B.IsWrite || A.S->K != StmtKind::Store || B.S->K != StmtKind::Store)
    return false;
  return !I.varies(A.S->E, A.S).Item && I.valueOf(A.S->E, A.S) == I.valueOf(B.S->E, B.S);
}

bool ConflictTest::meets() {
  // Work-items are neighbours along dimensions whose global or local ids the
  // kernel asks for; with none, it is a task.
  if (!I.ItemDims || writesOneValue())
    return false;
  // Who has left before, in some loop, cannot be tried out.
  if (I.LeavesEarly)
    return false;
  // The very same interval, not only one that a loop joins with it.
  if (I.Info.lookup(A.S).Interval != I.Info.lookup(B.S).Interval)
    return false;
  // Loop variables: both items run all rounds, so take the same round.
  Poly Difference = PA - PB;
  for (const Poly *P : {&PA, &PB})
    for (const auto &[Mono, C] : P->Terms)
      for (unsigned S : Mono) {
        const SymbolInfo &Info = I.Symbols[S];
        bool Plain = Info.K != SymbolInfo::Atom;
        if (!Plain && !isShared(S))
          return false;
      }
  // The items' own conditions that no guard lists (a variable changed below,
  // a loop that is no counted one) cannot be tried out.
  for (const AccessSite *S : {&A, &B}) {
    for (const GuardLink *G = I.Info.lookup(S->S).Guards; G; G = G->Outer)
      if (!G->Listed)
        return false;
    for (const Stmt *L : S->Loops) {
      const auto &Shape = I.shape(L);
      if (!Shape || Shape->LeavesEarly)
        return false;
      // The loop's own test is among the guards; it must run at least once,
      // which is known for constant bounds only.
      std::optional<int64_t> Trips = I.tripCount(L);
      if (!Trips || *Trips < 1)
        return false;
    }
  }
  // Local memory is shared by a group: a dimension whose local id the kernel
  // never asks for is one where it expects groups of size 1.
  unsigned Asked = Local ? I.LocalDims : 7;
  std::array<int, 3> Reach{};
  for (unsigned D = 0; D < 3; ++D)
    Reach[D] = (I.ItemDims & Asked) >> D & 1 ? (I.ItemDims == 7 ? 1 : 2) : 0;
  launch();
  for (int Z = -Reach[2]; Z <= Reach[2]; ++Z)
    for (int Y = -Reach[1]; Y <= Reach[1]; ++Y)
      for (int X = -Reach[0]; X <= Reach[0]; ++X) {
        if (!X && !Y && !Z)
          continue;
        std::array<int, 3> Shift{X, Y, Z};
        // B's item is at (ids - Shift): within one group, global and local
        // ids move alike.
        Poly Other = PB;
        bool Linear = true;
        for (unsigned D = 0; D < 3; ++D)
          for (Query Q : {Query::GlobalId, Query::LocalId}) {
            unsigned S = id(Q, D);
            if (Shift[D] && Other.has(S))
              Other = Other.substitute(S, Poly::symbol(S) - Poly::constant(Shift[D]));
          }
        Poly D = PA - Other;
        Linear &= D.isConstant();
        if (!Linear || D.constantTerm() >= WB || D.constantTerm() <= -WA)
          continue;
        if (witness(Shift))
          return true;
      }
  return anyTwoMeet();
}

/// Addresses that are known but for what both items share: x[id] and x[0]. Any two items of a group
/// are tried.
bool ConflictTest::anyTwoMeet() {
  struct Part {
    int64_t Constant = 0;
    std::vector<std::pair<unsigned, int64_t>> Ids; ///< symbol, coefficient
  };
  Part OfA, OfB;
  Poly Rest;
  for (auto [P, Own, Sign] : {std::tuple(&PA, &OfA, 1), std::tuple(&PB, &OfB, -1)})
    for (const auto &[Mono, C] : P->Terms) {
      bool HasId = llvm::any_of(Mono, [&](unsigned S) {
        return isQuery(S, Query::GlobalId) || isQuery(S, Query::LocalId);
      });
      if (HasId) {
        if (Mono.size() != 1)
          return false;
        Own->Ids.emplace_back(Mono.front(), C);
        continue;
      }
      for (unsigned S : Mono)
        if (!isShared(S))
          return false;
      Poly Term;
      Term.Terms[Mono] = C * Sign;
      Rest = Rest + Term;
    }
  if (!Rest.isConstant() || (OfA.Ids.empty() && OfB.Ids.empty()))
    return false;
  OfA.Constant = Rest.constantTerm();
  const auto *PassA = tried(A), *PassB = tried(B);
  if (!PassA || !PassB)
    return false;
  auto At = [&](const Part &P, unsigned N) {
    std::array<int64_t, 3> Item = item(N);
    int64_t V = P.Constant;
    for (auto [S, C] : P.Ids) {
      unsigned D = I.Symbols[S].E->Dim;
      V += C * (isQuery(S, Query::GlobalId) ? Item[D] : Item[D] % LocalSize[D]);
    }
    return V;
  };
  unsigned Asked = Local ? I.LocalDims : 7;
  for (unsigned N = 0; N < Items; ++N)
    for (unsigned Other = 0; Other < Items; ++Other) {
      std::array<int64_t, 3> P = item(N), Q = item(Other);
      bool Group = N != Other;
      for (unsigned D = 0; D < 3; ++D)
        Group = Group && P[D] / LocalSize[D] == Q[D] / LocalSize[D] &&
                (P[D] == Q[D] || (I.ItemDims & Asked) >> D & 1);
      if (!Group)
        continue;
      int64_t Distance = At(OfA, N) - At(OfB, Other);
      if (Distance >= WB || Distance <= -WA)
        continue;
      for (auto [X, Y] : llvm::zip_equal(PassA->Pass, PassB->Pass))
        if (X.test(N) && Y.test(Other))
          return true;
    }
  return false;
}

} // namespace clmali::model
