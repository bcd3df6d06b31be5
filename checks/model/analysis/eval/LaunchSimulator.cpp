//===-- checks/model/analysis/eval/LaunchSimulator.cpp - Small launches, tried out
//----------------===//
//
// See LaunchSimulator.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/eval/LaunchSimulator.h"
#include "checks/model/analysis/AnalysisImpl.h"
#include "checks/model/analysis/eval/SampleLaunches.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace clmali::model {

namespace {

/// The lanes of a value, each known or not. No lanes: nothing is known.
struct Value {
  llvm::SmallVector<std::optional<int64_t>, 4> Lanes;
  uint8_t Ids = 0; ///< bit d: an id of dimension d is in it; bit 4 + d: one that tells groups apart
  std::optional<int64_t> scalar() const { return Lanes.size() == 1 ? Lanes[0] : std::nullopt; }
};

Value known(int64_t V) {
  Value R;
  R.Lanes.push_back(V);
  return R;
}

struct Touch {
  uint16_t Item, Epoch; ///< Epoch: barriers that it has passed
  uint8_t Ids;
  bool Sure;    ///< false: a loop may have been left before, as data say
  bool Assumed; ///< in a loop that has as many rounds as data say, and some were taken
  int64_t Address;
};

/// Among the steps of all launches together.
constexpr unsigned MaxSteps = 8000000;
/// The same of those that data may let run.
constexpr unsigned MaxMaybeSteps = 2000000;
/// Of a loop, of one with loops in it, and of these; of any, where work-items take long.
constexpr unsigned MaxRounds = 40, MaxOuterRounds = 12, MaxInnerRounds = 6, MaxShortRounds = 3;

} // namespace

struct LaunchSimulator::Impl {
  explicit Impl(const KernelAnalysis &K) : K(K) {}

  const KernelAnalysis &K;
  using Site = std::pair<const Access *, const Stmt *>;
  /// For each launch what was touched.
  std::vector<std::map<Site, std::vector<Touch>>> Touched;
  std::vector<Launch> Launches;
  bool Done = false, GaveUp = false;

  void run();

  // --- one work-item
  enum class Flow { Next, Break, Continue, Stop };
  const Launch *L = nullptr;
  std::array<int64_t, 3> Global{};
  uint16_t Item = 0, Epoch = 0;
  unsigned Steps = 0, MaybeSteps = 0, LoopDepth = 0;
  bool Short = false; ///< few rounds
  bool Sure = true;   ///< no loop around may have been left
  bool Assumed = false;
  bool StoresOnly = false; ///< what is loaded here does not count
  llvm::DenseMap<const Var *, Value> Variables;
  std::map<std::pair<const Var *, int64_t>, int64_t> Private; ///< integers in arrays, by address

  Flow execute(const StmtList &B);
  Flow execute(const Stmt *S);
  Flow loop(const Stmt *S);
  Flow skip(llvm::ArrayRef<const StmtList *> Blocks);
  bool mayHold(const Expr *Cond, const Stmt *S);
  uint8_t PrivateIds = 0;
  void forget(const Var *Base);
  void assign(const Stmt *S, const Value &V);
  std::optional<Touch> touch(const Access &A, const Stmt *S, bool Counts = true);
  Value eval(const Expr *E, const Stmt *S);
  Value evalBinary(const Expr *E, const Stmt *S);
  Value evalCall(const Expr *E, const Stmt *S);
  std::optional<int64_t> query(const Expr *E) const;
};

/// An image changes no variable.
static bool keepsVariables(const Stmt &S) {
  return S.Text == "image access" || S.Text == "sampler_t";
}

/// V as a value of that type. Up to 32 bits it wraps; beyond, what does not fit is not known (an id
/// that goes below zero).
static std::optional<int64_t> fitted(__int128 V, ScalarKind Kind) {
  switch (Kind) {
  case ScalarKind::Char:
    return int8_t(V);
  case ScalarKind::UChar:
    return uint8_t(V);
  case ScalarKind::Short:
    return int16_t(V);
  case ScalarKind::UShort:
    return uint16_t(V);
  case ScalarKind::Int:
    return int32_t(V);
  case ScalarKind::UInt:
    return uint32_t(V);
  default:
    break;
  }
  Range R = rangeOf(Kind);
  if (V < R.Lo || V > R.Hi)
    return std::nullopt;
  return int64_t(V);
}

