//===-- rewriters/blocking/Items.cpp - Items that go their own way ------------===//
//
// What cannot run in lockstep: branches that are neither assumed nor selected,
// the rest of loops whose bound lanes reach at different times, and the path
// for blocks whose items differ. There the items run one by one, as the
// original wrote them.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

static bool declares(const StmtList &B, const Var *V) {
  bool Found = false;
  walk(B, [&](Stmt *X) {
    Found |= X->K == StmtKind::Decl && X->V == V;
    return !Found;
  });
  return Found;
}

/// A branch whose lanes go different ways and that can neither be assumed nor
/// selected: item by item, unrolled, where that is small.
void ItemBlocker::emitDivergent(Stmt *St) {
  unsigned Count = 0;
  bool Simple = true;
  StmtList B = {St};
  walk(B, [&](Stmt *X) {
    ++Count;
    if (X->K == StmtKind::Loop || X->K == StmtKind::Barrier || X->K == StmtKind::Break ||
        X->K == StmtKind::Continue || X->K == StmtKind::Return)
      Simple = false;
    return true;
  });
  if (!Simple || Count * N * ActiveRows.size() > 96) {
    refuse(Refusal::UnstructuredControl, "vectorize", "a branch that differs between neighbours",
           St->Range);
    return;
  }
  declareBefore(St);
  // Where all take it, it is straight code.
  StmtList Together;
  const Expr *All = nullptr, *None = nullptr;
  if (!takesTurns(St->E) && emitTogether(St, Together)) {
    AgreeHere = true;
    ++Conditional;
    All = allAgree(St->E, true);
    None = St->Else.empty() ? allAgree(St->E, false) : nullptr;
    --Conditional;
    AgreeHere = false;
  }
  StmtList *Was = Cur;
  Stmt *Outer = nullptr;
  if (All) {
    Outer = M.newStmt(StmtKind::If, St->Range);
    Outer->E = All;
    Outer->Body = std::move(Together);
    Outer->Comments = St->Comments;
    add(Outer);
    Cur = &Outer->Else;
    if (None) {
      Stmt *Some = M.newStmt(StmtKind::If);
      Some->E = simplify(M, M.unary(Op::LogicalNot, None));
      add(Some);
      Cur = &Some->Body;
    }
  }
  // What the branch reads is computed once as vectors, then picked lane by lane.
  bool AsLoop = All && laneByLane(St);
  for (unsigned Row : ActiveRows) {
    if (AsLoop) {
      Var *Lane = newVar("lane", M.value(ScalarKind::Int));
      Stmt *Each = M.newStmt(StmtKind::Loop);
      laneLoop(Each, Lane, N);
      StmtList *Around = Cur;
      Cur = &Each->Body;
      llvm::DenseMap<const Var *, Var *> Own;
      laneRest(St, Row, Lane, Own, [](const Var *) { return nullptr; });
      Cur = Around;
      add(Each);
      continue;
    }
    for (unsigned L = 0; L < N && !Failed; ++L) {
      if (St->Else.empty() && neverAt(St->E, Row, L))
        continue;
      llvm::DenseMap<const Var *, Var *> Own;
      scalarItem(B, Row, L, Own);
    }
  }
  Cur = Was;
  Loads.clear();
  Parted = true;
}

/// Do neighbours certainly answer Cond differently: (x & 1) == 0, x % 2?
bool ItemBlocker::takesTurns(const Expr *Cond) {
  while ((Cond->K == ExprKind::Cast && Cond->Implicit) ||
         (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot))
    Cond = Cond->Ops[0];
  if (Cond->K == ExprKind::Binary && (Cond->O == Op::EQ || Cond->O == Op::NE)) {
    if (!constantValue(Cond->Ops[1]))
      return false;
    Cond = Cond->Ops[0];
  }
  if (Cond->K != ExprKind::Binary)
    return false;
  VShape Moving = shape(Cond->Ops[0]);
  auto C = constantValue(Cond->Ops[1]);
  if (Moving.K != VShape::Linear || !C)
    return false;
  return (Cond->O == Op::And && *C == 1 && Moving.Stride % 2) ||
         (Cond->O == Op::Rem && *C == 2 && Moving.Stride % 2);
}

