//===- barrier-after-local-access.cpp --------------------------------------------------------===//
//
// Before: v = part[63 - l]; barrier(...); w = a * b;
// After:  v = part[63 - l]; w = a * b; barrier(...);
// Limits: a note names the first statement between this barrier and the next that computes
//         without memory and without anything computed in between. The rewrite is offered where
//         pattern/HoistableWork finds work directly behind the barrier.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/pattern/HoistableWork.h"
#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;
using pattern::readsCommonStore;

static bool writesCommonStore(const Stmt &S) {
  return (S.K == StmtKind::Store || S.K == StmtKind::Atomic) && S.Acc.Base &&
         S.Acc.Base->space() == AddressSpace::Local;
}

/// An assignment that computes, and touches no memory.
static bool canMove(const Stmt &S) {
  if ((S.K != StmtKind::Assign && S.K != StmtKind::Decl) || !S.E)
    return false;
  bool Computes = false, Memory = false;
  walk(S.E, [&](const Expr *E) {
    Computes |= E->K == ExprKind::Binary || E->K == ExprKind::Call;
    Memory |= isRead(E->K) || E->K == ExprKind::Opaque;
    return !Memory;
  });
  return Computes && !Memory;
}

/// The first statement behind the barrier B[At] and before the next one that could move before it.
/// It reads no variable assigned in between, nor one assigned by the statement before the barrier,
/// whose latency it would hide.
static const Stmt *movable(const StmtList &B, size_t At) {
  std::set<const Var *> Assigned;
  auto AddAssigned = [&](Stmt *Of) {
    walk(StmtList{Of}, [&](Stmt *S) {
      if (S->V)
        Assigned.insert(S->V);
      return true;
    });
  };
  AddAssigned(B[At - 1]);
  for (size_t I = At + 1; I < B.size() && B[I]->K != StmtKind::Barrier; ++I) {
    bool Ready = canMove(*B[I]) && !Assigned.count(B[I]->V);
    if (Ready)
      walk(B[I]->E, [&](const Expr *E) {
        Ready &= E->K != ExprKind::VarRef || !Assigned.count(E->V);
        return Ready;
      });
    if (Ready)
      return B[I];
    AddAssigned(B[I]);
  }
  return nullptr;
}

/// A copy of a register, one or two integer operations, or a fence: too little to hide latency.
static bool isLittle(const Stmt &S) {
  if (S.K == StmtKind::Decl && !S.E)
    return true;
  if (S.K == StmtKind::Call)
    return StringRef(S.Name).ends_with("mem_fence");
  if ((S.K != StmtKind::Assign && S.K != StmtKind::Decl) || !S.E)
    return false;
  if (S.E->K == ExprKind::VarRef)
    return true;
  unsigned Operations = 0;
  bool Little = S.E->Ty->isScalar() && S.E->Ty->isInteger();
  walk(S.E, [&](const Expr *E) {
    Operations += E->K == ExprKind::Binary || E->K == ExprKind::Unary;
    Little &= E->K == ExprKind::Binary ? E->O != Op::Div && E->O != Op::Rem
                                       : E->K == ExprKind::Unary || E->K == ExprKind::VarRef ||
                                             E->K == ExprKind::IntConst ||
                                             (E->K == ExprKind::Cast && E->Ops[0]->Ty->isInteger());
    return Little;
  });
  return Little && Operations < 3;
}

/// The index of the block's last real work, isLittle() statements behind it left out; B.size():
/// none.
static size_t lastWork(const StmtList &B, size_t End) {
  unsigned Computed = 0;
  for (size_t At = End; At > 0; --At) {
    const Stmt &S = *B[At - 1];
    Computed += S.E && S.E->K != ExprKind::VarRef;
    if (!isLittle(S) || Computed > 2)
      return At - 1;
  }
  return B.size();
}

/// True if S, or the last work of S if it is a loop or a branch, makes the Access.
static bool endsIn(const Stmt &S, bool (*Access)(const Stmt &)) {
  auto Last = [&](const StmtList &B) {
    size_t At = lastWork(B, B.size());
    return At < B.size() && endsIn(*B[At], Access);
  };
  if (S.K == StmtKind::Loop || S.K == StmtKind::If)
    return Last(S.Body) || Last(S.Else);
  return (S.K == StmtKind::Assign || S.K == StmtKind::Decl || S.K == StmtKind::Store ||
          S.K == StmtKind::Atomic) &&
         Access(S);
}

/// True for a loop without barriers that reads local memory anywhere.
static bool isLoopOverCommonStore(const Stmt &S) {
  bool Reads = false, Barrier = false;
  if (S.K == StmtKind::Loop)
    walk(S.Body, [&](Stmt *In) {
      Barrier |= In->K == StmtKind::Barrier;
      Reads |= readsCommonStore(*In);
      return true;
    });
  return Reads && !Barrier;
}

/// Before: the statements that may run directly before the block: the last one of the loop's body,
/// and the one before the loop.
static void visit(const StmtList &B, ArrayRef<const Stmt *> Before, Context &C) {
  for (size_t I = 0; I < B.size(); ++I) {
    Stmt *S = B[I];
    SmallVector<const Stmt *, 2> Last;
    if (size_t At = lastWork(B, I); At < I)
      Last.push_back(B[At]);
    else
      Last.append(Before.begin(), Before.end());
    bool Behind = S->K == StmtKind::Barrier && !Last.empty() && S->Range.isValid();
    bool Reads = Behind && any_of(Last, [](const Stmt *X) { return endsIn(*X, readsCommonStore); });
    bool Writes =
        Behind && any_of(Last, [](const Stmt *X) { return endsIn(*X, writesCommonStore); });
    if (Reads || Writes ||
        (Behind && any_of(Last, [](const Stmt *X) { return isLoopOverCommonStore(*X); }))) {
      Finding &F = C.report(S->Range, std::string("the barrier directly follows ") +
                                          (Reads    ? "a read of"
                                           : Writes ? "a write of"
                                                    : "a loop that reads") +
                                          " local memory");
      F.cost(Reads || Writes ? "its latency of up to 2 cycles cannot be hidden"
                             : "what is left of the last read's latency cannot be hidden");
      if (const Stmt *Later = I > 0 ? movable(B, I) : nullptr) {
        F.note(Later->Range, "this arithmetic could stand before the barrier");
        if (pattern::endOfHoistableWork(B, I))
          F.fix(Applicability::Verify, "clmali-rewrite --passes=hoist-arithmetic");
      }
    }
    forEachStmtList(*S, [&](StmtList &Nested) {
      // An iteration follows the previous one.
      SmallVector<const Stmt *, 2> First;
      if (S->K == StmtKind::If || (S->K == StmtKind::Loop && &Nested == &S->Body))
        First.append(Last.begin(), Last.end());
      if (S->K == StmtKind::Loop && &Nested == &S->Body)
        if (size_t At = lastWork(Nested, Nested.size());
            At < Nested.size() && Nested[At]->K != StmtKind::Barrier)
          First.push_back(Nested[At]);
      visit(Nested, First, C);
    });
  }
}

static void run(const Kernel &K, Context &C) {
  if (C.device().LocalOnChip)
    visit(K.Body, {}, C);
}

CLMALI_KERNEL_CHECK("barrier-after-local-access", run);
