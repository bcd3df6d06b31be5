//===-- rewriters/loops/Unroll.cpp - Loops become plain statements --------------===//
//
// What it does: unrolls loops of constant trip count, and innermost loops by a
// factor:
//
//   before                                after unrollConstantLoops
//   for (int c = 0; c < 2; ++c)           v = s[3 * i];
//     v = s[3 * i + c];                   v = s[3 * i + 1];
//
//   before                                after unrollInner, Factor 4
//   for (int k = 0; k < n; ++k)           int k = 0;
//     t += a[k];                          for (; k < (n & ~3); k += 4) {
//                                           t += a[k]; ... t += a[k + 3];
//                                         }
//                                         for (; k < n; ++k)
//                                           t += a[k];
//
// Rounds that become lanes instead of copies: LoopLanes.cpp.
//
// The bound n & ~3 rounds towards minus infinity, so it is right for every n of
// every type, 0, negative numbers and the largest included. Statements stay
// statements of their own: no floating-point contraction becomes possible.
//
// Limits: no loop that is left early; nothing in kernels with opaque nodes.
// A bound in memory is loaded once, where the loop writes nothing.
//
//===----------------------------------------------------------------------===//

#include "rewriters/loops/LoopLanes.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

namespace clmali::rewrite {

using namespace model;

unsigned countNodes(const StmtList &B) {
  unsigned N = 0;
  walk(B, [&](Stmt *S) {
    ++N;
    forEachExpr(*S, [&](const Expr *E) {
      walk(E, [&](const Expr *) {
        ++N;
        return true;
      });
    });
    return true;
  });
  return N;
}

namespace {

//===----------------------------------------------------------------------===//
// What both need
//===----------------------------------------------------------------------===//

/// Is Loop left, or a round of it cut short, other than by its condition?
bool leavesEarly(const StmtList &B) {
  for (Stmt *S : B) {
    if (S->K == StmtKind::Break || S->K == StmtKind::Continue || S->K == StmtKind::Return)
      return true;
    if (S->K == StmtKind::Loop) {
      bool Returns = false;
      walk(S->Body, [&](Stmt *T) { return !(Returns |= T->K == StmtKind::Return); });
      if (Returns)
        return true;
      continue;
    }
    if (leavesEarly(S->Body) || leavesEarly(S->Else))
      return true;
  }
  return false;
}

bool holds(const StmtList &B, StmtKind K) {
  bool Found = false;
  walk(B, [&](Stmt *S) { return !(Found |= S->K == K); });
  return Found;
}

bool isAssigned(const StmtList &B, const Var *V) {
  bool Found = false;
  walk(B, [&](Stmt *S) { return !(Found |= S->V == V); });
  return Found;
}

/// A load from a table of known values, as the value.
const Expr *tableValue(Module &M, const Expr *E) {
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
    if (!C || *C < 0 || *C > 65536)
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

class Unroller {
public:
  Unroller(Module &M, Kernel &K) : M(M), K(K) {
    // Tables that the kernel itself writes have no known values.
    walk(K.Body, [&](Stmt *S) {
      if (S->K != StmtKind::Decl && S->Acc.Base)
        Written.insert(S->Acc.Base);
      return true;
    });
  }
  unsigned constantLoops(unsigned MaxTrips, unsigned MaxNodes);
  unsigned inner(unsigned Factor, LoopLanes *AsLanes = nullptr);

private:
  Module &M;
  Kernel &K;
  llvm::DenseSet<const Var *> Written;
  LoopLanes *Lanes = nullptr; ///< rounds become lanes, not copies

  StmtList copy(const StmtList &B);
  void replace(StmtList &B, Var *V, const Expr *By);
  const Expr *fold(const Expr *E);
  std::optional<int64_t> trips(const Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A);
  bool unrollAll(Stmt *Loop, const CountedLoop &L, int64_t Trips, StmtList &Into);
  bool unrollBy(Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A, unsigned Factor,
                StmtList &Into);
  bool constantLoops(StmtList &B, const KernelAnalysis &A, unsigned MaxTrips, unsigned MaxNodes);
  unsigned inner(StmtList &B, const KernelAnalysis &A, unsigned Factor);
};

/// B once more, with variables of its own for those that it declares.
StmtList Unroller::copy(const StmtList &B) {
  llvm::DenseMap<Var *, Var *> Fresh;
  walk(B, [&](Stmt *S) {
    if (S->K == StmtKind::Decl && !Fresh.contains(S->V)) {
      Var *V = M.newVar(S->V->K, "", S->V->Ty);
      *V = *S->V;
      // j_2 once more is j_3, not j_2_2.
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

/// E as Base + C of a signed type.
std::pair<const Expr *, int64_t> splitSum(const Expr *E) {
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

/// How often Body runs: also where only the distance of the bounds is constant
/// (for (j = y - 1; j <= y + 1; ++j), signed, so that nothing wraps, or where y is known
/// to be in between).
std::optional<int64_t> Unroller::trips(const Stmt *Loop, const CountedLoop &L,
                                       const KernelAnalysis &A) {
  if (leavesEarly(Loop->Body))
    return std::nullopt;
  if (L.TripCount)
    return L.TripCount;
  ScalarKind Kind = L.V->Ty->Scalar;
  bool Unsigned = Kind == ScalarKind::UInt || Kind == ScalarKind::ULong;
  if (L.StepExpr || !L.Step || (!Unsigned && Kind != ScalarKind::Int && Kind != ScalarKind::Long) ||
      L.Lower->Ty != L.V->Ty || L.Bound->Ty != L.V->Ty ||
      (L.Lower->K == ExprKind::VarRef && L.Lower->V == L.V))
    return std::nullopt;
  auto [Low, LowC] = splitSum(L.Lower);
  auto [High, HighC] = splitSum(L.Bound);
  bool Loads = false;
  walk(Low, [&](const Expr *X) {
    return !(Loads |= X->K == ExprKind::Load || X->K == ExprKind::Opaque);
  });
  if (Loads || !equal(Low, High))
    return std::nullopt;
  if (Unsigned) {
    constexpr int64_t Small = 1 << 20;
    // y + 4294967295u is y - 1.
    auto Signed = [&](int64_t C) { return Kind == ScalarKind::UInt ? int64_t(int32_t(C)) : C; };
    LowC = Signed(LowC), HighC = Signed(HighC);
    Range R = A.range(Low, Loop);
    int64_t Most = Kind == ScalarKind::UInt ? int64_t(UINT32_MAX) : INT64_MAX;
    if (std::abs(LowC) > Small || std::abs(HighC) > Small || std::abs(L.Step) > Small ||
        R.Lo + std::min({LowC, HighC, HighC + L.Step, LowC + L.Step}) < 0 ||
        R.Hi > Most - std::max({LowC, HighC, HighC + L.Step, LowC + L.Step, int64_t(0)}) -
                   std::abs(L.Step))
      return std::nullopt;
  }
  int64_t Way = L.Step > 0 ? HighC - LowC : LowC - HighC, Step = std::abs(L.Step);
  switch (L.Compare) {
  case Op::LE:
  case Op::GE:
    ++Way;
    break;
  case Op::NE:
    if (Way % Step)
      return std::nullopt;
    break;
  default:
    break;
  }
  return Way <= 0 ? 0 : (Way + Step - 1) / Step;
}

//===----------------------------------------------------------------------===//
// Whole loops
//===----------------------------------------------------------------------===//

/// Is the value of E the same all through Body? (Variables and arithmetic only.)
bool isStable(const Expr *E, const StmtList &Body, const StmtList &Step) {
  bool Stable = true;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Load || X->K == ExprKind::Opaque || X->K == ExprKind::Call)
      Stable = false;
    if (X->K == ExprKind::VarRef && (isAssigned(Body, X->V) || isAssigned(Step, X->V)))
      Stable = false;
    return Stable;
  });
  return Stable;
}

/// Puts Trips copies of Loop's body into Into.
bool Unroller::unrollAll(Stmt *Loop, const CountedLoop &L, int64_t Trips, StmtList &Into) {
  // The one statement that moves V stands at the top of the body or the step.
  Stmt *Move = nullptr;
  unsigned Moves = 0;
  for (StmtList *B : {&Loop->Body, &Loop->Step})
    walk(*B, [&](Stmt *S) {
      if (S->V == L.V)
        ++Moves;
      return true;
    });
  for (StmtList *B : {&Loop->Body, &Loop->Step})
    for (Stmt *S : *B)
      if (S->K == StmtKind::Assign && S->V == L.V)
        Move = S;
  if (Moves != 1 || !Move)
    return false;

  bool Declared = false;
  for (Stmt *S : Loop->Init)
    Declared |= S->K == StmtKind::Decl && S->V == L.V;
  bool Known = !(L.Lower->K == ExprKind::VarRef && L.Lower->V == L.V);
  std::optional<int64_t> First = Known ? constantValue(L.Lower) : std::nullopt;
  // V itself may stand for its first value: nothing moves it any more.
  bool Direct = First || (Known && isStable(L.Lower, Loop->Body, Loop->Step));
  for (Stmt *S : Loop->Init)
    if (!(Direct && S->V == L.V))
      Into.push_back(S);
  auto valueAt = [&](int64_t Round) {
    if (First)
      return M.intConst(*First + Round * L.Step, L.V->Ty);
    const Expr *Base = Direct ? M.cast(L.Lower, L.V->Ty, true) : M.ref(L.V);
    return simplify(M, M.binary(Op::Add, Base, M.intConst(Round * L.Step, L.V->Ty)));
  };
  std::vector<std::string> Comments = Loop->Comments;
  for (int64_t Round = 0; Round < Trips; ++Round) {
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
    StmtList Whole = Round == 0 && Trips == 1 ? Before : copy(Before);
    StmtList Head(Whole.begin(), Whole.begin() + Split), Tail(Whole.begin() + Split, Whole.end());
    replace(Head, L.V, valueAt(Round));
    replace(Tail, L.V, valueAt(Round + 1));
    if (Round == 0 && !Whole.empty()) {
      Stmt *Front = Head.empty() ? Tail.front() : Head.front();
      Front->Comments.insert(Front->Comments.begin(), Comments.begin(), Comments.end());
    } else {
      // What was said once need not be said again.
      walk(Whole, [](Stmt *S) {
        S->Comments.clear();
        return true;
      });
    }
    Into.insert(Into.end(), Head.begin(), Head.end());
    Into.insert(Into.end(), Tail.begin(), Tail.end());
  }
  if (!Declared) {
    Stmt *Last = M.newStmt(StmtKind::Assign, Loop->Range);
    Last->V = L.V;
    Last->E = valueAt(Trips);
    Into.push_back(Last);
  }
  return true;
}

/// Do bounds of loops in B depend on V, so that they are constant once V is?
bool triangular(const StmtList &B, const Var *V) {
  bool Found = false;
  auto mentions = [&](const Expr *E) {
    walk(E, [&](const Expr *X) { return !(Found |= X->K == ExprKind::VarRef && X->V == V); });
  };
  walk(B, [&](Stmt *S) {
    if (S->K == StmtKind::Loop) {
      if (S->E)
        mentions(S->E);
      for (const Stmt *I : S->Init)
        if (I->E)
          mentions(I->E);
    }
    return !Found;
  });
  return Found;
}

bool Unroller::constantLoops(StmtList &B, const KernelAnalysis &A, unsigned MaxTrips,
                             unsigned MaxNodes) {
  bool Changed = false;
  StmtList Kept;
  for (Stmt *S : B) {
    // The analysis knows a loop as it was: ask before its body changes.
    std::optional<CountedLoop> L = S->K == StmtKind::Loop ? A.countedLoop(S) : std::nullopt;
    forEachStmtList(
        *S, [&](StmtList &Nested) { Changed |= constantLoops(Nested, A, MaxTrips, MaxNodes); });
    std::optional<int64_t> Trips = L ? trips(S, *L, A) : std::nullopt;
    bool Fits = Trips && *Trips <= int64_t(MaxTrips) &&
                uint64_t(*Trips) * (countNodes(S->Body) + countNodes(S->Step)) <= MaxNodes &&
                (!holds(S->Body, StmtKind::Loop) || *Trips <= 4 ||
                 (*Trips <= 16 && triangular(S->Body, L->V)));
    if (Fits && S->Form != Stmt::DoWhile && unrollAll(S, *L, *Trips, Kept)) {
      Changed = true;
      continue;
    }
    Kept.push_back(S);
  }
  B = std::move(Kept);
  return Changed;
}

unsigned Unroller::constantLoops(unsigned MaxTrips, unsigned MaxNodes) {
  unsigned Rounds = 0;
  // Bounds of inner loops may become constant when outer loops are unrolled.
  for (; Rounds < 8; ++Rounds) {
    KernelAnalysis A(M, K);
    if (!constantLoops(K.Body, A, MaxTrips, MaxNodes))
      break;
  }
  return Rounds;
}

//===----------------------------------------------------------------------===//
// By a factor
//===----------------------------------------------------------------------===//

/// `while (k < n) { ..; ++k; }`, and what else the header moves, as a loop whose header
/// moves V alone.
static void moveStep(Stmt *Loop, const Var *V) {
  if (Loop->Form == Stmt::DoWhile || leavesEarly(Loop->Body))
    return;
  bool Own = llvm::any_of(Loop->Step, [&](const Stmt *S) { return S->V == V; });
  if (Own && Loop->Step.size() > 1) {
    // Behind the body, in their order, as long as none looks at V after it moved.
    auto Mine = llvm::find_if(Loop->Step, [&](const Stmt *S) { return S->V == V; });
    bool Looks = false;
    for (Stmt *S : Loop->Step)
      if (S != *Mine)
        forEachExpr(*S, [&](const Expr *E) {
          walk(E, [&](const Expr *X) { return !(Looks |= X->K == ExprKind::VarRef && X->V == V); });
        });
    forEachExpr(**Mine, [&](const Expr *E) {
      walk(E, [&](const Expr *X) { return !(Looks |= X->K == ExprKind::VarRef && X->V != V); });
    });
    if (Looks)
      return;
    Stmt *Step = *Mine;
    Loop->Step.erase(Mine);
    Loop->Body.insert(Loop->Body.end(), Loop->Step.begin(), Loop->Step.end());
    Loop->Step = {Step};
  } else if (Loop->Step.empty() && !Loop->Body.empty()) {
    Stmt *Last = Loop->Body.back();
    if (Last->K != StmtKind::Assign || Last->V != V)
      return;
    Loop->Body.pop_back();
    Loop->Step = {Last};
    Loop->Form = Stmt::For;
  }
}

bool Unroller::unrollBy(Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A, unsigned Factor,
                        StmtList &Into) {
  const Type *Ty = L.V->Ty;
  if (Lanes)
    moveStep(Loop, L.V);
  bool Wide = sizeInBytes(Ty->Scalar) >= 4;
  if (Loop->Form != Stmt::For || L.StepExpr || L.Step != 1 || !Wide || !Ty->isScalar() ||
      Loop->Init.size() > 1 || (Loop->Init.empty() && !Lanes) || Loop->Step.size() != 1 ||
      Loop->Step[0]->V != L.V || isAssigned(Loop->Body, L.V) || leavesEarly(Loop->Body) ||
      holds(Loop->Body, StmtKind::Loop) || holds(Loop->Body, StmtKind::Barrier))
    return false;
  for (const Stmt *I : Loop->Init)
    if (I->V != L.V || !I->E || I->E->Ty != Ty)
      return false;
  if (L.Compare != Op::LT && L.Compare != Op::LE && L.Compare != Op::NE)
    return false;
  const Expr *Bound = L.Bound;
  bool Loads = false, Opaque = false, Writes = false;
  walk(Bound, [&](const Expr *X) {
    Loads |= X->K == ExprKind::Load;
    Opaque |= X->K == ExprKind::Opaque || (X->K == ExprKind::Load && X->Acc.Volatile);
    return !Opaque;
  });
  walk(Loop->Body, [&](Stmt *S) {
    Writes |= S->K != StmtKind::Decl && S->K != StmtKind::Assign && S->K != StmtKind::If;
    return !Writes;
  });
  // What the loop compares V with, V converted to the bound's type.
  bool VLeft = Loop->E->Ops[1] == Bound;
  const Expr *Compared = Loop->E->Ops[VLeft ? 0 : 1];
  if (Opaque || (Loads && Writes) || !Bound->Ty->isScalar() ||
      sizeInBytes(Bound->Ty->Scalar) < sizeInBytes(Ty->Scalar) || Compared->Ty != Bound->Ty)
    return false;
  Range R = A.range(Bound, Loop), Fits = rangeOf(Bound->Ty->Scalar);
  if (L.Compare == Op::LE && (R.Hi >= Fits.Hi || Bound->Ty->Scalar == ScalarKind::ULong))
    return false;
  std::optional<int64_t> Trips = L.TripCount;
  if (Trips && *Trips < int64_t(Factor))
    return false;
  bool FromZero = constantValue(L.Lower) == 0, Exact = false;
  // i != n: many rounds at once as long as i < n; the loop as it was does the rest, whatever it is.
  if (!FromZero && L.Compare != Op::NE) {
    Range Low = A.range(L.Lower, Loop);
    int64_t More = L.Compare == Op::LE;
    bool Signed = isSigned(Bound->Ty->Scalar) && isSigned(Ty->Scalar);
    __int128 Least = __int128(R.Lo) + More - Low.Hi, Most = __int128(R.Hi) + More - Low.Lo;
    Exact = Least >= Fits.Lo && Most <= Fits.Hi && (Signed || (Least >= 0 && Low.Lo >= 0)) &&
            Bound->Ty->Scalar != ScalarKind::ULong && isStable(L.Lower, Loop->Body, Loop->Step);
  }
  // From anywhere: the distance as an unsigned number is right where it is positive.
  bool Anywhere = !FromZero && !Exact;
  if (Anywhere && (Bound->Ty != Ty || L.Compare == Op::LE))
    return false;
  LoopLanes::LaneBody Together;
  if (Lanes && !Lanes->make(Loop, L.V, Factor, Together))
    return false;
  // Nothing stands in the way any more: from here on the loop changes.
  if (L.Compare == Op::LE) {
    Bound = simplify(M, M.binary(Op::Add, Bound, M.intConst(1, Bound->Ty)));
  }
  // hi & ~(F - 1), or lo + ((hi - lo) & ~(F - 1)).
  auto rounded = [&](const Expr *E) {
    if (auto C = constantValue(E))
      return M.intConst(*C - ((*C % int64_t(Factor)) + int64_t(Factor)) % int64_t(Factor), E->Ty);
    return M.binary(Op::And, E, M.unary(Op::BitNot, M.intConst(Factor - 1, E->Ty)));
  };
  const Expr *End = nullptr;
  StmtList Before;
  auto hold = [&](llvm::StringRef Name, const Expr *E) {
    Stmt *D = M.newStmt(StmtKind::Decl, Loop->Range);
    D->V = M.newVar(Var::Temp, uniqueName(K, Name), E->Ty);
    K.Vars.push_back(D->V);
    D->E = E;
    Before.push_back(D);
    return M.ref(D->V);
  };
  if (Loads) {
    // Loaded once: the loop writes nothing. The loop asks for it at least once.
    const Expr *Held = hold(L.V->Name + "_end", L.Bound);
    Bound =
        L.Compare == Op::LE ? simplify(M, M.binary(Op::Add, Held, M.intConst(1, Held->Ty))) : Held;
    Expr *C = M.newExpr(ExprKind::Binary, Loop->E->Ty, Loop->E->Range);
    *C = *Loop->E;
    C->Ops[VLeft ? 1 : 0] = Held;
    Loop->E = C;
  }
  if (FromZero) {
    End = rounded(Bound);
  } else if (Exact) {
    const Expr *Low0 = M.cast(L.Lower, Bound->Ty, true);
    End = M.binary(Op::Add, Low0, rounded(M.binary(Op::Sub, Bound, Low0)));
  }
  if (Anywhere) {
    const Type *U = M.value(sizeInBytes(Ty->Scalar) == 8 ? ScalarKind::ULong : ScalarKind::UInt);
    auto asUnsigned = [&](const Expr *E) { return E->Ty == U ? E : M.cast(E, U); };
    const Expr *V = M.ref(L.V);
    const Expr *Distance = rounded(M.binary(Op::Sub, asUnsigned(Bound), asUnsigned(V)));
    const Expr *Last = M.binary(Op::Add, asUnsigned(V), Distance);
    Into.insert(Into.end(), Before.begin(), Before.end());
    Before.clear();
    Into.insert(Into.end(), Loop->Init.begin(), Loop->Init.end());
    End = hold(L.V->Name + "_main",
               M.select(M.binary(Op::LT, V, Bound), Last->Ty == Ty ? Last : M.cast(Last, Ty), V));
  }
  Stmt *Main = M.newStmt(StmtKind::Loop, Loop->Range);
  Main->E = M.binary(Op::LT, Compared, simplify(M, End));
  Into.insert(Into.end(), Together.Here.Before.begin(), Together.Here.Before.end());
  Main->Body = std::move(Together.Body);
  for (unsigned I = 0; I < Factor && !Lanes; ++I) {
    StmtList Round = copy(Loop->Body);
    if (I) {
      replace(Round, L.V, M.binary(Op::Add, M.ref(L.V), M.intConst(I, Ty)));
      walk(Round, [](Stmt *S) {
        S->Comments.clear();
        return true;
      });
    }
    Main->Body.insert(Main->Body.end(), Round.begin(), Round.end());
  }
  Stmt *Step = M.newStmt(StmtKind::Assign, Loop->Step[0]->Range);
  Step->V = L.V;
  Step->E = M.binary(Op::Add, M.ref(L.V), M.intConst(Factor, Ty));
  Main->Step = {Step};
  Main->Comments = Loop->Comments;
  if (Trips && *Trips % Factor == 0 && !Anywhere) {
    Main->Init = Loop->Init;
    Into.push_back(Main);
    llvm::append_range(Into, Together.Here.Behind);
    return true;
  }
  if (!Anywhere)
    Into.insert(Into.end(), Loop->Init.begin(), Loop->Init.end());
  Into.insert(Into.end(), Before.begin(), Before.end());
  Into.push_back(Main);
  Loop->Init.clear();
  Loop->Comments.clear();
  Loop->UnrollHint = false;
  Loop->Rare = true; // the remainder
  Into.push_back(Loop);
  llvm::append_range(Into, Together.Here.Behind);
  return true;
}

unsigned Unroller::inner(StmtList &B, const KernelAnalysis &A, unsigned Factor) {
  unsigned N = 0;
  StmtList Kept;
  for (Stmt *S : B) {
    // What was made for the rest hardly ever runs.
    if (S->K == StmtKind::Loop && S->Rare) {
      Kept.push_back(S);
      continue;
    }
    bool Innermost = S->K == StmtKind::Loop && !holds(S->Body, StmtKind::Loop);
    if (!Innermost) {
      forEachStmtList(*S, [&](StmtList &Nested) { N += inner(Nested, A, Factor); });
    } else if (auto L = A.countedLoop(S); L && unrollBy(S, *L, A, Factor, Kept)) {
      ++N;
      continue;
    }
    Kept.push_back(S);
  }
  B = std::move(Kept);
  return N;
}

unsigned Unroller::inner(unsigned Factor, LoopLanes *AsLanes) {
  if (Factor < 2 || !llvm::isPowerOf2_32(Factor))
    return 0;
  Lanes = AsLanes;
  KernelAnalysis A(M, K);
  return inner(K.Body, A, Factor);
}

} // namespace

/// v[k++] after unrolling: k = 0; k_2 = k + 1 ... are constants where each has
/// one value.
static unsigned propagateConstants(Module &M, Kernel &K) {
  unsigned N = 0;
  for (bool Changed = true; Changed && N < 4096;) {
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
          S->E->Ty == S->V->Ty)
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

unsigned unrollConstantLoops(Module &M, Kernel &K, unsigned MaxTrips, unsigned MaxNodes) {
  if (isOpaque(K))
    return 0;
  unsigned N = Unroller(M, K).constantLoops(MaxTrips, MaxNodes);
  if (N) {
    splitLiveRanges(M, K);
    propagateConstants(M, K);
  }
  return N;
}

unsigned unrollInner(Module &M, Kernel &K, unsigned Factor) {
  return isOpaque(K) ? 0 : Unroller(M, K).inner(Factor);
}

unsigned sumInLanes(Module &M, Kernel &K, unsigned Lanes, bool Reassociate) {
  if (isOpaque(K))
    return 0;
  LoopLanes Sums(M, K, Reassociate);
  unsigned N = Unroller(M, K).inner(Lanes, &Sums);
  Sums.finish();
  return N;
}

} // namespace clmali::rewrite
