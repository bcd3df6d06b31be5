//===-- rewriters/normalize/Loads.cpp - Loads before their conditions -----------------===//
//
//   if (p[i].x > 0) s += p[i].w;             float p_v = p[i].w; if (p[i].x > 0) s += p_v;
//
// Under a condition that differs between work-items, a load of an element of which some part is
// loaded in any case moves before the condition. The branch can then become a selection.
//
//   a = p[i];                                a = p[i]; b = p[j];
//   if (j != i) s += f(a, p[j]);             if (j != i) s += f(a, b);
//
// A work-item that skips the branch has j == i. With i in place of j, the load is one that was
// made: so it may move as well.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

bool letsOthersWrite(const model::StmtList &B) {
  return llvm::any_of(stmts(B), [](const model::Stmt *S) {
    using enum model::StmtKind;
    return S->K == Barrier || S->K == Atomic || S->K == AsyncCopy || S->K == Call || S->K == Opaque;
  });
}

} // namespace clmali::rewrite

namespace clmali::rewrite::normalization {

bool sameElement(const Access &X, const Access &Y) {
  if (X.Base != Y.Base || X.Volatile || Y.Volatile || X.F != Access::Subscript ||
      Y.F != Access::Subscript || X.Index.empty() || X.Index.size() != Y.Index.size() ||
      X.Stride != Y.Stride)
    return false;
  for (size_t D = 0; D < X.Index.size(); ++D)
    if (!equal(X.Index[D], Y.Index[D]))
      return false;
  return X.Disp < X.Stride.back() && Y.Disp < Y.Stride.back();
}

void unconditionalLoads(const Expr *E, Accesses &Into) {
  if (isLazyOperand(E, 1))
    return unconditionalLoads(E->Ops[0], Into);
  if (E->K == ExprKind::Load)
    Into.push_back(&E->Acc);
  forEachOperand(*E, [&](const Expr *X) { unconditionalLoads(X, Into); });
}

Accesses stable(const Accesses &Known, const StmtList &B) {
  if (letsOthersWrite(B))
    return {};
  llvm::DenseSet<const Var *> Assigned;
  for (const Stmt *S : stmts(B))
    if (S->V)
      Assigned.insert(S->V);
  auto Moves = [&](const Expr *Ix) {
    return llvm::any_of(exprs(Ix), [&](ExprAt X) {
      return X->K == ExprKind::Load || (X->K == ExprKind::VarRef && Assigned.contains(X->V));
    });
  };
  Accesses Out;
  for (const Access *Acc : Known)
    if (llvm::none_of(Acc->Index, Moves))
      Out.push_back(Acc);
  return Out;
}

bool computesOnly(const StmtList &B) {
  return llvm::all_of(stmts(B), [](const Stmt *S) {
    return S->K == StmtKind::Decl || S->K == StmtKind::Assign || S->K == StmtKind::If;
  });
}

namespace {

/// A branch that is skipped only if X == Y; null: it is none.
struct Skipped {
  const Expr *X = nullptr, *Y = nullptr;
  const StmtList *Branch = nullptr;
};

class LoadHoister {
public:
  LoadHoister(Module &M, Kernel &K, const KernelAnalysis &A) : M(M), K(K), A(A) {}
  void visit(StmtList &B, Accesses Known);

private:
  Module &M;
  Kernel &K;
  const KernelAnalysis &A;
  void hoist(Stmt *S, const Accesses &Known, StmtList &Out);
  const Expr *sameValue(const Expr *E, const Stmt *S) const;
  Skipped skippedIfEqual(const Stmt *S) const;
  Accesses loadedIfSkipped(const Stmt *S, const Accesses &Fixed) const;
};

} // namespace

/// E, computed at S, without conversions that keep its value; null: a conversion may change it, so
/// that equal results do not mean equal values.
const Expr *LoadHoister::sameValue(const Expr *E, const Stmt *S) const {
  while (E->K == ExprKind::Cast) {
    const Expr *From = E->Ops[0];
    if (E->C != CastOp::Convert || !From->Ty->isScalar() || !From->Ty->isInteger() ||
        !rangeOf(E->Ty->Scalar).contains(A.range(From, S)))
      return nullptr;
    E = From;
  }
  return E;
}

Skipped LoadHoister::skippedIfEqual(const Stmt *S) const {
  const Expr *C = S->E;
  bool Not = false;
  for (;; C = C->Ops[0]) {
    if (C->K == ExprKind::Unary && C->O == Op::LogicalNot)
      Not = !Not;
    else if (C->K != ExprKind::Cast || !C->Implicit)
      break;
  }
  if (C->K != ExprKind::Binary || (C->O != Op::NE && C->O != Op::EQ) ||
      !C->Ops[0]->Ty->isScalar() || !C->Ops[0]->Ty->isInteger())
    return {};
  const Expr *X = sameValue(C->Ops[0], S), *Y = sameValue(C->Ops[1], S);
  bool Then = (C->O == Op::NE) != Not;
  return X && Y ? Skipped{X, Y, Then ? &S->Body : &S->Else} : Skipped{};
}

/// The loads of S, a branch that is skipped if X == Y, that are in Fixed with Y in place of X.
Accesses LoadHoister::loadedIfSkipped(const Stmt *S, const Accesses &Fixed) const {
  Skipped Skip = skippedIfEqual(S);
  if (!Skip.Branch)
    return {};
  Poly X = A.poly(Skip.X, S), Y = A.poly(Skip.Y, S);
  Accesses Loads, Found;
  for (const Stmt *N : *Skip.Branch)
    if (N->K != StmtKind::If && N->E)
      unconditionalLoads(N->E, Loads);
  auto IsSymbol = [](const Poly &P) {
    return P.Terms.size() == 1 && P.Terms.begin()->first.size() == 1 &&
           P.Terms.begin()->second == 1;
  };
  auto Made = [&](const Access &L) {
    Poly At = A.bytes(L, S);
    return llvm::any_of(Fixed, [&](const Access *F) {
      if (F->Base != L.Base || F->Elem != L.Elem || F->Lanes != L.Lanes || F->Volatile)
        return false;
      Poly Loaded = A.bytes(*F, S);
      return (IsSymbol(X) && At.substitute(X.Terms.begin()->first[0], Y) == Loaded) ||
             (IsSymbol(Y) && At.substitute(Y.Terms.begin()->first[0], X) == Loaded);
    });
  };
  for (const Access *L : stable(Loads, {const_cast<Stmt *>(S)}))
    if (!L->Volatile && Made(*L))
      Found.push_back(L);
  return Found;
}

/// Loads of elements in Known that S, a branch, makes go to Out, each once.
void LoadHoister::hoist(Stmt *S, const Accesses &Known, StmtList &Out) {
  Accesses Fixed = stable(Known, {S}), IfSkipped = loadedIfSkipped(S, Fixed);
  std::vector<std::pair<const Expr *, Var *>> Done;
  auto Find = [&](const Expr *E) -> Var * {
    for (auto &[L, V] : Done)
      if (equal(L, E))
        return V;
    return nullptr;
  };
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) -> const Expr * {
    if (E->K != ExprKind::Load ||
        (!llvm::is_contained(IfSkipped, &E->Acc) &&
         llvm::none_of(Fixed, [&](const Access *Acc) { return sameElement(*Acc, E->Acc); })))
      return mapOperands(M, E, Replace);
    if (Var *V = Find(E))
      return M.ref(V);
    Stmt *D = declareTemp(M, K, E->Acc.Base->Name + "_v", E, E->Range);
    Out.push_back(D);
    Done.push_back({E, D->V});
    return M.ref(D->V);
  };
  for (StmtList *B : {&S->Body, &S->Else})
    walk(*B, [&](Stmt *N) {
      mapExprs(M, *N, Replace);
      return true;
    });
  // The condition may contain the same loads.
  std::function<const Expr *(const Expr *)> Reuse = [&](const Expr *E) -> const Expr * {
    Var *V = E->K == ExprKind::Load ? Find(E) : nullptr;
    return V ? M.ref(V) : mapOperands(M, E, Reuse);
  };
  if (!Done.empty())
    S->E = Reuse(S->E);
}

/// Known: loaded on every path to B.
void LoadHoister::visit(StmtList &B, Accesses Known) {
  StmtList Out;
  for (Stmt *S : B) {
    if (S->K == StmtKind::If) {
      unconditionalLoads(S->E, Known);
      if (computesOnly({S}) && A.varies(S->E, S).Item)
        hoist(S, Known, Out);
      visit(S->Body, Known);
      visit(S->Else, Known);
    } else if (S->K == StmtKind::Loop) {
      visit(S->Body, stable(Known, {S}));
    } else {
      forEachExpr(*S, [&](const Expr *E) { unconditionalLoads(E, Known); });
    }
    Known = stable(Known, {S});
    Out.push_back(S);
  }
  B = std::move(Out);
}

void hoistLoads(const EditedKernel &E) {
  LoadHoister(E.module(), E.kernel(), *E.analysis()).visit(E.kernel().Body, {});
  E.edited();
}

} // namespace clmali::rewrite::normalization
