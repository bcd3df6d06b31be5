//===- read-write-buffer.cpp (host) ------------------------------------------------------------===//
//
// Before: clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, n, data, ...)
// After:  clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, n, ...)
// Limits: silent in files that ask for unified memory and so can choose.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/HostQuery.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  if (!C.device().UnifiedMemory || asksForUnifiedMemory(H))
    return;
  for (const HostCall &Call : H.Calls)
    if (isTransfer(Call))
      C.report(Call.NameRange, shortName(Call) + " copies between memories that are one")
          .cost("every byte goes through the caches twice; mapping copies nothing")
          .fix(Applicability::Unsafe, "map and unmap a buffer that was made with CL_MEM_ALLOC_HOST_PTR");
}

CLMALI_HOST_CHECK("read-write-buffer", run);
