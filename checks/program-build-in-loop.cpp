//===- program-build-in-loop.cpp (host) --------------------------------------------------------===//

#include "checks/HostQuery.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls)
    if (Call.InLoop && !Call.OncePerItem && compiles(Call)) {
      Finding &F = C.report(Call.NameRange, inLoop(Call, "is called"));
      F.cost("compiling takes as long as thousands of launches");
      noteLoop(Call, F);
    }
}

CLMALI_HOST_CHECK("program-build-in-loop", run);
