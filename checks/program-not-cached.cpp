//===- program-not-cached.cpp (host) -----------------------------------------------------------===//

#include "checks/HostQuery.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  // The same file may fetch binaries in a way that is no call of ours (a cache of its own).
  if (any_of(H.Calls, [](const HostCall &Call) { return Call.From == HostCall::Binary; }) || H.Files.empty() ||
      StringRef(H.Files.front().Text).contains("CL_PROGRAM_BINARIES"))
    return;
  auto Builds = [](const HostCall &Call) { return shortName(Call) == "build" || shortName(Call) == "clBuildProgram"; };
  bool Made = any_of(H.Calls, [&](const HostCall &Call) { return Call.From == HostCall::Source && !Builds(Call); });
  std::set<std::pair<StringRef, uint32_t>> Told; ///< functions
  for (const HostCall &Call : H.Calls)
    if (Call.From == HostCall::Source && (!Made || !Builds(Call)) && Told.insert({Call.Function, Call.FunctionAt}).second)
      C.report(Call.NameRange, "the program is built from source each time, and its binary is never stored");
}

CLMALI_HOST_CHECK("program-not-cached", run);