/// The branch St for lanes that all take it, into Into: where that makes whole accesses
/// only. False: not so.
bool ItemBlocker::emitTogether(Stmt *St, StmtList &Into) {
  if (N == 1 || !speculable(St->E) || Failed)
    return false;
  unsigned Vectors = VectorAccesses, Scalars = ScalarAccesses, Calls = ScalarCalls;
  bool NoOverlap = NeedsNoOverlap;
  size_t Refused = Out.Refusals.size();
  scoped([&] { emit(St->Body); }, Into);
  bool Good =
      !Failed && VectorAccesses > Vectors && ScalarAccesses == Scalars && ScalarCalls == Calls;
  if (!Good) {
    Failed = false;
    Out.Refusals.resize(Refused);
    NeedsNoOverlap = NoOverlap;
    VectorAccesses = Vectors, ScalarAccesses = Scalars, ScalarCalls = Calls;
  }
  return Good;
}

/// Can a variable name the lane in St: nothing of it lies in vectors?
bool ItemBlocker::laneByLane(const Stmt *St) const {
  if (!St->Else.empty())
    return false;
  llvm::DenseSet<const Var *> Own;
  bool Plain = true;
  walk(St->Body, [&](Stmt *X) {
    if (X->K == StmtKind::Decl)
      Own.insert(X->V);
    return true;
  });
  walk(StmtList{const_cast<Stmt *>(St)}, [&](Stmt *X) {
    Plain &= X->K != StmtKind::Assign || Own.count(X->V);
    forEachExpr(*X, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Plain &= E->K != ExprKind::VarRef || E->V->K != Var::Temp || Own.count(E->V) ||
                 shapeOf(E->V).K != VShape::Vector;
        return Plain;
      });
    });
    return Plain;
  });
  return Plain;
}

/// Is Cond false for this item whatever the launch is? id == 3, where the item's id is a
/// multiple of the lanes and another remainder.
bool ItemBlocker::neverAt(const Expr *Cond, unsigned Row, unsigned Lane) {
  if (Cond->K == ExprKind::Cast && Cond->Implicit)
    return neverAt(Cond->Ops[0], Row, Lane);
  if (Cond->K == ExprKind::Binary && Cond->O == Op::LogicalAnd)
    return neverAt(Cond->Ops[0], Row, Lane) || neverAt(Cond->Ops[1], Row, Lane);
  bool Not = Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot;
  if (!Not && !(Cond->K == ExprKind::Binary && Cond->O == Op::EQ))
    return false;
  Poly D;
  for (unsigned I = 0; I < Cond->Ops.size(); ++I) {
    const Expr *X = Cond->Ops[I];
    if (!X->Ty->isScalar() || !X->Ty->isInteger() || sizeInBits(X->Ty->Scalar) < 32 ||
        !speculable(X) || shape(X).K == VShape::Vector)
      return false;
    Poly Value = polyOf(scalarOf(eval(X, Row), Lane, X->Ty));
    D = I ? D - Value : Value;
  }
  // Values may wrap, at a power of two: so must what divides them.
  uint64_t Steps = 0;
  for (const auto &[Mono, C] : D.Terms)
    if (!Mono.empty())
      Steps |= uint64_t(C) & -uint64_t(C);
  Steps &= -Steps;
  return (Steps && uint64_t(D.constantTerm()) % Steps != 0) || (D.isConstant() && !D.isZero());
}

