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
    if ((!Names && !Stores) || Call.Gl.SizeVaries || !isInComputeLoop(Call))
      continue;
    Finding &F =
        C.report(Call.NameRange, inLoop(Call, Names ? "makes a texture" : "allocates a texture"));
    F.cost(Names ? "a texture that is made once can be used by every pass"
                 : "each allocation is mapped for the GPU anew; glTexSubImage2D writes into the "
                   "texture that exists");
    noteLoop(Call, F);
  }
}

CLMALI_HOST_CHECK("texture-in-loop", run);
