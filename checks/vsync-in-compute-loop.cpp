//===- vsync-in-compute-loop.cpp (host)
//----------------------------------------------------------===//
//
// Before: for (...) { glDrawArrays(..); eglSwapBuffers(..); } glReadPixels(..);
// After:  for (...) glDrawArrays(..); glReadPixels(..);   // or eglSwapInterval(display, 0)
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  // Of an interval that is not known it may be 0.
  if (any_of(H.Calls, [](const HostCall &Call) {
        return Call.Name == "eglSwapInterval" && Call.Args.size() == 2 &&
               Call.Args[1].Value.value_or(0) == 0;
      }))
    return;
  for (const HostCall &Call : H.Calls) {
    if (Call.Name != "eglSwapBuffers" || !isInComputeLoop(Call) || (Call.Gl.Loop & GlInteracts) ||
        (Call.Gl.Around & GlUnlimited))
      continue;
    Finding &F = C.report(Call.NameRange, inLoop(Call, "waits for the display"));
    F.cost("a pass starts at most once for each frame of the display, 60 times a second; without "
           "eglSwapBuffers, or with eglSwapInterval(display, 0), the GPU works on");
    noteLoop(Call, F);
  }
}

CLMALI_HOST_CHECK("vsync-in-compute-loop", run);
