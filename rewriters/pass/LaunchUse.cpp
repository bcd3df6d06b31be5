//===-- rewriters/pass/LaunchUse.cpp - How a kernel depends on its launch -----===//

#include "rewriters/pass/LaunchUse.h"
#include "checks/model/analysis/Analysis.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseSet.h"

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

void fixLaunch(Module &M, Kernel &K, const WorkSize &Local,
               const llvm::DenseMap<const Var *, int64_t> &Scalars) {
  auto Leaf = [&](const Expr *X) -> const Expr * {
    if (X->K == ExprKind::VarRef) {
      auto It = Scalars.find(X->V);
      return It == Scalars.end() ? nullptr : M.intConst(It->second, X->Ty);
    }
    if (X->K != ExprKind::WorkItem || X->Query != WorkItemQuery::LocalSize || X->Dim > 2 ||
        !Local[X->Dim])
      return nullptr;
    return M.intConst(int64_t(Local[X->Dim]), X->Ty);
  };
  for (Stmt *S : stmts(K.Body))
    mapExprs(M, *S, [&](const Expr *E) {
      const Expr *New = substitute(M, E, Leaf);
      return New == E ? E : simplify(M, New);
    });
}

llvm::DenseMap<const Var *, int64_t> knownScalars(const Kernel &K, const LaunchFacts &Launch) {
  llvm::DenseMap<const Var *, int64_t> Values;
  llvm::DenseSet<const Var *> Set;
  for (const Stmt *S : stmts(K.Body))
    Set.insert(S->V);
  for (const Var *P : K.Params)
    for (const KnownScalar &One : Launch.KnownScalars)
      if (One.Param == P->Name && !P->isPointerParam() && P->Ty->isScalar() && P->Ty->isInteger() &&
          !Set.contains(P) && rangeOf(P->Ty->Scalar).contains({One.Value, One.Value}))
        Values[P] = One.Value;
  return Values;
}

Kernel *asLaunched(Module &M, const Kernel &K, const LaunchFacts &Launch, const WorkSize &Local) {
  Kernel *Copy = cloneKernel(M, K, K.Name);
  fixLaunch(M, *Copy, Local, knownScalars(*Copy, Launch));
  if (!Copy->ReqdWorkGroupSize && Local[0]) {
    Copy->ReqdWorkGroupSize.emplace();
    for (unsigned D = 0; D < 3; ++D)
      (*Copy->ReqdWorkGroupSize)[D] = std::max<uint64_t>(Local[D], 1);
  }
  return Copy;
}

} // namespace clmali::rewrite
