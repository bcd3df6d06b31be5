//===- forbidden-host-access.cpp (host) -------------------------------------------------------===//
//
// Before: b = clCreateBuffer(c, CL_MEM_HOST_NO_ACCESS, ..); clEnqueueReadBuffer(q, b, ..)
// After:  CL_MEM_HOST_READ_ONLY, or no such flag
// Limits: silent if one of the calls that make the buffer is not known, or allows the access.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"

using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls)
    if (Call.Forbidden)
      C.report(Call.NameRange, shortName(Call) + " of a buffer whose flags forbid the host this")
          .cost("it fails with CL_INVALID_OPERATION");
}

CLMALI_HOST_CHECK("forbidden-host-access", run);