std::optional<int64_t> LaunchSimulator::Impl::query(const Expr *E) const {
  unsigned D = E->Dim;
  if (D > 2)
    return std::nullopt;
  int64_t Size = L->Local[D];
  switch (E->Query) {
  case WorkItemQuery::GlobalId:
    return Global[D];
  case WorkItemQuery::LocalId:
    return Global[D] % Size;
  case WorkItemQuery::GroupId:
    return Global[D] / Size;
  case WorkItemQuery::GlobalSize:
    return L->Extent[D];
  case WorkItemQuery::LocalSize:
    return Size;
  case WorkItemQuery::NumGroups:
    return L->Extent[D] / Size;
  case WorkItemQuery::GlobalOffset:
    return 0;
  case WorkItemQuery::WorkDim:
    return std::nullopt;
  }
  return std::nullopt;
}

/// x & (n - 1), where n is the launch's or the host's, and no power of two here: the kernel counts
/// on one.
static bool isBrokenMask(const KernelAnalysis &K, const Expr *Mask, std::optional<int64_t> Value,
                         unsigned Depth = 0) {
  if (!Value || (*Value >= 0 && llvm::isPowerOf2_64(uint64_t(*Value) + 1)))
    return false;
  while (Mask->K == ExprKind::Cast && Mask->C == CastOp::Convert)
    Mask = Mask->Ops[0];
  if (Mask->K == ExprKind::VarRef && Depth < 4)
    if (const Stmt *Def = K.singleDef(Mask->V); Def && Def->E)
      return isBrokenMask(K, Def->E, Value, Depth + 1);
  return Mask->K == ExprKind::Binary && Mask->O == Op::Sub && constantValue(Mask->Ops[1]) == 1;
}

Value LaunchSimulator::Impl::evalBinary(const Expr *E, const Stmt *S) {
  Value X = eval(E->Ops[0], S);
  if (E->O == Op::LogicalAnd || E->O == Op::LogicalOr) {
    std::optional<int64_t> V = X.scalar();
    bool Ends = E->O == Op::LogicalOr;
    if (V && (*V != 0) == Ends)
      return known(Ends);
    // Whether the other side is evaluated is not known, either.
    if (!V)
      return {};
    Value Y = eval(E->Ops[1], S);
    return Y.scalar() ? known(*Y.scalar() != 0) : Value();
  }
  Value Y = eval(E->Ops[1], S), R;
  R.Ids = X.Ids | Y.Ids;
  if (!E->Ty->isValue() || !E->Ops[0]->Ty->isInteger() || X.Lanes.size() != Y.Lanes.size())
    return R;
  for (auto [A, B] : llvm::zip_equal(X.Lanes, Y.Lanes)) {
    std::optional<int64_t> Result;
    if (A && B) {
      __int128 P = *A, Q = *B;
      bool Left = E->O == Op::And && isBrokenMask(K, E->Ops[0], A),
           Right = E->O == Op::And && isBrokenMask(K, E->Ops[1], B);
      if (Left != Right) {
        // What the mask is for: the remainder, that of -1 too.
        __int128 Size = (Left ? P : Q) + 1, Of = Left ? Q : P;
        if (Size > 0)
          Result = fitted((Of % Size + Size) % Size, E->Ty->Scalar);
        R.Lanes.push_back(Result);
        continue;
      }
      switch (E->O) {
      case Op::Add:
        Result = fitted(P + Q, E->Ty->Scalar);
        break;
      case Op::Sub:
        Result = fitted(P - Q, E->Ty->Scalar);
        break;
      case Op::Mul:
        Result = fitted(P * Q, E->Ty->Scalar);
        break;
      case Op::Div:
        if (Q)
          Result = fitted(P / Q, E->Ty->Scalar);
        break;
      case Op::Rem:
        if (Q)
          Result = fitted(P % Q, E->Ty->Scalar);
        break;
      case Op::And:
        Result = *A & *B;
        break;
      case Op::Or:
        Result = *A | *B;
        break;
      case Op::Xor:
        Result = *A ^ *B;
        break;
      case Op::Shl:
        if (Q >= 0 && Q < 31 && P >= 0)
          Result = fitted(P << int(Q), E->Ty->Scalar);
        break;
      case Op::Shr:
        if (Q >= 0 && Q < 63 && P >= 0)
          Result = int64_t(P >> int(Q));
        break;
      case Op::LT:
        Result = P < Q;
        break;
      case Op::LE:
        Result = P <= Q;
        break;
      case Op::GT:
        Result = P > Q;
        break;
      case Op::GE:
        Result = P >= Q;
        break;
      case Op::EQ:
        Result = P == Q;
        break;
      case Op::NE:
        Result = P != Q;
        break;
      default:
        break;
      }
      if (Result && isComparison(E->O) && E->Ty->Lanes > 1)
        Result = -*Result;
    }
    R.Lanes.push_back(Result);
  }
  return R;
}

