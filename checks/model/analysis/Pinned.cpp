//===-- checks/model/analysis/Pinned.cpp - Accesses of a single work-item ------===//

#include "checks/model/analysis/Pinned.h"
#include "checks/model/analysis/Slice.h"

namespace clmali::model {

/// True if a global or local id of dimension Dim is in P.
static bool stepsAlong(const KernelAnalysis &K, const Poly &P, unsigned Dim) {
  for (const auto &[M, Coefficient] : P.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      if (Info.K == SymbolInfo::WorkItem && Info.E->Dim == Dim &&
          (Info.E->Query == WorkItemQuery::GlobalId || Info.E->Query == WorkItemQuery::LocalId))
        return true;
    }
  return false;
}

/// True if Cond, where it holds (or does not), leaves only one work-item of dimension Dim.
static bool pins(const KernelAnalysis &K, const Expr *Cond, bool Holds, unsigned Dim) {
  if (Cond->K == ExprKind::Cast)
    return pins(K, Cond->Ops[0], Holds, Dim);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot) {
    // !get_local_id(0)
    if (Holds && Cond->Ops[0]->Ty->isInteger() && Cond->Ops[0]->K != ExprKind::Binary)
      return stepsAlong(K, K.poly(Cond->Ops[0]), Dim);
    return pins(K, Cond->Ops[0], !Holds, Dim);
  }
  if (Cond->K != ExprKind::Binary)
    // Where `if (!get_local_id(0))` holds.
    return !Holds && Cond->Ty->isScalar() && Cond->Ty->isInteger() &&
           stepsAlong(K, K.poly(Cond), Dim);
  if (Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr))
    return pins(K, Cond->Ops[0], Holds, Dim) || pins(K, Cond->Ops[1], Holds, Dim);
  if (!Cond->Ops[0]->Ty->isInteger())
    return false;
  Poly P = K.poly(Cond->Ops[0]) - K.poly(Cond->Ops[1]);
  if (Cond->O == (Holds ? Op::EQ : Op::NE))
    return stepsAlong(K, P, Dim);
  // id < 1 leaves one work-item, too.
  if (Holds && Cond->O == Op::LT)
    return stepsAlong(K, P, Dim) && P.constantTerm() == -1 && P.Terms.size() == 2;
  return false;
}

/// The polynomial that is at least 0 where a comparison of integers holds.
static std::optional<Poly> notNegative(const KernelAnalysis &K, const Guard &G) {
  const Expr *E = stripCasts(G.Cond);
  if (E->K != ExprKind::Binary || !isComparison(E->O) || !E->Ops[0]->Ty->isScalar() ||
      !E->Ops[0]->Ty->isInteger())
    return std::nullopt;
  Op O = G.Holds ? E->O : inverse(E->O);
  bool Less = O == Op::LT || O == Op::LE, Strict = O == Op::LT || O == Op::GT;
  if (!Less && O != Op::GT && O != Op::GE)
    return std::nullopt;
  Poly Above = K.poly(E->Ops[Less ? 1 : 0]) - K.poly(E->Ops[Less ? 0 : 1]);
  return Strict ? Above - Poly::constant(1) : Above;
}

/// True if P >= 0 leaves no id but 0 (7 - 8 * id).
static bool leavesFirst(const KernelAnalysis &K, const Poly &P, unsigned Dim) {
  if (P.Terms.size() > 2 || !stepsAlong(K, P, Dim))
    return false;
  for (const auto &[M, Coefficient] : P.Terms)
    if (!M.empty())
      return M.size() == 1 && Coefficient < 0 && P.constantTerm() >= 0 &&
             P.constantTerm() < -Coefficient;
  return false;
}

bool isPinned(const KernelAnalysis &K, const AccessSite &Site, unsigned Dim) {
  std::vector<Poly> Bounds;
  for (const Guard &G : Site.Guards) {
    if (pins(K, G.Cond, G.Holds, Dim))
      return true;
    if (std::optional<Poly> P = notNegative(K, G))
      Bounds.push_back(std::move(*P));
  }
  // 8 * id <= n and n < 8 leave one together.
  for (size_t I = 0; I < Bounds.size(); ++I)
    for (size_t J = I + 1; J < Bounds.size(); ++J)
      if (leavesFirst(K, Bounds[I] + Bounds[J], Dim))
        return true;
  return false;
}

} // namespace clmali::model
