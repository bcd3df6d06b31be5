//===- oversized-access.cpp -------------------------------------------------------------------===//
//
// Before: vload8(i, x)          256 bits of float
// After:  vload4(i, x)          128 bits
// Limits: loads that differ between work-items; one finding for each buffer.
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
  unsigned Limit = C.device().MaxAccessBits / 8;
  if (!Limit)
    return;
  const KernelAnalysis &K = C.analysis();
  std::set<const Var *> Reported;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    unsigned Width = widthInBytes(A);
    if (!Site.IsRead || A.Base->space() != AddressSpace::Global || Width <= Limit ||
        Reported.count(A.Base))
      continue;
    for (unsigned Dim = 0; Dim < 3; ++Dim)
      if (constantStride(K, A, Dim) != 0) {
        Reported.insert(A.Base);
        C.report(A.Range, "one access of " + nameOf(A) + " reads " + utostr(Width * 8) + " bits")
            .cost("the second " + utostr(Limit * 8) +
                  " bits are loaded after all neighbours' first");
        break;
      }
  }
}

CLMALI_KERNEL_CHECK("oversized-access", run);
