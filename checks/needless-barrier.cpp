//===- needless-barrier.cpp --------------------------------------------------------------------===//
//
// Before: v = in[i]; barrier(CLK_GLOBAL_MEM_FENCE); out[i] = v;
// After:  out[i] = in[i];
// Limits: kernels without local memory, whose written buffers are accessed by one statement only.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void inLoops(const Block &B, bool Inside, std::set<const Stmt *> &Out) {
  for (Stmt *S : B) {
    if (S->K == StmtKind::Barrier && Inside)
      Out.insert(S);
    bool Loop = S->K == StmtKind::Loop;
    forEachBlock(*S, [&](Block &Nested) { inLoops(Nested, Inside || Loop, Out); });
  }
}

static void run(const Kernel &K, Context &C) {
  if (opaqueTouchesBuffers(K) || !C.analysis().hasBarrier())
    return;
  std::map<const Var *, unsigned> Accesses;
  std::set<const Var *> Written;
  for (const AccessSite &A : C.analysis().accesses()) {
    if (A.A->Base->space() == AddressSpace::Local || A.IsAtomic)
      return;
    if (A.A->Base->space() != AddressSpace::Global)
      continue;
    ++Accesses[A.A->Base];
    if (A.IsWrite)
      Written.insert(A.A->Base);
  }
  for (const Var *V : Written)
    if (Accesses[V] > 1)
      return;
  std::set<const Stmt *> Loops;
  inLoops(K.Body, false, Loops);
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Barrier && !Loops.count(S) && S->Range.isValid())
      C.report(S->Range, "no two accesses around this barrier can conflict")
          .cost("all work-items of the group wait here for nothing")
          .fix(Applicability::Verify, "take it out");
    return true;
  });
}

CLMALI_KERNEL_CHECK("needless-barrier", run);
