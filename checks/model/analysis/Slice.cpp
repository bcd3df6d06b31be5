//===-- checks/model/analysis/Slice.cpp - What a value is computed from ------------===//
//
// See Slice.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Slice.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

struct Slice::Builder {
  const KernelAnalysis &A;
  SliceOptions O;
  Slice &Into;
  llvm::DenseSet<const Expr *> Seen;
  llvm::DenseSet<const Stmt *> Followed;
  std::vector<std::pair<const Expr *, const Stmt *>> Pending;

  void expression(const Expr *Root, const Stmt *At) {
    for (ExprIterator I(Root, const_cast<Stmt *>(At)), E; I != E; ++I) {
      ExprAt X = *I;
      if (!Seen.insert(X.E).second) {
        I.skipOperands();
        continue;
      }
      Into.Exprs.push_back(X);
      if (X->K == ExprKind::VarRef)
        for (const Stmt *Def : A.defs(X->V))
          definition(Def);
      if (X->K == ExprKind::Load && O.Arrays)
        array(X->Acc.Base);
      if (X->K == ExprKind::Load && !O.Indices)
        I.skipOperands();
    }
  }

  void array(const Var *Base) {
    if (Base->space() != AddressSpace::Private && Base->space() != AddressSpace::Local)
      return;
    for (const AccessSite &Site : A.accesses())
      if (Site.IsWrite && Site.A->Base == Base)
        definition(Site.S);
  }

  void definition(const Stmt *Def) {
    if (!Followed.insert(Def).second)
      return;
    Into.Definitions.push_back(Def);
    if (Def->E)
      Pending.emplace_back(Def->E, Def);
    for (const Expr *Arg : Def->Args)
      Pending.emplace_back(Arg, Def);
    if (O.Control)
      for (const Stmt *P = A.parentOf(Def); P; P = A.parentOf(P))
        if (P->E && Seen.count(P->E) == 0)
          Pending.emplace_back(P->E, P);
  }
};

Slice::Slice(const KernelAnalysis &A, const Expr *E, const Stmt *At, SliceOptions O) {
  Builder B{A, O, *this, {}, {}, {}};
  B.expression(E, At);
  // Breadth first: definitions near E come first.
  for (size_t I = 0; I < B.Pending.size(); ++I) {
    auto [Root, Holder] = B.Pending[I];
    B.expression(Root, Holder);
  }
}

bool Slice::reads(const Var *V) const {
  return llvm::any_of(Exprs,
                      [&](const ExprAt &X) { return X->K == ExprKind::VarRef && X->V == V; });
}

const Expr *stripCasts(const Expr *E) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert)
    E = E->Ops[0];
  return E;
}

const Expr *origin(const KernelAnalysis &A, const Expr *E) {
  // `x = y; y = x;` in a loop does not end.
  constexpr unsigned MaxSteps = 32;
  for (unsigned Steps = 0; Steps < MaxSteps; ++Steps) {
    E = stripCasts(E);
    const Stmt *Def = E->K == ExprKind::VarRef ? A.singleDef(E->V) : nullptr;
    if (!Def || !Def->E)
      return E;
    E = Def->E;
  }
  return E;
}

} // namespace clmali::model
