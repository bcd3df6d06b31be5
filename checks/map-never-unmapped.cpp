//===- map-never-unmapped.cpp (host) ----------------------------------------------------------===//
//
// Before: for (..) { launch; p = clEnqueueMapBuffer(q, out, ..); read p; }
// After:  the same with clEnqueueUnmapMemObject(q, out, p, ..) after the read of p
// Limits: silent in a file that unmaps anything, and where no further launch is in view.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool isMap(const HostCall &C) {
  StringRef Name = C.Name;
  return Name.ends_with("nqueueMapBuffer") || Name.ends_with("nqueueMapImage");
}

/// True if a launch follows the mapping: in the next iteration, or at the next call of the function
/// around both.
static bool isBeforeLaunch(const HostModule &H, const HostCall &Map) {
  return any_of(H.Calls, [&](const HostCall &C) {
    bool Together = C.Function == Map.Function && C.FunctionAt == Map.FunctionAt;
    return isLaunch(C) && ((Map.InLoop && !Map.OncePerItem && C.InLoop) ||
                           (Map.AtEachCall && C.AtEachCall && Together));
  });
}

static void run(const HostModule &H, Context &C) {
  // Unmapping may be in a macro, or a call that did not parse.
  if (any_of(H.Files,
             [](const SourceFile &F) { return StringRef(F.Text).contains_insensitive("unmap"); }))
    return;
  for (const HostCall &Call : H.Calls)
    if (isMap(Call) && isBeforeLaunch(H, Call)) {
      Finding &F = C.report(Call.NameRange,
                            "the memory object stays mapped, and the next launch may write it");
      F.cost("what both sides see then is undefined; clEnqueueUnmapMemObject before the launch");
      noteLoop(Call, F);
    }
}

CLMALI_HOST_CHECK("map-never-unmapped", run);
