//===- null-local-size.cpp (host) ---------------------------------------------------------===//
//
// Before: clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, ...)
// After:  ... &n, &local, ...
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostLaunch &L : H.Launches)
    if (L.LocalIsNull) {
      // The caller of the launching function passes the local size: report that call.
      bool ByCaller = L.Site.isValid() && L.LocalRange[0].isValid() &&
                      L.LocalRange[0].File == L.Site.File &&
                      L.LocalRange[0].Begin >= L.Site.Begin && L.LocalRange[0].End <= L.Site.End;
      Finding &F = C.report(ByCaller ? L.LocalRange[0] : L.Range,
                            kernelOf(L) + " is launched without a local size");
      F.cost("a multiple of " + utostr(C.device().WorkGroupMultiple) + " runs best here");
      if (ByCaller)
        F.note(L.Range, "launched here");
    }
}

CLMALI_HOST_CHECK("null-local-size", run);