/// B for one item of the block, as scalar code among the vectors.
void ItemBlocker::scalarItem(const StmtList &B, unsigned Row, unsigned Lane,
                             llvm::DenseMap<const Var *, Var *> &Own) {
  std::function<const Expr *(const Expr *)> Value = [&](const Expr *E) -> const Expr * {
    if (E->K == ExprKind::VarRef && E->V->K == Var::Temp) {
      auto It = Own.find(E->V);
      if (It != Own.end())
        return M.ref(It->second);
      return scalarOf(eval(E, Row), Lane, E->Ty);
    }
    if (E->K == ExprKind::WorkItem)
      return scalarOf(eval(E, Row), Lane, E->Ty);
    E = mapOperands(M, E, Value);
    return E->K == ExprKind::Load && inArrays(E->Acc)
               ? M.load(elementOfArray(E->Acc, Row, E->Acc.Index, M.intConst(Lane)))
               : E;
  };
  for (Stmt *St : B) {
    if (Failed)
      return;
    Stmt *C = copyStmt(St);
    switch (St->K) {
    case StmtKind::Decl: {
      if (St->V->K == Var::Memory) {
        refuse(Refusal::UnsupportedType, "vectorize",
               "private array " + St->V->Name + " in a branch", St->Range);
        return;
      }
      Var *NV = newVar(St->V->Name, St->V->Ty);
      NV->Range = St->V->Range;
      C->V = NV;
      C->E = St->E ? Value(St->E) : nullptr;
      Own[St->V] = NV;
      break;
    }
    case StmtKind::Assign: {
      const Expr *X = Value(St->E);
      auto It = Own.find(St->V);
      if (It != Own.end()) {
        C->V = It->second;
        C->E = X;
        break;
      }
      VarState &VS = States[St->V];
      if (VS.Shape.K != VShape::Vector || St->V->Ty->Scalar == ScalarKind::Bool) {
        refuse(Refusal::UnstructuredControl, "vectorize", "assignment to " + St->V->Name,
               St->Range);
        return;
      }
      C->V = VS.New.size() > 1 ? VS.New[Row] : VS.New[0];
      C->LaneIdx = {uint8_t(Lane)};
      C->E = X;
      break;
    }
    case StmtKind::Store: {
      C->Acc = St->Acc;
      for (const Expr *&Ix : C->Acc.Index)
        Ix = simplify(M, Value(Ix));
      if (inArrays(C->Acc))
        C->Acc = elementOfArray(C->Acc, Row, C->Acc.Index, M.intConst(Lane));
      C->E = Value(St->E);
      break;
    }
    case StmtKind::If: {
      C->E = Value(St->E);
      StmtList *Was = Cur;
      Cur = &C->Body;
      scalarItem(St->Body, Row, Lane, Own);
      Cur = &C->Else;
      scalarItem(St->Else, Row, Lane, Own);
      Cur = Was;
      break;
    }
    default:
      refuse(Refusal::UnstructuredControl, "vectorize",
             "statement under a condition that differs between neighbours", St->Range);
      return;
    }
    add(C);
  }
}

/// May neighbouring lanes leave Loop at different times?
bool ItemBlocker::divergent(const Stmt *Loop) {
  if (N == 1)
    return false;
  if (Loop->E && shape(Loop->E).K != VShape::Uniform)
    return true;
  std::function<bool(const StmtList &, bool)> Leaves = [&](const StmtList &B, bool Varies) {
    for (const Stmt *St : B) {
      if (St->K == StmtKind::Break && Varies)
        return true;
      if (St->K != StmtKind::If)
        continue;
      bool Inner = Varies || shape(St->E).K != VShape::Uniform;
      if (Leaves(St->Body, Inner) || Leaves(St->Else, Inner))
        return true;
    }
    return false;
  };
  return Leaves(Loop->Body, false);
}

/// Can all lanes go round Loop as long as one of them does, those that are done
/// keeping their values? Its body computes only, or what it accesses is guarded.
bool ItemBlocker::maskable(const Stmt *Loop) {
  unsigned Cost = 0;
  return (!Loop->E || (Guarded ? guardable(Loop->E) : speculable(Loop->E))) &&
         canPredicate(Loop->Body, Cost, true, Guarded) && canPredicate(Loop->Step, Cost);
}

/// The variable that Loop counts in, if it is the same for all lanes that go on and
/// nobody asks for it behind the loop.
const Var *ItemBlocker::commonCounter(const Stmt *Loop) {
  auto C = A.countedLoop(Loop);
  if (!C || !C->Lower || usedOutside(C->V, Loop) || shape(C->Lower).K == VShape::Vector ||
      (C->StepExpr && shape(C->StepExpr).K != VShape::Uniform))
    return nullptr;
  bool InStep = llvm::all_of(A.defs(C->V), [&](const Stmt *D) {
    return llvm::is_contained(Loop->Step, D) || llvm::is_contained(Loop->Init, D);
  });
  return InStep ? C->V : nullptr;
}

