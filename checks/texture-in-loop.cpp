//===- texture-in-loop.cpp (host) ----------------------------------------------------------===//
//
// Before: for (...) { glTexImage2D(.., data); glDrawArrays(..); glReadPixels(..); }
// After:  glTexImage2D(.., NULL); for (...) { glTexSubImage2D(.., data); ... }
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls) {
    StringRef Name = Call.Name;
    bool Names = Name == "glGenTextures";
    bool Stores = Name.starts_with("glTexImage") || Name.starts_with("glTexStorage");
    bool InLoop = isInComputeLoop(Call);
    if ((!Names && !Stores) || Call.Gl.SizeVaries || !(InLoop || isAtEachPass(Call)))
      continue;
    StringRef Does = Names ? "makes a texture" : "allocates a texture";
    Finding &F = C.report(Call.NameRange, InLoop ? inLoop(Call, Does) : atEachCall(Call, Does));
    if (!InLoop)
      F.atMost(rules::Severity::Info);
    F.cost(Names ? "a texture that is made once can be used by every pass"
                 : "each allocation is mapped for the GPU anew; glTexSubImage2D writes into the "
                   "texture that exists");
    noteLoop(Call, F);
  }
}

CLMALI_HOST_CHECK("texture-in-loop", run);
