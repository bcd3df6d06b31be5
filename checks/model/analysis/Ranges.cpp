//===-- checks/model/analysis/Ranges.cpp - Value ranges ---------------------===//
//
// What it does: intervals for every version, by abstract interpretation with widening at the heads
// of loops and narrowing afterwards; then, for variables that move by a bounded step in a loop of
// known length, start + trips * step:
//
//   int s = 0;  for (i = 0; i < 10; ++i) s += 3;     s in [0, 30]
//
// C's semantics: unsigned results outside the type wrap (full range of the type), signed overflow
// of scalars is undefined (clamped to the type; vectors wrap as well), conversions to a type that
// does not hold the operand's range give the full range, shift counts are taken modulo the width,
// division by zero gives any value. Ranges of expressions are in RangeEval.cpp.
//
// Limits: a range of ulong is cut to [0, INT64_MAX], where INT64_MAX stands for "or more". Nothing
// is known of floating point.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "checks/model/analysis/RangeArithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::model {

using namespace ranges;

Range KernelAnalysis::Impl::rangeOfVersion(unsigned N) {
  if (RangePass)
    RangePass->read(N);
  return VersionRange[N];
}

Range KernelAnalysis::Impl::evalVersion(unsigned N) {
  spend();
  const Version &V = Versions[N];
  Range Full = V.V->Ty->isInteger() ? rangeOf(V.V->Ty->Scalar) : Range();
  switch (V.K) {
  case Version::Entry:
    return Full;
  case Version::Undef:
    return Nothing; // reading it is undefined
  case Version::Unknown:
    if (V.In.empty())
      return Full;
    [[fallthrough]];
  case Version::Join:
  case Version::LoopHead:
  case Version::LoopExit: {
    Range R = Nothing;
    for (unsigned In : V.In)
      R = join(R, rangeOfVersion(In));
    return R;
  }
  case Version::Def: {
    if (!V.S->E || (V.S->K != StmtKind::Decl && V.S->K != StmtKind::Assign))
      return Full;
    Range R = eval(V.S->E, V.S, Info.lookup(V.S).Guards);
    return V.Prev == None ? R : join(R, rangeOfVersion(V.Prev));
  }
  }
  return Full;
}

//===----------------------------------------------------------------------===//
// The change in one trip of a loop
//===----------------------------------------------------------------------===//

/// Of Trips trips of Loop, those that are complete where User runs.
int64_t KernelAnalysis::Impl::tripsBefore(const Stmt *Loop, const Stmt *User, int64_t Trips) const {
  return User && Trips > 0 && isInside(User, Loop) ? Trips - 1 : Trips;
}

/// Times steps of R, or fewer; nullopt: overflow.
static std::optional<Range> scaled(Range R, int64_t Times) {
  int64_t Lo, Hi;
  if (llvm::MulOverflow(std::min<int64_t>(R.Lo, 0), Times, Lo) ||
      llvm::MulOverflow(std::max<int64_t>(R.Hi, 0), Times, Hi))
    return std::nullopt;
  return Range{Lo, Hi};
}

static std::optional<Range> sum(Range A, Range B) {
  int64_t Lo, Hi;
  if (llvm::AddOverflow(A.Lo, B.Lo, Lo) || llvm::AddOverflow(A.Hi, B.Hi, Hi))
    return std::nullopt;
  return Range{Lo, Hi};
}

/// E without conversions between integers; Fits is narrowed to their types.
static const Expr *peelConversions(const Expr *E, Range &Fits) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ops[0]->Ty->isInteger() &&
         E->Ty->Scalar != ScalarKind::Bool) {
    Fits = meet(Fits, rangeOf(E->Ty->Scalar));
    E = E->Ops[0];
  }
  return E;
}

