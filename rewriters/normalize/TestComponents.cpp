//===-- rewriters/normalize/TestComponents.cpp - Tests of all components ------------===//
//
// Part of normalize: all() and any() of a comparison of short vectors become conditions on the
// components, as a two-dimensional guard is written without vectors:
//
//   if (!all(gid < size)) return;   ->   if (!(gid.x < size.x && gid.y < size.y)) return;
//
// Limits: up to four components, nothing loaded.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Passes.h"

namespace clmali::rewrite {

using namespace model;

/// Component N of E; null: it has no scalar form.
static const Expr *component(Module &M, const Expr *E, unsigned N) {
  if (!E->Ty->isVector())
    return nullptr;
  switch (E->K) {
  case ExprKind::VarRef:
    return M.swizzle(E, {uint8_t(N)});
  case ExprKind::Swizzle:
    return M.swizzle(E->Ops[0], {E->LaneIdx[N]});
  case ExprKind::VectorCtor:
    return E->Ops.size() == E->Ty->Lanes && E->Ops[N]->Ty->isScalar() ? E->Ops[N] : nullptr;
  case ExprKind::Cast:
    if (E->C == CastOp::Splat)
      return E->Ops[0];
    return nullptr;
  case ExprKind::Binary: {
    if (!isComparison(E->O) && E->O != Op::Add && E->O != Op::Sub && E->O != Op::Mul)
      return nullptr;
    const Expr *X = component(M, E->Ops[0], N), *Y = component(M, E->Ops[1], N);
    if (!X || !Y || X->Ty != Y->Ty || (!isComparison(E->O) && sizeInBits(X->Ty->Scalar) < 32))
      return nullptr;
    return M.binary(E->O, X, Y);
  }
  default:
    return nullptr;
  }
}

void testComponents(Module &M, Kernel &K) {
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) -> const Expr * {
    E = mapOperands(M, E, Replace);
    if (E->K != ExprKind::Call || (E->Name != "all" && E->Name != "any") || E->Ops.size() != 1 ||
        E->Ops[0]->Ty->Lanes > 4 || E->Ops[0]->Ty->Lanes < 2 || E->Ops[0]->K != ExprKind::Binary ||
        !isComparison(E->Ops[0]->O) || E->Ty != M.value(ScalarKind::Int))
      return E;
    const Expr *Whole = nullptr;
    for (unsigned N = 0; N < E->Ops[0]->Ty->Lanes; ++N) {
      const Expr *One = component(M, E->Ops[0], N);
      if (!One)
        return E;
      Whole = Whole ? M.binary(E->Name == "all" ? Op::LogicalAnd : Op::LogicalOr, Whole, One) : One;
    }
    return Whole;
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, Replace);
    return true;
  });
}

} // namespace clmali::rewrite
