//===-- rewriters/pass/LaunchUse.cpp - How a kernel depends on its launch -----===//

#include "rewriters/pass/LaunchUse.h"
#include "checks/model/analysis/Analysis.h"
#include "checks/model/ir/Traversal.h"

namespace clmali::rewrite {

using namespace model;

unsigned dimensions(const Kernel &K) {
  unsigned D = 1;
  for (ExprAt X : exprs(K.Body))
    if (X->K == ExprKind::WorkItem && X->Query != WorkItemQuery::WorkDim)
      D = std::max<unsigned>(D, X->Dim + 1);
  return D;
}

bool itemsDifferAlong(const Kernel &K, unsigned D) { return (NDRangeUse::of(K).ids() >> D) & 1; }

std::optional<SourceRange> groupUse(const Kernel &K) {
  std::optional<SourceRange> Found;
  auto At = [&](SourceRange R) {
    if (!Found || (!Found->isValid() && R.isValid()))
      Found = R;
  };
  for (Stmt *S : stmts(K.Body)) {
    for (ExprAt X : exprs(*S))
      if (X->K == ExprKind::WorkItem &&
          (X->Query == WorkItemQuery::LocalId || X->Query == WorkItemQuery::GroupId ||
           X->Query == WorkItemQuery::LocalSize || X->Query == WorkItemQuery::NumGroups))
        At(X->Range.isValid() ? X->Range : S->Range);
    if (S->K == StmtKind::Barrier || S->K == StmtKind::AsyncCopy)
      At(S->Range);
  }
  for (const Var *V : K.Vars)
    if (V->K == Var::Memory && V->AS == AddressSpace::Local)
      At(V->Range);
  for (const Var *P : K.Params)
    if (P->isPointerParam() && P->Ty->AS == AddressSpace::Local)
      At(P->Range);
  if (K.ReqdWorkGroupSize)
    At(K.NameRange);
  return Found;
}

bool worksInGroups(const Kernel &K) { return groupUse(K).has_value(); }

} // namespace clmali::rewrite
