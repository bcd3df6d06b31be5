//===-- rewriters/loops/LoopBody.cpp - A loop body for several iterations ---------===//
//
// Part of LoopLanes: the statements of a loop's body for several iterations at once, and the
// partial sums around it. Each variable that the body sets is its own, is reduced, or is another
// induction variable; anything else is refused.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Analysis.h"
#include "rewriters/loops/LoopLanes.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

/// Induction variables of larger steps are refused.
static constexpr int64_t MaxStep = 4096;

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void LoopLanes::set(Var *V, const Expr *E) {
  Masked += Mask != nullptr;
  LaneVal X = eval(E);
  Masked -= Mask != nullptr;
  if (Failed)
    return;
  auto Old = Now.find(V);
  bool Fresh = Unset.erase(V) || Old == Now.end();
  if (Mask && !Fresh) {
    const Expr *New = Convert.toVector(X, V->Ty), *Was = Convert.toVector(Old->second, V->Ty);
    X = {LaneVal::Vector, M.select(mask({LaneVal::Mask, Mask}, V->Ty), New, Was)};
  }
  X.E = hold(X.E, X.K >= LaneVal::Vector ? V->Name + "_v" : V->Name);
  Now[V] = X;
}

void LoopLanes::statements(const StmtList &B) {
  for (Stmt *S : B) {
    if (Failed)
      return;
    size_t First = Cur->size();
    statement(S);
    if (Cur->size() > First)
      (*Cur)[First]->Comments = S->Comments;
  }
}

void LoopLanes::statement(Stmt *S) {
  switch (S->K) {
  case StmtKind::Decl:
    if (S->V->K != Var::Temp || !S->V->Ty->isScalar())
      Failed = true;
    else if (S->E) {
      Now.erase(S->V);
      set(S->V, S->E);
    } else
      Unset.insert(S->V);
    return;
  case StmtKind::Assign:
    return assign(S);
  case StmtKind::If:
    return branch(S);
  default:
    Failed = true;
  }
}

/// Reduces E into S for the lanes that execute the statement.
void LoopLanes::addMasked(Sum &S, const Expr *E) {
  Masked += Mask != nullptr;
  add(S, E);
  Masked -= Mask != nullptr;
}

void LoopLanes::assign(Stmt *S) {
  if (auto It = Joined.find(S->V); It != Joined.end())
    return addMasked(Sums[It->second], S->E);
  if (auto It = Counts.find(S->V); It != Counts.end()) {
    Now[S->V] = {LaneVal::Linear,
                 simplify(M, M.binary(Op::Add, Now[S->V].E, M.intConst(It->second, S->V->Ty))),
                 It->second, nullptr, !isSigned(S->V->Ty->Scalar)};
    return;
  }
  set(S->V, S->E);
}

void LoopLanes::branch(Stmt *S) {
  if (const Expr *E = asChoice(S))
    if (auto It = Joined.find(S->Body[0]->V); It != Joined.end())
      return addMasked(Sums[It->second], E);
  Masked += Mask != nullptr;
  LaneVal C = eval(S->E);
  Masked -= Mask != nullptr;
  if (Failed)
    return;
  if (C.K == LaneVal::Uniform)
    uniformBranch(S, C.E);
  else
    maskedBranch(S, C);
}

/// A branch that all iterations take or leave together: what it sets must not be read after it.
void LoopLanes::uniformBranch(Stmt *S, const Expr *Cond) {
  llvm::DenseSet<const Var *> Own;
  for (const Stmt *X : stmts(StmtList{S})) {
    if (X->K == StmtKind::Decl)
      Own.insert(X->V);
    if (X->K == StmtKind::Assign && !Own.count(X->V) && !Joined.count(X->V)) {
      Failed = true;
      break;
    }
  }
  Stmt *I = M.newStmt(StmtKind::If, S->Range);
  I->E = Cond;
  for (bool Then : {true, false}) {
    size_t Known = Loaded.size();
    StmtList *Was = std::exchange(Cur, Then ? &I->Body : &I->Else);
    statements(Then ? S->Body : S->Else);
    Cur = Was;
    Loaded.resize(Known);
  }
  Cur->push_back(I);
}

