//===- copy-from-framebuffer.cpp (host)
//----------------------------------------------------------===//
//
// Before: for (...) { glDrawArrays(..); glCopyTexImage2D(..); }
// After:  for (...) { glFramebufferTexture2D(.., next, 0); glDrawArrays(..); }
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls) {
    if (!StringRef(Call.Name).starts_with("glCopyTex") || !isInComputeLoop(Call))
      continue;
    Finding &F = C.report(Call.NameRange,
                          inLoop(Call, "copies the result from the framebuffer into a texture"));
    F.cost(
        "the copy waits until all tiles are in memory; a framebuffer object writes them into the "
        "texture. On a PowerVR SGX, passes that read the result of the pass before were faster "
        "with the copy");
    noteLoop(Call, F);
  }
}

CLMALI_HOST_CHECK("copy-from-framebuffer", run);
