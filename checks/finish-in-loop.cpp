//===- finish-in-loop.cpp (host) ---------------------------------------------------------------===//

#include "checks/HostQuery.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls) {
    if (!Call.InLoop)
      continue;
    std::string Name = shortName(Call);
    bool Waits = is_contained({"clFinish", "clWaitForEvents", "finish", "wait", "waitForEvents"}, StringRef(Name));
    bool Blocks = Call.Blocking && (StringRef(Name).starts_with("clEnqueue") || StringRef(Name).starts_with("enqueue"));
    if (Waits || Blocks)
      C.report(Call.NameRange, Name + (Blocks ? " blocks" : " waits") + " in a loop")
          .cost("the GPU idles while the host queues, and the host while the GPU works");
  }
}

CLMALI_HOST_CHECK("finish-in-loop", run);
