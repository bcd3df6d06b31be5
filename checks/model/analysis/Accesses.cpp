//===-- checks/model/analysis/Accesses.cpp - All accesses of a kernel ---===//
//
// What it does: lists every access of the kernel in the order of execution,
// with its loops, guards, barrier interval and address; and the private arrays
// all of whose stores are visible.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace clmali::model {

namespace {

/// Lists the accesses of a kernel in the order of execution.
class SiteFinder {
public:
  explicit SiteFinder(KernelAnalysis::Impl &I) : I(I) {}
  void visit(const StmtList &B);

private:
  KernelAnalysis::Impl &I;
  const Stmt *S = nullptr; ///< the current statement
  std::vector<const Stmt *> Loops;
  std::vector<Guard> Guards;

  AccessSite &add(const Access &A);
  void loads(const Expr *E, bool Conditional);
  void loadsOfChoice(const Expr *E, bool Conditional);
};

/// Adds the parts of Cond that hold to Guards: both sides of a true &&, of a false ||.
static void addGuard(std::vector<Guard> &Guards, const Expr *Cond, bool Holds) {
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot && Cond->Ty->isScalar())
    return addGuard(Guards, Cond->Ops[0], !Holds);
  if (Cond->K == ExprKind::Binary && Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr)) {
    addGuard(Guards, Cond->Ops[0], Holds);
    return addGuard(Guards, Cond->Ops[1], Holds);
  }
  Guards.push_back({Cond, Holds});
}

AccessSite &SiteFinder::add(const Access &A) {
  AccessSite &Site = I.Sites.emplace_back();
  Site.A = &A;
  Site.S = S;
  Site.Loops = Loops;
  Site.Guards = Guards;
  Site.Interval = I.Intervals.findLeader(I.Info.lookup(S).Interval);
  Site.Bytes = I.bytes(A, S);
  Site.Affine = true;
  for (const auto &[Mono, C] : Site.Bytes.Terms)
    for (unsigned Symbol : Mono)
      Site.Affine &= !I.Symbols[Symbol].Varies.Data && I.Symbols[Symbol].K != SymbolInfo::Atom;
  auto [It, New] = I.AccessOwner.try_emplace(&A, S);
  if (!New && It->second != S)
    It->second = nullptr;
  return Site;
}

/// Of a scalar ?:, && or ||, which evaluates its later operands under a condition.
void SiteFinder::loadsOfChoice(const Expr *E, bool Conditional) {
  bool IsSelect = E->K == ExprKind::Select;
  loads(E->Ops[0], Conditional);
  size_t Outer = Guards.size();
  addGuard(Guards, E->Ops[0], IsSelect || E->O == Op::LogicalAnd);
  loads(E->Ops[1], true);
  Guards.resize(Outer);
  if (!IsSelect)
    return;
  addGuard(Guards, E->Ops[0], false);
  loads(E->Ops[2], true);
  Guards.resize(Outer);
}

/// The loads of E in the order of evaluation.
void SiteFinder::loads(const Expr *E, bool Conditional) {
  bool IsChoice = E->K == ExprKind::Select ? E->Ops[0]->Ty->isScalar()
                                           : E->K == ExprKind::Binary && E->Ty->isScalar() &&
                                                 (E->O == Op::LogicalAnd || E->O == Op::LogicalOr);
  if (IsChoice)
    return loadsOfChoice(E, Conditional);
  forEachOperand(*E, [&](const Expr *X) { loads(X, Conditional); });
  if (E->K != ExprKind::Load)
    return;
  AccessSite &Site = add(E->Acc);
  Site.Load = E;
  Site.IsRead = true;
  Site.Conditional = Conditional;
}

void SiteFinder::visit(const StmtList &B) {
  for (const Stmt *X : B) {
    if (X->K == StmtKind::Loop)
      visit(X->Init);
    S = X;
    const AccessSite Site = I.siteOf(X);
    Loops = Site.Loops;
    Guards = Site.Guards;
    forEachExpr(*X, [&](const Expr *E) { loads(E, false); });
    if (X->K == StmtKind::AsyncCopy)
      add(X->Source).IsRead = true;
    if (X->K == StmtKind::AsyncCopy || X->K == StmtKind::Store || X->K == StmtKind::Atomic) {
      AccessSite &Site = add(X->Acc);
      Site.IsWrite = true;
      Site.IsRead = Site.IsAtomic = X->K == StmtKind::Atomic;
    }
    visit(X->Body);
    visit(X->Else);
    visit(X->Step);
  }
}

} // namespace