Value LaunchSimulator::Impl::evalCall(const Expr *E, const Stmt *S) {
  llvm::SmallVector<Value, 3> In;
  Value R;
  for (const Expr *X : E->Ops) {
    In.push_back(eval(X, S));
    R.Ids |= In.back().Ids;
  }
  if (!E->Ty->isInteger() || In.empty())
    return R;
  llvm::StringRef Name = E->Name;
  // Of a scalar the sign counts as well.
  if (bool All = Name == "all"; All || Name == "any") {
    auto Decides = [&](const auto &Lane) { return Lane && (*Lane < 0) != All; };
    if (llvm::any_of(In[0].Lanes, Decides) ||
        (!In[0].Lanes.empty() &&
         llvm::all_of(In[0].Lanes, [](const auto &Lane) { return Lane.has_value(); })))
      R.Lanes.push_back(llvm::any_of(In[0].Lanes, Decides) != All);
    return R;
  }
  for (unsigned Lane = 0; Lane < In[0].Lanes.size(); ++Lane) {
    llvm::SmallVector<__int128, 3> V;
    for (const Value &X : In) {
      unsigned Of = X.Lanes.size() == 1 ? 0 : Lane;
      if (Of < X.Lanes.size() && X.Lanes[Of])
        V.push_back(*X.Lanes[Of]);
    }
    std::optional<int64_t> Result;
    if (V.size() == In.size()) {
      if (Name == "min" && V.size() == 2)
        Result = int64_t(std::min(V[0], V[1]));
      else if (Name == "max" && V.size() == 2)
        Result = int64_t(std::max(V[0], V[1]));
      else if (Name == "clamp" && V.size() == 3)
        Result = int64_t(std::min(std::max(V[0], V[1]), V[2]));
      else if (Name == "mul24" && V.size() == 2)
        Result = fitted(V[0] * V[1], E->Ty->Scalar);
      else if (Name == "mad24" && V.size() == 3)
        Result = fitted(V[0] * V[1] + V[2], E->Ty->Scalar);
      else if (Name == "abs" && V.size() == 1)
        Result = int64_t(V[0] < 0 ? -V[0] : V[0]);
    }
    R.Lanes.push_back(Result);
  }
  return R;
}

