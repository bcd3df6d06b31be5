//===- barrier-after-local-access.cpp ----------------------------------------------------------===//
//
// Before: v = part[63 - l]; barrier(...); w = a * b;
// After:  v = part[63 - l]; w = a * b; barrier(...);
// Limits: the statement behind the barrier has to compute without memory, so that it can move.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"

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

static void visit(const Block &B, Context &C) {
  for (size_t I = 0; I < B.size(); ++I) {
    Stmt *S = B[I];
    if (S->K == StmtKind::Barrier && I > 0 && I + 1 < B.size() && S->Range.isValid() &&
        (B[I - 1]->K == StmtKind::Assign || B[I - 1]->K == StmtKind::Decl) && readsCommonStore(*B[I - 1]) &&
        canMove(*B[I + 1]))
      C.report(S->Range, "the barrier directly follows a read of local memory")
          .cost("its latency of up to 2 cycles cannot be hidden")
          .note(B[I + 1]->Range, "this arithmetic could stand before the barrier")
          .fix(Applicability::Verify, "clmali-rewrite --passes=hoist-arithmetic");
    forEachBlock(*S, [&](Block &Nested) { visit(Nested, C); });
  }
}

static void run(const Kernel &K, Context &C) {
  if (C.device().LocalOnChip)
    visit(K.Body, C);
}

CLMALI_KERNEL_CHECK("barrier-after-local-access", run);
