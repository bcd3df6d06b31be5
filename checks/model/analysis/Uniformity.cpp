//===-- checks/model/analysis/Uniformity.cpp - Uniform and divergent values ---===//
//
// What it does: for each version, the dimensions along which work-items may see different values:
// from its operands, from the branches that it depends on, and, behind a loop, from the conditions
// under which work-items leave it. A least fixpoint: uniform until shown otherwise.
//
//   int i = get_global_id(0);  int n = w / 2;  if (i < n) k = 1;     i and k vary in x, n does not
//
// Limits: private arrays count as one variable. A load from a uniform address is uniform within a
// group, for work-items in lockstep.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"

namespace clmali::model {

static const Variation Everything{7, 7, true};

Variation KernelAnalysis::Impl::varies(const Expr *E, const Stmt *At) {
  spend();
  Variation R;
  if (Following::mayGoOn(*this))
    if (auto C = componentOf(E, At)) {
      Following Now(*this);
      return varies(C->first, C->second);
    }
  switch (E->K) {
  case ExprKind::VarRef: {
    unsigned V = versionAt(E->V, At);
    return V < VersionVaries.size() ? VersionVaries[V] : Everything;
  }
  case ExprKind::WorkItem:
    if (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId)
      R.Item = uint8_t(1u << E->Dim);
    if (E->Query == WorkItemQuery::GroupId)
      R.Group = uint8_t(1u << E->Dim);
    return R;
  case ExprKind::Opaque:
    return Everything;
  case ExprKind::ImageRead:
    R.Data = true;
    break;
  case ExprKind::Load: {
    const Var *Base = E->Acc.Base;
    // A struct argument is like its members as single arguments.
    bool Argument = Base->K == Var::Param && !Base->isPointerParam() && !Written.contains(Base);
    R.Data = !Argument && (Written.contains(Base) || (Base->Ints.empty() && Base->Floats.empty()));
    if (!Argument && Base->space() == AddressSpace::Private)
      R = R | (HasOpaque && Base->Ints.empty() ? Everything : MemoryVaries.lookup(Base));
    else if (Base->space() == AddressSpace::Local)
      R.Group = 7;
    break;
  }
  default:
    break;
  }
  forEachOperand(*E, [&](const Expr *X) { R = R | varies(X, At); });
  return R;
}

/// The conditions of the branches between S and Loop, which contains it.
Variation KernelAnalysis::Impl::branches(const Stmt *S, const Stmt *Loop) {
  Variation R;
  for (const Stmt *P = Info.lookup(S).Parent; P && P != Loop; P = Info.lookup(P).Parent)
    if (P->E)
      R = R | varies(P->E, P);
  return R;
}

/// The conditions under which a `continue` of Loop before S ends the iteration; S null: any.
Variation KernelAnalysis::Impl::continues(const Stmt *Loop, const Stmt *S) {
  Variation R;
  for (const Stmt *Leave : Leaves.lookup(Loop))
    if (Leave->K == StmtKind::Continue && (!S || Info.lookup(Leave).Time < Info.lookup(S).Time))
      R = R | branches(Leave, Loop);
  return R;
}

/// The conditions under which work-items leave Loop. A `continue` counts only if it skips a break:
/// what else it skips changes the trip count through the variables of the loop's condition.
Variation KernelAnalysis::Impl::leaves(const Stmt *Loop) {
  Variation R;
  if (Loop->E)
    R = varies(Loop->E, Loop);
  for (const Stmt *Leave : Leaves.lookup(Loop))
    if (Leave->K == StmtKind::Break)
      R = R | branches(Leave, Loop) | continues(Loop, Leave);
  return R;
}

Variation KernelAnalysis::Impl::control(const Stmt *S, const Stmt *Outermost, bool ByRanges) {
  Variation R;
  const Stmt *At = S;
  StmtInfo I = Info.lookup(S);
  while (const Stmt *P = I.Parent) {
    if (P == Outermost)
      break;
    if (P->K == StmtKind::If && !(ByRanges && isIntScalar(P->E) && rangeAt(P->E, P).isConstant()))
      R = R | varies(P->E, P);
    else if (P->K == StmtKind::Loop && !I.InHead)
      R = R | leaves(P) | continues(P, At);
    At = P;
    I = Info.lookup(P);
  }
  return R;
}

/// True if both branches assign the same value of the same variables:
/// if (..) { n /= 2; .. } else n /= 2;
bool KernelAnalysis::Impl::isSameInBoth(const Version &V) {
  if (V.S->K != StmtKind::If || V.In.size() != 2)
    return false;
  const Version &A = Versions[V.In[0]], &B = Versions[V.In[1]];
  auto IsWhole = [](const Version &X) {
    return X.K == Version::Def && X.S->K == StmtKind::Assign && X.S->E && X.S->LaneIdx.empty();
  };
  if (!IsWhole(A) || !IsWhole(B) || !equal(A.S->E, B.S->E))
    return false;
  return llvm::all_of(exprs(A.S->E), [&](ExprAt E) {
    return E->K == ExprKind::VarRef ? versionAt(E->V, A.S) == versionAt(E->V, B.S)
                                    : !isRead(E->K) && E->K != ExprKind::Opaque;
  });
}

Variation KernelAnalysis::Impl::evalVariation(const Version &V) {
  Variation R;
  auto All = [&] {
    for (unsigned In : V.In)
      R = R | VersionVaries[In];
  };
  switch (V.K) {
  case Version::Entry:
  case Version::Undef:
    return R;
  case Version::Unknown:
  case Version::LoopHead:
    All();
    return R;
  case Version::LoopExit:
    All();
    return R | leaves(V.S);
  case Version::Join:
    All();
    if (isSameInBoth(V))
      return R;
    return R | (V.S->K == StmtKind::Loop ? leaves(V.S) | continues(V.S) : varies(V.S->E, V.S));
  case Version::Def:
    switch (V.S->K) {
    case StmtKind::Decl:
    case StmtKind::Assign:
      R = V.S->E ? varies(V.S->E, V.S) : R;
      return V.Prev == None ? R : R | VersionVaries[V.Prev];
    case StmtKind::AsyncCopy:
      return R;
    default:
      return Everything;
    }
  }
  return Everything;
}

void KernelAnalysis::Impl::findVariation() {
  if (UniformReady)
    return;
  UniformReady = true;
  VersionVaries.assign(Versions.size(), Variation());
  auto Same = [](const Variation &A, const Variation &B) {
    return A.Item == B.Item && A.Group == B.Group && A.Data == B.Data;
  };
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (unsigned I = 0; I < VersionVaries.size(); ++I) {
      if (Versions[I].V->isMemory())
        continue;
      Variation New = VersionVaries[I] | evalVariation(Versions[I]);
      Changed |= !Same(New, VersionVaries[I]);
      VersionVaries[I] = New;
    }
    for (const Stmt *S : Order) {
      const Var *Base = S->K == StmtKind::Decl ? S->V : S->Acc.Base;
      if (!Base || !Base->isMemory() || Base->space() != AddressSpace::Private)
        continue;
      Variation New = MemoryVaries.lookup(Base);
      Variation Old = New;
      if (S->K == StmtKind::Store || S->K == StmtKind::Decl) {
        New = New | control(S, nullptr);
        forEachExpr(*S, [&](const Expr *E) { New = New | varies(E, S); });
        // An initialiser of which only the text is known.
        if (S->K == StmtKind::Decl && !S->Text.empty() && !S->E && S->Args.empty() &&
            Base->Ints.empty() && Base->Floats.empty())
          New = New | Everything;
      } else {
        New = Everything;
      }
      Changed |= !Same(New, Old);
      MemoryVaries[Base] = New;
    }
  }
}

} // namespace clmali::model
