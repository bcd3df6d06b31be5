//===-- rewriters/loops/Unroll.cpp - Loops of constant trip count ---------------===//
//
// What it does: replaces loops of constant trip count by copies of their bodies.
//
//   before                                after unrollConstantLoops
//   for (int c = 0; c < 2; ++c)           v = s[3 * i];
//     v = s[3 * i + c];                   v = s[3 * i + 1];
//
// Statements stay separate statements, so no floating-point contraction becomes possible.
//
// Limits: of loops that are left early, those of BoundedTrips.cpp; nothing in kernels with opaque
// nodes.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/Opaque.h"
#include "rewriters/loops/Unroller.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace clmali::rewrite {

/// Loops with loops inside are unrolled up to these trip counts; triangular: the bounds of the
/// inner loops depend on the outer counter.
static constexpr int64_t MaxOuterTrips = 4, MaxTriangularTrips = 16;
/// Iterations that may end early are nested. Those that are worth it are runs of a few elements;
/// long ones are borders that are done one by one.
static constexpr unsigned MaxBoundedNodes = 400;

unsigned countNodes(const StmtList &B) {
  unsigned N = 0;
  for (const Stmt *S : stmts(B)) {
    ++N;
    for ([[maybe_unused]] ExprAt E : exprs(*S))
      ++N;
  }
  return N;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool leavesEarly(const StmtList &B) {
  for (Stmt *S : B) {
    if (S->K == StmtKind::Break || S->K == StmtKind::Continue || S->K == StmtKind::Return)
      return true;
    if (S->K == StmtKind::Loop) {
      if (holds(S->Body, StmtKind::Return))
        return true;
      continue;
    }
    if (leavesEarly(S->Body) || leavesEarly(S->Else))
      return true;
  }
  return false;
}

bool holds(const StmtList &B, StmtKind K) {
  return llvm::any_of(stmts(B), [&](const Stmt *S) { return S->K == K; });
}

bool isAssigned(const StmtList &B, const Var *V) {
  return llvm::any_of(stmts(B), [&](const Stmt *S) { return S->V == V; });
}

bool isStable(const Expr *E, const StmtList &Body, const StmtList &Step) {
  return llvm::none_of(exprs(E), [&](ExprAt X) {
    return isRead(X->K) || X->K == ExprKind::Opaque || X->K == ExprKind::Call ||
           (X->K == ExprKind::VarRef && (isAssigned(Body, X->V) || isAssigned(Step, X->V)));
  });
}

/// The value of E, a load from a table of known values; null: not known.
static const Expr *tableValue(Module &M, const Expr *E) {
  constexpr int64_t MaxIndex = 65536;
  const Access &A = E->Acc;
  const Var *Base = A.Base;
  if (Base->K != Var::Memory || A.Volatile || A.Lanes != 1 ||
      (Base->Ints.empty() && Base->Floats.empty()))
    return nullptr;
  const Type *Elem = Base->Ty;
  while (Elem->K == Type::Array)
    Elem = Elem->Elem;
  if (!Elem->isScalar() || Elem->Scalar != A.Elem)
    return nullptr;
  int64_t Byte = A.Disp;
  for (unsigned I = 0; I < A.Index.size(); ++I) {
    std::optional<int64_t> C = constantValue(A.Index[I]);
    if (!C || *C < 0 || *C > MaxIndex)
      return nullptr;
    Byte += *C * A.Stride[I];
  }
  if (Byte % int64_t(Elem->Size))
    return nullptr;
  size_t At = Byte / Elem->Size;
  if (At < Base->Ints.size())
    return M.intConst(Base->Ints[At], Elem);
  if (At < Base->Floats.size() && std::isfinite(Base->Floats[At]))
    return M.floatConst(Base->Floats[At], Elem);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Copies of bodies
//===----------------------------------------------------------------------===//

Unroller::Unroller(const EditedKernel &E) : Edited(E), M(E.module()), K(E.kernel()) {
  for (const Stmt *S : stmts(K.Body))
    if (S->K != StmtKind::Decl && S->Acc.Base)
      Written.insert(S->Acc.Base);
}

/// A copy of B with its own variables for those that it declares.
StmtList Unroller::copy(const StmtList &B) {
  llvm::DenseMap<Var *, Var *> Fresh;
  walk(B, [&](Stmt *S) {
    if (S->K == StmtKind::Decl && !Fresh.contains(S->V)) {
      Var *V = M.newVar(S->V->K, "", S->V->Ty);
      *V = *S->V;
      // A copy of j_2 is j_3, not j_2_2.
      llvm::StringRef Base = llvm::StringRef(S->V->Name);
      llvm::StringRef Digits = Base.rsplit('_').second;
      if (!Digits.empty() && llvm::all_of(Digits, llvm::isDigit) && Digits.size() + 1 < Base.size())
        Base = Base.rsplit('_').first;
      V->Name = uniqueName(K, Base);
      K.Vars.push_back(V);
      Fresh[S->V] = V;
    }
    return true;
  });
  return cloneStmts(M, B, [&](Var *V) {
    Var *F = Fresh.lookup(V);
    return F ? F : V;
  });
}

/// E with loads from known tables replaced by their values.
const Expr *Unroller::fold(const Expr *E) {
  E = mapOperands(M, E, [&](const Expr *Op) { return fold(Op); });
  if (E->K == ExprKind::Load && !Written.contains(E->Acc.Base))
    if (const Expr *Value = tableValue(M, E))
      return Value;
  return E;
}

void Unroller::replace(StmtList &B, Var *V, const Expr *By) {
  auto Leaf = [&](const Expr *X) -> const Expr * {
    return X->K == ExprKind::VarRef && X->V == V ? By : nullptr;
  };
  walk(B, [&](Stmt *S) {
    mapExprs(M, *S, [&](const Expr *E) {
      const Expr *New = substitute(M, E, Leaf);
      return New == E ? E : simplify(M, fold(simplify(M, New)));
    });
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Trip counts
//===----------------------------------------------------------------------===//

/// E as Base + C of a signed type.
static std::pair<const Expr *, int64_t> splitSum(const Expr *E) {
  if (E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub)) {
    if (auto C = constantValue(E->Ops[1])) {
      auto [Base, D] = splitSum(E->Ops[0]);
      return {Base, D + (E->O == Op::Add ? *C : -*C)};
    }
    if (auto C = E->O == Op::Add ? constantValue(E->Ops[0]) : std::nullopt) {
      auto [Base, D] = splitSum(E->Ops[1]);
      return {Base, D + *C};
    }
  }
  return {E, 0};
}

/// How often the body runs. Also where only the distance of the bounds is constant:
/// for (j = y - 1; j <= y + 1; ++j), if signed, so that nothing wraps, or if the range of y is
/// known.
std::optional<int64_t> Unroller::trips(const Stmt *Loop, const CountedLoop &L,
                                       const KernelAnalysis &A) {
  if (leavesEarly(Loop->Body))
    return std::nullopt;
  return L.TripCount ? L.TripCount : distance(Loop, L, A);
}

/// The number of iterations, of which both bounds move together.
std::optional<int64_t> Unroller::distance(const Stmt *Loop, const CountedLoop &L,
                                          const KernelAnalysis &A) {
  ScalarKind Kind = L.V->Ty->Scalar;
  bool Unsigned = Kind == ScalarKind::UInt || Kind == ScalarKind::ULong;
  if (L.StepExpr || !L.Step || (!Unsigned && Kind != ScalarKind::Int && Kind != ScalarKind::Long) ||
      L.Lower->Ty != L.V->Ty || L.Bound->Ty != L.V->Ty ||
      (L.Lower->K == ExprKind::VarRef && L.Lower->V == L.V))
    return std::nullopt;
  auto [Low, LowC] = splitSum(L.Lower);
  auto [High, HighC] = splitSum(L.Bound);
  for (const Expr *Side : {Low, High})
    if (llvm::any_of(exprs(Side),
                     [](ExprAt X) { return isRead(X->K) || X->K == ExprKind::Opaque; }))
      return std::nullopt;
  if (!Unsigned) {
    // Signed sums do not wrap, whatever variables they are in: int end = i + 8.
    Poly Way = A.poly(L.Bound, Loop) - A.poly(L.Lower, Loop);
    if (!Way.isConstant())
      return std::nullopt;
    LowC = 0, HighC = Way.constantTerm();
  } else {
    if (!equal(Low, High))
      return std::nullopt;
    constexpr int64_t MaxConstant = 1 << 20;
    // y + 4294967295u is y - 1.
    auto Signed = [&](int64_t C) { return Kind == ScalarKind::UInt ? int64_t(int32_t(C)) : C; };
    LowC = Signed(LowC), HighC = Signed(HighC);
    Range R = A.range(Low, Loop);
    int64_t Most = Kind == ScalarKind::UInt ? int64_t(UINT32_MAX) : INT64_MAX;
    if (std::abs(LowC) > MaxConstant || std::abs(HighC) > MaxConstant ||
        std::abs(L.Step) > MaxConstant ||
        R.Lo + std::min({LowC, HighC, HighC + L.Step, LowC + L.Step}) < 0 ||
        R.Hi > Most - std::max({LowC, HighC, HighC + L.Step, LowC + L.Step, int64_t(0)}) -
                   std::abs(L.Step))
      return std::nullopt;
  }
  int64_t Distance = L.Step > 0 ? HighC - LowC : LowC - HighC, Step = std::abs(L.Step);
  switch (L.Compare) {
  case Op::LE:
  case Op::GE:
    ++Distance;
    break;
  case Op::NE:
    if (Distance % Step)
      return std::nullopt;
    break;
  default:
    break;
  }
  return Distance <= 0 ? 0 : (Distance + Step - 1) / Step;
}

//===----------------------------------------------------------------------===//
// Unrolling
//===----------------------------------------------------------------------===//

/// Adds B to Into. Returns where what follows goes: where B has a break, its other branch.
static StmtList *append(const StmtList &B, StmtList *Into) {
  for (Stmt *S : B) {
    Into->push_back(S);
    if (isBreak(S)) {
      S->Body.pop_back();
      Into = &S->Else;
    }
  }
  return Into;
}

/// The one statement that sets V, directly in the body or the step of Loop; null: there is none, or
/// others set V as well.
static Stmt *moveOf(Stmt *Loop, const Var *V) {
  Stmt *Move = nullptr;
  unsigned Moves = 0;
  for (StmtList *B : {&Loop->Body, &Loop->Step}) {
    for (const Stmt *S : stmts(*B))
      Moves += S->V == V;
    for (Stmt *S : *B)
      if (S->K == StmtKind::Assign && S->V == V)
        Move = S;
  }
  return Moves == 1 ? Move : nullptr;
}

/// Adds Trips copies of Loop's body to Into. False: it cannot be unrolled.
bool Unroller::unrollAll(Stmt *Loop, const CountedLoop &L, int64_t Trips, const Expr *Goes,
                         StmtList &Into) {
  Stmt *Move = moveOf(Loop, L.V);
  if (!Move)
    return false;
  bool Declared = false;
  for (Stmt *S : Loop->Init)
    Declared |= S->K == StmtKind::Decl && S->V == L.V;
  bool Known = !(L.Lower->K == ExprKind::VarRef && L.Lower->V == L.V);
  std::optional<int64_t> First = Known ? constantValue(L.Lower) : std::nullopt;
  // The uses of V may read its first value: nothing sets V any more.
  bool Direct = First || (Known && isStable(L.Lower, Loop->Body, Loop->Step));
  for (Stmt *S : Loop->Init)
    if (!(Direct && S->V == L.V))
      Into.push_back(S);
  auto valueAt = [&](int64_t Trip) {
    if (First)
      return M.intConst(*First + Trip * L.Step, L.V->Ty);
    const Expr *Base = Direct ? M.cast(L.Lower, L.V->Ty, true) : M.ref(L.V);
    return simplify(M, M.binary(Op::Add, Base, M.intConst(Trip * L.Step, L.V->Ty)));
  };
  std::vector<std::string> Comments = Loop->Comments;
  StmtList *At = &Into;
  for (int64_t Trip = 0; Trip < Trips; ++Trip) {
    if (Goes) {
      Stmt *If = M.newStmt(StmtKind::If, Loop->Range);
      If->E = Goes;
      StmtList One = {If};
      replace(One, L.V, valueAt(Trip));
      At->push_back(If);
      At = &If->Body;
    }
    StmtList Before, After;
    bool Moved = false;
    for (StmtList *B : {&Loop->Body, &Loop->Step})
      for (Stmt *S : *B) {
        if (S == Move)
          Moved = true;
        else
          (Moved ? After : Before).push_back(S);
      }
    // One copy, so that both halves share the variables that it declares.
    size_t Split = Before.size();
    Before.insert(Before.end(), After.begin(), After.end());
    StmtList Whole = Trip == 0 && Trips == 1 ? Before : copy(Before);
    StmtList Head(Whole.begin(), Whole.begin() + Split), Tail(Whole.begin() + Split, Whole.end());
    replace(Head, L.V, valueAt(Trip));
    replace(Tail, L.V, valueAt(Trip + 1));
    if (Trip == 0 && !Whole.empty()) {
      Stmt *Front = Head.empty() ? Tail.front() : Head.front();
      Front->Comments.insert(Front->Comments.begin(), Comments.begin(), Comments.end());
    } else {
      // The first copy has the comments.
      walk(Whole, [](Stmt *S) {
        S->Comments.clear();
        return true;
      });
    }
    At = append(Tail, append(Head, At));
  }
  if (!Declared) {
    Stmt *Last = M.newStmt(StmtKind::Assign, Loop->Range);
    Last->V = L.V;
    Last->E = valueAt(Trips);
    Into.push_back(Last);
  }
  return true;
}

/// True if bounds of loops in B depend on V, so that they are constant once V is.
static bool triangular(const StmtList &B, const Var *V) {
  return llvm::any_of(stmts(B), [&](const Stmt *S) {
    if (S->K != StmtKind::Loop)
      return false;
    return (S->E && mentions(S->E, V)) ||
           llvm::any_of(S->Init, [&](const Stmt *I) { return I->E && mentions(I->E, V); });
  });
}

bool Unroller::constantLoops(StmtList &B, const KernelAnalysis &A, unsigned MaxTrips,
                             unsigned MaxNodes) {
  bool Changed = false;
  StmtList Kept;
  for (Stmt *S : B) {
    // The analysis describes the loop as it was: query it before the body changes.
    std::optional<CountedLoop> L = S->K == StmtKind::Loop ? A.countedLoop(S) : std::nullopt;
    const bool Innermost = S->K == StmtKind::Loop && !holds(S->Body, StmtKind::Loop);
    forEachStmtList(
        *S, [&](StmtList &Nested) { Changed |= constantLoops(Nested, A, MaxTrips, MaxNodes); });
    std::optional<int64_t> Trips = L ? trips(S, *L, A) : std::nullopt;
    std::optional<BoundedLoop> Bounded = Innermost && !Trips ? boundedTrips(S, A) : std::nullopt;
    if (Bounded) {
      L = Bounded->Count;
      Trips = Bounded->Trips;
    }
    bool Fits = Trips && *Trips <= int64_t(MaxTrips) &&
                uint64_t(*Trips) * (countNodes(S->Body) + countNodes(S->Step)) <=
                    (Bounded ? std::min(MaxNodes, MaxBoundedNodes) : MaxNodes) &&
                (!holds(S->Body, StmtKind::Loop) || *Trips <= MaxOuterTrips ||
                 (*Trips <= MaxTriangularTrips && triangular(S->Body, L->V)));
    if (Fits && S->Form != Stmt::DoWhile &&
        unrollAll(S, *L, *Trips, Bounded ? Bounded->Goes : nullptr, Kept)) {
      Changed = true;
      continue;
    }
    Kept.push_back(S);
  }
  B = std::move(Kept);
  return Changed;
}

unsigned Unroller::constantLoops(unsigned MaxTrips, unsigned MaxNodes) {
  constexpr unsigned MaxPasses = 8;
  unsigned Passes = 0;
  // Bounds of inner loops may become constant when outer loops are unrolled.
  for (; Passes < MaxPasses; ++Passes) {
    if (!constantLoops(K.Body, *Edited.analysisNow(), MaxTrips, MaxNodes))
      break;
  }
  return Passes;
}

// v[k++] after unrolling.
unsigned propagateConstants(Module &M, Kernel &K, const llvm::StringSet<> &Kept) {
  constexpr unsigned MaxReplaced = 4096;
  unsigned N = 0;
  for (bool Changed = true; Changed && N < MaxReplaced;) {
    Changed = false;
    llvm::DenseMap<const Var *, unsigned> Defs;
    llvm::DenseMap<const Var *, const Expr *> Value;
    walk(K.Body, [&](Stmt *S) {
      if (!S->V || (S->K == StmtKind::Decl && !S->E))
        return true;
      ++Defs[S->V];
      bool Plain =
          (S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->LaneIdx.empty() && S->E;
      if (Plain && S->V->K == Var::Temp && S->V->Ty->isScalar() && S->V->Ty->isInteger() &&
          S->E->Ty == S->V->Ty && !Kept.contains(S->V->Name))
        if (auto C = constantValue(S->E))
          Value[S->V] = M.intConst(*C, S->V->Ty);
      return true;
    });
    walk(K.Body, [&](Stmt *S) {
      mapExprs(M, *S, [&](const Expr *E) {
        const Expr *New = substitute(M, E, [&](const Expr *X) -> const Expr * {
          if (X->K != ExprKind::VarRef || Defs.lookup(X->V) != 1)
            return nullptr;
          return Value.lookup(X->V);
        });
        if (New == E)
          return E;
        Changed = true;
        ++N;
        return simplify(M, New);
      });
      return true;
    });
  }
  return N;
}

llvm::StringSet<> namedConstants(const Kernel &K) {
  llvm::StringSet<> Names;
  for (const Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Decl && S->E && constantValue(S->E))
      Names.insert(S->V->Name);
  return Names;
}

unsigned unrollConstantLoops(const EditedKernel &E, unsigned MaxTrips, unsigned MaxNodes) {
  if (pattern::hasOpaqueParts(E.kernel()))
    return 0;
  unsigned N = Unroller(E).constantLoops(MaxTrips, MaxNodes);
  if (N) {
    splitLiveRanges(E.module(), E.kernel());
    propagateConstants(E.module(), E.kernel());
    E.edited();
  }
  return N;
}

} // namespace clmali::rewrite
