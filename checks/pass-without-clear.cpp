//===- pass-without-clear.cpp (host) ----------------------------------------------------------===//
//
// Before: glBindFramebuffer(GL_FRAMEBUFFER, target); glDrawArrays(..);
// After:  glBindFramebuffer(GL_FRAMEBUFFER, target); glClear(..); glDrawArrays(..);
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The program draws over what is there, or into a part of it.
static bool keepsContents(const HostModule &H) {
  const int64_t Blend = 0x0BE2, ScissorTest = 0x0C11; // GL_BLEND, GL_SCISSOR_TEST
  return any_of(H.Calls, [&](const HostCall &Call) {
    return Call.Name == "glScissor" ||
           (Call.Name == "glEnable" && Call.Args.size() == 1 &&
            (Call.Args[0].Value == Blend || Call.Args[0].Value == ScissorTest));
  });
}

static void run(const HostModule &H, Context &C) {
  const int64_t ReadFramebuffer = 0x8CA8; // GL_READ_FRAMEBUFFER
  if (keepsContents(H))
    return;
  for (const HostCall &Call : H.Calls) {
    if (!Call.Gl.DrawsUncleared || !isInComputeLoop(Call))
      continue;
    // The default framebuffer has no contents after eglSwapBuffers.
    bool Binds = Call.Name == "glBindFramebuffer" && Call.Args.size() == 2;
    if (Binds && (Call.Args[0].Value == ReadFramebuffer || Call.Args[1].Value == 0))
      continue;
    Finding &F = C.report(Call.NameRange, "a pass begins here, and nothing clears the framebuffer "
                                          "before the first draw");
    F.cost("each tile is first loaded with the contents that the pass then overwrites");
    noteLoop(Call, F);
  }
}

CLMALI_HOST_CHECK("pass-without-clear", run);
