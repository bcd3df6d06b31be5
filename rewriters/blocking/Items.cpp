//===-- rewriters/blocking/Items.cpp - Branches that split a block ------------===//
//
// Part of ItemBlocker. A branch that is neither assumed nor run under a mask runs for the items
// one by one, as scalar code between the vectors: unrolled, or as a loop over the lanes where
// nothing of it is in vectors. If all lanes agree, and that makes only vector accesses, the block
// stays together.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

/// Scalar statements that a branch may become.
static constexpr unsigned MaxScalarStatements = 96;

bool declares(const StmtList &B, const Var *V) {
  return llvm::any_of(stmts(B), [&](const Stmt *X) { return X->K == StmtKind::Decl && X->V == V; });
}

void ItemBlocker::emitDivergent(Stmt *St) {
  StmtList B = {St};
  unsigned Count = 0;
  bool Simple = true;
  for (const Stmt *X : stmts(B)) {
    ++Count;
    if (X->K == StmtKind::Loop || X->K == StmtKind::Barrier || X->K == StmtKind::Break ||
        X->K == StmtKind::Continue || X->K == StmtKind::Return)
      Simple = false;
  }
  if (!Simple || Count * N * ActiveRows.size() > MaxScalarStatements)
    return refuse(Refusal::UnstructuredControl, "vectorize",
                  "a branch that differs between neighbours", St->Range);
  declareBefore(St);
  StmtList *Was = Cur;
  StmtList *Others = emitIfTogether(St);
  if (Others)
    Cur = Others;
  bool AsLoop = Others && St->Else.empty() && Block.readsNoVectors(St->Body, St->E);
  for (unsigned Row : ActiveRows) {
    llvm::DenseMap<const Var *, Var *> Own;
    if (AsLoop) {
      Var *Lane = newVar("lane", M.value(ScalarKind::Int));
      Stmt *Each = countingLoop(Lane, N);
      StmtList *Outer = std::exchange(Cur, &Each->Body);
      add(copyForLane(St, Row, Lane, Own, [](const Var *) { return nullptr; }));
      Cur = Outer;
      add(Each);
      continue;
    }
    for (unsigned L = 0; L < N && !Failed; ++L) {
      if (St->Else.empty() && isNeverTrue(St->E, Row, L))
        continue;
      Own.clear();
      scalarItem(B, Row, L, Own);
    }
  }
  Cur = Was;
  Loads.clear();
  HasSplitBranch = true;
}

/// Emits St as vector code for blocks whose lanes all take it, if that pays. Returns the list for
/// the other blocks; null: nothing was emitted.
StmtList *ItemBlocker::emitIfTogether(Stmt *St) {
  StmtList Together;
  if (Block.alternates(St->E) || !emitTogether(St, Together))
    return nullptr;
  const Expr *All = allAgreeHere(St->E, true);
  const Expr *None = St->Else.empty() ? allAgreeHere(St->E, false) : nullptr;
  if (!All)
    return nullptr;
  Stmt *Outer = M.newStmt(StmtKind::If, St->Range);
  Outer->E = All;
  Outer->Body = std::move(Together);
  Outer->Comments = St->Comments;
  add(Outer);
  if (!None)
    return &Outer->Else;
  Stmt *Some = M.newStmt(StmtKind::If);
  Some->E = simplify(M, M.unary(Op::LogicalNot, None));
  Outer->Else.push_back(Some);
  return &Some->Body;
}

/// The body of St for lanes that all take it, into Into. False: it would not consist of vector
/// accesses only, and nothing was done.
bool ItemBlocker::emitTogether(Stmt *St, StmtList &Into) {
  if (N == 1 || !Block.speculable(St->E) || Failed)
    return false;
  unsigned Vectors = VectorAccesses, Scalars = ScalarAccesses, Calls = Lanes.ScalarCalls;
  bool NoOverlap = Loads.assumedNoOverlap();
  size_t Refused = Out.Refusals.size();
  emitInto([&] { emit(St->Body); }, Into);
  bool Good = !Failed && VectorAccesses > Vectors && ScalarAccesses == Scalars &&
              Lanes.ScalarCalls == Calls;
  if (!Good) {
    Failed = false;
    Out.Refusals.resize(Refused);
    Loads.setAssumedNoOverlap(NoOverlap);
    VectorAccesses = Vectors, ScalarAccesses = Scalars, Lanes.ScalarCalls = Calls;
  }
  return Good;
}