AccessSite KernelAnalysis::Impl::siteOf(const Stmt *S) {
  AccessSite Site;
  Site.S = S;
  Site.Loops = loopsOf(S);
  if (S->K == StmtKind::Loop)
    Site.Loops.push_back(S);
  for (const GuardLink *G = Info.lookup(S).Guards; G; G = G->Outer)
    if (G->Listed)
      Site.Guards.insert(Site.Guards.begin(), {G->Cond, G->Holds});
  Site.Interval = Intervals.findLeader(Info.lookup(S).Interval);
  return Site;
}

void KernelAnalysis::Impl::findSites() {
  if (SitesReady)
    return;
  SitesReady = true;
  SiteFinder(*this).visit(K.Body);
}

/// The stride of most work-items: a remainder moves as its dividend does, a quotient does not move.
std::optional<Poly> KernelAnalysis::Impl::mostlyStrideOf(Poly P, unsigned Dim) {
  if (auto Exact = strideOf(P, Dim))
    return Exact;
  constexpr unsigned MaxAtoms = 8;
  for (unsigned N = 0; N < MaxAtoms; ++N) {
    unsigned Found = None;
    for (const auto &[Mono, C] : P.Terms)
      for (unsigned S : Mono)
        if (Symbols[S].K == SymbolInfo::Atom && (Symbols[S].Varies.Item >> Dim & 1))
          Found = S;
    if (Found == None)
      return strideOf(P, Dim);
    const Expr *E = Symbols[Found].E;
    if (P.degree(Found) != 1 || !E || E->K != ExprKind::Binary)
      return std::nullopt;
    Poly By;
    if (E->O == Op::Rem || E->O == Op::And)
      By = poly(E->Ops[0], SymbolAt[Found]);
    else if (E->O != Op::Div && E->O != Op::Shr)
      return std::nullopt;
    P = P.substitute(Found, By);
  }
  return std::nullopt;
}

/// Each access votes for the dimension in which it is contiguous; accesses in loops count more.
std::optional<unsigned> KernelAnalysis::contiguousDimension() const {
  std::array<unsigned, 3> Votes{};
  for (const AccessSite &S : accesses()) {
    AddressSpace Space = S.A->Base->space();
    if ((Space != AddressSpace::Global && Space != AddressSpace::Constant) || S.IsAtomic)
      continue; // no vector does several atomic operations
    int64_t Width = int64_t(sizeInBytes(S.A->Elem)) * S.A->Lanes;
    for (unsigned D = 0; D < 3; ++D) {
      std::optional<Poly> Stride = I->mostlyStrideOf(S.Bytes, D);
      if (!Stride || !Stride->isConstant() || Stride->isZero())
        continue;
      int64_t Step = std::abs(Stride->constantTerm());
      if (Step <= 16 * Width)
        Votes[D] += (Step == Width ? 2 : 1) * unsigned(1 + S.Loops.size());
    }
  }
  unsigned Best = 0;
  for (unsigned D = 1; D < 3; ++D)
    if (Votes[D] > Votes[Best])
      Best = D;
  if (!Votes[Best])
    return std::nullopt;
  return Best;
}

const Type *elementOf(const Type *T) {
  while (T && (T->K == Type::Array || T->K == Type::Pointer))
    T = T->Elem;
  return T;
}

/// Fills Arrays. Objects that are accessed as another type, or by anything but loads and stores,
/// are left out.
void KernelAnalysis::Impl::findArrays() {
  if (HasOpaque)
    return;
  auto ElementOf = [](const Var *V) -> const Type * {
    if (V->space() != AddressSpace::Private)
      return nullptr;
    const Type *T = elementOf(V->Ty);
    return T != V->Ty && T && T->isInteger() ? T : nullptr;
  };
  std::map<const Var *, std::vector<const Stmt *>> Stores;
  std::set<const Var *> Others;
  auto See = [&](const Access &A) {
    const Type *T = ElementOf(A.Base);
    if (!T || A.Elem != T->Scalar || !A.Path.empty() || A.Volatile)
      Others.insert(A.Base);
    return !Others.count(A.Base);
  };
  for (Stmt *S : stmts(K.Body)) {
    if (S->K == StmtKind::Store && See(S->Acc))
      Stores[S->Acc.Base].push_back(S);
    if (S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy)
      Others.insert(S->Acc.Base);
    for (ExprAt E : exprs(*S))
      if (E->K == ExprKind::Load)
        See(E->Acc);
  }
  auto Add = [&](const Var *V) {
    if (auto Found = Stores.find(V); Found != Stores.end() && !Others.count(V))
      Arrays.emplace_back(V, Found->second);
  };
  llvm::for_each(K.Vars, Add);
  for (const auto &A : Arrays)
    ArrayRange[A.first] = {1, 0}; // nothing yet
}

} // namespace clmali::model
