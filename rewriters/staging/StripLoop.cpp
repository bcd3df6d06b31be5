//===-- rewriters/staging/StripLoop.cpp - Loops in strips ----------------===//
//
// Part of stageReuse: strip-mines a loop whose trip count is an argument, so that each strip can be
// copied to local memory:
//
//   for (k = lo; k < n; k++) f(k);     k0 = lo;
//                                      for (; k0 + 16 <= n; k0 += 16)
//                                        for (k1 = 0; k1 < 16; k1++) { k = k0 + k1; f(k); }
//                                      for (k = k0; k < n; k++) f(k);
//
// Limits: loops of step 1 whose bounds are uniform in a group, with loops of constant trip count
// inside.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Stager.h"

namespace clmali::rewrite {

namespace {

class StripMiner : KernelEditor {
public:
  StripMiner(const EditedKernel &E, unsigned Length) : KernelEditor(E), Length(Length) {}
  Stmt *visit(StmtList &B);

private:
  unsigned Length;

  Var *made(llvm::StringRef Name, const Type *Ty) {
    Var *V = newTemp(M, K, Name, Ty);
    return V;
  }
  Stmt *declare(Var *V, const Expr *E) {
    Stmt *S = M.newStmt(StmtKind::Decl);
    S->V = V;
    S->E = E;
    return S;
  }
  Stmt *advance(Var *V, const Expr *By) {
    Stmt *S = M.newStmt(StmtKind::Assign);
    S->V = V;
    S->E = M.binary(Op::Add, M.ref(V), By);
    return S;
  }
  bool isInner(const Stmt *L) const;
  bool fits(const Stmt *L, const CountedLoop &C) const;
  Stmt *divide(StmtList &B, size_t I, const CountedLoop &C);
};

} // namespace

/// True if L contains no loop of unknown trip count.
bool StripMiner::isInner(const Stmt *L) const {
  return llvm::all_of(stmts(L->Body), [&](const Stmt *S) {
    if (S->K != StmtKind::Loop)
      return true;
    auto Each = A.countedLoop(S);
    return Each && Each->TripCount.has_value();
  });
}

bool StripMiner::fits(const Stmt *L, const CountedLoop &C) const {
  return !C.TripCount && C.Step == 1 && C.Compare == Op::LT && runsWhole(L) &&
         L->Init.size() == 1 && L->Init[0]->K == StmtKind::Decl && L->Init[0]->V == C.V &&
         A.varies(C.Bound, L).uniform() && A.varies(C.Lower, L).uniform() &&
         isSigned(C.V->Ty->Scalar) && C.Bound->Ty == C.V->Ty;
}

/// Divides B[I], which fits; returns the loop over strips.
Stmt *StripMiner::divide(StmtList &B, size_t I, const CountedLoop &C) {
  Stmt *L = B[I];
  const Type *Ty = C.V->Ty;
  const Expr *N = M.intConst(Length, Ty);
  Var *Start = made(C.V->Name + "0", Ty), *Counter = made(C.V->Name + "1", Ty);
  // The strips have their own variables: the body is there twice.
  llvm::DenseMap<Var *, Var *> Own;
  Own[C.V] = made(C.V->Name, Ty);
  for (Stmt *S : stmts(L->Body))
    if (S->K == StmtKind::Decl && !Own.contains(S->V)) {
      Var *V = made(S->V->Name, S->V->Ty);
      std::string Name = V->Name;
      *V = *S->V;
      V->Name = Name;
      Own[S->V] = V;
    }
  Stmt *Each = M.newStmt(StmtKind::Loop);
  Each->Init = {declare(Counter, M.intConst(0, Ty))};
  Each->E = M.binary(Op::LT, M.ref(Counter), N);
  Each->Step = {advance(Counter, M.intConst(1, Ty))};
  Each->Body = cloneStmts(M, L->Body, [&](Var *V) { return Own.contains(V) ? Own[V] : V; });
  Each->Body.insert(Each->Body.begin(),
                    declare(Own[C.V], M.binary(Op::Add, M.ref(Start), M.ref(Counter))));
  Stmt *Strip = M.newStmt(StmtKind::Loop);
  Strip->E = M.binary(Op::LE, M.binary(Op::Add, M.ref(Start), N), C.Bound);
  Strip->Step = {advance(Start, N)};
  Strip->Body = {Each};
  Stmt *First = declare(Start, L->Init[0]->E);
  First->Comments = L->Comments;
  L->Comments.clear();
  L->Init[0]->E = M.ref(Start);
  L->Rare = true;
  B.insert(B.begin() + I, {First, Strip});
  return Strip;
}

/// Divides the first loop in B that fits. Null: there is none.
Stmt *StripMiner::visit(StmtList &B) {
  for (size_t I = 0; I < B.size(); ++I) {
    Stmt *L = B[I], *Strip = nullptr;
    if (L->K != StmtKind::Loop || !isInner(L)) {
      forEachStmtList(*L, [&](StmtList &Nested) { Strip = Strip ? Strip : visit(Nested); });
      if (Strip)
        return Strip;
      continue;
    }
    if (auto C = A.countedLoop(L); C && fits(L, *C))
      return divide(B, I, *C);
  }
  return nullptr;
}

Stmt *stripLoop(const EditedKernel &E, unsigned Length) {
  return StripMiner(E, Length).visit(E.kernel().Body);
}

} // namespace clmali::rewrite
