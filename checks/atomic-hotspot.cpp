//===- atomic-hotspot.cpp ----------------------------------------------------------------------===//
//
// Before: atomic_inc(total)                     each work-item
// After:  atomic_inc(&part) in local memory, and one atomic_add(total, part) for each group
// Limits: silent where a guard leaves one work-item of the group.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (!Site.IsAtomic || A.Base->space() != AddressSpace::Global || isPinned(K, Site, 0) ||
        isPinned(K, Site, 1))
      continue;
    if (isUniform(K, Site.Bytes)) {
      C.report(A.Range, "every work-item updates the same element of " + nameOf(A) + " atomically")
          .cost("the updates run one after another");
      continue;
    }
    // A histogram: an index that its type bounds.
    if (A.Index.size() != 1 || !K.varies(A.Index[0]).Data)
      continue;
    Range R = K.range(A.Index[0], Site.S);
    if (R.Lo < 0 || R.Hi >= C.option("MaxAddresses"))
      continue;
    C.report(A.Range, "all work-items update one of " + itostr(R.Hi - R.Lo + 1) + " elements of " +
                          nameOf(A) + " atomically")
        .cost("updates of one element run one after another");
  }
}

CLMALI_KERNEL_CHECK("atomic-hotspot", run);
