//===-- rewriters/loops/BoundedTrips.cpp - Loops of a few iterations at most ---===//
//
// Loops of at most a constant number of iterations, which end early at a bound:
//
//   before                                     after unrollConstantLoops
//   for (k = 0; k < 2 && i + k < n; ++k)       if (i < n) {
//     o[i + k] = a[i + k];                       o[i] = a[i];
//                                                if (i + 1 < n)
//   for (j = i; j < min(i + 2, n); ++j)            o[i + 1] = a[i + 1];
//     o[j] = a[j];                             }
//
// A break under a condition, directly in the body, is such a bound, too. The fast path of a block
// assumes that none of them is met.
//
// Limits: bounds on coordinates, which no data decide; the counter is not read behind the loop.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Operations.h"
#include "rewriters/loops/Unroller.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

bool isBreak(const Stmt *S) {
  return S->K == StmtKind::If && S->Else.empty() && !S->Body.empty() &&
         S->Body.back()->K == StmtKind::Break &&
         llvm::all_of(llvm::ArrayRef(S->Body).drop_back(),
                      [](const Stmt *X) { return X->K == StmtKind::Assign; });
}

/// The variable's one value, where it does not change between its definition and Loop; else E.
static const Expr *valueOf(const Expr *E, const Stmt *Loop, const KernelAnalysis &A) {
  if (E->K != ExprKind::VarRef || E->V->K != Var::Temp)
    return E;
  const Stmt *D = A.singleDef(E->V);
  if (!D || !D->E || !D->LaneIdx.empty())
    return E;
  auto Changes = [&](ExprAt X) {
    return X->K == ExprKind::Load || X->K == ExprKind::Opaque ||
           (X->K == ExprKind::VarRef &&
            (X->V->K == Var::Param ? !A.defs(X->V).empty() : !A.singleDef(X->V)));
  };
  return llvm::any_of(exprs(D->E), Changes) ? E : D->E;
}

/// Splits a condition that a loop goes on under: a && b; k < min(a, b) is k < a && k < b.
static void splitCondition(Module &M, const Expr *E, const Stmt *Loop, const KernelAnalysis &A,
                           llvm::SmallVectorImpl<const Expr *> &Parts) {
  if (E->K == ExprKind::Binary && E->O == Op::LogicalAnd) {
    splitCondition(M, E->Ops[0], Loop, A, Parts);
    splitCondition(M, E->Ops[1], Loop, A, Parts);
    return;
  }
  if (E->K == ExprKind::Binary && (E->O == Op::LT || E->O == Op::LE)) {
    const Expr *Bound = valueOf(E->Ops[1], Loop, A);
    if (Bound->K == ExprKind::Call && Bound->Name == "min" && Bound->Ty == E->Ops[1]->Ty) {
      for (const Expr *X : Bound->Ops)
        splitCondition(M, M.binary(E->O, E->Ops[0], X), Loop, A, Parts);
      return;
    }
  }
  Parts.push_back(E);
}

/// True if a break of Loop, or an end of an iteration, is no isBreak() of its own body.
static bool leavesElsewhere(const StmtList &Body) {
  return llvm::any_of(
      Body, [](const Stmt *S) { return !isBreak(S) && leavesEarly({const_cast<Stmt *>(S)}); });
}

std::optional<Unroller::BoundedLoop> Unroller::boundedTrips(const Stmt *Loop,
                                                            const KernelAnalysis &A) {
  if (Loop->Form == Stmt::DoWhile || !Loop->E || Loop->Init.size() != 1 || Loop->Step.size() != 1 ||
      Loop->Init[0]->K != StmtKind::Decl || !Loop->Init[0]->E || leavesElsewhere(Loop->Body))
    return std::nullopt;
  // Data that end a loop do so at any iteration.
  auto OnCoordinates = [&](const Expr *E, const Stmt *At) {
    return !A.varies(E, At).Data &&
           llvm::none_of(exprs(E), [](ExprAt X) { return X->K == ExprKind::Load; });
  };
  for (const Stmt *S : Loop->Body)
    if (isBreak(S) && !OnCoordinates(S->E, S))
      return std::nullopt;
  BoundedLoop L;
  L.Count.V = Loop->Init[0]->V;
  L.Count.Lower = Loop->Init[0]->E;
  const Expr *Next = Loop->Step[0]->E;
  if (Loop->Step[0]->V != L.Count.V || isAssigned(Loop->Body, L.Count.V) ||
      Next->K != ExprKind::Binary || Next->O != Op::Add || Next->Ops[0]->K != ExprKind::VarRef ||
      Next->Ops[0]->V != L.Count.V)
    return std::nullopt;
  L.Count.Step = constantValue(Next->Ops[1]).value_or(0);
  if (L.Count.Step <= 0)
    return std::nullopt;
  llvm::SmallVector<const Expr *, 4> Parts;
  splitCondition(M, Loop->E, Loop, A, Parts);
  for (const Expr *Part : Parts) {
    bool Bounds = !L.Trips && Part->K == ExprKind::Binary &&
                  (Part->O == Op::LT || Part->O == Op::LE) && Part->Ops[0]->K == ExprKind::VarRef &&
                  Part->Ops[0]->V == L.Count.V;
    if (Bounds) {
      L.Count.Bound = valueOf(Part->Ops[1], Loop, A);
      L.Count.Compare = Part->O;
      auto First = constantValue(L.Count.Lower), End = constantValue(L.Count.Bound);
      if (First && End)
        L.Trips = std::max<int64_t>(0, (*End - *First + (Part->O == Op::LE) + L.Count.Step - 1) /
                                           L.Count.Step);
      else if (isStable(L.Count.Bound, Loop->Body, Loop->Step))
        L.Trips = distance(Loop, L.Count, A).value_or(0);
      if (L.Trips)
        continue;
    }
    if (!OnCoordinates(Part, Loop))
      return std::nullopt;
    L.Goes = L.Goes ? M.binary(Op::LogicalAnd, L.Goes, Part) : Part;
  }
  return L.Trips ? std::optional(L) : std::nullopt;
}

} // namespace clmali::rewrite
