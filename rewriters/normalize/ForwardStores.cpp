//===-- rewriters/normalize/ForwardStores.cpp - Loads of what was just stored -----------===//
//
//   to[k] = exp(row[k]);          float to_new = exp(row[k]);
//   sum += to[k];                 to[k] = to_new;
//                                 sum += to_new;
//
// A load of the element that the same work-item has just stored takes the value. Another work-item
// that stored it in between would be a race.
//
// Limits: within one statement list; scalars; no barrier, loop or branch that stores in between.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite::normalization {

namespace {

/// A store whose value nothing has changed since.
struct Stored {
  Stmt *S;
  Poly Address;
  Var *Value = nullptr; ///< null: no variable holds it yet
};

class StoreForwarder : KernelEditor {
public:
  // Loads and stores keep their addresses.
  explicit StoreForwarder(const EditedKernel &E) : KernelEditor(E) {}
  void visit(StmtList &B);

private:
  std::vector<Stored> Known;
  std::vector<std::pair<Stmt *, Stmt *>> Declared; ///< the value of a store, before it

  void forward(Stmt *S);
  void forget(const Stmt *S);
};

} // namespace

static bool isPlain(const Access &Acc) {
  return Acc.F == Access::Subscript && Acc.Lanes == 1 && !Acc.Volatile && !Acc.Index.empty() &&
         Acc.Elem != ScalarKind::Bool;
}

/// Replaces the loads of S that read what was stored.
void StoreForwarder::forward(Stmt *S) {
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) -> const Expr * {
    if (E->K != ExprKind::Load || !isPlain(E->Acc))
      return mapOperands(M, E, Replace);
    for (Stored &W : Known) {
      if (W.S->Acc.Base != E->Acc.Base || W.S->Acc.Elem != E->Acc.Elem || W.S->E->Ty != E->Ty ||
          !(A.bytes(E->Acc, S) - W.Address).isZero())
        continue;
      const Expr *Given = W.S->E;
      if (!W.Value && Given->K == ExprKind::VarRef && Given->V->K == Var::Temp &&
          A.singleDef(Given->V))
        W.Value = Given->V;
      if (!W.Value) {
        W.Value = newTemp(M, K, E->Acc.Base->Name + "_new", E->Ty);
        Stmt *D = M.newStmt(StmtKind::Decl, W.S->Range);
        D->V = W.Value;
        D->E = std::exchange(W.S->E, M.ref(W.Value));
        Declared.push_back({W.S, D});
      }
      return M.ref(W.Value);
    }
    return mapOperands(M, E, Replace);
  };
  if (!Known.empty())
    mapExprs(M, *S, Replace);
}

/// Forgets what S, a store, may change.
void StoreForwarder::forget(const Stmt *S) {
  // Three components may be written as four.
  const int64_t Size = sizeInBytes(S->Acc.Elem) * (S->Acc.Lanes == 3 ? 4 : S->Acc.Lanes);
  const Poly Address = A.bytes(S->Acc, S);
  llvm::erase_if(Known, [&](const Stored &W) {
    const Var *X = W.S->Acc.Base, *Y = S->Acc.Base;
    if (X->space() != Y->space())
      return false;
    if (X != Y)
      return true;
    Poly D = Address - W.Address;
    return !D.isConstant() ||
           (D.constantTerm() < int64_t(sizeInBytes(W.S->Acc.Elem)) && -D.constantTerm() < Size);
  });
}

void StoreForwarder::visit(StmtList &B) {
  Known.clear();
  for (Stmt *S : B) {
    switch (S->K) {
    case StmtKind::Decl:
    case StmtKind::Assign:
      forward(S);
      continue;
    case StmtKind::Store:
      forward(S);
      forget(S);
      if (isPlain(S->Acc) && S->LaneIdx.empty() && S->E->Ty->isScalar() &&
          S->Acc.Base->space() != AddressSpace::Private)
        Known.push_back({S, A.bytes(S->Acc, S)});
      continue;
    default:
      Known.clear();
    }
  }
  Known.clear();
  // Stores before a nested list are not used in it.
  for (Stmt *S : B)
    forEachStmtList(*S, [&](StmtList &Inner) { visit(Inner); });
  if (Declared.empty())
    return;
  StmtList Out;
  for (Stmt *S : B) {
    for (auto &[Store, D] : Declared)
      if (Store == S)
        Out.push_back(D);
    Out.push_back(S);
  }
  B = std::move(Out);
}

void forwardStores(const EditedKernel &E) {
  StoreForwarder(E).visit(E.kernel().Body);
  E.edited();
}

} // namespace clmali::rewrite::normalization
