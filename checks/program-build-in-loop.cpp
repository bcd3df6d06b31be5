//===- program-build-in-loop.cpp (host) -------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  // A per-frame caller may be outside of the file: report the first call of each function.
  std::set<std::pair<StringRef, uint32_t>> Reported;
  for (const HostCall &Call : H.Calls) {
    if (Call.AtEachCall && Call.From == HostCall::Source && shortName(Call) != "build" &&
        Call.Name != "clBuildProgram" && Reported.insert({Call.Function, Call.FunctionAt}).second)
      C.report(Call.NameRange, "the program is made again at each call of '" + Call.Function + "'")
          .atMost(rules::Severity::Info)
          .cost("compiling takes as long as thousands of launches");
    else if (isPerFrame(Call) && Call.Name == "clCreateKernel")
      C.report(Call.NameRange, perFrame(Call, "is called"))
          .atMost(rules::Severity::Info)
          .cost("it compiles");
  }
  for (const HostCall &Call : H.Calls)
    if (Call.InLoop && !Call.OncePerItem && compiles(Call)) {
      Finding &F = C.report(Call.NameRange, inLoop(Call, "is called"));
      F.cost("compiling takes as long as thousands of launches");
      noteLoop(Call, F);
    }
}

CLMALI_HOST_CHECK("program-build-in-loop", run);
