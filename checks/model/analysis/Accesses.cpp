//===-- checks/model/analysis/Accesses.cpp - Who touches memory, and where ---===//
//
// What it does: lists every access of the kernel in the order of execution,
// with its loops, guards, barrier interval and address; and the arrays of which
// all stores are seen.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace clmali::model {

void KernelAnalysis::Impl::findSites() {
  if (SitesReady)
    return;
  SitesReady = true;

  const Stmt *S = nullptr;
  std::vector<const Stmt *> Loops;
  std::vector<Guard> Guards;
  auto Begin = [&](const Access &A) {
    AccessSite &Site = Sites.emplace_back();
    Site.A = &A;
    Site.S = S;
    Site.Loops = Loops;
    Site.Guards = Guards;
    Site.Interval = Intervals.findLeader(Info.lookup(S).Interval);
    Site.Bytes = bytes(A, S);
    Site.Affine = true;
    for (const auto &[Mono, C] : Site.Bytes.Terms)
      for (unsigned Sym : Mono)
        Site.Affine &= !Symbols[Sym].Varies.Data && Symbols[Sym].K != SymbolInfo::Atom;
    auto [It, New] = AccessOwner.try_emplace(&A, S);
    if (!New && It->second != S)
      It->second = nullptr;
  };

  // Loads in the order of evaluation; Conditional below ?:, && and ||.
  auto AddGuard = [&](const Expr *Cond, bool Holds, auto &Self) -> void {
    if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot && Cond->Ty->isScalar())
      return Self(Cond->Ops[0], !Holds, Self);
    if (Cond->K == ExprKind::Binary && Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr)) {
      Self(Cond->Ops[0], Holds, Self);
      return Self(Cond->Ops[1], Holds, Self);
    }
    Guards.push_back({Cond, Holds});
  };
  auto Loads = [&](const Expr *E, bool Conditional, auto &Self) -> void {
    bool Lazy = E->Ty->isScalar() &&
                (E->K == ExprKind::Select ? E->Ops[0]->Ty->isScalar()
                                          : E->K == ExprKind::Binary &&
                                                (E->O == Op::LogicalAnd || E->O == Op::LogicalOr));
    if (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar())
      Lazy = true;
    if (Lazy) {
      Self(E->Ops[0], Conditional, Self);
      size_t Outer = Guards.size();
      AddGuard(E->Ops[0], E->K == ExprKind::Select || E->O == Op::LogicalAnd, AddGuard);
      Self(E->Ops[1], true, Self);
      Guards.resize(Outer);
      if (E->K == ExprKind::Select) {
        AddGuard(E->Ops[0], false, AddGuard);
        Self(E->Ops[2], true, Self);
        Guards.resize(Outer);
      }
      return;
    }
    forEachOperand(*E, [&](const Expr *X) { Self(X, Conditional, Self); });
    if (E->K == ExprKind::Load) {
      Begin(E->Acc);
      Sites.back().Load = E;
      Sites.back().IsRead = true;
      Sites.back().Conditional = Conditional;
    }
  };

  auto Visit = [&](const StmtList &B, auto &Self) -> void {
    for (const Stmt *X : B) {
      if (X->K == StmtKind::Loop)
        Self(X->Init, Self);
      S = X;
      Loops = loopsOf(X);
      if (X->K == StmtKind::Loop)
        Loops.push_back(X);
      Guards.clear();
      for (const GuardLink *G = Info.lookup(X).Guards; G; G = G->Outer)
        if (G->Listed)
          Guards.insert(Guards.begin(), {G->Cond, G->Holds});
      forEachExpr(*X, [&](const Expr *E) { Loads(E, false, Loads); });
      switch (X->K) {
      case StmtKind::AsyncCopy:
        Begin(X->Source);
        Sites.back().IsRead = true;
        Begin(X->Acc);
        Sites.back().IsWrite = true;
        break;
      case StmtKind::Atomic:
        Begin(X->Acc);
        Sites.back().IsWrite = Sites.back().IsRead = Sites.back().IsAtomic = true;
        break;
      case StmtKind::Store:
        Begin(X->Acc);
        Sites.back().IsWrite = true;
        break;
      default:
        break;
      }
      Self(X->Body, Self);
      Self(X->Else, Self);
      Self(X->Step, Self);
    }
  };
  Visit(K.Body, Visit);
}

/// How far an address moves from an item to its neighbour in most places: a remainder moves
/// with what is divided, a quotient stands still.
std::optional<Poly> KernelAnalysis::Impl::mostlyStrideOf(Poly P, unsigned Dim) {
  if (auto Exact = strideOf(P, Dim))
    return Exact;
  for (unsigned Round = 0; Round < 8; ++Round) {
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

/// Accesses vote: those in loops run more often and count more.
std::optional<unsigned> KernelAnalysis::contiguousDimension() const {
  std::array<unsigned, 3> Votes{};
  for (const AccessSite &S : accesses()) {
    AddressSpace Space = S.A->Base->space();
    if (Space != AddressSpace::Global && Space != AddressSpace::Constant)
      continue;
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

/// Fills Arrays. What is accessed as another type, or by anything but loads and stores, is left
/// out.
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
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Store && See(S->Acc))
      Stores[S->Acc.Base].push_back(S);
    if (S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy)
      Others.insert(S->Acc.Base);
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::Load)
          See(E->Acc);
        return true;
      });
    });
    return true;
  });
  auto Add = [&](const Var *V) {
    if (auto Found = Stores.find(V); Found != Stores.end() && !Others.count(V))
      Arrays.emplace_back(V, Found->second);
  };
  llvm::for_each(K.Vars, Add);
  for (const auto &A : Arrays)
    ArrayRange[A.first] = {1, 0}; // nothing yet
}

} // namespace clmali::model
