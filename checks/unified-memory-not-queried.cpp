//===- unified-memory-not-queried.cpp (host) --------------------------------------------------===//

#include "checks/query/HostCalls.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  if (H.AsksForUnityElsewhere || asksForUnifiedMemory(H))
    return;
  // A call in an included header is reported if the file has none itself.
  const HostCall *First = nullptr;
  for (const HostCall &Call : H.Calls)
    if ((isTransfer(Call) || isImageTransfer(Call) || isCopy(Call)) &&
        (!First || (First->Range.File && !Call.Range.File)))
      First = &Call;
  if (First)
    C.report(First->NameRange,
             "data is transferred, and CL_DEVICE_HOST_UNIFIED_MEMORY is never asked for");
}

CLMALI_HOST_CHECK("unified-memory-not-queried", run);
