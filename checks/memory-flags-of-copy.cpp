//===- memory-flags-of-copy.cpp (host) ----------------------------------------------------===//
//
// Before: stage = clCreateBuffer(c, CL_MEM_READ_ONLY, ..); clEnqueueCopyBuffer(q, in, stage, ..)
// After:  CL_MEM_READ_WRITE for the destination of a copy
// Limits: buffers that the file makes, in a variable that is written once.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"

using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls) {
    if (Call.Target.ReadOnly)
      C.report(Call.NameRange,
               "a buffer that is made with CL_MEM_READ_ONLY is the destination of " +
                   shortName(Call))
          .cost("the flag binds kernels only, but drivers are known that lose or cache such a copy")
          .note(Call.Target.MadeAt, "the buffer");
    if (Call.SourceBuffer.WriteOnly)
      C.report(Call.NameRange,
               "a buffer that is made with CL_MEM_WRITE_ONLY is the source of " + shortName(Call))
          .cost("the flag binds kernels only, but drivers may keep no readable copy")
          .note(Call.SourceBuffer.MadeAt, "the buffer");
  }
}

CLMALI_HOST_CHECK("memory-flags-of-copy", run);
