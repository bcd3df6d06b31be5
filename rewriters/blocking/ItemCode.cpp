//===-- rewriters/blocking/ItemCode.cpp - Code for one item at a time ---------===//

#include "rewriters/blocking/ItemCode.h"
#include "checks/model/ir/Traversal.h"

namespace clmali::rewrite {

bool declares(const StmtList &B, const Var *V) {
  return llvm::any_of(stmts(B), [&](const Stmt *X) { return X->K == StmtKind::Decl && X->V == V; });
}

bool ItemCode::isNeverTrue(const Expr *Cond, unsigned Row, unsigned Lane) {
  if (Cond->K == ExprKind::Cast && Cond->Implicit)
    return isNeverTrue(Cond->Ops[0], Row, Lane);
  if (Cond->K == ExprKind::Binary && Cond->O == Op::LogicalAnd)
    return isNeverTrue(Cond->Ops[0], Row, Lane) || isNeverTrue(Cond->Ops[1], Row, Lane);
  bool Not = Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot;
  if (!Not && !(Cond->K == ExprKind::Binary && Cond->O == Op::EQ))
    return false;
  Poly D;
  for (unsigned I = 0; I < Cond->Ops.size(); ++I) {
    const Expr *X = Cond->Ops[I];
    if (!X->Ty->isScalar() || !X->Ty->isInteger() || sizeInBits(X->Ty->Scalar) < 32 ||
        !Block.speculable(X) || Block.shape(X).K == VShape::Vector)
      return false;
    Poly Value = Polys.of(Convert.toScalar(eval(X, Row), Lane, X->Ty));
    D = I ? D - Value : Value;
  }
  // Values may wrap at a power of two, so only powers of two that divide all steps count.
  uint64_t Steps = 0;
  for (const auto &[Mono, C] : D.Terms)
    if (!Mono.empty())
      Steps |= uint64_t(C) & -uint64_t(C);
  Steps &= -Steps;
  return (Steps && uint64_t(D.constantTerm()) % Steps != 0) || (D.isConstant() && !D.isZero());
}

//===----------------------------------------------------------------------===//
// One item as scalar code
//===----------------------------------------------------------------------===//

/// C = Value, a copy of the assignment St: to the item's own variable, or to its lane of a vector.
/// False: refused.
bool ItemCode::scalarAssign(const Stmt *St, Stmt *C, const Expr *Value, unsigned Row, unsigned Lane,
                            const OwnVars &Own) {
  C->E = Value;
  if (Var *V = Own.lookup(St->V)) {
    C->V = V;
    return true;
  }
  if (States[St->V].Shape.K != VShape::Vector || St->V->Ty->Scalar == ScalarKind::Bool) {
    refuse(Refusal::UnstructuredControl, "vectorize", "assignment to " + St->V->Name, St->Range);
    return false;
  }
  C->V = varOfRow(St->V, Row);
  C->LaneIdx = {uint8_t(Lane)};
  return true;
}

void ItemCode::scalarItem(const StmtList &B, unsigned Row, unsigned Lane, OwnVars &Own) {
  std::function<const Expr *(const Expr *)> Value = [&](const Expr *E) -> const Expr * {
    if (E->K == ExprKind::VarRef && E->V->K == Var::Temp) {
      Var *V = Own.lookup(E->V);
      return V ? M.ref(V) : Convert.toScalar(eval(E, Row), Lane, E->Ty);
    }
    if (E->K == ExprKind::WorkItem)
      return Convert.toScalar(eval(E, Row), Lane, E->Ty);
    E = mapOperands(M, E, Value);
    return E->K == ExprKind::Load && Block.inArrays(E->Acc)
               ? M.load(elementOfArray(E->Acc, Row, E->Acc.Index, M.intConst(Lane)))
               : E;
  };
  for (Stmt *St : B) {
    if (Failed)
      return;
    Stmt *C = W.copyStmt(St);
    switch (St->K) {
    case StmtKind::Decl: {
      if (St->V->K == Var::Memory)
        return refuse(Refusal::UnsupportedType, "vectorize",
                      "private array " + St->V->Name + " in a branch", St->Range);
      Var *NV = W.newVar(St->V->Name, St->V->Ty);
      NV->Range = St->V->Range;
      C->V = NV;
      C->E = St->E ? Value(St->E) : nullptr;
      Own[St->V] = NV;
      break;
    }
    case StmtKind::Assign:
      if (!scalarAssign(St, C, Value(St->E), Row, Lane, Own))
        return;
      break;
    case StmtKind::Store:
    case StmtKind::Atomic:
      C->Acc = St->Acc;
      for (const Expr *&Ix : C->Acc.Index)
        Ix = simplify(M, Value(Ix));
      if (Block.inArrays(C->Acc))
        C->Acc = elementOfArray(C->Acc, Row, C->Acc.Index, M.intConst(Lane));
      C->E = St->E ? Value(St->E) : nullptr;
      for (const Expr *&X : C->Args)
        X = Value(X);
      break;
    case StmtKind::If: {
      C->E = Value(St->E);
      StmtList *Was = std::exchange(W.Cur, &C->Body);
      scalarItem(St->Body, Row, Lane, Own);
      W.Cur = &C->Else;
      scalarItem(St->Else, Row, Lane, Own);
      W.Cur = Was;
      break;
    }
    default:
      return refuse(Refusal::UnstructuredControl, "vectorize",
                    "statement under a condition that differs between neighbours", St->Range);
    }
    W.add(C);
  }
}

//===----------------------------------------------------------------------===//
// The items in a loop
//===----------------------------------------------------------------------===//

Stmt *ItemCode::countingLoop(Var *Counter, unsigned Count) {
  Stmt *L = M.newStmt(StmtKind::Loop);
  L->Rare = true;
  L->Init = {W.makeDecl(Counter, M.intConst(0))};
  L->E = M.binary(Op::LT, M.ref(Counter), M.intConst(Count));
  Stmt *Step = M.newStmt(StmtKind::Assign);
  Step->V = Counter;
  Step->E = M.binary(Op::Add, M.ref(Counter), M.intConst(1));
  L->Step = {Step};
  return L;
}

const Expr *ItemCode::atLane(const LaneVal &X, Var *Lane) {
  if (X.K == LaneVal::Stepped)
    refuse(Refusal::OpaqueConstruct, "vectorize", "a quotient of ids in a lane's own code",
           X.E->Range);
  if (X.K != LaneVal::Linear)
    return X.E;
  const Expr *L = M.cast(M.ref(Lane), X.E->Ty, true);
  if (X.Stride != 1)
    L = M.binary(Op::Mul, L, M.intConst(X.Stride, X.E->Ty));
  return Convert.sum(X.E, L, X.Wraps);
}

Stmt *ItemCode::copyForLane(Stmt *SourceStmt, unsigned Row, Var *Lane, OwnVars &Own,
                            llvm::function_ref<const Expr *(const Var *)> Held) {
  StmtList Source = {SourceStmt};
  llvm::DenseSet<Var *> InBody, Assigned;
  for (Stmt *X : stmts(SourceStmt->Body))
    if (X->K == StmtKind::Decl)
      InBody.insert(X->V);
  for (Stmt *X : stmts(Source))
    if (X->K == StmtKind::Assign)
      Assigned.insert(X->V);
  // Variables from outside start from this item's value.
  auto Start = [&](Var *V) {
    if (V->K != Var::Temp || InBody.count(V) || Own.count(V))
      return;
    if (const Expr *Value = Held(V)) {
      Own[V] = W.copyVar(V);
      return W.declare(Own[V], Value);
    }
    LaneVal X = eval(M.ref(V), Row);
    if (X.K == LaneVal::Uniform && !Assigned.count(V) && X.E->K == ExprKind::VarRef) {
      Own[V] = X.E->V;
      return;
    }
    Own[V] = W.copyVar(V);
    W.declare(Own[V], atLane(X, Lane));
  };
  for (Stmt *X : stmts(Source)) {
    if (X->K == StmtKind::Assign)
      Start(X->V);
    for (ExprAt E : exprs(*X))
      if (E->K == ExprKind::VarRef)
        Start(E->V);
  }
  StmtList Items = cloneStmts(M, Source, [&](Var *V) {
    if (V->K != Var::Temp && !(Arrays.count(V) && declares(Source, V)))
      return V;
    Var *&Slot = Own[V];
    if (!Slot)
      Slot = V->K == Var::Temp ? W.copyVar(V) : W.newArray(V->Name, V->Ty, V);
    return Slot;
  });
  auto Ids = [&](const Expr *E) -> const Expr * {
    return E->K == ExprKind::WorkItem ? atLane(eval(E, Row), Lane) : nullptr;
  };
  walk(Items, [&](Stmt *X) {
    mapExprs(M, *X, [&](const Expr *E) { return substitute(M, E, Ids); });
    return true;
  });
  arraysOf(Items, Row, M.ref(Lane));
  Items[0]->Init.clear();
  return Items[0];
}

/// E, in terms of the new kernel except for the arrays, for the item at Lane.
const Expr *ItemCode::arraysOf(const Expr *E, unsigned Row, const Expr *Lane) {
  if (Arrays.empty())
    return E;
  E = mapOperands(M, E, [&](const Expr *X) { return arraysOf(X, Row, Lane); });
  return E->K == ExprKind::Load && Block.inArrays(E->Acc)
             ? M.load(elementOfArray(E->Acc, Row, E->Acc.Index, Lane))
             : E;
}

void ItemCode::arraysOf(const StmtList &B, unsigned Row, const Expr *Lane) {
  if (Arrays.empty())
    return;
  walk(B, [&](Stmt *X) {
    mapExprs(M, *X, [&](const Expr *E) { return arraysOf(E, Row, Lane); });
    if (X->K == StmtKind::Store && Block.inArrays(X->Acc))
      X->Acc = elementOfArray(X->Acc, Row, X->Acc.Index, Lane);
    return true;
  });
}

} // namespace clmali::rewrite