/// A loop that computes a value by a different number of rounds in each lane
/// (iterated functions, Newton's method, searches): as long as any lane goes on, with the
/// values of those that are done kept.
void ItemBlocker::emitMaskedLoop(Stmt *St) {
  if (!Active.empty() || A.hasBarrier()) {
    refuse(Refusal::DivergentLoop, "vectorize",
           "a loop whose trip count differs between neighbours", St->Range);
    return;
  }
  declareBefore(St);
  Unset.clear();
  emit(St->Init);
  if (Failed)
    return;
  const Type *Mask = M.value(ScalarKind::Int, N);
  // What all lanes answer alike stays the loop's own condition.
  bool Alike =
      St->E && St->Form != Stmt::DoWhile && shape(St->E).K == VShape::Uniform && !shape(St->E).Rows;
  std::vector<llvm::SmallVector<const Expr *, 2>> None(R);
  auto GoesOn = [&](unsigned Row) -> const Expr * {
    if (!St->E || Alike)
      return nullptr;
    GuardedLoads.clear();
    guardLoads(St->E, Row, None[Row]);
    return condition(St->E, Row, M.value(ScalarKind::Int));
  };
  std::vector<Var *> Lanes(R, nullptr);
  for (unsigned Row : ActiveRows) {
    Stmt *D = M.newStmt(StmtKind::Decl, St->Range);
    const Expr *First = St->Form == Stmt::DoWhile ? nullptr : GoesOn(Row);
    D->E = First ? First : M.cast(M.intConst(-1), Mask);
    D->V = Lanes[Row] = newVar("active", Mask);
    add(D);
  }
  Stmt *L = copyStmt(St);
  L->Form = Stmt::While;
  const Expr *Any = nullptr;
  for (unsigned Row : ActiveRows)
    Any = Any ? M.binary(Op::Or, Any, M.ref(Lanes[Row])) : M.ref(Lanes[Row]);
  L->E = M.call("any", M.value(ScalarKind::Int), {Any});
  Loads.clear();
  GuardedKnown.clear();
  scoped(
      [&] {
        Around.push_back(St);
        Active = Lanes;
        if (Alike) {
          ++Conditional;
          L->E = M.binary(Op::LogicalAnd, eval(St->E, ActiveRows[0]).E, L->E);
          --Conditional;
        }
        emitPredicated(St->Body, None);
        emitPredicated(St->Step, None);
        Around.pop_back();
        for (unsigned Row : ActiveRows) {
          const Expr *C = Failed ? nullptr : GoesOn(Row);
          if (!C)
            continue;
          Stmt *D = M.newStmt(StmtKind::Assign, St->Range);
          D->V = Lanes[Row];
          D->E = M.binary(Op::And, M.ref(Lanes[Row]), C);
          add(D);
        }
        GuardedLoads.clear();
        GuardedKnown.clear();
        Active.clear();
      },
      L->Body);
  Loads.clear();
  add(L);
}

/// The variable of a loop whose rounds do not know of each other, as those of grid-stride
/// loops: what is assumed of the lanes is asked in each round, then.
const Var *ItemBlocker::ownRounds(const Stmt *Loop) {
  if (!MayAssume || N == 1 || R > 1 || RoundVar || !Around.empty() || !Arrays.empty() ||
      Loop->Form == Stmt::DoWhile || !Loop->E || shape(Loop->E).K == VShape::Uniform ||
      Loop->Step.size() != 1)
    return nullptr;
  auto C = A.countedLoop(Loop);
  if (!C || Loop->Step[0]->V != C->V || shapeOf(C->V).K != VShape::Linear ||
      usedOutside(C->V, Loop))
    return nullptr;
  bool Simple = true;
  walk(Loop->Body, [&](Stmt *X) {
    Simple &= X->K == StmtKind::Decl || X->K == StmtKind::Assign || X->K == StmtKind::Store ||
              X->K == StmtKind::If || X->K == StmtKind::Loop;
    return Simple;
  });
  Stmt *Round = M.newStmt(StmtKind::If, Loop->Range);
  Round->E = M.intConst(1);
  Round->Body = Loop->Body;
  return Simple && laneByLane(Round) ? C->V : nullptr;
}

/// One round of St, a loop that ownRounds knows, for all lanes: together where what is assumed
/// of them holds, else one by one.
void ItemBlocker::emitRound(Stmt *St, unsigned Row) {
  std::vector<const Expr *> Outer = std::exchange(Assumptions, {});
  StmtList Fast;
  scoped([&] { emit(St->Body); }, Fast);
  std::vector<const Expr *> Here = std::exchange(Assumptions, std::move(Outer));
  if (Failed)
    return;
  if (Here.empty()) {
    Cur->insert(Cur->end(), Fast.begin(), Fast.end());
    return;
  }
  Stmt *I = M.newStmt(StmtKind::If);
  for (const Expr *C : Here)
    I->E = I->E ? M.binary(Op::LogicalAnd, I->E, C) : C;
  I->Body = std::move(Fast);
  add(I);
  Var *Lane = newVar("lane", M.value(ScalarKind::Int));
  Stmt *Each = M.newStmt(StmtKind::Loop), *Round = M.newStmt(StmtKind::If, St->Range);
  laneLoop(Each, Lane, N);
  I->Else = {Each};
  Round->E = M.intConst(1);
  Round->Body = St->Body;
  StmtList *Was = Cur;
  Cur = &Each->Body;
  llvm::DenseMap<const Var *, Var *> Own;
  laneRest(Round, Row, Lane, Own, [](const Var *) { return nullptr; });
  Stmt *Whole = Cur->back();
  Cur->pop_back();
  Cur->insert(Cur->end(), Whole->Body.begin(), Whole->Body.end());
  Cur = Was;
  Loads.clear();
  Out.Versioned = true;
}

