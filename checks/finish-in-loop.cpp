//===- finish-in-loop.cpp (host) ----------------------------------------------------------===//
//
// Before: for (...) { clEnqueueNDRangeKernel(...); clFinish(queue); }
// After:  for (...) clEnqueueNDRangeKernel(...);  clFinish(queue);
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if the call after Call, in its function, blocks until the queue has come to it: the wait
/// before it costs nothing more.
static bool isBeforeBlocking(const HostModule &H, const HostCall &Call) {
  const HostCall *Next = &Call + 1;
  return Next < H.Calls.data() + H.Calls.size() && Next->Blocking && !isLaunch(*Next) &&
         Next->Function == Call.Function && Next->FunctionAt == Call.FunctionAt &&
         Next->InLoop == Call.InLoop;
}

static void run(const HostModule &H, Context &C) {
  const HostCall *Before = nullptr; ///< the call before this one
  for (const HostCall &Call : H.Calls) {
    if (Call.InThisFile.IsGl)
      continue;
    const HostCall *Last = std::exchange(Before, &Call);
    // A loop over several queues that waits once for each of them queues nothing in between.
    bool PerFrame = isPerFrame(Call);
    bool InLoop = Call.InLoop && !Call.OncePerItem;
    bool BehindLaunch = Call.AtEachCall && Last && isLaunch(*Last) &&
                        Last->Function == Call.Function && Last->FunctionAt == Call.FunctionAt;
    if (!PerFrame && !InLoop && !BehindLaunch)
      continue;
    std::string Name = shortName(Call);
    bool Waits = is_contained({"clFinish", "clWaitForEvents", "finish", "wait", "waitForEvents",
                               "cl::finish", "cl::WaitForEvents", "cl::copy"},
                              StringRef(Name)) ||
                 Call.Waits;
    bool Blocks = Call.Blocking && (StringRef(Name).starts_with("clEnqueue") ||
                                    StringRef(Name).starts_with("enqueue"));
    if ((!Waits && !Blocks) || (!Blocks && isBeforeBlocking(H, Call)))
      continue;
    StringRef Verb = Blocks ? "blocks" : "waits";
    // A blocking read takes the result to the host: that is no needless wait.
    if (!PerFrame && !InLoop) {
      if (!Blocks)
        C.report(Call.NameRange,
                 Name + " waits for the launch before it, at each call of '" + Call.Function + "'")
            .atMost(rules::Severity::Info)
            .cost("the GPU idles while the host queues, and the host while the GPU works");
      continue;
    }
    Finding &F = C.report(Call.NameRange, PerFrame ? perFrame(Call, Verb) : inLoop(Call, Verb));
    // A few planes, or steps of a set-up.
    bool Few = !PerFrame && Call.Trips && !Call.LoopSite.isValid() &&
               Call.Trips <= C.option("MaxFewTrips");
    if (PerFrame || Few)
      F.atMost(rules::Severity::Info);
    F.cost("the GPU idles while the host queues, and the host while the GPU works");
    noteLoop(Call, F);
  }
}

CLMALI_HOST_CHECK("finish-in-loop", run);
