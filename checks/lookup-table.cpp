//===- lookup-table.cpp -------------------------------------------------------------------===//
//
// Before: weight[level & 7]
// After:  0.125f * (level & 7)
// Limits: tables whose values are constants of the program; one finding for each.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::set<const Var *> Reported;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    size_t Elements = std::max(A.Base->Ints.size(), A.Base->Floats.size());
    if (!Site.Load || A.Base->K != Var::Memory || !Elements ||
        int64_t(Elements) > C.option("MaxElements") || Reported.count(A.Base))
      continue;
    bool Varying = any_of(A.Index, [&](const Expr *E) { return !K.varies(E).uniform(); });
    // Copying the table to local memory, one element for each work-item, is no look-up.
    bool Copied = Site.S && Site.S->K == StmtKind::Store &&
                  Site.S->Acc.Base->space() == AddressSpace::Local &&
                  stripCasts(Site.S->E)->K == ExprKind::Load && isRegular(K, Site);
    if (!Varying || Copied)
      continue;
    Reported.insert(A.Base);
    C.report(A.Range, "the table " + nameOf(A) + " of " + utostr(Elements) +
                          " constants is read at an index that differs between work-items")
        .cost("a gather for each; computing the value may cost less");
  }
}

CLMALI_KERNEL_CHECK("lookup-table", run);
