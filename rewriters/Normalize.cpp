//===-- rewriters/Normalize.cpp - One form for all kernels ----------------===//
//
// Brings a lifted kernel into the form that the other passes expect.
//
//   before                                   after
//   void f(.., int n) { n = n - 1; .. n ..}  int n_2 = n - 1; .. n_2 ..
//   if (i < n && a[i] > 0) s;                if (i < n) { if (a[i] > 0) s; }
//   x = i < n ? a[i] : 0;                    float v; if (i < n) v = a[i]; else v = 0; x = v;
//   t = i * 4; .. t = j;                     t = i * 4; .. t_2 = j;
//
// The second and third are done only where work-items may differ in the
// condition: what stands behind it can then be guarded, not speculated.
//
//===----------------------------------------------------------------------===//

#include "rewriters/Passes.h"
#include "llvm/ADT/DenseMap.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// Loads and integer divisions must not happen where the source has none.
bool mayFault(const Expr *E) {
  bool Found = false;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Load || X->K == ExprKind::Opaque)
      Found = true;
    if (X->K == ExprKind::Binary && (X->O == Op::Div || X->O == Op::Rem) && X->Ty->isInteger()) {
      auto C = constantValue(X->Ops[1]);
      Found |= !C || *C == 0 || *C == -1;
    }
    return !Found;
  });
  return Found;
}

class Hoister {
public:
  Hoister(Module &M, Kernel &K, const KernelAnalysis &A) : M(M), K(K), A(A) {}

  void run(Block &B) {
    Block Out;
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
      return mayFault(E->Ops[1]) && A.varies(E->Ops[0]).Item;
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

  /// Replaces the lazy nodes of E by variables that statements in Out set.
  const Expr *expression(const Expr *E, Block &Out) {
    while (const Expr *L = find(E)) {
      Var *V = M.newVar(Var::Temp, uniqueName(K, L->K == ExprKind::Select ? "value" : "cond"), L->Ty);
      V->Range = L->Range;
      K.Vars.push_back(V);
      Stmt *I = M.newStmt(StmtKind::If, L->Range);
      auto Truth = [&](const Expr *X) -> const Expr * {
        const Expr *T = X->K == ExprKind::Binary && (isComparison(X->O) || X->O == Op::LogicalAnd ||
                                                     X->O == Op::LogicalOr)
                            ? X
                            : M.binary(Op::NE, X, X->Ty->isFloat() ? M.floatConst(0, X->Ty) : M.intConst(0, X->Ty));
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

  void statement(Stmt *S, Block &Out) {
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

/// Parameters that are assigned become variables.
void freezeParams(Module &M, Kernel &K) {
  llvm::DenseMap<Var *, Var *> Own;
  walk(K.Body, [&](Stmt *S) {
    if ((S->K == StmtKind::Assign || S->K == StmtKind::Atomic) && S->V && S->V->K == Var::Param)
      Own[S->V] = nullptr;
    return true;
  });
  if (Own.empty())
    return;
  Block Decls;
  for (auto &[P, V] : Own) {
    V = M.newVar(Var::Temp, uniqueName(K, P->Name + "_now"), P->Ty);
    V->Spelling = P->Spelling;
    V->Range = P->Range;
    K.Vars.push_back(V);
  }
  walk(K.Body, [&](Stmt *S) {
    if (S->V)
      if (auto It = Own.find(S->V); It != Own.end())
        S->V = It->second;
    mapExprs(M, *S, [&](const Expr *E) {
      return substitute(M, E, [&](const Expr *X) -> const Expr * {
        if (X->K != ExprKind::VarRef)
          return nullptr;
        auto It = Own.find(X->V);
        return It == Own.end() ? nullptr : M.ref(It->second);
      });
    });
    return true;
  });
  for (Var *P : K.Params)
    if (auto It = Own.find(P); It != Own.end()) {
      Stmt *D = M.newStmt(StmtKind::Decl);
      D->V = It->second;
      D->E = M.ref(P);
      Decls.push_back(D);
    }
  K.Body.insert(K.Body.begin(), Decls.begin(), Decls.end());
}

} // namespace

void normalize(Module &M, Kernel &K) {
  freezeParams(M, K);
  {
    KernelAnalysis A(M, K);
    Hoister(M, K, A).run(K.Body);
  }
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, [&](const Expr *E) { return simplify(M, E); });
    return true;
  });
  splitWebs(M, K);
}

} // namespace clmali::rewrite