Value LaunchSimulator::Impl::eval(const Expr *E, const Stmt *S) {
  if (++Steps > MaxSteps)
    return {};
  switch (E->K) {
  case ExprKind::IntConst:
    return known(E->Int);
  case ExprKind::WorkItem: {
    Value R;
    R.Lanes.push_back(query(E));
    bool OfLaunch = E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::GroupId;
    if (OfLaunch || E->Query == WorkItemQuery::LocalId)
      R.Ids =
          (E->Query == WorkItemQuery::GroupId ? 0 : 1 << E->Dim) | (OfLaunch ? 16 << E->Dim : 0);
    return R;
  }
  case ExprKind::VarRef: {
    if (auto It = L->Arguments.find(E->V); It != L->Arguments.end())
      return {It->second, 0};
    auto It = Variables.find(E->V);
    return It == Variables.end() ? Value() : It->second;
  }
  case ExprKind::Unary: {
    Value R = eval(E->Ops[0], S);
    for (auto &Lane : R.Lanes)
      if (Lane)
        Lane = E->O == Op::Neg ? fitted(-__int128(*Lane), E->Ty->Scalar)
               : E->O == Op::LogicalNot
                   ? std::optional<int64_t>(E->Ty->Lanes > 1 ? -!*Lane : !*Lane)
               : E->O == Op::BitNot ? fitted(~*Lane, E->Ty->Scalar)
                                    : std::nullopt;
    return R;
  }
  case ExprKind::Binary:
    return evalBinary(E, S);
  case ExprKind::Cast: {
    Value R = eval(E->Ops[0], S);
    if (!E->Ty->isInteger() || !E->Ops[0]->Ty->isInteger() || E->C == CastOp::Bitcast)
      return {};
    if (E->C == CastOp::Splat && R.Lanes.size() == 1)
      R.Lanes.resize(E->Ty->Lanes, R.Lanes[0]);
    for (auto &Lane : R.Lanes)
      if (Lane)
        Lane = E->Ty->Scalar == ScalarKind::Bool ? std::optional<int64_t>(*Lane != 0)
                                                 : fitted(*Lane, E->Ty->Scalar);
    return R;
  }
  case ExprKind::Select: {
    Value Chooses = eval(E->Ops[0], S);
    std::optional<int64_t> C = Chooses.scalar();
    if (!C)
      return {};
    Value R = eval(E->Ops[*C ? 1 : 2], S);
    R.Ids |= Chooses.Ids;
    return R;
  }
  case ExprKind::Load: {
    std::optional<Touch> T = touch(E->Acc, S, /*Counts=*/!StoresOnly);
    // A table of constants.
    const Var *Base = E->Acc.Base;
    unsigned Size = sizeInBytes(E->Acc.Elem);
    if (T && !Base->Ints.empty() && E->Acc.Lanes == 1 && T->Address >= 0 &&
        T->Address % Size == 0 && size_t(T->Address / Size) < Base->Ints.size())
      return known(Base->Ints[T->Address / Size]);
    if (auto It = Private.end();
        T && E->Acc.Lanes == 1 && (It = Private.find({Base, T->Address})) != Private.end()) {
      Value R = known(It->second);
      R.Ids = T->Ids | PrivateIds;
      return R;
    }
    return {};
  }
  case ExprKind::Swizzle: {
    Value X = eval(E->Ops[0], S), R = X;
    R.Lanes.clear();
    for (unsigned Lane : E->LaneIdx)
      R.Lanes.push_back(Lane < X.Lanes.size() ? X.Lanes[Lane] : std::nullopt);
    return R;
  }
  case ExprKind::VectorCtor: {
    Value R;
    for (const Expr *X : E->Ops) {
      Value V = eval(X, S);
      R.Ids |= V.Ids;
      if (V.Lanes.size() != X->Ty->Lanes)
        V.Lanes.assign(X->Ty->Lanes, std::nullopt);
      R.Lanes.append(V.Lanes.begin(), V.Lanes.end());
    }
    return R;
  }
  case ExprKind::Call:
    return evalCall(E, S);
  case ExprKind::FloatConst:
    return {};
  case ExprKind::Opaque: {
    for (const Expr *X : E->Ops)
      eval(X, S);
    Value R;
    if (!E->Name.empty() && E->Ty->isInteger()) // an image's size
      R.Lanes.assign(E->Ty->Lanes, L->ImageSize);
    return R;
  }
  }
  return {};
}

/// Keeps where an access goes, if that is known.
std::optional<Touch> LaunchSimulator::Impl::touch(const Access &A, const Stmt *S, bool Counts) {
  Touch T{Item, Epoch, 0, Sure, Assumed, A.Disp};
  bool Known = true;
  for (auto [Index, Stride] : llvm::zip_equal(A.Index, A.Stride)) {
    Value V = eval(Index, S);
    T.Ids |= V.Ids;
    std::optional<int64_t> N = V.scalar();
    Known &= N.has_value();
    T.Address += N.value_or(0) * Stride;
  }
  // Outside of the buffer nobody meets anybody.
  if (!Known || T.Address < 0)
    return std::nullopt;
  if (Counts && (A.Base->space() == AddressSpace::Global || A.Base->space() == AddressSpace::Local))
    Touched.back()[{&A, S}].push_back(T);
  return T;
}

/// An array whose elements are not known any more.
void LaunchSimulator::Impl::forget(const Var *Base) {
  Private.erase(Private.lower_bound({Base, INT64_MIN}), Private.upper_bound({Base, INT64_MAX}));
}

void LaunchSimulator::Impl::assign(const Stmt *S, const Value &V) {
  if (!S->V || S->V->isMemory())
    return;
  if (S->LaneIdx.empty()) {
    Variables[S->V] = V;
    return;
  }
  Value &Into = Variables[S->V];
  Into.Lanes.resize(S->V->Ty->Lanes);
  for (auto [N, Lane] : llvm::enumerate(S->LaneIdx))
    if (Lane < Into.Lanes.size())
      Into.Lanes[Lane] = N < V.Lanes.size() ? V.Lanes[N] : std::nullopt;
  Into.Ids |= V.Ids;
}

/// Do these leave the loop that they stand in, or end its round?
static bool leavesLoop(const StmtList &B) {
  return llvm::any_of(B, [](const Stmt *S) {
    return S->K == StmtKind::Break || S->K == StmtKind::Continue ||
           (S->K == StmtKind::If && (leavesLoop(S->Body) || leavesLoop(S->Else)));
  });
}

