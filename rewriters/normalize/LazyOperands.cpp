//===-- rewriters/normalize/LazyOperands.cpp - Operands behind conditions -------------===//
//
//   if (i < n && a[i] > 0) s;                if (i < n) { if (a[i] > 0) s; }
//   if (i >= n || a[i] == 0) return; s;      if (i < n) { if (a[i] != 0) s; }
//   x = i < n ? a[i] : 0;                    float v; if (i < n) v = a[i]; else v = 0; x = v;
//
// Only where work-items may differ in the condition, or in an operand of && and ||, which as a mask
// has no short circuit: what depends on it can then be guarded instead of speculated.
//
//===----------------------------------------------------------------------===//

#include "rewriters/normalize/Steps.h"

namespace clmali::rewrite::normalization {

namespace {

class LazyOperands {
public:
  LazyOperands(Module &M, Kernel &K, const KernelAnalysis &A) : M(M), K(K), A(A) {}

  void run(StmtList &B) {
    StmtList Out;
    for (Stmt *S : B)
      statement(S, Out);
    B = std::move(Out);
  }

private:
  Module &M;
  Kernel &K;
  const KernelAnalysis &A;

  bool lazy(const Expr *E) const {
    if (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar())
      return (mayFault(E->Ops[1]) || mayFault(E->Ops[2])) && A.varies(E->Ops[0]).Item;
    if (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr) &&
        E->Ty->isScalar())
      return mayFault(E->Ops[1]) && (A.varies(E->Ops[0]).Item || A.varies(E->Ops[1]).Item);
    return false;
  }

  /// The outermost lazy node of E, or null.
  const Expr *find(const Expr *E) const {
    const Expr *Found = nullptr;
    walk(E, [&](const Expr *X) {
      if (!Found && lazy(X))
        Found = X;
      return !Found;
    });
    return Found;
  }

  Stmt *make(StmtKind Kind, Var *V, const Expr *E, SourceRange R) {
    Stmt *S = M.newStmt(Kind, R);
    S->V = V;
    S->E = E;
    return S;
  }

  /// a[i] < t ? a[i] : t  loads a[i] in any case: make it one load before it.
  const Expr *shareLoads(const Expr *L, StmtList &Out) {
    std::vector<const Expr *> Anyway;
    std::function<void(const Expr *)> Always = [&](const Expr *E) {
      if (E->K == ExprKind::Load && !E->Acc.Volatile)
        Anyway.push_back(E);
      if (isLazyOperand(E, 1))
        Always(E->Ops[0]);
      else
        forEachOperand(*E, Always);
    };
    Always(L->Ops[0]);
    for (const Expr *X : Anyway) {
      bool Again = false;
      for (size_t I = 1; I < L->Ops.size(); ++I)
        walk(L->Ops[I],
             [&](const Expr *Y) { return !(Again |= Y->K == ExprKind::Load && equal(X, Y)); });
      if (!Again)
        continue;
      Var *V = newTemp(M, K, X->Acc.Base->Name + "_v", X->Ty);
      V->Range = X->Range;
      statement(make(StmtKind::Decl, V, X, X->Range), Out);
      std::function<const Expr *(const Expr *)> Held = [&](const Expr *E) -> const Expr * {
        return E->K == ExprKind::Load && equal(X, E) ? M.ref(V) : mapOperands(M, E, Held);
      };
      return Held(L);
    }
    return L;
  }

  /// Replaces the lazy nodes of E by variables that statements in Out set.
  const Expr *expression(const Expr *E, StmtList &Out) {
    while (const Expr *L = find(E)) {
      if (const Expr *Shared = shareLoads(L, Out); Shared != L) {
        E = replace(E, L, Shared);
        continue;
      }
      Var *V = newTemp(M, K, L->K == ExprKind::Select ? "value" : "cond", L->Ty);
      V->Range = L->Range;
      Stmt *I = M.newStmt(StmtKind::If, L->Range);
      auto Truth = [&](const Expr *X) -> const Expr * {
        const Expr *T =
            X->K == ExprKind::Binary &&
                    (isComparison(X->O) || X->O == Op::LogicalAnd || X->O == Op::LogicalOr)
                ? X
                : M.binary(Op::NE, X,
                           X->Ty->isFloat() ? M.floatConst(0, X->Ty) : M.intConst(0, X->Ty));
        return T->Ty == L->Ty ? T : M.cast(T, L->Ty, true);
      };
      if (L->K == ExprKind::Select) {
        statement(make(StmtKind::Decl, V, nullptr, L->Range), Out);
        I->E = L->Ops[0];
        I->Body = {make(StmtKind::Assign, V, L->Ops[1], L->Range)};
        I->Else = {make(StmtKind::Assign, V, L->Ops[2], L->Range)};
      } else {
        bool And = L->O == Op::LogicalAnd;
        statement(make(StmtKind::Decl, V, M.intConst(And ? 0 : 1, L->Ty), L->Range), Out);
        I->E = And ? L->Ops[0] : M.unary(Op::LogicalNot, L->Ops[0]);
        I->Body = {make(StmtKind::Assign, V, Truth(L->Ops[1]), L->Range)};
      }
      statement(I, Out);
      E = replace(E, L, M.ref(V));
    }
    return E;
  }

  const Expr *replace(const Expr *E, const Expr *Old, const Expr *New) {
    if (E == Old)
      return New;
    return mapOperands(M, E, [&](const Expr *X) { return replace(X, Old, New); });
  }

  /// !E, without a negation where E can be inverted. Comparisons of floating point cannot: both
  /// they and their inverse are false for a NaN.
  const Expr *negate(const Expr *E) {
    if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
      return E->Ops[0];
    if (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr))
      return M.binary(E->O == Op::LogicalAnd ? Op::LogicalOr : Op::LogicalAnd, negate(E->Ops[0]),
                      negate(E->Ops[1]));
    if (E->K == ExprKind::Binary && isComparison(E->O) && E->Ops[0]->Ty->isScalar() &&
        E->Ops[0]->Ty->isInteger())
      return M.binary(inverse(E->O), E->Ops[0], E->Ops[1]);
    return M.unary(Op::LogicalNot, E);
  }

  void statement(Stmt *S, StmtList &Out) {
    // if (!A || !B) return; S  ->  if (A && B) S
    if (S->K == StmtKind::If && S->Body.empty() && !S->Else.empty() && find(S->E)) {
      const Expr *E = negate(S->E);
      if (E->K == ExprKind::Binary && E->O == Op::LogicalAnd) {
        S->E = E;
        std::swap(S->Body, S->Else);
        S->EarlyReturn = false;
      }
    }
    // if (A && B) S  ->  if (A) if (B) S
    if (S->K == StmtKind::If && S->Else.empty() && S->E->K == ExprKind::Binary &&
        S->E->O == Op::LogicalAnd && lazy(S->E)) {
      Stmt *Inner = M.newStmt(StmtKind::If, S->Range);
      Inner->E = S->E->Ops[1];
      Inner->Body = std::move(S->Body);
      S->E = S->E->Ops[0];
      S->Body = {Inner};
      S->EarlyReturn = false;
      statement(S, Out);
      return;
    }
    bool HasHeader = S->K == StmtKind::Loop;
    if (!HasHeader)
      mapExprs(M, *S, [&](const Expr *E) { return expression(E, Out); });
    run(S->Body);
    run(S->Else);
    Out.push_back(S);
  }
};

} // namespace

void branchOnLazyOperands(const EditedKernel &E) {
  LazyOperands(E.module(), E.kernel(), *E.analysis()).run(E.kernel().Body);
  E.edited();
}

} // namespace clmali::rewrite::normalization