/// Both arms for all lanes, with assignments selected.
void LoopLanes::maskedBranch(Stmt *S, const LaneVal &Cond) {
  const Type *Like = Cond.K == LaneVal::Mask ? M.value(Cond.E->Ty->Scalar) : S->E->Ty;
  const Expr *Yes = hold(mask(Cond, Like), "mask"), *Outer = Mask;
  for (bool Then : {true, false}) {
    const StmtList &Arm = Then ? S->Body : S->Else;
    if (Arm.empty())
      continue;
    const Expr *Here = Then ? Yes : M.unary(Op::BitNot, Yes);
    if (Outer)
      Here = hold(M.binary(Op::And, mask({LaneVal::Mask, Outer}, Like), Here), "mask");
    Mask = Here;
    statements(Arm);
  }
  Mask = Outer;
}

//===----------------------------------------------------------------------===//
// What the variables of a loop are
//===----------------------------------------------------------------------===//

/// How E, `e > v ? e : v`, compares the value that it takes with V. None: it keeps V where the
/// comparison holds, and would take a NaN.
static Op comparisonOf(const Expr *E, const Var *V) {
  const Expr *C = E->Ops[0];
  bool Left = C->Ops[0]->K == ExprKind::VarRef && C->Ops[0]->V == V;
  if (E->Ops[1]->K == ExprKind::VarRef && E->Ops[1]->V == V)
    return Op::None;
  if (!Left)
    return C->O;
  return C->O == Op::LT ? Op::GT : C->O == Op::LE ? Op::GE : C->O == Op::GT ? Op::LT : Op::LE;
}

/// The constant that S, v = v + c, adds to V. Nothing: S is not of that form.
static std::optional<int64_t> stepOf(const Stmt *S, const Var *V) {
  const Expr *E = S->E;
  if (S->K != StmtKind::Assign || !isIntScalar(V->Ty) || sizeInBits(V->Ty->Scalar) < 32 ||
      E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub) ||
      E->Ops[0]->K != ExprKind::VarRef || E->Ops[0]->V != V)
    return std::nullopt;
  auto C = constantValue(E->Ops[1]);
  return C ? std::optional(E->O == Op::Add ? *C : -*C) : std::nullopt;
}

/// V, which Loop's body sets and does not declare, is reduced, or else an induction variable.
/// False: it is neither.
bool LoopLanes::classify(Stmt *Loop, Var *V) {
  std::optional<Join> How;
  Op Takes = Op::None;
  unsigned Steps = 0, Defs = 0;
  std::optional<int64_t> By;
  for (Stmt *S : stmts(Loop->Body)) {
    Defs += S->V == V;
    const Expr *E = asChoice(S);
    const Var *To = E ? S->Body[0]->V : S->K == StmtKind::Assign ? S->V : nullptr;
    if (To != V)
      continue;
    if (!E)
      E = S->E;
    if (auto J = joinOf(E, V)) {
      if (How && *How != *J)
        return false;
      How = J;
      if (J == Join::Choose) {
        Op O = comparisonOf(E, V);
        if (O == Op::None || (Takes != Op::None && Takes != O))
          return false;
        Takes = O;
      }
    }
    if (auto C = llvm::is_contained(Loop->Body, S) ? stepOf(S, V) : std::nullopt) {
      ++Steps;
      By = C;
    }
  }
  // Nothing else in the loop may read what is reduced.
  if (How && onlyJoins(Loop, V, *How)) {
    Sum S;
    S.V = V;
    S.How = *How;
    S.Takes = Takes;
    Joined[V] = Sums.size();
    Sums.push_back(S);
    return true;
  }
  if (Steps != 1 || Defs != 1 || std::abs(*By) > MaxStep)
    return false;
  Counts[V] = *By;
  Now[V] = {LaneVal::Linear, M.ref(V), *By, nullptr, !isSigned(V->Ty->Scalar)};
  return true;
}

/// Classifies the variables that Loop's body sets, except for its Own.
bool LoopLanes::classify(Stmt *Loop, const llvm::DenseSet<const Var *> &Own) {
  std::vector<Var *> Others;
  for (Stmt *S : stmts(Loop->Body))
    if (S->K != StmtKind::Decl && S->V && !Own.count(S->V) && !llvm::is_contained(Others, S->V))
      Others.push_back(S->V);
  return llvm::all_of(Others, [&](Var *V) { return classify(Loop, V); });
}