/// The load that E is, by itself or through a variable.
static const Expr *loadOf(const KernelAnalysis &K, const Expr *E) {
  while (E->K == ExprKind::Cast)
    E = E->Ops[0];
  if (const Stmt *Def = E->K == ExprKind::VarRef ? K.singleDef(E->V) : nullptr; Def && Def->E)
    return loadOf(K, Def->E);
  return E->K == ExprKind::Load && E->Acc.Base->isMemory() &&
                 E->Acc.Base->space() != AddressSpace::Private
             ? E
             : nullptr;
}

/// Is C an order of two elements of one buffer, or several conditions of which the others hold?
/// There are data for which it holds, whatever else is asked of other elements.
bool LaunchSimulator::Impl::mayHold(const Expr *C, const Stmt *S) {
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

/// Nothing but stores of such elements, and what they are computed of.
static bool onlyStores(const StmtList &B) {
  return llvm::all_of(B, [](const Stmt *S) {
    return S->K == StmtKind::Decl || S->K == StmtKind::Assign || S->K == StmtKind::Store;
  });
}

/// Whether these run is not known: what they assign is not known behind them.
LaunchSimulator::Impl::Flow LaunchSimulator::Impl::skip(llvm::ArrayRef<const StmtList *> Blocks) {
  bool Leaves = false;
  for (const StmtList *B : Blocks)
    walk(*B, [&](Stmt *S) {
      ++Steps;
      Leaves |= S->K == StmtKind::Return || S->K == StmtKind::Barrier ||
                (S->K == StmtKind::Opaque && !keepsVariables(*S));
      if (S->V && !S->V->isMemory())
        Variables[S->V] = {};
      if (S->K == StmtKind::Store && S->Acc.Base->space() == AddressSpace::Private)
        forget(S->Acc.Base);
      return true;
    });
  return Leaves ? Flow::Stop : Flow::Next;
}

LaunchSimulator::Impl::Flow LaunchSimulator::Impl::loop(const Stmt *S) {
  if (Flow F = execute(S->Init); F == Flow::Stop)
    return F;
  ++LoopDepth;
  bool HasLoops = false;
  walk(S->Body, [&](Stmt *Inner) {
    ++Steps;
    HasLoops |= Inner->K == StmtKind::Loop;
    return !HasLoops;
  });
  bool WasSure = Sure, WasAssumed = Assumed;
  unsigned Limit = Short           ? MaxShortRounds
                   : LoopDepth > 1 ? MaxInnerRounds
                   : HasLoops      ? MaxOuterRounds
                                   : MaxRounds;
  Flow Result = Flow::Next;
  for (unsigned Round = 0;; ++Round) {
    bool Asks = S->E && (S->Form != Stmt::DoWhile || Round);
    std::optional<int64_t> C = Asks ? eval(S->E, S).scalar() : std::optional<int64_t>(1);
    if (C && !*C)
      break;
    // As long as memory says, but the same for the whole group: two rounds are as good as any.
    if (!C && Round < 2 && Result == Flow::Next && K.varies(S->E, S).uniform()) {
      Assumed = true;
      C = 1;
    }
    if (!C || Round == Limit || Steps > MaxSteps) {
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
  // Behind a loop that may have been left, nobody knows when.
  if (WasSure && !Sure && Result == Flow::Next)
    Result = skip({&S->Body, &S->Step});
  Sure = WasSure;
  Assumed = WasAssumed;
  return Result;
}

LaunchSimulator::Impl::Flow LaunchSimulator::Impl::execute(const Stmt *S) {
  if (++Steps > MaxSteps)
    return Flow::Stop;
  switch (S->K) {
  case StmtKind::Decl:
  case StmtKind::Assign:
    assign(S, S->E ? eval(S->E, S) : Value());
    return Flow::Next;
  case StmtKind::Store: {
    Value V = eval(S->E, S);
    std::optional<Touch> T = touch(S->Acc, S);
    const Var *Base = S->Acc.Base;
    if (Base->space() == AddressSpace::Private && (!T || S->Acc.Lanes != 1))
      forget(Base);
    else if (Base->space() == AddressSpace::Private) {
      Private.erase({Base, T->Address});
      if (V.scalar())
        Private[{Base, T->Address}] = *V.scalar();
      PrivateIds |= V.Ids;
    }
    return Flow::Next;
  }
  case StmtKind::If: {
    std::optional<int64_t> C = eval(S->E, S).scalar();
    if (C)
      return execute(*C ? S->Body : S->Else);
    // t[l] = min(t[l], t[l + half]), as a branch: it stores for some data.
    if (!StoresOnly && onlyStores(S->Body) && mayHold(S->E, S)) {
      StoresOnly = true;
      execute(S->Body);
      StoresOnly = false;
    }
    // Where they would be, if data let them get there: a window of what is not missing.
    for (const StmtList *Arm : {&S->Body, &S->Else}) {
      if (StoresOnly || MaybeSteps > MaxMaybeSteps)
        break;
      bool WasSure = std::exchange(Sure, false);
      unsigned Before = Steps;
      execute(*Arm);
      MaybeSteps += Steps - Before; // arms within have counted theirs
      Steps = Before;
      Sure = WasSure;
      skip({Arm});
    }
    // What follows in the loop may not run.
    Sure = Sure && !leavesLoop(S->Body) && !leavesLoop(S->Else);
    return skip({&S->Body, &S->Else});
  }
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
      return keepsVariables(*S) ? Flow::Next : Flow::Stop;
    for (auto &[V, Known] : Variables)
      if (mayChange(*S, *V))
        Known = {};
    Private.clear();
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

LaunchSimulator::Impl::Flow LaunchSimulator::Impl::execute(const StmtList &B) {
  for (const Stmt *S : B)
    if (Flow F = execute(S); F != Flow::Next)
      return F;
  return Flow::Next;
}

void LaunchSimulator::Impl::run() {
  Done = true;
  Launches = launchesFor(K);
  for (const Launch &Now : Launches) {
    L = &Now;
    Touched.emplace_back();
    int64_t Items = Now.Extent[0] * Now.Extent[1] * Now.Extent[2];
    if (Items < 2 || Items > 4096) {
      GaveUp = true;
      return;
    }
    for (int64_t N = 0; N < Items; ++N) {
      Global = Now.item(N);
      Item = N;
      Epoch = 0;
      Sure = true;
      Assumed = false;
      LoopDepth = 0;
      Variables.clear();
      Private.clear();
      PrivateIds = 0;
      execute(K.kernel().Body);
      // All of them as long as the first: too long.
      if (!Short && &Now == &Launches.front() && N == Items / 2)
        Short = Steps / (N + 1) * Items * Launches.size() > MaxSteps;
      if (Steps <= MaxSteps)
        continue;
      // The launches before those for windows are enough to say something.
      GaveUp = !Now.ForWindows && !Now.ForPlaces && !Now.Unbounded;
      size_t Whole = &Now - Launches.data();
      Launches.resize(Whole);
      Touched.resize(Whole);
      return;
    }
  }
}

/// May these two be launched together, and does nothing order them? In a dimension that an address
/// does not ask for, a kernel may count on a single work-item or, where it asks for local ids only,
/// on a single group.
static bool unordered(const Launch &L, const Touch &X, const Touch &Y, bool OneGroup,
                      bool KnowsGroups) {
  std::array<int64_t, 3> P = L.item(X.Item), Q = L.item(Y.Item);
  bool SameGroup = true;
  // What tells groups apart, tells work-items of different groups apart. Of one group are several
  // where one of the addresses asks for their ids: x[id] += x[i], for each i.
  unsigned Both = X.Ids & Y.Ids, Either = X.Ids | Y.Ids,
           Asked = (X.Ids | X.Ids >> 4) & (Y.Ids | Y.Ids >> 4);
  for (unsigned D = 0; D < 3; ++D) {
    bool Apart = P[D] / L.Local[D] != Q[D] / L.Local[D];
    SameGroup &= !Apart;
    // Who counts by global ids alone counts on no group: x[id] = ..; with what all others held
    // before a barrier.
    if (!KnowsGroups ? P[D] != Q[D] && !(Either >> D & 1)
                     : (P[D] != Q[D] && !((Apart ? Asked : Either) >> D & 1)) ||
                           (Apart && !(Both >> (4 + D) & 1)))
      return false;
  }
  return X.Item != Y.Item && (SameGroup ? X.Epoch == Y.Epoch : !OneGroup);
}

static int64_t widthOf(const Access &A) { return int64_t(sizeInBytes(A.Elem)) * A.Lanes; }

/// Does the kernel ask for anything of groups?
static bool asksForGroups(const Kernel &K) {
  bool Asks = K.ReqdWorkGroupSize.has_value();
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Asks |= E->K == ExprKind::WorkItem && E->Query != WorkItemQuery::GlobalId &&
                E->Query != WorkItemQuery::GlobalSize && E->Query != WorkItemQuery::GlobalOffset &&
                E->Query != WorkItemQuery::WorkDim;
        return !Asks;
      });
    });
    return !Asks;
  });
  return Asks;
}

