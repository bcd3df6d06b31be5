//===- image-row-pitch-ignored.cpp (host) -------------------------------------------------===//
//
// Before: to = clEnqueueMapImage(.., &pitch, ..); memcpy(to, pixels, w * h * 4);
// After:  for (y < h) memcpy((char *)to + y * pitch, pixels + y * w * 4, w * 4);
// Limits: a row pitch in a variable of the function that maps.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"

using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls)
    if (Call.PitchIgnored)
      C.report(Call.NameRange, "the row pitch that " + shortName(Call) + " returns is not used")
          .cost("rows of the mapped image may be longer than width * pixel size: a copy of the "
                "whole shears the picture");
}

CLMALI_HOST_CHECK("image-row-pitch-ignored", run);