/// A loop whose bound lanes reach at different times (grid-stride loops,
/// triangular loops): in lockstep while all lanes go on, then each lane alone.
void ItemBlocker::emitSplitLoop(Stmt *St) {
  auto No = [&](llvm::StringRef Detail) {
    refuse(Refusal::DivergentLoop, "vectorize", Detail, St->Range);
  };
  if (!St->E || St->Form == Stmt::DoWhile || ActiveRows.size() > 1)
    return No("a loop whose trip count differs between neighbours");
  bool Simple = true;
  llvm::DenseSet<Var *> Assigned, Declared;
  walk(StmtList{St}, [&](Stmt *X) {
    if (X != St && (X->K == StmtKind::Barrier || X->K == StmtKind::Break ||
                    X->K == StmtKind::Continue || X->K == StmtKind::Return))
      Simple = false;
    if (X->K == StmtKind::Decl)
      Declared.insert(X->V);
    if (X->K == StmtKind::Assign)
      Assigned.insert(X->V);
    return true;
  });
  if (!Simple)
    return No("a loop with break or barrier whose trip count differs between neighbours");
  declareBefore(St);
  Unset.clear();
  unsigned Row = ActiveRows[0];
  emit(St->Init);
  if (Failed)
    return;
  AgreeHere = true;
  ++Conditional;
  const Expr *All = allAgree(St->E, true), *None = allAgree(St->E, false);
  --Conditional;
  AgreeHere = false;
  if (!All)
    return No("a loop whose trip count differs between neighbours");
  Loads.clear();
  Stmt *L = copyStmt(St);
  L->Form = Stmt::While;
  L->E = All;
  const Var *Counter = ownRounds(St);
  scoped(
      [&] {
        Around.push_back(St);
        RoundVar = Counter;
        if (Counter)
          emitRound(St, Row);
        else
          emit(St->Body);
        RoundVar = nullptr;
        emit(St->Step);
        Around.pop_back();
      },
      L->Body);
  Loads.clear();
  add(L);
  if (Failed)
    return;
  // The rest, lane by lane. A lane variable cannot pick components: what the loop
  // reads or changes of vectors lies in arrays meanwhile.
  llvm::DenseMap<const Var *, Var *> Carried;
  llvm::SmallVector<Var *, 4> Order;
  bool Fits = true;
  llvm::DenseSet<const Var *> OfOneRound;
  walk(St->Body, [&](Stmt *X) {
    if (X->K == StmtKind::Decl)
      OfOneRound.insert(X->V);
    return true;
  });
  auto Carry = [&](Var *V) {
    if (V->K != Var::Temp || OfOneRound.count(V) || shapeOf(V).K != VShape::Vector ||
        Carried.count(V))
      return;
    Fits &= V->Ty->isScalar() && V->Ty->Scalar != ScalarKind::Bool;
    Carried[V] = nullptr;
    Order.push_back(V);
  };
  walk(StmtList{St}, [&](Stmt *X) {
    if (X->K == StmtKind::Assign)
      Carry(X->V);
    forEachExpr(*X, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::VarRef)
          Carry(E->V);
        return true;
      });
    });
    return true;
  });
  if (!Fits)
    return No("a loop whose trip count differs between neighbours carries a value");
  for (Var *V : Assigned)
    if (!Declared.count(V) && !Carried.count(V) && usedOutside(V, St))
      return No("a loop whose trip count differs between neighbours sets " + V->Name);
  StmtList Left;
  StmtList *Was = Cur;
  Cur = &Left;
  auto At = [&](Var *Array, const Expr *Index) {
    Access Acc;
    Acc.Base = Array;
    Acc.Index = {Index};
    Acc.Elem = Array->Ty->Elem->Scalar;
    Acc.Stride = {sizeInBytes(Acc.Elem)};
    return Acc;
  };
  auto Whole = [&](Var *Array) {
    Access Acc = At(Array, M.intConst(0));
    Acc.F = Access::VLoad;
    Acc.Lanes = N;
    return Acc;
  };
  for (Var *V : Order) {
    Var *Array = Carried[V] = M.newVar(Var::Memory, unique(V->Name + "_of"), M.array(V->Ty, N));
    New->Vars.push_back(Array);
    Stmt *D = M.newStmt(StmtKind::Decl), *Put = M.newStmt(StmtKind::Store);
    D->V = Array;
    add(D);
    Put->Acc = Whole(Array);
    Put->E = vec(eval(M.ref(V), Row), V->Ty);
    add(Put);
  }
  Var *Lane = newVar("lane", M.value(ScalarKind::Int));
  Stmt *Rest = M.newStmt(StmtKind::Loop);
  laneLoop(Rest, Lane, N);
  Cur = &Rest->Body;
  llvm::DenseMap<const Var *, Var *> Own;
  laneRest(St, Row, Lane, Own, [&](const Var *V) -> const Expr * {
    Var *Array = Carried.lookup(V);
    return Array ? M.load(At(Array, M.ref(Lane))) : nullptr;
  });
  auto HandedOn = [&](Var *V) { return Assigned.count(V) && usedOutside(V, St); };
  for (Var *V : Order)
    if (HandedOn(V)) {
      Stmt *Back = M.newStmt(StmtKind::Store);
      Back->Acc = At(Carried[V], M.ref(Lane));
      Back->E = M.ref(Own[V]);
      add(Back);
    }
  Cur = &Left;
  add(Rest);
  for (Var *V : Order)
    if (HandedOn(V)) {
      Stmt *Get = M.newStmt(StmtKind::Assign);
      Get->V = States[V].New.size() > 1 ? States[V].New[Row] : States[V].New[0];
      Get->E = M.load(Whole(Carried[V]));
      add(Get);
    }
  Cur = Was;
  if (Order.empty() || !None) {
    Cur->insert(Cur->end(), Left.begin(), Left.end());
    return;
  }
  // Where nothing is left over, nothing goes through memory.
  Stmt *I = M.newStmt(StmtKind::If);
  I->Rare = true;
  I->E = simplify(M, M.unary(Op::LogicalNot, None));
  I->Body = std::move(Left);
  add(I);
}