/// True if Cond is false for this item in every launch: id == 3, where the item's id is a multiple
/// of the lane count plus another remainder.
bool ItemBlocker::isNeverTrue(const Expr *Cond, unsigned Row, unsigned Lane) {
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
bool ItemBlocker::scalarAssign(const Stmt *St, Stmt *C, const Expr *Value, unsigned Row,
                               unsigned Lane, const llvm::DenseMap<const Var *, Var *> &Own) {
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

/// B for one item of the block. Own: the item's own variables.
void ItemBlocker::scalarItem(const StmtList &B, unsigned Row, unsigned Lane,
                             llvm::DenseMap<const Var *, Var *> &Own) {
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
    Stmt *C = copyStmt(St);
    switch (St->K) {
    case StmtKind::Decl: {
      if (St->V->K == Var::Memory)
        return refuse(Refusal::UnsupportedType, "vectorize",
                      "private array " + St->V->Name + " in a branch", St->Range);
      Var *NV = newVar(St->V->Name, St->V->Ty);
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
      C->Acc = St->Acc;
      for (const Expr *&Ix : C->Acc.Index)
        Ix = simplify(M, Value(Ix));
      if (Block.inArrays(C->Acc))
        C->Acc = elementOfArray(C->Acc, Row, C->Acc.Index, M.intConst(Lane));
      C->E = Value(St->E);
      break;
    case StmtKind::If: {
      C->E = Value(St->E);
      StmtList *Was = std::exchange(Cur, &C->Body);
      scalarItem(St->Body, Row, Lane, Own);
      Cur = &C->Else;
      scalarItem(St->Else, Row, Lane, Own);
      Cur = Was;
      break;
    }
    default:
      return refuse(Refusal::UnstructuredControl, "vectorize",
                    "statement under a condition that differs between neighbours", St->Range);
    }
    add(C);
  }
}

//===----------------------------------------------------------------------===//
// The items in a loop
//===----------------------------------------------------------------------===//

/// for (int Counter = 0; Counter < Count; ++Counter), with an empty body. It runs rarely.
Stmt *ItemBlocker::countingLoop(Var *Counter, unsigned Count) {
  Stmt *L = M.newStmt(StmtKind::Loop);
  L->Rare = true;
  L->Init = {makeDecl(Counter, M.intConst(0))};
  L->E = M.binary(Op::LT, M.ref(Counter), M.intConst(Count));
  Stmt *Step = M.newStmt(StmtKind::Assign);
  Step->V = Counter;
  Step->E = M.binary(Op::Add, M.ref(Counter), M.intConst(1));
  L->Step = {Step};
  return L;
}

/// X, which is no vector, for the lane in the variable Lane.
const Expr *ItemBlocker::atLane(const LaneVal &X, Var *Lane) {
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

/// Source, a branch, or what is left of a loop, for the lane in the variable Lane. The
/// declarations that it needs go to Cur. Own: the lane's own variables. Held: the lane's value of a
/// variable that is a vector; null: it is none.
Stmt *ItemBlocker::copyForLane(Stmt *SourceStmt, unsigned Row, Var *Lane,
                               llvm::DenseMap<const Var *, Var *> &Own,
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
      Own[V] = copyVar(V);
      return add(makeDecl(Own[V], Value));
    }
    LaneVal X = eval(M.ref(V), Row);
    if (X.K == LaneVal::Uniform && !Assigned.count(V) && X.E->K == ExprKind::VarRef) {
      Own[V] = X.E->V;
      return;
    }
    Own[V] = copyVar(V);
    add(makeDecl(Own[V], atLane(X, Lane)));
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
      Slot = V->K == Var::Temp ? copyVar(V) : arrayOfItem(V);
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

} // namespace clmali::rewrite
