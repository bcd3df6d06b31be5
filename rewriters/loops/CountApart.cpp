//===-- rewriters/loops/CountApart.cpp - Counters that are read after their loops ---===//
//
// A counter that is read after a loop with a way out is separated from the loop's own count, so
// that lanes that leave at different times can share the count:
//
//   for (k = 0; k < n; ++k)          for (int k_now = 0; k_now < n; ++k_now, k = k_now)
//     if (a[k] > t) break;             if (a[k_now] > t) break;
//   .. k                             .. k
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/pass/Passes.h"

namespace clmali::rewrite {

using namespace model;

/// The loop L, if its counter can be separated: only L's header sets it, from a value that is not
/// read from a variable or memory, and L has a way out.
static std::optional<CountedLoop> separable(const KernelAnalysis &A, const Stmt *L) {
  auto C =
      L->K == StmtKind::Loop && L->Form != Stmt::DoWhile && L->E ? A.countedLoop(L) : std::nullopt;
  if (!C || !C->Lower || L->Step.size() != 1 || L->Step[0]->V != C->V ||
      !L->Step[0]->LaneIdx.empty())
    return std::nullopt;
  bool Leaves = llvm::any_of(stmts(L->Body), [](const Stmt *X) { return X->K == StmtKind::Break; });
  bool Assigns = llvm::any_of(stmts(L->Body), [&](const Stmt *X) { return X->V == C->V; });
  bool Declares = llvm::any_of(
      stmts(L->Init), [&](const Stmt *X) { return X->K == StmtKind::Decl && X->V == C->V; });
  bool Reads = llvm::any_of(
      exprs(C->Lower), [](ExprAt E) { return E->K == ExprKind::VarRef || E->K == ExprKind::Load; });
  return Leaves && !Assigns && !Declares && !Reads ? C : std::nullopt;
}

unsigned countApart(const EditedKernel &E) {
  Module &M = E.module();
  Kernel &K = E.kernel();
  std::vector<std::pair<Stmt *, CountedLoop>> Found;
  const EditedKernel::Analysis A = E.analysis();
  for (Stmt *L : stmts(K.Body))
    if (auto C = separable(*A, L))
      Found.push_back({L, *C});
  for (auto &[L, C] : Found) {
    Var *Count = newTemp(M, K, C.V->Name + "_now", C.V->Ty);
    Count->Spelling = C.V->Spelling;
    Count->Range = C.V->Range;
    auto Counts = [&, V = C.V](const Expr *X) -> const Expr * {
      return X->K == ExprKind::VarRef && X->V == V ? M.ref(Count) : nullptr;
    };
    auto Replace = [&](const Expr *X) { return substitute(M, X, Counts); };
    walk(L->Body, [&](Stmt *X) {
      mapExprs(M, *X, Replace);
      return true;
    });
    L->E = Replace(L->E);
    Stmt *Start = M.newStmt(StmtKind::Decl),
         *Follow = M.newStmt(StmtKind::Assign, L->Step[0]->Range);
    Start->V = Count;
    Start->E = C.Lower;
    L->Init.push_back(Start);
    Follow->V = C.V;
    Follow->E = M.ref(Count);
    L->Step[0]->E = Replace(L->Step[0]->E);
    L->Step[0]->V = Count;
    L->Step.push_back(Follow);
  }
  E.edited();
  return Found.size();
}

} // namespace clmali::rewrite