/// True if V occurs in E below sums and conversions.
static bool leadsTo(const Expr *E, const Var *V) {
  if (E->K == ExprKind::VarRef)
    return E->V == V;
  return (E->K == ExprKind::Binary || E->K == ExprKind::Cast) &&
         llvm::any_of(E->Ops, [&](const Expr *X) { return leadsTo(X, V); });
}

/// What `x = ((x + a) + b) - c`, in any order, adds to x, and the reference to x in it.
std::optional<std::pair<Range, const Expr *>> KernelAnalysis::Impl::addedBy(const Stmt *S,
                                                                            Range &Fits) {
  constexpr int64_t MaxTerm = int64_t(INT32_MAX) * 2;
  const GuardLink *G = Info.lookup(S).Guards;
  Range Added{0, 0};
  const Expr *E = peelConversions(S->E, Fits);
  while (E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub)) {
    Fits = meet(Fits, rangeOf(E->Ty->Scalar));
    bool Left = leadsTo(E->Ops[0], S->V);
    if (!Left && E->O == Op::Sub)
      return std::nullopt;
    Range Term = eval(E->Ops[Left ? 1 : 0], S, G);
    if (isNothing(Term) || Term.Lo < -MaxTerm || Term.Hi > MaxTerm)
      return std::nullopt;
    if (E->O == Op::Sub)
      Term = {-Term.Hi, -Term.Lo};
    std::optional<Range> Sum = sum(Added, Term);
    if (!Sum)
      return std::nullopt;
    Added = *Sum;
    const Expr *Inner = E->Ops[Left ? 0 : 1];
    E = peelConversions(Inner, Fits);
    // A conversion in the middle of a sum may wrap where the sum does not.
    if (E != Inner && E->K == ExprKind::Binary)
      return std::nullopt;
  }
  if (E->K != ExprKind::VarRef)
    return std::nullopt;
  return std::pair(Added, E);
}