/// for (..) { tile[l] = ..; barrier(..); .. tile[k] ..; }: a loop with a barrier that has both in
/// it.
static bool sharesTileLoop(const AccessSite &A, const AccessSite &B) {
  return llvm::any_of(A.Loops, [&](const Stmt *Loop) {
    return llvm::is_contained(B.Loops, Loop) &&
           llvm::any_of(Loop->Body, [](const Stmt *S) { return S->K == StmtKind::Barrier; });
  });
}

bool LaunchSimulator::meet(const AccessSite &Write, const AccessSite &Read, bool MaybeToo) {
  if (!I->Done)
    I->run();
  if (I->GaveUp)
    return false;
  // Rows that are shorter than the launch overlap whatever is done in them: one with longer rows
  // has to be seen.
  bool LongRows = false;
  bool Local = Write.A->Base->space() == AddressSpace::Local, OneGroup = Local || Read.IsWrite;
  unsigned Meetings = 0;
  bool KnowsGroups = Local || asksForGroups(I->K.kernel());
  bool Rounds = Local && !Read.IsWrite && sharesTileLoop(Write, Read);
  for (auto [L, Touched] : llvm::zip_equal(I->Launches, I->Touched)) {
    auto Writes = Touched.find({Write.A, Write.S}), Reads = Touched.find({Read.A, Read.S});
    if (Writes == Touched.end() || Reads == Touched.end() || L.ForWindows)
      continue; // nobody gets there
    int64_t WrittenBytes = widthOf(*Write.A), ReadBytes = widthOf(*Read.A);
    std::unordered_multimap<int64_t, const Touch *> ByAddress;
    std::set<uint16_t> Items;
    for (const Touch &T : Reads->second)
      if (T.Sure || MaybeToo) {
        ByAddress.emplace(T.Address, &T);
        Items.insert(T.Item);
      }
    for (const Touch &T : Writes->second)
      if (T.Sure || MaybeToo)
        Items.insert(T.Item);
    // One alone meets nobody, and a loop of one round does not say what its rounds do to each
    // other.
    if (Items.size() < 2 || (Rounds && Writes->second.size() <= Items.size()))
      continue;
    bool Any = false;
    for (const Touch &W : Writes->second)
      for (int64_t Address = W.Address - ReadBytes + 1;
           (W.Sure || MaybeToo) && Address < W.Address + WrittenBytes && !Any; ++Address)
        for (auto [It, End] = ByAddress.equal_range(Address); It != End && !Any; ++It)
          Any = unordered(L, W, *It->second, OneGroup, KnowsGroups);
    if (!Any)
      return false;
    Meetings += !L.ForPlaces;
    LongRows |= L.LongRows;
  }
  return Meetings >= 2 && (LongRows || Local);
}