/// True if a variable of Own, Loop's own, is used outside of it: it would need the last
/// iteration's value.
bool LoopLanes::usedElsewhere(const Stmt *Loop, const llvm::DenseSet<const Var *> &Own) const {
  StmtRange All = stmts(K.Body);
  for (auto It = All.begin(); It != All.end(); ++It) {
    if (*It == Loop) {
      It.skipNested();
      continue;
    }
    if (Own.contains((*It)->V) || llvm::any_of(exprs(**It), [&](ExprAt X) {
          return X->K == ExprKind::VarRef && Own.contains(X->V);
        }))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LoopLanes::LoopLanes(Module &M, Kernel &K, unsigned Lanes, bool Reassociate)
    : LaneEvaluator(M, Lanes, Reassociate), K(K), Reassociate(Reassociate), Tree(K) {}

void LoopLanes::reset() {
  Failed = false;
  Conditional = Masked = 0;
  Mask = nullptr;
  BitsUsed = AllBits;
  Now.clear(), Unset.clear(), Loaded.clear(), Joined.clear(), Counts.clear(), Sums.clear();
}

/// The type of S's partial sums: unsigned where the sum may wrap.
const Type *LoopLanes::partialType(const Sum &S) {
  return M.value(joinedIn(S.How, S.V->Ty->Scalar), N);
}

/// What the partial sums of S start from: the neutral element, or the variable itself where the
/// reduction is idempotent.
const Expr *LoopLanes::neutral(const Sum &S) {
  if (S.How >= Join::Min)
    return M.ref(S.V);
  return neutralFor(M, S.How, M.value(S.Lanes->Ty->Scalar));
}

/// Adds the declaration of S's partial sums before Loop and their total after it: around the
/// outermost loop or branch in which nothing else uses the variable.
void LoopLanes::placeSum(const Sum &S, Stmt *Loop, Around &AtLoop) {
  Stmt *Outer = Loop;
  while (Stmt *Up = Tree.parentOf(Outer)) {
    if (Up->Rare || !onlyJoins(Up, S.V, S.How))
      break;
    Outer = Up;
  }
  Around &A = Outer == Loop ? AtLoop : Elsewhere[Outer];
  const Type *Elem = M.value(S.Lanes->Ty->Scalar);
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = S.Lanes;
  D->E = splat(neutral(S), S.Lanes->Ty);
  A.Before.push_back(D);
  const Expr *All = total(S, A.After);
  Stmt *Last = M.newStmt(StmtKind::Assign);
  Last->V = S.V;
  const Expr *Was = M.ref(S.V);
  if (Was->Ty != Elem)
    Was = M.cast(Was, Elem, true);
  Last->E = both(S, Was, All);
  if (Last->E->Ty != S.V->Ty)
    Last->E = M.cast(Last->E, S.V->Ty);
  A.After.push_back(Last);
}

bool LoopLanes::make(Stmt *Loop, Var *Counter, LaneBody &Out) {
  reset();
  size_t Known = K.Vars.size();
  auto fail = [&] {
    K.Vars.resize(Known);
    return false;
  };
  llvm::DenseSet<const Var *> Own;
  for (const Stmt *S : stmts(Loop->Body))
    if (S->K == StmtKind::Decl)
      Own.insert(S->V);
  if (!classify(Loop, Own) || Sums.empty())
    return fail();
  Now[Counter] = {LaneVal::Linear, M.ref(Counter), 1};
  for (Sum &S : Sums)
    S.Lanes = newVar(S.V->Name + "_v", partialType(S));
  if (usedElsewhere(Loop, Own))
    return fail();
  StmtList Body;
  Cur = &Body;
  statements(Loop->Body);
  if (Failed)
    return fail();
  for (auto [V, By] : Counts) {
    Stmt *A = M.newStmt(StmtKind::Assign);
    A->V = const_cast<Var *>(V);
    A->E = M.binary(Op::Add, M.ref(A->V), M.intConst(By * int64_t(N), V->Ty));
    Body.push_back(A);
  }
  for (const Sum &S : Sums)
    placeSum(S, Loop, Out.Here);
  Out.Body = std::move(Body);
  return true;
}

void LoopLanes::finish() {
  std::function<void(StmtList &)> Insert = [&](StmtList &B) {
    StmtList New;
    for (Stmt *S : B) {
      forEachStmtList(*S, Insert);
      auto It = Elsewhere.find(S);
      if (It != Elsewhere.end())
        llvm::append_range(New, It->second.Before);
      New.push_back(S);
      if (It != Elsewhere.end())
        llvm::append_range(New, It->second.After);
    }
    B = std::move(New);
  };
  if (!Elsewhere.empty())
    Insert(K.Body);
}

} // namespace clmali::rewrite
