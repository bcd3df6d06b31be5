//===-- rewriters/lanes/Components.cpp - One component of vectors -----------===//

#include "rewriters/lanes/Components.h"
#include "checks/model/ir/Simplify.h"
#include "rewriters/lanes/Operations.h"

namespace clmali::rewrite {

using namespace model;

/// E; null: failed, and Old is as good as anything.
const Expr *Components::checked(const Expr *E, const Expr *Old) {
  Failed |= !E;
  return E ? E : Old;
}

/// E, which was a component of a vector.
const Expr *Components::takenOut(const Expr *E) { return isProduct(E) ? checked(Hold(E), E) : E; }

const Expr *Components::scalar(const Expr *E) {
  if (E->Ty->isVector())
    return fail(E);
  if (E->K == ExprKind::Swizzle)
    return takenOut(component(E->Ops[0], E->LaneIdx[0]));
  if (E->K == ExprKind::Cast && E->C == CastOp::Bitcast && E->Ops[0]->Ty->isVector())
    return fail(E);
  // any(pos >= size): evaluates all components, although one may be enough.
  if (E->K == ExprKind::Call && (E->Name == "any" || E->Name == "all") &&
      E->Ops[0]->Ty->isVector()) {
    const Expr *All = truth(E->Ops[0], 0);
    for (unsigned L = 1; L < E->Ops[0]->Ty->Lanes; ++L)
      All = M.binary(E->Name == "any" ? Op::LogicalOr : Op::LogicalAnd, All, truth(E->Ops[0], L));
    return All;
  }
  return mapOperands(M, E, [&](const Expr *X) { return scalar(X); });
}

static bool isJunction(const Expr *E) {
  return E->K == ExprKind::Binary &&
         (E->O == Op::And || E->O == Op::Or || E->O == Op::LogicalAnd || E->O == Op::LogicalOr);
}

/// True if each component of E is 0 or -1, and E need not be evaluated.
static bool isMask(const Expr *E) {
  if (isJunction(E))
    return isMask(E->Ops[0]) && isMask(E->Ops[1]);
  return E->K == ExprKind::Binary && isComparison(E->O);
}

/// Component L of E, whose highest bit tells, as a condition.
const Expr *Components::truth(const Expr *E, unsigned L) {
  if (E->K == ExprKind::Binary && isComparison(E->O))
    return M.binary(E->O, component(E->Ops[0], L), component(E->Ops[1], L));
  // & and | of masks are masks.
  if (isJunction(E) && isMask(E)) {
    bool And = E->O == Op::And || E->O == Op::LogicalAnd;
    return M.binary(And ? Op::LogicalAnd : Op::LogicalOr, truth(E->Ops[0], L), truth(E->Ops[1], L));
  }
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ops[0]->Ty->isVector() &&
      isSigned(E->Ty->Scalar) && isSigned(E->Ops[0]->Ty->Scalar) &&
      sizeInBits(E->Ty->Scalar) >= sizeInBits(E->Ops[0]->Ty->Scalar))
    return truth(E->Ops[0], L);
  const Expr *C = component(E, L);
  return M.binary(Op::LT, C, M.intConst(0, C->Ty));
}

const Expr *Components::cast(const Expr *E, unsigned L) {
  const Type *From = E->Ops[0]->Ty, *Ty = M.value(E->Ty->Scalar);
  if (E->C == CastOp::Splat)
    return takenOut(scalar(E->Ops[0]));
  if (From->Lanes != E->Ty->Lanes ||
      (E->C == CastOp::Bitcast && sizeInBits(From->Scalar) != sizeInBits(Ty->Scalar)))
    return fail(E);
  Expr *C = M.newExpr(ExprKind::Cast, Ty, E->Range);
  C->C = E->C;
  C->Text = E->Text;
  C->Ops = {component(E->Ops[0], L)};
  return C;
}

const Expr *Components::binary(const Expr *E, unsigned L) {
  const Type *Ty = M.value(E->Ty->Scalar);
  if (E->O == Op::LogicalAnd || E->O == Op::LogicalOr)
    return fail(E);
  if (isComparison(E->O))
    return M.cast(M.unary(Op::Neg, truth(E, L)), Ty);
  const Expr *X = component(E->Ops[0], L), *Y = component(E->Ops[1], L);
  const unsigned Bits = sizeInBits(Ty->Scalar);
  if (!Ty->isInteger() || Bits >= 32)
    return M.binary(E->O, X, Y);
  if (E->O == Op::Shl || E->O == Op::Shr)
    if (auto Count = constantValue(Y); !Count || *Count < 0 || *Count >= int64_t(Bits))
      Y = M.binary(Op::And, Y, M.intConst(int64_t(Bits) - 1, Y->Ty));
  const Type *Int = M.value(isSigned(Ty->Scalar) ? ScalarKind::Int : ScalarKind::UInt);
  return M.cast(M.binary(E->O, M.cast(X, Int, true), M.cast(Y, Int, true)), Ty);
}

const Expr *Components::component(const Expr *E, unsigned L) {
  if (Failed)
    return E;
  if (E->Ty->isScalar())
    return scalar(E);
  switch (E->K) {
  case ExprKind::VarRef:
  case ExprKind::Load:
  case ExprKind::ImageQuery:
    return checked(Leaf(E, L), E);
  case ExprKind::Swizzle:
    return takenOut(component(E->Ops[0], E->LaneIdx[L]));
  case ExprKind::VectorCtor:
    for (const Expr *X : E->Ops) {
      if (L < X->Ty->Lanes)
        return takenOut(component(X, L));
      L -= X->Ty->Lanes;
    }
    return fail(E);
  case ExprKind::Cast:
    return cast(E, L);
  case ExprKind::Unary:
    return E->O == Op::LogicalNot ? fail(E) : M.unary(E->O, component(E->Ops[0], L));
  case ExprKind::Binary:
    return binary(E, L);
  case ExprKind::Select: {
    const Expr *C = E->Ops[0]->Ty->isVector() ? truth(E->Ops[0], L) : scalar(E->Ops[0]);
    return M.select(C, component(E->Ops[1], L), component(E->Ops[2], L));
  }
  case ExprKind::Call: {
    if (!isLanewise(E->Name))
      return fail(E);
    llvm::SmallVector<const Expr *, 3> Ops;
    for (const Expr *X : E->Ops)
      Ops.push_back(component(X, L));
    return M.call(E->Name, M.value(E->Ty->Scalar), Ops);
  }
  default:
    return fail(E);
  }
}

} // namespace clmali::rewrite
