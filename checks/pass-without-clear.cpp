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
  return any_of(H.Calls, [&](const HostCall &Call) {
    return Call.Name == "glScissor" ||
           (Call.Name == "glEnable" && Call.Args.size() == 1 &&
            (Call.Args[0].Value == GlBlend || Call.Args[0].Value == GlScissorTest));
  });
}

static void run(const HostModule &H, Context &C) {
  if (keepsContents(H))
    return;
  for (const HostCall &Call : H.Calls) {
    if (!Call.Gl.DrawsUncleared || !(isInComputeLoop(Call) || isAtEachPass(Call)))
      continue;
    // The default framebuffer has no contents after eglSwapBuffers.
    bool Binds = Call.Name == "glBindFramebuffer" && Call.Args.size() == 2;
    if (Binds && (Call.Args[0].Value == GlReadFramebuffer || Call.Args[1].Value == 0))
      continue;
    Finding &F = C.report(Call.NameRange, "a pass begins here, and nothing clears the framebuffer "
                                          "before the first draw");
    F.cost("each tile is first loaded with the contents that the pass then overwrites");
    if (!isInComputeLoop(Call))
      F.atMost(rules::Severity::Info);
    noteLoop(Call, F);
  }
}

CLMALI_HOST_CHECK("pass-without-clear", run);