/// for (j = id + 1; j < n; ++j) x[j], or for (j = 0; j < id; ++j) x[j]: all others before, or
/// behind.
static bool isTriangle(const KernelAnalysis &K, const AccessSite &Site) {
  bool Moves = llvm::any_of(Site.Bytes.Terms, [&](const auto &Term) {
    return llvm::any_of(Term.first, [&](unsigned S) {
      return K.symbol(S).K == SymbolInfo::WorkItem && K.symbol(S).Varies.Item;
    });
  });
  return llvm::any_of(Site.Loops, [&](const Stmt *L) {
    std::optional<CountedLoop> Counted = K.countedLoop(L);
    if (!Counted || !Counted->Lower || !Counted->Bound || Counted->StepExpr)
      return false;
    bool From = K.varies(Counted->Lower, L).Item, To = K.varies(Counted->Bound, L).Item;
    return From != To && From == Moves;
  });
}

double LaunchSimulator::readers(llvm::ArrayRef<const AccessSite *> Reads) {
  if (llvm::any_of(Reads, [&](const AccessSite *Read) { return isTriangle(I->K, *Read); }))
    return 0;
  if (!I->Done)
    I->run();
  double Least = 0;
  unsigned Launches = 0;
  // Rows that are shorter than the launch overlap without being windows. A loop that moves by steps
  // of constant length, as the ids do, is a window whatever the rows are. So it is where the rows
  // are as long as the launch.
  bool Large = llvm::any_of(Reads, [&](const AccessSite *Read) {
    bool Steps = false, MovesWithIds = false;
    for (const auto &[Mono, Coefficient] : Read->Bytes.Terms) {
      if (Mono.size() > 1 && llvm::any_of(Mono, [&](unsigned S) {
            const SymbolInfo &Info = I->K.symbol(S);
            return Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::GlobalSize;
          }))
        return true;
      SymbolInfo::Kind Kind = Mono.size() == 1 ? I->K.symbol(Mono.front()).K : SymbolInfo::Param;
      Steps |= Kind == SymbolInfo::LoopVar || Kind == SymbolInfo::Iteration;
      MovesWithIds |= Kind == SymbolInfo::WorkItem;
    }
    return Steps && MovesWithIds;
  });
  if (I->GaveUp)
    return 0;
  for (auto [L, Touched] : llvm::zip_equal(I->Launches, I->Touched)) {
    std::map<int64_t, std::vector<uint16_t>> Readers;       // by address
    std::map<uint16_t, std::pair<int64_t, int64_t>> Window; // of each item: the first and the last
    size_t All = 0, OfNobody = 0;
    if (L.ForPlaces || L.Unbounded)
      continue;
    for (const AccessSite *Read : Reads) {
      auto Found = Touched.find({Read->A, Read->S});
      if (Found == Touched.end())
        continue;
      for (const Touch &T : Found->second) {
        if (T.Assumed)
          continue;
        ++All;
        OfNobody += !T.Ids;
        Readers[T.Address].push_back(T.Item);
        auto &[First, Last] = Window.try_emplace(T.Item, T.Address, T.Address).first->second;
        First = std::min(First, T.Address);
        Last = std::max(Last, T.Address);
      }
    }
    if (OfNobody * 2 > All)
      continue;
    std::set<std::pair<int64_t, int64_t>> Places;
    for (const auto &[Item, Place] : Window)
      Places.insert(Place);
    std::vector<size_t> Counts;
    size_t Pairs = 0;
    for (auto &[Address, Items] : Readers) {
      llvm::sort(Items);
      Counts.push_back(std::unique(Items.begin(), Items.end()) - Items.begin());
      Pairs += Counts.back();
    }
    // They have places of their own, unless the rows are shorter than the launch; few may get there
    // at all.
    if (Places.size() * 2 < Window.size() || Window.size() < 8)
      continue;
    // Each window has several elements.
    if (Pairs < 2 * Window.size())
      return 0;
    // The borders have fewer, a few elements that all share have more.
    llvm::sort(Counts);
    double Here = double(Counts[Counts.size() / 2]);
    Least = Launches ? std::min(Least, Here) : Here;
    ++Launches;
    Large |= L.ImageSize > *llvm::max_element(L.Extent);
  }
  return Launches > 1 && Large ? Least : 0;
}

