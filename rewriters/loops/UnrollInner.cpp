//===-- rewriters/loops/UnrollInner.cpp - Innermost loops by a factor -----------===//
//
//   before                                after unrollInner, Factor 4
//   for (int k = 0; k < n; ++k)           int k = 0;
//     t += a[k];                          for (; k < (n & ~3); k += 4) {
//                                           t += a[k]; ... t += a[k + 3];
//                                         }
//                                         for (; k < n; ++k)
//                                           t += a[k];
//
// Iterations that become lanes instead of copies: LoopLanes.cpp.
//
// The bound n & ~3 rounds towards minus infinity, so it is right for every n of every type,
// including 0, negative values and the largest value. Statements stay separate statements: no
// floating-point contraction becomes possible.
//
// Limits: no loop that is left early; nothing in kernels with opaque nodes. A bound in memory is
// loaded once, where the loop writes nothing.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Slice.h"
#include "checks/model/cost/TripCount.h"
#include "checks/model/pattern/Opaque.h"
#include "rewriters/loops/Unroller.h"
#include "rewriters/pass/LaunchUse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// Loops that can be unrolled
//===----------------------------------------------------------------------===//

/// Makes V's increment the only statement of Loop's step: `while (k < n) { ..; ++k; }`, and
/// for (..; ++k, ++j) whose other steps go to the end of the body.
static void moveStep(Stmt *Loop, const Var *V) {
  if (Loop->Form == Stmt::DoWhile || leavesEarly(Loop->Body))
    return;
  auto Mine = llvm::find_if(Loop->Step, [&](const Stmt *S) { return S->V == V; });
  if (Mine != Loop->Step.end() && Loop->Step.size() > 1) {
    // The others must not read V, which is set after them then, nor V's increment one of them.
    auto Reads = [&](const Stmt *S) {
      return llvm::any_of(exprs(*S), [&](ExprAt X) {
        return X->K == ExprKind::VarRef && (X->V == V) == (S != *Mine);
      });
    };
    if (llvm::any_of(Loop->Step, Reads))
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

/// True if Loop counts up by one in its header and has nothing in its body that forbids copies.
bool Unroller::hasPlainHeader(const Stmt *Loop, const CountedLoop &L) const {
  const Type *Ty = L.V->Ty;
  bool Wide = sizeInBytes(Ty->Scalar) >= 4;
  if (Loop->Form != Stmt::For || L.StepExpr || L.Step != 1 || !Wide || !Ty->isScalar() ||
      Loop->Init.size() > 1 || (Loop->Init.empty() && !Lanes) || Loop->Step.size() != 1 ||
      Loop->Step[0]->V != L.V || isAssigned(Loop->Body, L.V) || leavesEarly(Loop->Body) ||
      holds(Loop->Body, StmtKind::Loop) || holds(Loop->Body, StmtKind::Barrier))
    return false;
  for (const Stmt *I : Loop->Init)
    if (I->V != L.V || !I->E || I->E->Ty != Ty)
      return false;
  return L.Compare == Op::LT || L.Compare == Op::LE || L.Compare == Op::NE;
}

/// How the rounded bound is computed without overflow. Nothing: it cannot be.
std::optional<Unroller::Rounding> Unroller::roundingOf(const Stmt *Loop, const CountedLoop &L,
                                                       const Plan &P,
                                                       const KernelAnalysis &A) const {
  if (constantValue(L.Lower) == 0)
    return Rounding::FromZero;
  const Type *Ty = L.V->Ty, *BoundTy = P.Bound->Ty;
  // i != n: several iterations at once as long as i < n; the original loop does the rest.
  if (L.Compare != Op::NE) {
    Range R = A.range(P.Bound, Loop), Fits = rangeOf(BoundTy->Scalar), Low = A.range(L.Lower, Loop);
    int64_t More = L.Compare == Op::LE;
    bool Signed = isSigned(BoundTy->Scalar) && isSigned(Ty->Scalar);
    __int128 Least = __int128(R.Lo) + More - Low.Hi, Most = __int128(R.Hi) + More - Low.Lo;
    if (Least >= Fits.Lo && Most <= Fits.Hi && (Signed || (Least >= 0 && Low.Lo >= 0)) &&
        BoundTy->Scalar != ScalarKind::ULong && isStable(L.Lower, Loop->Body, Loop->Step))
      return Rounding::Exact;
  }
  if (BoundTy != Ty)
    return std::nullopt;
  return Rounding::Unsigned;
}

/// False if the unrolled loop would have no iteration, or if it or the remainder loop would have
/// one iteration only while both are needed.
bool Unroller::runsOftenEnough(const Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A,
                               unsigned Factor) const {
  auto AsLaunched = [&](const Expr *E) {
    return constantValue(
        simplify(M, substitute(M, origin(A, E), [&](const Expr *X) -> const Expr * {
                   auto It = X->K == ExprKind::VarRef ? Launched.find(X->V) : Launched.end();
                   return It == Launched.end() ? nullptr : M.intConst(It->second, X->Ty);
                 })));
  };
  std::optional<int64_t> Trips = L.TripCount, From = AsLaunched(L.Lower), To = AsLaunched(L.Bound);
  if (!Trips && From && To)
    Trips = std::max<int64_t>(0, *To - *From + (L.Compare == Op::LE));
  if (!Trips)
    return expectedTrips(A, Loop) >= Factor;
  const int64_t Times = *Trips / Factor, Rest = *Trips % Factor;
  return Times && (!Rest || (Times > 1 && Rest > 1));
}

/// How Loop is unrolled by Factor. Nothing: it cannot be.
std::optional<Unroller::Plan> Unroller::plan(Stmt *Loop, const CountedLoop &L,
                                             const KernelAnalysis &A, unsigned Factor) const {
  if (!hasPlainHeader(Loop, L) || Loop->E->K != ExprKind::Binary)
    return std::nullopt;
  Plan P;
  P.Bound = L.Bound;
  bool Opaque = false;
  for (ExprAt X : exprs(P.Bound)) {
    P.BoundLoads |= X->K == ExprKind::Load;
    Opaque |= X->K == ExprKind::Opaque || (X->K == ExprKind::Load && X->Acc.Volatile);
  }
  bool Writes = llvm::any_of(stmts(Loop->Body), [](const Stmt *S) {
    return S->K != StmtKind::Decl && S->K != StmtKind::Assign && S->K != StmtKind::If;
  });
  P.CounterLeft = Loop->E->Ops[1] == P.Bound;
  P.Compared = Loop->E->Ops[P.CounterLeft ? 0 : 1];
  const Type *BoundTy = P.Bound->Ty;
  if (Opaque || (P.BoundLoads && Writes) || !BoundTy->isScalar() ||
      sizeInBytes(BoundTy->Scalar) < sizeInBytes(L.V->Ty->Scalar) || P.Compared->Ty != BoundTy)
    return std::nullopt;
  // n + 1 overflows only where the loop does not end: its counter would. A sum that wraps to 0
  // leaves all to the remainder. A wider bound may be larger than what the counter reaches.
  if (L.Compare == Op::LE && BoundTy != L.V->Ty &&
      (A.range(P.Bound, Loop).Hi >= rangeOf(BoundTy->Scalar).Hi ||
       BoundTy->Scalar == ScalarKind::ULong))
    return std::nullopt;
  if (!runsOftenEnough(Loop, L, A, Factor))
    return std::nullopt;
  auto Round = roundingOf(Loop, L, P, A);
  if (!Round)
    return std::nullopt;
  P.Round = *Round;
  return P;
}

//===----------------------------------------------------------------------===//
// The unrolled loop
//===----------------------------------------------------------------------===//

/// E & ~(Factor - 1)
const Expr *Unroller::roundedDown(const Expr *E, unsigned Factor) {
  if (auto C = constantValue(E))
    return M.intConst(*C - ((*C % int64_t(Factor)) + int64_t(Factor)) % int64_t(Factor), E->Ty);
  return M.binary(Op::And, E, M.unary(Op::BitNot, M.intConst(Factor - 1, E->Ty)));
}

/// E in a new variable that Into declares.
const Expr *Unroller::held(llvm::StringRef Name, const Expr *E, SourceRange At, StmtList &Into) {
  Stmt *D = declareTemp(M, K, Name, E, At);
  Into.push_back(D);
  return M.ref(D->V);
}

/// The bound of the unrolled loop. Before: declarations that it needs. Into: for Unsigned, what
/// comes before the loops.
const Expr *Unroller::endOf(Stmt *Loop, const CountedLoop &L, Plan &P, unsigned Factor,
                            StmtList &Before, StmtList &Into) {
  const Expr *Bound = P.Bound;
  if (P.BoundLoads) {
    // Loaded once: the loop writes nothing, and tests the bound at least once.
    Bound = held(L.V->Name + "_end", L.Bound, Loop->Range, Before);
    Expr *C = M.newExpr(ExprKind::Binary, Loop->E->Ty, Loop->E->Range);
    *C = *Loop->E;
    C->Ops[P.CounterLeft ? 1 : 0] = Bound;
    Loop->E = C;
  }
  // One behind the last value of the counter, or the number of iterations.
  auto behind = [&](const Expr *E) {
    return L.Compare == Op::LE ? simplify(M, M.binary(Op::Add, E, M.intConst(1, E->Ty))) : E;
  };
  if (P.Round == Rounding::FromZero)
    return roundedDown(behind(Bound), Factor);
  if (P.Round == Rounding::Exact) {
    const Expr *Low0 = M.cast(L.Lower, Bound->Ty, true);
    return M.binary(Op::Add, Low0, roundedDown(M.binary(Op::Sub, behind(Bound), Low0), Factor));
  }
  const Type *Ty = L.V->Ty;
  const Type *U = M.value(sizeInBytes(Ty->Scalar) == 8 ? ScalarKind::ULong : ScalarKind::UInt);
  auto asUnsigned = [&](const Expr *E) { return E->Ty == U ? E : M.cast(E, U); };
  const Expr *V = M.ref(L.V);
  const Expr *Distance =
      roundedDown(behind(M.binary(Op::Sub, asUnsigned(Bound), asUnsigned(V))), Factor);
  const Expr *Last = M.binary(Op::Add, asUnsigned(V), Distance);
  Into.insert(Into.end(), Before.begin(), Before.end());
  Before.clear();
  Into.insert(Into.end(), Loop->Init.begin(), Loop->Init.end());
  const Op Compare = L.Compare == Op::LE ? Op::LE : Op::LT;
  return held(L.V->Name + "_main",
              M.select(M.binary(Compare, V, Bound), Last->Ty == Ty ? Last : M.cast(Last, Ty), V),
              Loop->Range, Before);
}

/// The unrolled loop without its condition. Together: its body if the iterations are lanes.
Stmt *Unroller::mainLoop(Stmt *Loop, const CountedLoop &L, unsigned Factor, StmtList Together) {
  const Type *Ty = L.V->Ty;
  Stmt *Main = M.newStmt(StmtKind::Loop, Loop->Range);
  Main->Body = std::move(Together);
  for (unsigned I = 0; I < Factor && !Lanes; ++I) {
    StmtList Trip = copy(Loop->Body);
    if (I) {
      replace(Trip, L.V, M.binary(Op::Add, M.ref(L.V), M.intConst(I, Ty)));
      for (Stmt *S : stmts(Trip))
        S->Comments.clear();
    }
    Main->Body.insert(Main->Body.end(), Trip.begin(), Trip.end());
  }
  Stmt *Step = M.newStmt(StmtKind::Assign, Loop->Step[0]->Range);
  Step->V = L.V;
  Step->E = M.binary(Op::Add, M.ref(L.V), M.intConst(Factor, Ty));
  Main->Step = {Step};
  Main->Comments = Loop->Comments;
  return Main;
}

/// Adds the unrolled loop and the remainder to Into. False: Loop cannot be unrolled.
bool Unroller::unrollBy(Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A, unsigned Factor,
                        StmtList &Into) {
  const Stmt Was = *Loop;
  if (Lanes)
    moveStep(Loop, L.V);
  std::optional<Plan> P = plan(Loop, L, A, Factor);
  LoopLanes::LaneBody Together;
  if (!P || (Lanes && !Lanes->make(Loop, L.V, Together))) {
    *Loop = Was;
    return false;
  }
  StmtList Before;
  const Expr *End = endOf(Loop, L, *P, Factor, Before, Into);
  const Expr *Test = M.binary(Op::LT, P->Compared, simplify(M, End));
  Into.insert(Into.end(), Together.Here.Before.begin(), Together.Here.Before.end());
  Stmt *Main = mainLoop(Loop, L, Factor, std::move(Together.Body));
  Main->E = Test;
  if (L.TripCount && *L.TripCount % Factor == 0 && P->Round != Rounding::Unsigned) {
    Main->Init = Loop->Init;
    Into.push_back(Main);
    llvm::append_range(Into, Together.Here.After);
    return true;
  }
  if (P->Round != Rounding::Unsigned)
    Into.insert(Into.end(), Loop->Init.begin(), Loop->Init.end());
  Into.insert(Into.end(), Before.begin(), Before.end());
  Into.push_back(Main);
  Loop->Init.clear();
  Loop->Comments.clear();
  Loop->UnrollHint = false;
  Loop->Rare = true; // the remainder
  Into.push_back(Loop);
  llvm::append_range(Into, Together.Here.After);
  return true;
}

unsigned Unroller::inner(StmtList &B, const KernelAnalysis &A, unsigned Factor) {
  unsigned N = 0;
  StmtList Kept;
  for (Stmt *S : B) {
    // Loops that were made for a remainder run rarely.
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
  return inner(K.Body, *Edited.analysis(), Factor);
}

unsigned unrollInner(const EditedKernel &E, unsigned Factor, const LaunchFacts &Launch) {
  if (pattern::hasOpaqueParts(E.kernel()))
    return 0;
  Unroller Loops(E);
  Loops.Launched = knownScalars(E.kernel(), Launch);
  return Loops.inner(Factor);
}

unsigned sumInLanes(const EditedKernel &E, unsigned Lanes, bool Reassociate,
                    const LaunchFacts &Launch) {
  if (pattern::hasOpaqueParts(E.kernel()))
    return 0;
  LoopLanes Sums(E.module(), E.kernel(), Lanes, Reassociate);
  Unroller Loops(E);
  Loops.Launched = knownScalars(E.kernel(), Launch);
  unsigned N = Loops.inner(Lanes, &Sums);
  Sums.finish();
  return N;
}

} // namespace clmali::rewrite
