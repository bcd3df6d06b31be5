//===- map-never-unmapped.cpp (host) ----------------------------------------------------------===//
//
// Before: for (..) { launch; p = clEnqueueMapBuffer(q, out, ..); read p; }
// After:  the same with clEnqueueUnmapMemObject(q, out, p, ..) after the read of p
// Limits: silent in a file that unmaps anything, and where no further launch is in view. Objects of
//         one class are taken for one.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool isMap(const HostCall &C) {
  StringRef Name = C.Name;
  return Name.ends_with("nqueueMapBuffer") || Name.ends_with("nqueueMapImage");
}

/// True if the mapped object is an argument of a kernel.
static bool isArgument(const HostModule &H, const HostCall &Map) {
  return Map.Mapped && any_of(H.Launches, [&](const HostLaunch &L) {
           return any_of(L.Args, [&](const HostKernelArg &A) { return A.Variable == Map.Mapped; });
         });
}

/// True if a launch follows the mapping: in the next iteration, or at the next call of the function
/// around both, or of two functions that share the mapped object.
static bool isBeforeLaunch(const HostModule &H, const HostCall &Map) {
  const bool Shared = isArgument(H, Map);
  return any_of(H.Calls, [&](const HostCall &C) {
    bool Together = C.Function == Map.Function && C.FunctionAt == Map.FunctionAt;
    if (!isLaunch(C))
      return false;
    if (Map.InLoop && !Map.OncePerItem && C.InLoop)
      return true;
    return C.AtEachCall && (Together ? Map.AtEachCall : Shared);
  });
}

/// Unmapping may be in a macro, or a call that did not parse. The bindings of the API are no part
/// of the program: no call of it is in them.
static bool unmaps(const HostModule &H) {
  std::set<uint32_t> Own{0};
  for (const HostCall &C : H.Calls)
    Own.insert(C.Range.File);
  return any_of(
      Own, [&](uint32_t F) { return StringRef(H.Files[F].Text).contains_insensitive("unmap"); });
}

static void run(const HostModule &H, Context &C) {
  if (unmaps(H))
    return;
  for (const HostCall &Call : H.Calls) {
    if (!isMap(Call))
      continue;
    if (isBeforeLaunch(H, Call)) {
      Finding &F = C.report(Call.NameRange,
                            "the memory object stays mapped, and the next launch may write it");
      F.cost("what both sides see then is undefined; clEnqueueUnmapMemObject before the launch");
      noteLoop(Call, F);
    } else if (Call.LaunchSite.isValid() && mapsForWriting(Call) && isArgument(H, Call)) {
      C.report(Call.NameRange,
               "the memory object stays mapped for writing, and a kernel with it is launched")
          .cost("what the kernel reads then is undefined; clEnqueueUnmapMemObject before the "
                "launch")
          .note(Call.LaunchSite, "the launch");
    }
  }
}

CLMALI_HOST_CHECK("map-never-unmapped", run);
