//===-- rewriters/loops/LoopSums.cpp - Reductions of a loop ----------------------===//
//
// Part of LoopLanes: which statements reduce something into a variable in any order, the same
// statements with a vector of partial sums instead of the variable, and the reduction of the
// partial sums after the loop.
//
//   s += a[k] * b[k]          s_v += vload4(0, a + k) * vload4(0, b + k)
//   if (a[k] > m) m = a[k];   m_v = m_new > m_v ? m_new : m_v, m_new = vload4(0, a + k)
//
// Limits: what is reduced must not read the variable, and a variable has one kind of reduction.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Analysis.h"
#include "rewriters/loops/LoopLanes.h"

namespace clmali::rewrite {

using namespace model;

bool mentions(const Expr *E, const Var *V) {
  bool Found = false;
  walk(E, [&](const Expr *X) { return !(Found |= X->K == ExprKind::VarRef && X->V == V); });
  return Found;
}

bool isIntScalar(const Type *T) {
  return T->isScalar() && T->isInteger() && T->Scalar != ScalarKind::Bool;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// True if E is V combined with something else by How, in any order.
bool LoopLanes::joins(const Expr *E, const Var *V, Join How) const {
  if (E->K == ExprKind::VarRef)
    return E->V == V;
  if (!mentions(E, V) || !E->Ty->isScalar())
    return false;
  bool Float = V->Ty->isFloat();
  auto one = [&](unsigned Mine) {
    return joins(E->Ops[Mine], V, How) && !mentions(E->Ops[1 - Mine], V);
  };
  auto either = [&] { return one(0) || one(1); };
  if (How == Join::Min || How == Join::Max || How == Join::FMin || How == Join::FMax) {
    llvm::StringRef Name = How == Join::Min    ? "min"
                           : How == Join::Max  ? "max"
                           : How == Join::FMin ? "fmin"
                                               : "fmax";
    return E->K == ExprKind::Call && E->Name == Name && E->Ty == V->Ty && E->Ops.size() == 2 &&
           either();
  }
  if (How == Join::Choose) {
    // e > v ? e : v
    if (E->K != ExprKind::Select || E->Ty != V->Ty)
      return false;
    const Expr *C = E->Ops[0];
    if (C->K != ExprKind::Binary ||
        (C->O != Op::LT && C->O != Op::LE && C->O != Op::GT && C->O != Op::GE))
      return false;
    for (unsigned Mine : {0u, 1u}) {
      const Expr *Other = C->Ops[1 - Mine];
      if (C->Ops[Mine]->K == ExprKind::VarRef && C->Ops[Mine]->V == V && !mentions(Other, V))
        for (unsigned Kept : {1u, 2u})
          if (E->Ops[Kept]->K == ExprKind::VarRef && E->Ops[Kept]->V == V &&
              equal(E->Ops[3 - Kept], Other))
            return true;
    }
    return false;
  }
  if (Float ? E->Ty != V->Ty
            : !isIntScalar(E->Ty) || sizeInBits(E->Ty->Scalar) < sizeInBits(V->Ty->Scalar))
    return false;
  switch (E->K) {
  case ExprKind::Cast:
    return !Float && E->C == CastOp::Convert && isIntScalar(E->Ops[0]->Ty) &&
           joins(E->Ops[0], V, How);
  case ExprKind::Select:
    return E->Ops[0]->Ty->isScalar() && !mentions(E->Ops[0], V) && joins(E->Ops[1], V, How) &&
           joins(E->Ops[2], V, How);
  case ExprKind::Call:
    if (How != Join::Sum || E->Ops.size() != 3 || mentions(E->Ops[0], V) || mentions(E->Ops[1], V))
      return false;
    return (Float ? E->Name == "mad" || E->Name == "fma" : E->Name == "mad24") &&
           joins(E->Ops[2], V, How);
  case ExprKind::Binary:
    switch (How) {
    case Join::Sum:
      return (E->O == Op::Add && either()) || (E->O == Op::Sub && one(0));
    case Join::Product:
      return E->O == Op::Mul && either();
    case Join::And:
      return E->O == Op::And && either();
    case Join::Or:
      return E->O == Op::Or && either();
    case Join::Xor:
      return E->O == Op::Xor && either();
    default:
      return false;
    }
  default:
    return false;
  }
}

std::optional<Join> LoopLanes::joinOf(const Expr *E, const Var *V) const {
  if (E->K == ExprKind::VarRef || !V->Ty->isScalar() || V->Ty->Scalar == ScalarKind::Bool)
    return std::nullopt;
  if (V->Ty->isFloat() && !Reassociate)
    return std::nullopt;
  for (Join How : {Join::Sum, Join::Product, Join::And, Join::Or, Join::Xor, Join::Min, Join::Max,
                   Join::FMin, Join::FMax, Join::Choose})
    if (joins(E, V, How))
      return How;
  return std::nullopt;
}

/// if (e > m) m = e;  as an expression; null: S is not of that form.
const Expr *LoopLanes::asChoice(const Stmt *S) {
  if (S->K != StmtKind::If || !S->Else.empty() || S->Body.size() != 1)
    return nullptr;
  const Stmt *A = S->Body[0];
  if (A->K != StmtKind::Assign || !A->LaneIdx.empty() || A->V->K != Var::Temp ||
      !mentions(S->E, A->V) || A->E->Ty != A->V->Ty || S->E->K != ExprKind::Binary)
    return nullptr;
  const Expr *E = M.select(S->E, A->E, M.ref(A->V));
  return joins(E, A->V, Join::Choose) ? E : nullptr;
}

/// True if in P only statements that reduce something into V by How use V.
bool LoopLanes::onlyJoins(Stmt *P, const Var *V, Join How) {
  bool Only = true;
  walk(StmtList{P}, [&](Stmt *S) {
    if (const Expr *E = asChoice(S); E && S->Body[0]->V == V)
      return (Only &= joinOf(E, V) == How), false;
    if (S->K == StmtKind::Assign && S->V == V) {
      Only &= S->LaneIdx.empty() && joinOf(S->E, V) == How;
      return Only;
    }
    Only &= S->V != V;
    forEachExpr(*S, [&](const Expr *E) { Only &= !mentions(E, V); });
    return Only;
  });
  return Only;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// X and Y combined as S is reduced.
const Expr *LoopLanes::both(const Sum &S, const Expr *X, const Expr *Y) {
  // Y if it compares with X as in the source.
  if (S.How == Join::Choose)
    return M.select(M.binary(S.Takes, Y, X), Y, X);
  return join(M, S.How, X, Y);
}

/// E, which reduces something into S, with the partial sums instead of the variable.
const Expr *LoopLanes::joined(const Expr *E, const Sum &S) {
  if (E->K == ExprKind::VarRef && E->V == S.V)
    return M.ref(S.Lanes);
  const Type *Ty = S.Lanes->Ty, *Elem = M.value(Ty->Scalar);
  auto other = [&](const Expr *X) {
    LaneVal Is = eval(X);
    if (Is.K == LaneVal::Uniform && X->Ty->isInteger())
      return splat(simplify(M, M.cast(Is.E, Elem)), Ty);
    const Expr *V = Convert.toVector(Is, X->Ty);
    return V->Ty == Ty ? V : M.cast(V, Ty);
  };
  unsigned Mine = !E->Ops.empty() && mentions(E->Ops[0], S.V) ? 0 : 1;
  switch (E->K) {
  case ExprKind::Cast:
    return joined(E->Ops[0], S);
  case ExprKind::Select: {
    if (S.How == Join::Choose) {
      const Expr *C = E->Ops[0];
      const Expr *Other = mentions(C->Ops[0], S.V) ? C->Ops[1] : C->Ops[0];
      return both(S, M.ref(S.Lanes), hold(other(Other), S.V->Name + "_new"));
    }
    LaneVal C = eval(E->Ops[0]);
    bool Parts = C.K != LaneVal::Uniform;
    ++Conditional, Masked += Parts;
    const Expr *X = joined(E->Ops[1], S), *Y = joined(E->Ops[2], S);
    --Conditional, Masked -= Parts;
    return M.select(Parts ? mask(C, Elem) : C.E, X, Y);
  }
  case ExprKind::Call:
    if (E->Ops.size() == 2)
      return both(S, joined(E->Ops[Mine], S), other(E->Ops[1 - Mine]));
    if (E->Name == "mad24") {
      const Type *L = Convert.vectorType(E->Ty);
      const Expr *P = M.call(
          "mul24", L,
          {Convert.toVector(eval(E->Ops[0]), E->Ty), Convert.toVector(eval(E->Ops[1]), E->Ty)});
      return M.binary(Op::Add, joined(E->Ops[2], S), L == Ty ? P : M.cast(P, Ty));
    }
    return M.call(E->Name, Ty, {other(E->Ops[0]), other(E->Ops[1]), joined(E->Ops[2], S)});
  default:
    break;
  }
  const Expr *X = joined(E->Ops[Mine], S), *Y = other(E->Ops[1 - Mine]);
  return Mine ? M.binary(E->O, Y, X) : M.binary(E->O, X, Y);
}

/// The partial sums of S reduced to one value; the statements for that go to Into.
const Expr *LoopLanes::total(const Sum &S, StmtList &Into) {
  StmtList *Was = std::exchange(Cur, &Into);
  auto Both = [&](const Expr *X, const Expr *Y) { return both(S, X, Y); };
  const Expr *All = joinLanes(M, M.ref(S.Lanes), Both, [&](const Expr *E, unsigned Lanes) {
    return hold(E, S.V->Name + "_" + std::to_string(Lanes));
  });
  if (S.How == Join::Choose)
    All = hold(All, S.V->Name + "_1");
  Cur = Was;
  return All;
}

void LoopLanes::add(Sum &S, const Expr *E) {
  const Expr *New = joined(E, S);
  if (Failed)
    return;
  if (Mask)
    New = M.select(mask({LaneVal::Mask, Mask}, M.value(S.Lanes->Ty->Scalar)), New, M.ref(S.Lanes));
  Stmt *A = M.newStmt(StmtKind::Assign);
  A->V = S.Lanes;
  A->E = New;
  Cur->push_back(A);
}

} // namespace clmali::rewrite
