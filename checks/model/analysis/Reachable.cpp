//===-- checks/model/analysis/Reachable.cpp - Statements that never run ------------===//
//
// What it does: finds statements under conditions that value ranges decide, and statements behind
// an unconditional exit:
//
//   if (get_local_id(0) >= 64) { A }      never runs in groups of 64 (reqd_work_group_size)
//   for (i = 0; i < COUNT; ++i) { A }     never runs if COUNT is 0
//   continue; A
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Reachable.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

bool isDecided(const KernelAnalysis &K, const Stmt *S) {
  return S->E && S->E->Ty->isInteger() && S->E->Ty->isScalar() && K.range(S->E, S).isConstant();
}

static bool isExit(const Stmt *S) {
  return S->K == StmtKind::Return || S->K == StmtKind::Break || S->K == StmtKind::Continue;
}

/// True if S is in B, behind an exit that each work-item takes.
static bool followsExit(const StmtList &B, const Stmt *S) {
  auto At = llvm::find(B, S);
  return At != B.end() && std::any_of(B.begin(), At, isExit);
}

bool isDead(const KernelAnalysis &K, const Stmt *S) {
  for (const Stmt *At = S, *P = K.parentOf(S);; At = P, P = K.parentOf(P)) {
    if (!P)
      return followsExit(K.kernel().Body, At);
    if (followsExit(P->Body, At) || followsExit(P->Else, At))
      return true;
    bool InBody = llvm::is_contained(P->Body, At), InElse = llvm::is_contained(P->Else, At);
    bool Tested = P->K == StmtKind::If || (P->K == StmtKind::Loop && P->Form != Stmt::DoWhile);
    if (!Tested || (!InBody && !InElse) || !isDecided(K, P))
      continue;
    bool Holds = K.range(P->E, P).Lo != 0;
    if (Holds ? InElse : InBody)
      return true;
  }
}

} // namespace clmali::model
