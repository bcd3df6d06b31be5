//===- buffer-in-loop.cpp (host) ---------------------------------------------------------------===//

#include "checks/HostQuery.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls)
    if (Call.InLoop && createsMemory(Call))
      C.report(Call.NameRange, shortName(Call) + " is called in a loop")
          .cost("each allocation is mapped for the GPU anew");
}

CLMALI_HOST_CHECK("buffer-in-loop", run);
