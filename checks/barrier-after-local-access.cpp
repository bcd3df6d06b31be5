//===- barrier-after-local-access.cpp ----------------------------------------------------------===//
//
// Before: v = part[63 - l]; barrier(...); w = a * b;
// After:  v = part[63 - l]; w = a * b; barrier(...);
// Limits: that there is something to move is said where a statement between this barrier and the next computes
//         without memory and without anything made in between; the rewrite is for what follows a read.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool readsCommonStore(const Stmt &S) {
  bool Reads = false;
  forEachExpr(S, [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      if (E->K == ExprKind::Load && (E->Acc.Base->space() == AddressSpace::Local ||
                                     (E->Acc.Base->space() == AddressSpace::Constant && !E->Acc.Base->isPointerParam())))
        Reads = true;
      return !Reads;
    });
  });
  return Reads;
}

static bool writesCommonStore(const Stmt &S) {
  return (S.K == StmtKind::Store || S.K == StmtKind::Atomic) && S.Acc.Base && S.Acc.Base->space() == AddressSpace::Local;
}

/// An assignment that computes, and touches no memory.
static bool canMove(const Stmt &S) {
  if ((S.K != StmtKind::Assign && S.K != StmtKind::Decl) || !S.E)
    return false;
  bool Computes = false, Memory = false;
  walk(S.E, [&](const Expr *E) {
    Computes |= E->K == ExprKind::Binary || E->K == ExprKind::Call;
    Memory |= E->K == ExprKind::Load || E->K == ExprKind::Opaque;
    return !Memory;
  });
  return Computes && !Memory;
}

/// What is done directly before a barrier: a statement, or the last one of a loop or a branch.
static bool endsIn(const Stmt &S, bool (*Access)(const Stmt &)) {
  auto Last = [&](const Block &B) { return !B.empty() && endsIn(*B.back(), Access); };
  if (S.K == StmtKind::Loop || S.K == StmtKind::If)
    return Last(S.Body) || Last(S.Else);
  return (S.K == StmtKind::Assign || S.K == StmtKind::Decl || S.K == StmtKind::Store || S.K == StmtKind::Atomic) && Access(S);
}

/// The first statement behind the barrier B[At] and before the next one that could stand before it:
/// nothing that it reads is made in between, nor by the statement before, whose latency it is to hide.
static const Stmt *movable(const Block &B, size_t At) {
  std::set<const Var *> Made;
  auto Makes = [&](Stmt *Of) {
    walk(Block{Of}, [&](Stmt *S) {
      if (S->V)
        Made.insert(S->V);
      return true;
    });
  };
  Makes(B[At - 1]);
  for (size_t I = At + 1; I < B.size() && B[I]->K != StmtKind::Barrier; ++I) {
    bool Ready = canMove(*B[I]) && !Made.count(B[I]->V);
    if (Ready)
      walk(B[I]->E, [&](const Expr *E) {
        Ready &= E->K != ExprKind::VarRef || !Made.count(E->V);
        return Ready;
      });
    if (Ready)
      return B[I];
    Makes(B[I]);
  }
  return nullptr;
}

/// A copy of a register: no work that could hide anything.
static bool onlyCopies(const Stmt &S) {
  if (S.K == StmtKind::Decl && !S.E)
    return true;
  return (S.K == StmtKind::Assign || S.K == StmtKind::Decl) && S.E->K == ExprKind::VarRef;
}

/// Before: what runs before the block, as far as it runs directly before: the end of a loop, and what stands before it.
static void visit(const Block &B, ArrayRef<const Stmt *> Before, Context &C) {
  for (size_t I = 0; I < B.size(); ++I) {
    Stmt *S = B[I];
    SmallVector<const Stmt *, 2> Last;
    size_t At = I;
    while (At > 0 && onlyCopies(*B[At - 1]))
      --At;
    if (At > 0)
      Last.push_back(B[At - 1]);
    else
      Last.append(Before.begin(), Before.end());
    bool Behind = S->K == StmtKind::Barrier && !Last.empty() && S->Range.isValid();
    bool Reads = Behind && any_of(Last, [](const Stmt *X) { return endsIn(*X, readsCommonStore); });
    if (Reads || (Behind && any_of(Last, [](const Stmt *X) { return endsIn(*X, writesCommonStore); }))) {
      Finding &F = C.report(S->Range, std::string("the barrier directly follows ") + (Reads ? "a read" : "a write") + " of local memory");
      F.cost("its latency of up to 2 cycles cannot be hidden");
      if (const Stmt *Later = I > 0 ? movable(B, I) : nullptr) {
        F.note(Later->Range, "this arithmetic could stand before the barrier");
        if (Reads)
          F.fix(Applicability::Verify, "clmali-rewrite --passes=hoist-arithmetic");
      }
    }
    forEachBlock(*S, [&](Block &Nested) {
      // A round begins where the last one ends.
      SmallVector<const Stmt *, 2> First;
      if (S->K == StmtKind::Loop && &Nested == &S->Body) {
        First.append(Last.begin(), Last.end());
        const Block &End = S->Body;
        auto At = find_if(reverse(End), [](const Stmt *X) { return !onlyCopies(*X); });
        if (At != End.rend() && (*At)->K != StmtKind::Barrier)
          First.push_back(*At);
      }
      visit(Nested, First, C);
    });
  }
}

static void run(const Kernel &K, Context &C) {
  if (C.device().LocalOnChip)
    visit(K.Body, {}, C);
}

CLMALI_KERNEL_CHECK("barrier-after-local-access", run);
