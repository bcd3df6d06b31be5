//===-- rewriters/loops/LoopLoads.cpp - Invariant loads of loops ----------------===//
//
// Part of `merge-loads`: a load in a loop of an element that was loaded before the loop is made
// once.
//
//   before                          after
//   x = a[i];                       x = a[i];
//   while (x < 4)                   float a_v = a[i];
//     x = x * x + a[i];             while (x < 4)
//                                     x = x * x + a_v;
//
// Limits: nothing in the loop stores or synchronises, so memory does not change; the element was
// loaded on every path to the loop.
//
//===----------------------------------------------------------------------===//

#include "rewriters/lanes/Operations.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

class LoopLoads {
public:
  LoopLoads(Module &M, Kernel &K) : M(M), K(K) {}

  using Accesses = std::vector<const Expr *>;

  void run(StmtList &B, Accesses Known) {
    StmtList Out;
    for (Stmt *S : B) {
      if (S->K == StmtKind::Loop) {
        Accesses Fixed = stable(Known, *S);
        if (computesOnly(*S))
          share(*S, Fixed, Out);
        run(S->Body, Fixed);
      } else {
        forEachExpr(*S, [&](const Expr *E) { loads(E, Known); });
        run(S->Body, Known);
        run(S->Else, Known);
      }
      Known = stable(Known, *S);
      Out.push_back(S);
    }
    B = std::move(Out);
  }

  unsigned Shared = 0;

private:
  Module &M;
  Kernel &K;

  /// Adds the loads that are made whenever E is evaluated.
  static void loads(const Expr *E, Accesses &Into) {
    if (isLazyOperand(E, 1))
      return loads(E->Ops[0], Into);
    if (E->K == ExprKind::Load && !E->Acc.Volatile)
      Into.push_back(E);
    forEachOperand(*E, [&](const Expr *X) { loads(X, Into); });
  }

  /// Those whose address is the same after S, and which are still this work-item's own.
  static Accesses stable(const Accesses &Known, Stmt &S) {
    if (letsOthersWrite({&S}))
      return {};
    llvm::DenseSet<const Var *> Set;
    walk({&S}, [&](Stmt *X) {
      if (X->V)
        Set.insert(X->V);
      return true;
    });
    Accesses Kept;
    for (const Expr *L : Known) {
      bool Moves = false;
      for (const Expr *Ix : L->Acc.Index)
        walk(Ix, [&](const Expr *X) {
          Moves |= isRead(X->K) || X->K == ExprKind::Opaque ||
                   (X->K == ExprKind::VarRef && Set.contains(X->V));
          return !Moves;
        });
      if (!Moves)
        Kept.push_back(L);
    }
    return Kept;
  }

  static bool computesOnly(Stmt &Loop) {
    bool Only = true;
    walk({&Loop}, [&](Stmt *S) {
      Only &= S->K == StmtKind::Decl || S->K == StmtKind::Assign || S->K == StmtKind::If ||
              S->K == StmtKind::Loop || S->K == StmtKind::Break || S->K == StmtKind::Continue;
      return Only;
    });
    return Only;
  }

  void share(Stmt &Loop, const Accesses &Known, StmtList &Before) {
    std::vector<std::pair<const Expr *, Var *>> Held;
    std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) -> const Expr * {
      if (E->K != ExprKind::Load || E->Acc.Base->space() == AddressSpace::Private ||
          llvm::none_of(Known, [&](const Expr *L) { return L->Ty == E->Ty && equal(L, E); }))
        return mapOperands(M, E, Replace);
      for (auto &[L, V] : Held)
        if (equal(L, E))
          return M.ref(V);
      Stmt *D = declareTemp(M, K, E->Acc.Base->Name + "_v", E);
      Before.push_back(D);
      Held.push_back({E, D->V});
      ++Shared;
      return M.ref(D->V);
    };
    for (StmtList *B : {&Loop.Body, &Loop.Step})
      walk(*B, [&](Stmt *S) {
        mapExprs(M, *S, Replace);
        return true;
      });
    if (Loop.E)
      Loop.E = Replace(Loop.E);
  }
};

} // namespace

unsigned shareInLoops(Module &M, Kernel &K) {
  LoopLoads L(M, K);
  L.run(K.Body, {});
  return L.Shared;
}

} // namespace clmali::rewrite