/// How far V can be from the value at Head, one trip of Head's loop later; nullopt: not bounded.
/// Fits: the types that the sums were converted to on the way. User: the statement that reads it;
/// inside a loop it comes before that loop's last trip is complete.
std::optional<Range> KernelAnalysis::Impl::delta(unsigned N, unsigned Head, Range &Fits,
                                                 const Stmt *User, unsigned Depth) {
  constexpr unsigned MaxDepth = 16;
  if (N == Head)
    return Range{0, 0};
  if (Depth > MaxDepth)
    return std::nullopt;
  const Version &V = Versions[N];
  switch (V.K) {
  case Version::Join:
  case Version::LoopExit: {
    Range R = Nothing;
    for (unsigned In : V.In) {
      std::optional<Range> D = delta(In, Head, Fits, User, Depth + 1);
      if (!D)
        return std::nullopt;
      R = join(R, *D);
    }
    return R;
  }
  case Version::LoopHead: {
    // An inner loop: the change before it, and that of its own trips.
    std::optional<int64_t> Trips = mostTrips(V.S);
    if (!Trips || V.In.size() != 2)
      return std::nullopt;
    std::optional<Range> Before = delta(V.In[0], Head, Fits, User, Depth + 1);
    std::optional<Range> OneTrip = delta(V.In[1], N, Fits, nullptr, Depth + 1);
    if (!Before || !OneTrip)
      return std::nullopt;
    std::optional<Range> AllTrips = scaled(*OneTrip, tripsBefore(V.S, User, *Trips));
    return AllTrips ? sum(*Before, *AllTrips) : std::nullopt;
  }
  case Version::Def: {
    if (V.Prev != None || !V.S->E || V.S->K != StmtKind::Assign)
      return std::nullopt;
    auto Added = addedBy(V.S, Fits);
    if (!Added)
      return std::nullopt;
    std::optional<Range> D = delta(versionAt(Added->second->V, V.S), Head, Fits, V.S, Depth + 1);
    return D ? sum(*D, Added->first) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// The fixpoint
//===----------------------------------------------------------------------===//

/// The values that the elements of the private array V can have.
Range KernelAnalysis::Impl::evalArray(const Var *V, const std::vector<const Stmt *> &Stores) {
  Range R = Nothing;
  if (!V->Ints.empty()) {
    auto [Lo, Hi] = std::minmax_element(V->Ints.begin(), V->Ints.end());
    R = {*Lo, *Hi};
  }
  for (const Stmt *S : Stores)
    R = join(R, eval(S->E, S, Info.lookup(S).Guards));
  Range Full = rangeOf(elementOf(V->Ty)->Scalar);
  return isNothing(R) || Full.contains(R) ? R : Full;
}

bool KernelAnalysis::Impl::isIntVersion(unsigned N) const {
  return !Versions[N].V->isMemory() && Versions[N].V->Ty->isInteger();
}

/// One pass of the ascending iteration; true if something grew. Widen: bounds that grow jump to the
/// end of their type.
bool KernelAnalysis::Impl::growRanges(bool Widen) {
  bool Changed = false;
  const unsigned End = VersionRange.size();
  for (unsigned N = RangePass->next(0, End); N < End; N = RangePass->next(N + 1, End)) {
    RangePass->begin(N);
    if (!isIntVersion(N) || VersionRange[N] == rangeOf(Versions[N].V->Ty->Scalar))
      continue;
    Range Old = VersionRange[N], New = join(Old, evalVersion(N));
    if (New == Old)
      continue;
    Changed = true;
    if (Widen && !isNothing(Old) && Versions[N].K == Version::LoopHead) {
      Range Full = rangeOf(Versions[N].V->Ty->Scalar);
      New = {New.Lo < Old.Lo ? Full.Lo : New.Lo, New.Hi > Old.Hi ? Full.Hi : New.Hi};
    }
    VersionRange[N] = New;
    RangePass->changed(N);
  }
  for (const auto &[V, Stores] : Arrays) {
    if (!RangePass->isOutOfDate(arrayNode(V)))
      continue;
    RangePass->begin(arrayNode(V));
    Range &Old = ArrayRange[V];
    Range New = join(Old, evalArray(V, Stores));
    if (New == Old)
      continue;
    Changed = true;
    Range Full = rangeOf(elementOf(V->Ty)->Scalar);
    Old = Widen && !isNothing(Old)
              ? Range{New.Lo < Old.Lo ? Full.Lo : New.Lo, New.Hi > Old.Hi ? Full.Hi : New.Hi}
              : New;
    RangePass->changed(arrayNode(V));
  }
  return Changed;
}

/// One pass of the descending iteration: every evaluation of sound ranges is sound. True if
/// something narrowed.
bool KernelAnalysis::Impl::narrowRanges() {
  bool Changed = false;
  auto Narrow = [&](unsigned Node, Range &Old, Range New) {
    Range R = meet(Old, New);
    if (isNothing(R) || R == Old)
      return;
    Changed = true;
    Old = R;
    RangePass->changed(Node);
  };
  const unsigned End = VersionRange.size();
  for (unsigned N = RangePass->next(0, End); N < End; N = RangePass->next(N + 1, End)) {
    RangePass->begin(N);
    if (isIntVersion(N) && !isNothing(VersionRange[N])) {
      Range New = evalVersion(N);
      Narrow(N, VersionRange[N], New);
    }
  }
  for (const auto &[V, Stores] : Arrays)
    if (auto Held = ArrayRange.find(V);
        Held != ArrayRange.end() && RangePass->isOutOfDate(arrayNode(V))) {
      RangePass->begin(arrayNode(V));
      Range New = evalArray(V, Stores);
      Narrow(arrayNode(V), ArrayRange[V], New);
    }
  return Changed;
}

/// Narrows version N, at the head of a loop with a bounded number of trips, and the definitions of
/// its variable in the loop to start + trips * step. True if something narrowed.
bool KernelAnalysis::Impl::narrowByTrips(unsigned N) {
  const Version &V = Versions[N];
  std::optional<int64_t> Trips = mostTrips(V.S);
  if (!Trips)
    return false;
  Range Fits = rangeOf(V.V->Ty->Scalar), Start = VersionRange[V.In[0]];
  std::optional<Range> OneTrip = delta(V.In[1], N, Fits, nullptr, 0);
  if (!OneTrip || isNothing(Start))
    return false;
  bool Changed = false;
  // Version At is reached after Complete trips and Further into the next one.
  auto Bound = [&](unsigned At, int64_t Complete, Range Further) {
    Wide Lo = Wide(Start.Lo) + Wide(std::min<int64_t>(OneTrip->Lo, 0)) * Complete + Further.Lo;
    Wide Hi = Wide(Start.Hi) + Wide(std::max<int64_t>(OneTrip->Hi, 0)) * Complete + Further.Hi;
    if (Lo < Fits.Lo || Hi > Fits.Hi)
      return false;
    Range R = meet(VersionRange[At], {int64_t(Lo), int64_t(Hi)});
    if (!isNothing(R) && R != VersionRange[At]) {
      Changed = true;
      VersionRange[At] = R;
      RangePass->changed(At);
    }
    return true;
  };
  if (!Bound(N, *Trips, {0, 0}))
    return Changed;
  for (unsigned Inner : DefVersions[SlotOf.lookup(V.V)]) {
    const Version &W = Versions[Inner];
    if (!isInside(W.S, V.S))
      continue;
    if (std::optional<Range> R = delta(Inner, N, Fits, W.S, 0))
      Bound(Inner, tripsBefore(V.S, W.S, *Trips), *R);
  }
  return Changed;
}

void KernelAnalysis::Impl::findRanges() {
  constexpr unsigned WidenAfter = 3, MaxPasses = 40;
  if (RangesReady)
    return;
  RangesReady = true;
  findArrays();
  VersionRange.assign(Versions.size(), Nothing);
  RangePass.emplace(Versions.size() + Slots.size());
  DefVersions.resize(Slots.size());
  for (unsigned N = 0; N < Versions.size(); ++N)
    if (Versions[N].K == Version::Def)
      DefVersions[SlotOf.lookup(Versions[N].V)].push_back(N);
  bool Changed = true;
  for (unsigned Pass = 0; Changed && Pass < MaxPasses; ++Pass)
    Changed = growRanges(/*Widen=*/Pass >= WidenAfter);
  if (Changed) { // no fixpoint: nothing is known
    for (unsigned N = 0; N < VersionRange.size(); ++N)
      if (isIntVersion(N))
        VersionRange[N] = rangeOf(Versions[N].V->Ty->Scalar);
    ArrayRange.clear();
  }
  RangesFinal = true;
  RangePass->restart();

  bool Narrows = true; // since the last pass
  auto NarrowTwice = [&] {
    Narrows = Narrows && narrowRanges();
    Narrows = Narrows && narrowRanges();
  };
  NarrowTwice();
  // Inner loops need the outer ones' results and the other way round, so twice.
  for (unsigned Times = 0; Times < 2; ++Times) {
    for (unsigned N = 0; N < VersionRange.size(); ++N)
      if (Versions[N].K == Version::LoopHead && Versions[N].In.size() == 2 && isIntVersion(N))
        Narrows |= narrowByTrips(N);
    NarrowTwice();
  }
  RangePass.reset();
  for (const auto &A : Arrays)
    if (auto Held = ArrayRange.find(A.first); Held != ArrayRange.end() && isNothing(Held->second))
      ArrayRange.erase(Held);
  for (unsigned N = 0; N < VersionRange.size(); ++N)
    if (isNothing(VersionRange[N]))
      VersionRange[N] =
          Versions[N].V->Ty->isInteger() ? rangeOf(Versions[N].V->Ty->Scalar) : Range();
}

} // namespace clmali::model