/// Is V read outside of Loop?
bool ItemBlocker::usedOutside(const Var *V, const Stmt *Loop) const {
  bool Used = false;
  walk(Old.Body, [&](Stmt *X) {
    if (X == Loop)
      return false;
    forEachExpr(*X, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Used |= E->K == ExprKind::VarRef && E->V == V;
        return true;
      });
    });
    return true;
  });
  return Used;
}

void ItemBlocker::laneLoop(Stmt *L, Var *Lane, unsigned Count) {
  L->Rare = true;
  Stmt *I = M.newStmt(StmtKind::Decl);
  I->V = Lane;
  I->E = M.intConst(0);
  L->Init = {I};
  L->E = M.binary(Op::LT, M.ref(Lane), M.intConst(Count));
  Stmt *Step = M.newStmt(StmtKind::Assign);
  Step->V = Lane;
  Step->E = M.binary(Op::Add, M.ref(Lane), M.intConst(1));
  L->Step = {Step};
}

/// What is left of Loop, or a branch, for the item that Lane, a variable, names; into Cur. Own: its
/// variables. Held: this item's value of what is a vector otherwise.
void ItemBlocker::laneRest(Stmt *Loop, unsigned Row, Var *Lane,
                           llvm::DenseMap<const Var *, Var *> &Own,
                           llvm::function_ref<const Expr *(const Var *)> Held) {
  StmtList Source = {Loop};
  llvm::DenseSet<Var *> InBody, Assigned;
  walk(Loop->Body, [&](Stmt *X) {
    if (X->K == StmtKind::Decl)
      InBody.insert(X->V);
    return true;
  });
  walk(Source, [&](Stmt *X) {
    if (X->K == StmtKind::Assign)
      Assigned.insert(X->V);
    return true;
  });
  auto Copy = [&](Var *V) {
    Var *NV = newVar(V->Name, V->Ty);
    NV->Spelling = V->Spelling;
    NV->Range = V->Range;
    NV->IsPointerOffset = V->IsPointerOffset;
    return NV;
  };
  auto AtLane = [&](const LaneVal &X) -> const Expr * {
    if (X.K != LaneVal::Linear)
      return X.E;
    const Expr *L = M.cast(M.ref(Lane), X.E->Ty, true);
    if (X.Stride != 1)
      L = M.binary(Op::Mul, L, M.intConst(X.Stride, X.E->Ty));
    return M.binary(Op::Add, X.E, L);
  };
  // Variables from outside start from this item's value.
  auto Start = [&](Var *V) {
    if (V->K != Var::Temp || InBody.count(V) || Own.count(V))
      return;
    if (const Expr *Value = Held(V)) {
      Stmt *D = M.newStmt(StmtKind::Decl);
      D->V = Own[V] = Copy(V);
      D->E = Value;
      add(D);
      return;
    }
    LaneVal X = eval(M.ref(V), Row);
    if (X.K == LaneVal::Uniform && !Assigned.count(V) && X.E->K == ExprKind::VarRef) {
      Own[V] = X.E->V;
      return;
    }
    Stmt *D = M.newStmt(StmtKind::Decl);
    D->V = Own[V] = Copy(V);
    D->E = AtLane(X);
    add(D);
  };
  walk(Source, [&](Stmt *X) {
    if (X->K == StmtKind::Assign)
      Start(X->V);
    forEachExpr(*X, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::VarRef)
          Start(E->V);
        return true;
      });
    });
    return true;
  });
  StmtList Items = cloneStmts(M, Source, [&](Var *V) {
    if (V->K != Var::Temp && !(Arrays.count(V) && declares(Source, V)))
      return V;
    Var *&Slot = Own[V];
    if (!Slot)
      Slot = V->K == Var::Temp ? Copy(V) : arrayOfItem(V);
    return Slot;
  });
  auto Ids = [&](const Expr *E) -> const Expr * {
    return E->K == ExprKind::WorkItem ? AtLane(eval(E, Row)) : nullptr;
  };
  walk(Items, [&](Stmt *X) {
    mapExprs(M, *X, [&](const Expr *E) { return substitute(M, E, Ids); });
    return true;
  });
  arraysOf(Items, Row, M.ref(Lane));
  Items[0]->Init.clear();
  add(Items[0]);
}

