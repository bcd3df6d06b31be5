//===- client-vertex-array.cpp (host)
//----------------------------------------------------------===//
//
// Before: glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
// After:  glBufferData(..) once; glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls)
    if (Call.Name == "glVertexAttribPointer" && Call.Gl.HostMemory &&
        (isInComputation(Call) || isAtEachPass(Call)))
      C.report(Call.NameRange, "the vertices are in memory of the host, not in a buffer object")
          .cost("each draw copies them into memory of the GPU")
          .atMost(isInComputation(Call) ? rules::Severity::Error : rules::Severity::Info);
}

CLMALI_HOST_CHECK("client-vertex-array", run);
