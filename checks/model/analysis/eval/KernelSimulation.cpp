//===-- checks/model/analysis/eval/KernelSimulation.cpp - Addresses by execution ----------===//
//
// See KernelSimulation.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/eval/KernelSimulation.h"
#include "checks/model/analysis/AnalysisImpl.h"
#include "checks/model/analysis/Slice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

namespace clmali::model {

namespace {

/// Steps (expressions and statements) of all launches together.
constexpr unsigned MaxSteps = 8000000;
/// Of these, steps in branches that depend on data.
constexpr unsigned MaxMaybeSteps = 2000000;
/// Trips of a loop, of one with loops in it, and of the inner ones; of any, where work-items take
/// long.
constexpr unsigned MaxTrips = 40, MaxOuterTrips = 12, MaxInnerTrips = 6, MaxFewTrips = 3;
/// Trips of a loop whose trip count depends on data but is the same for the whole group.
constexpr unsigned AssumedTrips = 2;
constexpr int64_t MinItems = 2, MaxItems = 4096;

/// x & (n - 1) with an n from the launch or an argument that is no power of two here. The kernel
/// assumes a power of two, so the mask means a remainder.
bool isBrokenMask(const KernelAnalysis &K, const Expr *Mask, int64_t Value, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 4;
  if (Value >= 0 && llvm::isPowerOf2_64(uint64_t(Value) + 1))
    return false;
  Mask = stripCasts(Mask);
  if (Mask->K == ExprKind::VarRef && Depth < MaxDepth)
    if (const Stmt *Def = K.singleDef(Mask->V); Def && Def->E)
      return isBrokenMask(K, Def->E, Value, Depth + 1);
  return Mask->K == ExprKind::Binary && Mask->O == Op::Sub && constantValue(Mask->Ops[1]) == 1;
}

/// True if B has a break or continue of the loop around B.
bool leavesLoop(const StmtList &B) {
  return llvm::any_of(B, [](const Stmt *S) {
    return S->K == StmtKind::Break || S->K == StmtKind::Continue ||
           (S->K == StmtKind::If && (leavesLoop(S->Body) || leavesLoop(S->Else)));
  });
}

/// The load of global or local memory that E is, directly or through variables; else null.
const Expr *loadOf(const KernelAnalysis &K, const Expr *E) {
  while (E->K == ExprKind::Cast)
    E = E->Ops[0];
  if (const Stmt *Def = E->K == ExprKind::VarRef ? K.singleDef(E->V) : nullptr; Def && Def->E)
    return loadOf(K, Def->E);
  return E->K == ExprKind::Load && E->Acc.Base->isMemory() &&
                 E->Acc.Base->space() != AddressSpace::Private
             ? E
             : nullptr;
}

/// True if B has only stores and the assignments that compute what they store.
bool onlyStores(const StmtList &B) {
  return llvm::all_of(B, [](const Stmt *S) {
    return S->K == StmtKind::Decl || S->K == StmtKind::Assign || S->K == StmtKind::Store;
  });
}

bool hasLoop(const StmtList &B, unsigned &Steps) {
  for (const Stmt *S : stmts(B)) {
    ++Steps;
    if (S->K == StmtKind::Loop)
      return true;
  }
  return false;
}

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool KernelSimulation::mayContinue() {
  spend();
  return ++Steps <= MaxSteps;
}

std::optional<int64_t> KernelSimulation::bitAnd(const Expr *E, int64_t X, int64_t Y) {
  bool Left = isBrokenMask(K, E->Ops[0], X), Right = isBrokenMask(K, E->Ops[1], Y);
  if (Left == Right)
    return X & Y;
  __int128 Size = __int128(Left ? X : Y) + 1, Of = Left ? Y : X;
  if (Size <= 0)
    return std::nullopt;
  // The mathematical remainder: -1 wraps to the last element.
  return converted((Of % Size + Size) % Size, E->Ty->Scalar);
}

LaneValues KernelSimulation::leaf(const Expr *E, const Stmt *S) {
  switch (E->K) {
  case ExprKind::WorkItem: {
    LaneValues R;
    R.Lanes.push_back(workItemValue(E, Position));
    bool DiffersInGroup = E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId;
    bool DiffersBetweenGroups =
        E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::GroupId;
    R.Tags = (DiffersInGroup ? 1 << E->Dim : 0) | (DiffersBetweenGroups ? 16 << E->Dim : 0);
    return R;
  }
  case ExprKind::VarRef: {
    if (auto It = launch().Arguments.find(E->V); It != launch().Arguments.end())
      return {It->second, 0};
    auto It = Variables.find(E->V);
    return It == Variables.end() ? LaneValues() : It->second;
  }
  case ExprKind::Load:
    return load(E, S);
  default: {
    for (const Expr *X : E->Ops)
      eval(X, S); // for the accesses in it
    LaneValues R;
    if (E->K == ExprKind::ImageQuery)
      R.Lanes.assign(E->Ty->Lanes, launch().ImageSize);
    return R;
  }
  }
}

LaneValues KernelSimulation::load(const Expr *E, const Stmt *S) {
  std::optional<Touch> T = touch(E->Acc, S, /*Record=*/!StoresOnly);
  if (!T || E->Acc.Lanes != 1)
    return {};
  const Var *Base = E->Acc.Base;
  unsigned Size = sizeInBytes(E->Acc.Elem);
  if (!Base->Ints.empty() && T->Address % Size == 0 &&
      size_t(T->Address / Size) < Base->Ints.size())
    return LaneValues::known(Base->Ints[T->Address / Size]);
  auto Held = Private.find({Base, T->Address});
  if (Held == Private.end())
    return {};
  LaneValues R = LaneValues::known(Held->second);
  R.Tags = T->Ids | PrivateIds;
  return R;
}

/// Where A goes, if that is known; recorded for global and local memory.
std::optional<Touch> KernelSimulation::touch(const Access &A, const Stmt *S, bool Record) {
  Touch T{Item, Epoch, 0, Sure, Assumed, A.Disp};
  bool Known = true;
  for (auto [Index, Stride] : llvm::zip_equal(A.Index, A.Stride)) {
    LaneValues V = eval(Index, S);
    T.Ids |= V.Tags;
    std::optional<int64_t> N = V.scalar();
    Known &= N.has_value();
    T.Address += N.value_or(0) * Stride;
  }
  // An address before the object is out of bounds: no conflict there.
  if (!Known || T.Address < 0)
    return std::nullopt;
  AddressSpace Space = A.Base->space();
  if (Record && (Space == AddressSpace::Global || Space == AddressSpace::Local))
    Current->Touched[{&A, S}].push_back(T);
  return T;
}

/// Base's elements become unknown.
void KernelSimulation::forget(const Var *Base) {
  Private.erase(Private.lower_bound({Base, INT64_MIN}), Private.upper_bound({Base, INT64_MAX}));
}

void KernelSimulation::assign(const Stmt *S, const LaneValues &V) {
  if (!S->V || S->V->isMemory())
    return;
  if (S->LaneIdx.empty()) {
    Variables[S->V] = V;
    return;
  }
  LaneValues &Into = Variables[S->V];
  Into.Lanes.resize(S->V->Ty->Lanes);
  for (auto [N, Lane] : llvm::enumerate(S->LaneIdx))
    if (Lane < Into.Lanes.size())
      Into.Lanes[Lane] = N < V.Lanes.size() ? V.Lanes[N] : std::nullopt;
  Into.Tags |= V.Tags;
}

void KernelSimulation::store(const Stmt *S) {
  LaneValues V = eval(S->E, S);
  std::optional<Touch> T = touch(S->Acc, S);
  const Var *Base = S->Acc.Base;
  if (Base->space() != AddressSpace::Private)
    return;
  if (!T || S->Acc.Lanes != 1)
    return forget(Base);
  Private.erase({Base, T->Address});
  if (V.scalar())
    Private[{Base, T->Address}] = *V.scalar();
  PrivateIds |= V.Tags;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// True if some data make C hold: it compares two elements of one buffer for their order, and all
/// other conditions joined with && hold.
bool KernelSimulation::mayHold(const Expr *C, const Stmt *S) {
  if (C->K != ExprKind::Binary)
    return false;
  if (C->O == Op::LogicalAnd)
    return llvm::all_of(C->Ops, [&](const Expr *Part) {
      std::optional<int64_t> V = eval(Part, S).scalar();
      return V ? *V != 0 : mayHold(Part, S);
    });
  if (C->O != Op::LT && C->O != Op::LE && C->O != Op::GT && C->O != Op::GE)
    return false;
  const Expr *X = loadOf(K, C->Ops[0]), *Y = loadOf(K, C->Ops[1]);
  return X && Y && X->Acc.Base == Y->Acc.Base && !equal(X, Y);
}

const KernelSimulation::BlockSummary &KernelSimulation::summary(const StmtList &B) {
  auto [It, New] = Summaries.try_emplace(&B);
  BlockSummary &Sum = It->second;
  if (!New)
    return Sum;
  llvm::SmallPtrSet<const Var *, 8> Seen;
  for (const Stmt *S : stmts(B)) {
    ++Sum.Stmts;
    Sum.Leaves |= S->K == StmtKind::Return || S->K == StmtKind::Barrier || S->K == StmtKind::Opaque;
    if (S->V && !S->V->isMemory() && Seen.insert(S->V).second)
      Sum.Assigned.push_back(S->V);
    if (S->K == StmtKind::Store && S->Acc.Base->space() == AddressSpace::Private &&
        Seen.insert(S->Acc.Base).second)
      Sum.Stored.push_back(S->Acc.Base);
  }
  return Sum;
}

/// Blocks may or may not be executed: what they assign becomes unknown. Stop if they may return,
/// have a barrier or an opaque statement.
KernelSimulation::Flow KernelSimulation::skip(llvm::ArrayRef<const StmtList *> Blocks) {
  bool Leaves = false;
  for (const StmtList *B : Blocks) {
    const BlockSummary &Sum = summary(*B);
    Steps += Sum.Stmts;
    Leaves |= Sum.Leaves;
    for (const Var *V : Sum.Assigned)
      Variables[V] = {};
    llvm::for_each(Sum.Stored, [&](const Var *V) { forget(V); });
  }
  return Leaves ? Flow::Stop : Flow::Next;
}

/// True if there are data for which all work-items run another iteration of S: its condition is the
/// same for all, or compares a known number with data that are (id < n[0]).
bool KernelSimulation::mayGoOnTogether(const Stmt *S) {
  if (K.varies(S->E, S).uniform())
    return true;
  const Expr *E = stripCasts(S->E);
  if (E->K != ExprKind::Binary || !isComparison(E->O) || E->O == Op::EQ)
    return false;
  auto IsKnown = [&](const Expr *X) { return eval(X, S).scalar().has_value(); };
  auto IsSame = [&](const Expr *X) { return K.varies(X, S).uniform(); };
  return (IsKnown(E->Ops[0]) && IsSame(E->Ops[1])) || (IsSame(E->Ops[0]) && IsKnown(E->Ops[1]));
}

KernelSimulation::Flow KernelSimulation::loop(const Stmt *S) {
  if (Flow F = execute(S->Init); F == Flow::Stop)
    return F;
  ++LoopDepth;
  auto [Inner, New] = InnerLoops.try_emplace(S);
  if (New)
    Inner->second.first = hasLoop(S->Body, Inner->second.second);
  bool HasLoops = Inner->second.first;
  Steps += Inner->second.second;
  bool WasSure = Sure, WasAssumed = Assumed;
  unsigned Limit = FewTrips        ? MaxFewTrips
                   : LoopDepth > 1 ? MaxInnerTrips
                   : HasLoops      ? MaxOuterTrips
                                   : MaxTrips;
  Flow Result = Flow::Next;
  for (unsigned Trip = 0;; ++Trip) {
    bool HasTest = S->E && (S->Form != Stmt::DoWhile || Trip);
    std::optional<int64_t> C = HasTest ? eval(S->E, S).scalar() : std::optional<int64_t>(1);
    if (C && !*C)
      break;
    if (!C && Trip < AssumedTrips && mayGoOnTogether(S)) {
      Assumed = true;
      C = 1;
    }
    if (!C || Trip == Limit || Steps > MaxSteps) {
      Result = skip({&S->Body, &S->Step});
      break;
    }
    Flow F = execute(S->Body);
    if (F == Flow::Stop) {
      Result = F;
      break;
    }
    if (F == Flow::Break)
      break;
    execute(S->Step);
  }
  --LoopDepth;
  // The loop may have been left after any trip.
  if (WasSure && !Sure && Result == Flow::Next)
    Result = skip({&S->Body, &S->Step});
  Sure = WasSure;
  Assumed = WasAssumed;
  return Result;
}

KernelSimulation::Flow KernelSimulation::branch(const Stmt *S) {
  if (std::optional<int64_t> C = eval(S->E, S).scalar())
    return execute(*C ? S->Body : S->Else);
  // if (t[l] > t[l + half]) t[l] = t[l + half]: stores for some data.
  if (!StoresOnly && onlyStores(S->Body) && mayHold(S->E, S)) {
    StoresOnly = true;
    execute(S->Body);
    StoresOnly = false;
  }
  // Both sides are executed for the addresses that they would touch, marked uncertain.
  for (const StmtList *Arm : {&S->Body, &S->Else}) {
    if (StoresOnly || MaybeSteps > MaxMaybeSteps)
      break;
    bool WasSure = std::exchange(Sure, false);
    unsigned Before = Steps;
    execute(*Arm);
    MaybeSteps += Steps - Before; // nested uncertain branches have counted theirs
    Steps = Before;
    Sure = WasSure;
    skip({Arm});
  }
  // The rest of the loop's body may not be executed.
  Sure = Sure && !leavesLoop(S->Body) && !leavesLoop(S->Else);
  return skip({&S->Body, &S->Else});
}

KernelSimulation::Flow KernelSimulation::execute(const Stmt *S) {
  if (++Steps > MaxSteps)
    return Flow::Stop;
  switch (S->K) {
  case StmtKind::Decl:
  case StmtKind::Assign:
    assign(S, S->E ? eval(S->E, S) : LaneValues());
    return Flow::Next;
  case StmtKind::Store:
    store(S);
    return Flow::Next;
  case StmtKind::If:
    return branch(S);
  case StmtKind::Loop:
    return loop(S);
  case StmtKind::Break:
    return Flow::Break;
  case StmtKind::Continue:
    return Flow::Continue;
  case StmtKind::Return:
    return Flow::Stop;
  case StmtKind::Opaque:
    if (S->Name.empty())
      return Flow::Stop;
    for (auto &[V, Value] : Variables)
      if (mayChange(*S, *V))
        Value = {};
    Private.clear();
    return Flow::Next;
  case StmtKind::ImageWrite:
    return Flow::Next;
  case StmtKind::Barrier:
    if (!Sure)
      return Flow::Stop;
    ++Epoch;
    return Flow::Next;
  case StmtKind::Atomic:
  case StmtKind::AsyncCopy:
  case StmtKind::Call:
    if (S->V)
      assign(S, {});
    return Flow::Next;
  }
  return Flow::Stop;
}

KernelSimulation::Flow KernelSimulation::execute(const StmtList &B) {
  for (const Stmt *S : B)
    if (Flow F = execute(S); F != Flow::Next)
      return F;
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

KernelSimulation::KernelSimulation(const KernelAnalysis &K) : K(K) {
  NDRangeUse Use = NDRangeUse::of(K.kernel());
  UsesGroups = K.kernel().ReqdWorkGroupSize.has_value() || Use.usesGroups();
}

void KernelSimulation::startItem(const Launch &L, int64_t N) {
  Position = {L.item(N), L.Local, L.Extent};
  Item = N;
  Epoch = 0;
  Sure = true;
  Assumed = false;
  LoopDepth = 0;
  Variables.clear();
  Private.clear();
  PrivateIds = 0;
}

const std::vector<Launch> &KernelSimulation::launches() {
  if (!Launches) {
    Launches = launchesFor(K);
    Traces.resize(Launches->size());
  }
  return *Launches;
}

/// Sets Done if the launch takes too many steps.
void KernelSimulation::simulate(size_t Number) {
  const Launch &L = launches()[Number];
  int64_t Items = L.Extent[0] * L.Extent[1] * L.Extent[2];
  if (Items < MinItems || Items > MaxItems) {
    Done = GaveUp = true;
    return;
  }
  auto Trace = std::make_unique<LaunchTrace>();
  Trace->L = L;
  Current = Trace.get();
  bool HasLoops =
      llvm::any_of(stmts(K.kernel().Body), [](const Stmt *S) { return S->K == StmtKind::Loop; });
  for (int64_t N = 0; N < Items; ++N) {
    unsigned Before = Steps;
    startItem(L, N);
    execute(K.kernel().Body);
    // Nothing is concluded from a single launch. Where no loop can be cut short, or all are, the
    // first work-item (the last) shows that the budget will not do for a second one.
    bool Tells = (N == 0 && !HasLoops) || N + 1 == Items;
    uint64_t Left = (Tells && N == 0 ? 2 * Items : Items) * uint64_t(Steps - Before);
    if (Number == 0 && Tells && Steps + Left > MaxSteps) {
      Done = GaveUp = true;
      return;
    }
    // If all work-items take as many steps as the first half of the first launch, the budget will
    // not do.
    if (!FewTrips && Number == 0 && N == Items / 2)
      FewTrips = Steps / (N + 1) * Items * Launches->size() > MaxSteps;
    if (Steps <= MaxSteps)
      continue;
    // The launches before the special ones are enough to conclude something.
    Done = true;
    GaveUp = !L.ForWindows && !L.AllDistinct && !L.Unbounded;
    return;
  }
  Traces[Number] = std::move(Trace);
}

const LaunchTrace *KernelSimulation::trace(size_t N) {
  for (size_t Needed : {size_t(0), N}) // the first one decides on FewTrips
    if (!Done && !launches().empty() && !Traces[Needed])
      simulate(Needed);
  return N < Traces.size() ? Traces[N].get() : nullptr;
}

} // namespace clmali::model
