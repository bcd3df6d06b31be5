//===- unified-memory-not-queried.cpp (host) ---------------------------------------------------===//

#include "checks/HostQuery.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  if (asksForUnifiedMemory(H))
    return;
  for (const HostCall &Call : H.Calls)
    if (isTransfer(Call) || isImageTransfer(Call)) {
      C.report(Call.NameRange, "data is transferred, and CL_DEVICE_HOST_UNIFIED_MEMORY is never asked for");
      return;
    }
}

CLMALI_HOST_CHECK("unified-memory-not-queried", run);
