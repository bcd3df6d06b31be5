//===- null-local-size.cpp (host) --------------------------------------------------------------===//
//
// Before: clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, ...)
// After:  ... &n, &local, ...
//
//===------------------------------------------------------------------------------------------===//

#include "checks/HostQuery.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostLaunch &L : H.Launches)
    if (L.LocalIsNull)
      C.report(L.Range, kernelOf(L) + " is launched without a local size")
          .cost("a multiple of " + utostr(C.device().WorkGroupMultiple) + " runs best here");
}

CLMALI_HOST_CHECK("null-local-size", run);
