//===- buffer-in-loop.cpp (host) ----------------------------------------------------------===//
//
// Before: for (...) { clCreateBuffer(...); ... clReleaseMemObject(...); }
// After:  one buffer, created before the loop and reused
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include <map>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  // A function that creates, launches and releases allocates again at each call of it.
  struct Effects {
    bool Launches = false, Releases = false;
  };
  std::map<std::pair<StringRef, uint32_t>, Effects> EffectsOf;
  for (const HostCall &Call : H.Calls) {
    Effects &E = EffectsOf[{Call.Function, Call.FunctionAt}];
    E.Launches |= isLaunch(Call);
    E.Releases |= Call.Name == "clReleaseMemObject";
  }
  for (const HostCall &Call : H.Calls) {
    const Effects &E = EffectsOf[{Call.Function, Call.FunctionAt}];
    if (Call.InLoop && Call.OncePerItem && createsMemory(Call) && E.Launches && E.Releases &&
        Call.Function != "main")
      C.report(Call.NameRange, shortName(Call) +
                                   " is called in a loop, and again at each call of '" +
                                   Call.Function + "'")
          .atMost(rules::Severity::Info)
          .cost("each allocation is mapped for the GPU anew");
  }
  for (const HostCall &Call : H.Calls)
    if (createsMemory(Call) && isPerFrame(Call)) {
      C.report(Call.NameRange, perFrame(Call, "is called"))
          .atMost(rules::Severity::Info)
          .cost("each allocation is mapped for the GPU anew");
    } else if (Call.InLoop && !Call.OncePerItem && createsMemory(Call)) {
      Finding &F = C.report(Call.NameRange, inLoop(Call, "is called"));
      F.cost("each allocation is mapped for the GPU anew");
      noteLoop(Call, F);
    } else if (Call.AtEachCall && Call.ReleasedHere && createsMemory(Call) &&
               EffectsOf[{Call.Function, Call.FunctionAt}].Launches) {
      C.report(Call.NameRange, shortName(Call) + " is called again at each call of '" +
                                   Call.Function +
                                   "', which launches a kernel and releases the "
                                   "buffer")
          .atMost(rules::Severity::Info)
          .cost("each allocation is mapped for the GPU anew");
    }
}

CLMALI_HOST_CHECK("buffer-in-loop", run);
