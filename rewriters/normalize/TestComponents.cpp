//===-- rewriters/normalize/TestComponents.cpp - Tests of all components ------------===//
//
// Part of normalize: all() and any() of a comparison of short vectors become conditions on the
// components, as a two-dimensional guard is written without vectors:
//
//   if (!all(gid < size)) return;   ->   if (!(gid.x < size.x && gid.y < size.y)) return;
//
// Limits: up to four components, no vectors that are loaded.
//
//===----------------------------------------------------------------------===//

#include "rewriters/lanes/Components.h"
#include "rewriters/pass/Passes.h"

namespace clmali::rewrite {

using namespace model;

void testComponents(Module &M, Kernel &K) {
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) -> const Expr * {
    E = mapOperands(M, E, Replace);
    if (E->K != ExprKind::Call || (E->Name != "all" && E->Name != "any") || E->Ops.size() != 1 ||
        E->Ops[0]->Ty->Lanes > 4 || E->Ops[0]->Ty->Lanes < 2 || E->Ops[0]->K != ExprKind::Binary ||
        !isComparison(E->Ops[0]->O) || E->Ty != M.value(ScalarKind::Int))
      return E;
    Components Of(
        M,
        [&](const Expr *X, unsigned L) {
          return X->K == ExprKind::VarRef ? M.swizzle(X, {uint8_t(L)}) : nullptr;
        },
        [](const Expr *) { return nullptr; });
    const Expr *Whole = Of.scalar(E);
    return Of.failed() ? E : Whole;
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, Replace);
    return true;
  });
}

} // namespace clmali::rewrite