//===----------------------------------------------------------------------===//
// The item-by-item path
//===----------------------------------------------------------------------===//

/// What Short does behind what the prologue has computed. Known: Short's variables that are
/// the prologue's. Nothing: its arrays would have to be every item's own.
std::optional<StmtList> ItemBlocker::shortRest(llvm::DenseMap<const Var *, const Var *> &Known) {
  if (!Short || llvm::any_of(Short->Vars,
                             [](const Var *V) { return V->K == Var::Memory && !V->ProgramScope; }))
    return std::nullopt;
  for (auto [Theirs, Ours] : llvm::zip_equal(Short->Params, Old.Params))
    Known[Theirs] = Ours;
  auto AsHere = [&](const Expr *E) -> const Expr * {
    const Var *V = E->K == ExprKind::VarRef ? Known.lookup(E->V) : nullptr;
    return V ? M.ref(const_cast<Var *>(V)) : nullptr;
  };
  llvm::DenseSet<const Var *> Assigned;
  walk(Short->Body, [&](Stmt *X) {
    if (X->K == StmtKind::Assign)
      Assigned.insert(X->V);
    return true;
  });
  StmtList Rest;
  for (Stmt *X : Short->Body) {
    auto Same = llvm::find_if(Prologue, [&](const Stmt *Def) {
      return Rest.empty() && X->K == StmtKind::Decl && X->E && !Assigned.count(X->V) &&
             Def->V->Name == X->V->Name && Def->V->Ty == X->V->Ty &&
             equal(Def->E, substitute(M, X->E, AsHere));
    });
    if (Same == Prologue.end())
      Rest.push_back(X);
    else
      Known[X->V] = (*Same)->V;
  }
  return Rest;
}

