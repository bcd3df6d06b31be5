//===- barrier-in-divergent-flow.cpp -----------------------------------------------------------===//
//
// Before: if (g >= n) return; ... barrier(...)
// After:  the guard around the accesses, not around the barrier
// Limits: conditions that depend on ids. One that depends only on data read from memory may well be
//         the same for all, and is left alone.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Is E about the whole launch, not about the place in a group?
static bool isGlobal(const KernelAnalysis &An, const Expr *Root) {
  bool Local = false;
  auto Visit = [&](const Expr *X, unsigned Depth, auto &&Self) -> void {
    walk(X, [&](const Expr *E) {
      if (E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::LocalId)
        Local = true;
      if (E->K == ExprKind::VarRef && Depth < 8)
        if (const Stmt *Def = An.singleDef(E->V); Def && Def->E)
          Self(Def->E, Depth + 1, Self);
      return !Local;
    });
  };
  Visit(Root, 0, Visit);
  return !Local;
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &An = C.analysis();
  // Whether the last group is whole is the host's business: an early return of what lies beyond the
  // data is a warning, for the first barrier behind it.
  std::set<const Stmt *> Told;
  auto Visit = [&](const Block &B, const Stmt *Early, bool Other, auto &&Self) -> void {
    for (Stmt *S : B) {
      if (S->K == StmtKind::Barrier && S->Range.isValid()) {
        Variation Control = An.controlOf(S);
        if (Control.uniform() || Control.Data)
          continue;
        if (Early && !Other) {
          if (Told.insert(Early).second)
            C.report(S->Range, "not all work-items of a group reach this barrier")
                .cost("the behaviour is undefined, unless every group is whole")
                .atMost(rules::Severity::Warning)
                .note(Early->E->Range.isValid() ? Early->E->Range : Early->Range,
                      "those for which this holds return before it");
          continue;
        }
        C.report(S->Range, "not all work-items of a group reach this barrier")
            .cost("the behaviour is undefined");
      }
      bool Diverges = (S->K == StmtKind::If || S->K == StmtKind::Loop) && S->E &&
                      !An.varies(S->E).uniform();
      bool Leaves = Diverges && S->EarlyReturn && isGlobal(An, S->E);
      forEachBlock(*S, [&](Block &Nested) {
        Self(Nested, Leaves && !Early ? S : Early, Other || (Diverges && !Leaves), Self);
      });
    }
  };
  Visit(K.Body, nullptr, false, Visit);
}

CLMALI_KERNEL_CHECK("barrier-in-divergent-flow", run);
