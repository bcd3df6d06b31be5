//===- barrier-in-divergent-flow.cpp -----------------------------------------------------------===//
//
// Before: if (g >= n) return; ... barrier(...)
// After:  the guard around the accesses, not around the barrier
// Limits: conditions that depend on ids. One that depends only on data read from memory may well be
//         the same for all, and is left alone.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &An = C.analysis();
  walk(K.Body, [&](Stmt *S) {
    if (S->K != StmtKind::Barrier || !S->Range.isValid())
      return true;
    Variation Control = An.controlOf(S);
    if (Control.uniform() || Control.Data)
      return true;
    C.report(S->Range, "not all work-items of a group reach this barrier")
        .cost("the behaviour is undefined");
    return true;
  });
}

CLMALI_KERNEL_CHECK("barrier-in-divergent-flow", run);