std::optional<int64_t> LaunchSimulator::pace(const AccessSite &Site, unsigned Dim) {
  if (!I->Done)
    I->run();
  if (I->GaveUp)
    return std::nullopt;
  std::optional<int64_t> Pace;
  unsigned Launches = 0;
  for (auto [L, Touched] : llvm::zip_equal(I->Launches, I->Touched)) {
    auto Found = Touched.find({Site.A, Site.S});
    // Rows that are as long as the launch, or shorter, say nothing of what their ends are for.
    if (Found == Touched.end() || L.ForWindows || L.ForPlaces || L.Unbounded ||
        L.ImageSize <= 2 * L.Extent[Dim])
      continue;
    std::map<uint16_t, std::vector<int64_t>> Of; // of each item, one after another
    for (const Touch &T : Found->second)
      if (!T.Assumed)
        Of[T.Item].push_back(T.Address);
    std::map<int64_t, size_t> Steps;
    size_t All = 0;
    int64_t Next = Dim == 0 ? 1 : Dim == 1 ? L.Extent[0] : L.Extent[0] * L.Extent[1];
    for (const auto &[Item, Addresses] : Of) {
      if (L.item(Item)[Dim] + 1 == L.Extent[Dim])
        continue;
      auto Neighbour = Of.find(Item + Next);
      if (Neighbour == Of.end() || Neighbour->second.size() != Addresses.size())
        continue;
      for (auto [A, B] : llvm::zip_equal(Addresses, Neighbour->second)) {
        ++Steps[B - A];
        ++All;
      }
    }
    if (All < 8)
      continue;
    auto Most =
        llvm::max_element(Steps, [](const auto &A, const auto &B) { return A.second < B.second; });
    if (Most->second * 4 < All * 3 || (Pace && *Pace != Most->first))
      return std::nullopt;
    Pace = Most->first;
    ++Launches;
  }
  return Launches > 1 ? Pace : std::nullopt;
}

LaunchSimulator::LaunchSimulator(const KernelAnalysis &K) : I(std::make_unique<Impl>(K)) {}
LaunchSimulator::~LaunchSimulator() = default;

} // namespace clmali::model
