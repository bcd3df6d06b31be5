//===- buffer-in-loop.cpp (host)
//---------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include <map>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  // A function that fills an array, works with it and releases it does so at each call of it.
  std::map<std::pair<StringRef, uint32_t>, unsigned> Does;
  for (const HostCall &Call : H.Calls)
    Does[{Call.Function, Call.FunctionAt}] |=
        (isLaunch(Call) ? 1 : 0) | (Call.Name == "clReleaseMemObject" ? 2 : 0);
  for (const HostCall &Call : H.Calls)
    if (Call.InLoop && Call.OncePerItem && createsMemory(Call) &&
        Does[{Call.Function, Call.FunctionAt}] == 3 && Call.Function != "main")
      C.report(Call.NameRange, shortName(Call) +
                                   " is called in a loop, and again at each call of '" +
                                   Call.Function + "'")
          .atMost(rules::Severity::Info)
          .cost("each allocation is mapped for the GPU anew");
  for (const HostCall &Call : H.Calls)
    if (createsMemory(Call) && isPerFrame(Call)) {
      C.report(Call.NameRange, perFrame(Call, "is called"))
          .atMost(rules::Severity::Info)
          .cost("each allocation is mapped for the GPU anew");
    } else if (Call.InLoop && !Call.OncePerItem && createsMemory(Call)) {
      Finding &F = C.report(Call.NameRange, inLoop(Call, "is called"));
      F.cost("each allocation is mapped for the GPU anew");
      noteLoop(Call, F);
    }
}

CLMALI_HOST_CHECK("buffer-in-loop", run);