/// The original's statements behind the prologue (Body, or Short's) for each item in turn.
StmtList ItemBlocker::slowPath(const StmtList &Long) {
  llvm::DenseMap<const Var *, const Var *> Known;
  std::optional<StmtList> Brief = shortRest(Known);
  const StmtList &Body = Brief ? *Brief : Long;
  llvm::DenseMap<const Var *, Var *> Own;
  StmtList Top;
  StmtList *In = &Top;
  std::array<Var *, 3> Item = {nullptr, nullptr, nullptr};
  for (int D = 2; D >= 0; --D) {
    unsigned F = S.factor(D);
    if (F == 1)
      continue;
    Item[D] = newVar(unsigned(D) == S.LaneDim ? "lane" : "row", M.value(ScalarKind::Int));
    Stmt *L = M.newStmt(StmtKind::Loop);
    L->Form = Stmt::For;
    laneLoop(L, Item[D], F);
    In->push_back(L);
    In = &L->Body;
  }
  auto Ids = [&](const Expr *E) -> const Expr * {
    if (E->K == ExprKind::VarRef) {
      auto It = Own.find(E->V);
      return It == Own.end() ? nullptr : M.ref(It->second);
    }
    if (E->K != ExprKind::WorkItem)
      return nullptr;
    unsigned F = S.factor(E->Dim);
    bool Id = E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId;
    bool Size = E->Query == WorkItemQuery::GlobalSize || E->Query == WorkItemQuery::LocalSize;
    if (F == 1 || (!Id && !Size))
      return nullptr;
    const Expr *X = M.binary(Op::Mul, E, M.intConst(F, E->Ty));
    return Id ? M.binary(Op::Add, X, M.cast(M.ref(Item[E->Dim]), E->Ty, true)) : X;
  };
  // Arrays of the prologue: this item's own.
  for (const auto &[V, Rows] : Arrays)
    if (!declares(Body, V)) {
      Stmt *D = M.newStmt(StmtKind::Decl);
      D->V = Own[V] = arrayOfItem(V);
      In->push_back(D);
    }
  // Variables of the prologue: this item's value.
  for (const Stmt *Def : Prologue) {
    VShape Sh = shapeOf(Def->V);
    if (Sh.K == VShape::Uniform && !Sh.Rows) {
      Own[Def->V] = States[Def->V].New[0];
      continue;
    }
    const Expr *Value = nullptr;
    const VarState &VS = States[Def->V];
    if (Sh.K == VShape::Linear && !Sh.Rows) {
      const Expr *L = M.cast(M.ref(Item[S.LaneDim]), Def->V->Ty, true);
      if (Sh.Stride != 1)
        L = M.binary(Op::Mul, L, M.intConst(Sh.Stride, Def->V->Ty));
      Value = M.binary(Op::Add, M.ref(VS.New[0]), L);
    } else if (Sh.K == VShape::Uniform && !VS.Offset.empty() && R == S.Rows[rowDim()] &&
               VS.Offset.size() > 1 && linearOffsets(VS.Offset)) {
      const Expr *L = M.cast(M.ref(Item[rowDim()]), Def->V->Ty, true);
      if (VS.Offset[1] != 1)
        L = M.binary(Op::Mul, L, M.intConst(VS.Offset[1], Def->V->Ty));
      Value = M.binary(Op::Add, M.ref(VS.New[0]), L);
    } else {
      Value = substitute(M, Def->E, Ids);
    }
    Var *NV = newVar(Def->V->Name, Def->V->Ty);
    NV->Spelling = Def->V->Spelling;
    NV->Range = Def->V->Range;
    NV->IsPointerOffset = Def->V->IsPointerOffset;
    Stmt *D = M.newStmt(StmtKind::Decl);
    D->V = NV;
    D->E = Value;
    In->push_back(D);
    Own[Def->V] = NV;
  }
  for (auto [Theirs, Ours] : Known)
    Own[Theirs] = Ours->K == Var::Temp ? Own.lookup(Ours) : const_cast<Var *>(Ours);
  StmtList Copy = cloneStmts(M, Body, [&](Var *V) {
    if (V->K != Var::Temp && !Arrays.count(V))
      return Known.count(V) ? Own[V] : V;
    auto &Slot = Own[V];
    if (!Slot && V->K != Var::Temp)
      Slot = arrayOfItem(V);
    if (!Slot) {
      Slot = newVar(V->Name, V->Ty);
      Slot->Spelling = V->Spelling;
      Slot->Range = V->Range;
      Slot->IsPointerOffset = V->IsPointerOffset;
    }
    return Slot;
  });
  auto OnlyIds = [&](const Expr *E) -> const Expr * {
    return E->K == ExprKind::WorkItem ? Ids(E) : nullptr;
  };
  walk(Copy, [&](Stmt *X) {
    mapExprs(M, *X, [&](const Expr *E) { return substitute(M, E, OnlyIds); });
    X->Comments.clear();
    X->EarlyReturn = false;
    return true;
  });
  for (Stmt *X : Copy)
    In->push_back(X);
  return Top;
}

unsigned ItemBlocker::rowDim() const {
  for (unsigned D = 0; D < 3; ++D)
    if (S.Rows[D] > 1)
      return D;
  return 0;
}

bool ItemBlocker::linearOffsets(llvm::ArrayRef<int64_t> Offsets) const {
  for (unsigned I = 0; I < Offsets.size(); ++I)
    if (Offsets[I] != int64_t(I) * Offsets[1])
      return false;
  return true;
}

} // namespace clmali::rewrite
