//===- program-not-cached.cpp (host) -----------------------------------------------------------===//

#include "checks/HostQuery.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  const HostCall *Source = nullptr;
  for (const HostCall &Call : H.Calls) {
    if (Call.From == HostCall::Binary)
      return;
    if (Call.From == HostCall::Source && !Source)
      Source = &Call;
  }
  // The same file may fetch binaries in a way that is no call of ours (a cache of its own).
  if (!Source || StringRef(H.Files.front().Text).contains("CL_PROGRAM_BINARIES"))
    return;
  C.report(Source->NameRange, "the program is built from source each time, and its binary is never stored");
}

CLMALI_HOST_CHECK("program-not-cached", run);
