//===- scattered-access.cpp --------------------------------------------------------------------===//
//
// Before: b[i] = a[i]; b[i + 1] = a[i + 1]; ...
// After:  all loads, then all stores
// Limits: straight-line code; pointers that are restrict are the compiler's to reorder.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool loadsGlobal(const Stmt &S) {
  bool Loads = false;
  forEachExpr(S, [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      Loads |= E->K == ExprKind::Load && E->Acc.Base->space() == AddressSpace::Global;
      return !Loads;
    });
  });
  return Loads;
}

static void visit(const Block &B, Context &C) {
  int64_t Turns = 0;
  const Stmt *LastStore = nullptr, *First = nullptr;
  auto Flush = [&] {
    if (Turns >= C.option("MinTurns") && First)
      C.report(First->Acc.Range, "loads follow stores of global memory " + itostr(Turns) + " times in a row")
          .cost("loads that stand together, and stores, join into bursts");
    Turns = 0;
    LastStore = First = nullptr;
  };
  for (Stmt *S : B) {
    bool Straight = S->K == StmtKind::Decl || S->K == StmtKind::Assign || S->K == StmtKind::Store;
    if (!Straight) {
      Flush();
      forEachBlock(*S, [&](Block &Nested) { visit(Nested, C); });
      continue;
    }
    if (LastStore && loadsGlobal(*S)) {
      ++Turns;
      LastStore = nullptr;
    }
    bool Store = S->K == StmtKind::Store && S->Acc.Base->space() == AddressSpace::Global &&
                 !(S->Acc.Base->isPointerParam() && S->Acc.Base->Ty->Restrict);
    if (Store) {
      LastStore = S;
      if (!First)
        First = S;
    }
  }
  Flush();
}

static void run(const Kernel &K, Context &C) {
  if (C.device().MaxBurstBytes)
    visit(K.Body, C);
}

CLMALI_KERNEL_CHECK("scattered-access", run);
