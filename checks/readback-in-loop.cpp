//===- readback-in-loop.cpp (host) ----------------------------------------------------------===//
//
// Before: for (...) { glDrawArrays(..); glReadPixels(..); }
// After:  for (...) glDrawArrays(..);  glReadPixels(..);
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Into a buffer object: the pointer is an offset.
static bool readsIntoBuffer(const HostModule &H, const HostCall &Call) {
  return !Call.Args.empty() && (Call.Args.back().IsNull || Call.Args.back().Value ||
                                any_of(H.Calls, [&](const HostCall &Other) {
                                  return Other.Name == "glBindBuffer" && Other.Args.size() == 2 &&
                                         Other.Args[0].Value == GlPixelPackBuffer &&
                                         Other.Args[1].Value != 0;
                                }));
}

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls) {
    bool Reads = Call.Name == "glReadPixels" || Call.Name == "glReadnPixels";
    bool InLoop = isInComputeLoop(Call);
    if ((!Reads && Call.Name != "glFinish") || !(InLoop || isAtEachPass(Call)))
      continue;
    // A read under a condition is no read of each iteration.
    if (Reads && ((InLoop && !(Call.Gl.Loop & GlReadsBack)) || readsIntoBuffer(H, Call)))
      continue;
    StringRef Does = "waits for the GPU";
    Finding &F = C.report(Call.NameRange, InLoop ? inLoop(Call, Does) : atEachCall(Call, Does));
    if (!InLoop)
      F.atMost(rules::Severity::Info);
    F.cost("the GPU idles while the host prepares the next pass, and the host while the GPU works");
    noteLoop(Call, F);
  }
}

CLMALI_HOST_CHECK("readback-in-loop", run);
