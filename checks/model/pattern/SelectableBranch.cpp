//===-- checks/model/pattern/SelectableBranch.cpp - A branch that a select replaces ---===//

#include "checks/model/pattern/SelectableBranch.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model::pattern {

/// Assignments of both sides together. Longer branches cost less than executing both sides.
static constexpr size_t MaxStatements = 3;

using VarSet = llvm::DenseSet<const Var *>;

static bool reads(const Expr *E, const VarSet &Vars) {
  return llvm::any_of(exprs(E),
                      [&](ExprAt X) { return X->K == ExprKind::VarRef && Vars.contains(X->V); });
}

/// True if B only assigns whole variables, each once, from values that B has not changed. Assigned:
/// the variables.
static bool onlyAssigns(const StmtList &B, VarSet &Assigned) {
  return llvm::all_of(B, [&](const Stmt *S) {
    return S->K == StmtKind::Assign && S->LaneIdx.empty() && S->V && S->E && S->V->Ty->isValue() &&
           S->E->Ty == S->V->Ty && !reads(S->E, Assigned) && Assigned.insert(S->V).second;
  });
}

/// True if B holds nothing that costs more than a branch.
static bool isCheap(const StmtList &B) {
  return llvm::none_of(exprs(B), [](ExprAt X) {
    return isRead(X->K) || X->K == ExprKind::Opaque || X->K == ExprKind::Call ||
           (X->K == ExprKind::Binary && (X->O == Op::Div || X->O == Op::Rem));
  });
}

std::optional<SelectableBranch> selectableBranch(const KernelAnalysis &A, const Stmt &If) {
  if (If.K != StmtKind::If || !If.E || !If.E->Ty->isScalar() || If.EarlyReturn)
    return std::nullopt;
  size_t Statements = If.Body.size() + If.Else.size();
  VarSet Then, Else;
  if (Statements == 0 || Statements > MaxStatements || !onlyAssigns(If.Body, Then) ||
      !onlyAssigns(If.Else, Else) || !isCheap(If.Body) || !isCheap(If.Else) ||
      A.varies(If.E, &If).uniform())
    return std::nullopt;
  SelectableBranch Result;
  for (const StmtList *B : {&If.Body, &If.Else})
    for (const Stmt *S : *B)
      if (!llvm::is_contained(Result.Assigned, S->V))
        Result.Assigned.push_back(S->V);
  Then.insert(Else.begin(), Else.end());
  Result.NeedsCondition = Result.Assigned.size() > 1 && reads(If.E, Then);
  return Result;
}

} // namespace clmali::model::pattern
