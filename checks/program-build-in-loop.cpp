//===- program-build-in-loop.cpp (host) --------------------------------------------------------===//

#include "checks/HostQuery.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls)
    if (Call.InLoop && compiles(Call))
      C.report(Call.NameRange, shortName(Call) + " is called in a loop")
          .cost("compiling takes as long as thousands of launches");
}

CLMALI_HOST_CHECK("program-build-in-loop", run);
