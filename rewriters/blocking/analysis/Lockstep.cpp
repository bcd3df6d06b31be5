//===-- rewriters/blocking/analysis/Lockstep.cpp - What all lanes can run together -----===//
//
// Part of BlockAnalysis: expressions that may be evaluated for lanes that would not evaluate
// them, branches that can run under a mask, and loops that lanes leave at different times.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/analysis/BlockAnalysis.h"
#include "rewriters/lanes/Operations.h"

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// True if E may be evaluated for lanes that would not evaluate it.
bool BlockAnalysis::speculable(const Expr *E) const {
  return llvm::none_of(exprs(E), [&](ExprAt X) {
    return X->K == ExprKind::Opaque || (isRead(X->K) && !SafeLoads.contains(X.E)) ||
           mayDivideByZero(X.E);
  });
}

/// True if E may be evaluated for all lanes, provided that its loads are guarded.
bool BlockAnalysis::guardable(const Expr *E) const {
  if (E->K == ExprKind::Opaque || E->K == ExprKind::ImageRead || mayDivideByZero(E))
    return false;
  if (E->K == ExprKind::Load && !SafeLoads.contains(E) &&
      (E->Acc.Volatile || E->Acc.Lanes != 1 || E->Acc.Base->space() == AddressSpace::Private ||
       !E->Ty->isScalar()))
    return false;
  for (unsigned I = 1; isLazyOperand(E, I); ++I)
    if (!speculable(E->Ops[I]))
      return false;
  bool Ok = true;
  forEachOperand(*E, [&](const Expr *X) { Ok = Ok && guardable(X); });
  return Ok;
}

/// True if lanes of one block certainly disagree about Cond: (x & 1) == 0, x % 2.
bool BlockAnalysis::alternates(const Expr *Cond) {
  while ((Cond->K == ExprKind::Cast && Cond->Implicit) ||
         (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot))
    Cond = Cond->Ops[0];
  if (Cond->K == ExprKind::Binary && (Cond->O == Op::EQ || Cond->O == Op::NE)) {
    if (!constantValue(Cond->Ops[1]))
      return false;
    Cond = Cond->Ops[0];
  }
  if (Cond->K != ExprKind::Binary)
    return false;
  VShape Moving = shape(Cond->Ops[0]);
  auto C = constantValue(Cond->Ops[1]);
  if (Moving.K != VShape::Linear || !C)
    return false;
  return (Cond->O == Op::And && *C == 1 && Moving.Stride % 2) ||
         (Cond->O == Op::Rem && *C == 2 && Moving.Stride % 2);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// True if St, an atomic operation, is on the same element in all lanes: their operands are joined.
bool BlockAnalysis::updatesOneElement(const Stmt *St) {
  return N > 1 && llvm::all_of(St->Acc.Index,
                               [&](const Expr *Ix) { return indexShape(Ix).K == VShape::Uniform; });
}

/// True if B can run for all lanes with its assignments selected by a mask: only assignments of
/// values that may be computed speculatively. InMasked: B is in a masked loop and may leave it.
/// Memory: loads and stores may be guarded.
bool BlockAnalysis::canPredicate(const StmtList &B, unsigned &Cost, bool InMasked, bool Memory) {
  auto Runs = [&](const Expr *E) { return Memory ? guardable(E) : speculable(E); };
  for (Stmt *St : B) {
    switch (St->K) {
    case StmtKind::Decl:
    case StmtKind::Assign:
      if (!St->LaneIdx.empty() || (St->V->K == Var::Memory))
        return false;
      if (St->E && !Runs(St->E))
        return false;
      break;
    case StmtKind::Store:
      if (!Memory || St->Acc.Base->space() == AddressSpace::Private || !Runs(St->E) ||
          !llvm::all_of(St->Acc.Index, Runs))
        return false;
      Cost += MaskedStoreCost;
      break;
    case StmtKind::Atomic:
      if (!llvm::all_of(St->Args, Runs) || !llvm::all_of(St->Acc.Index, Runs) ||
          (!Memory && (InMasked || !updatesOneElement(St))))
        return false;
      Cost += MaskedStoreCost;
      break;
    case StmtKind::If:
      if (!Runs(St->E) || !canPredicate(St->Body, Cost, InMasked, Memory) ||
          !canPredicate(St->Else, Cost, InMasked, Memory))
        return false;
      break;
    case StmtKind::Break:
      if (!InMasked)
        return false;
      break;
    default:
      return false;
    }
    if (++Cost > (InMasked ? MaxMaskedLoop : MaxMaskedBranch))
      return false;
  }
  return true;
}

bool hasStoreOrBarrier(const StmtList &B) {
  return llvm::any_of(stmts(B), [](const Stmt *St) {
    return St->K == StmtKind::Store || St->K == StmtKind::Barrier || St->K == StmtKind::Atomic ||
           St->K == StmtKind::AsyncCopy || St->K == StmtKind::ImageWrite ||
           St->K == StmtKind::Call || St->K == StmtKind::Opaque;
  });
}

/// True if Body (and Cond) can run with the lane in a variable: it assigns and reads no variable
/// from outside that is a vector.
bool BlockAnalysis::readsNoVectors(const StmtList &Body, const Expr *Cond) const {
  llvm::DenseSet<const Var *> Own;
  for (const Stmt *X : stmts(Body))
    if (X->K == StmtKind::Decl)
      Own.insert(X->V);
  if (llvm::any_of(stmts(Body),
                   [&](const Stmt *X) { return X->K == StmtKind::Assign && !Own.count(X->V); }))
    return false;
  auto IsVector = [&](ExprAt X) {
    return X->K == ExprKind::VarRef && X->V->K == Var::Temp && !Own.count(X->V) &&
           shapeOf(X->V).K >= VShape::Stepped;
  };
  return llvm::none_of(exprs(Body), IsVector) && (!Cond || llvm::none_of(exprs(Cond), IsVector));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// True if adjacent lanes may leave Loop at different times.
bool BlockAnalysis::divergent(const Stmt *Loop) {
  if (N == 1)
    return false;
  if (Loop->E && shape(Loop->E).K != VShape::Uniform)
    return true;
  std::function<bool(const StmtList &, bool)> Leaves = [&](const StmtList &B, bool Varies) {
    for (const Stmt *St : B) {
      if (St->K == StmtKind::Break && Varies)
        return true;
      if (St->K != StmtKind::If)
        continue;
      bool Inner = Varies || shape(St->E).K != VShape::Uniform;
      if (Leaves(St->Body, Inner) || Leaves(St->Else, Inner))
        return true;
    }
    return false;
  };
  return Leaves(Loop->Body, false);
}

/// True if all lanes can iterate as long as one of them does, with the values of finished lanes
/// kept: the body computes only, or its accesses are guarded.
bool BlockAnalysis::maskable(const Stmt *Loop) {
  unsigned Cost = 0;
  return (!Loop->E || (Guarded ? guardable(Loop->E) : speculable(Loop->E))) &&
         canPredicate(Loop->Body, Cost, true, Guarded) && canPredicate(Loop->Step, Cost);
}

/// The counter of Loop, if it is the same for all lanes that are active and is not read after the
/// loop.
const Var *BlockAnalysis::commonCounter(const Stmt *Loop) {
  auto C = A.countedLoop(Loop);
  if (!C || !C->Lower || usedOutside(C->V, Loop) || shape(C->Lower).K >= VShape::Stepped ||
      (C->StepExpr && shape(C->StepExpr).K != VShape::Uniform))
    return nullptr;
  bool InStep = llvm::all_of(A.defs(C->V), [&](const Stmt *D) {
    return llvm::is_contained(Loop->Step, D) || llvm::is_contained(Loop->Init, D);
  });
  return InStep ? C->V : nullptr;
}

/// The counter of Loop, if its iterations are independent of each other, as in grid-stride loops:
/// each of them can then test its own assumptions. Else null.
const Var *BlockAnalysis::independentTrips(const Stmt *Loop) {
  if (!MayAssume || N == 1 || R > 1 || TripCounter || !Around.empty() || hasArrays() ||
      Loop->Form == Stmt::DoWhile || !Loop->E || shape(Loop->E).K == VShape::Uniform ||
      Loop->Step.size() != 1)
    return nullptr;
  auto C = A.countedLoop(Loop);
  if (!C || Loop->Step[0]->V != C->V || shapeOf(C->V).K != VShape::Linear ||
      usedOutside(C->V, Loop))
    return nullptr;
  bool Simple = llvm::all_of(stmts(Loop->Body), [](const Stmt *X) {
    return X->K == StmtKind::Decl || X->K == StmtKind::Assign || X->K == StmtKind::Store ||
           X->K == StmtKind::Atomic || X->K == StmtKind::If || X->K == StmtKind::Loop;
  });
  return Simple && readsNoVectors(Loop->Body) ? C->V : nullptr;
}

/// True if V is read outside of Loop.
bool BlockAnalysis::usedOutside(const Var *V, const Stmt *Loop) const {
  StmtRange All = stmts(Old.Body);
  for (auto It = All.begin(); It != All.end(); ++It) {
    if (*It == Loop) {
      It.skipNested();
      continue;
    }
    if (llvm::any_of(exprs(**It), [&](ExprAt X) { return X->K == ExprKind::VarRef && X->V == V; }))
      return true;
  }
  return false;
}

} // namespace clmali::rewrite
