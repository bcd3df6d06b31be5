//===- local-size-multiple.cpp (host) -----------------------------------------------------===//
//
// Before: size_t local = 10;
// After:  size_t local = 64;
// Limits: sizes that are known without running the program.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/GroupLimit.h"
#include "checks/query/HostCalls.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  const rules::DeviceFacts &D = C.device();
  for (const HostLaunch &L : H.Launches) {
    if (L.LocalIsNull || L.Dims == 0)
      continue;
    std::optional<uint64_t> Known = workItems(L.Local, L.Dims);
    if (!Known) {
      // The size is one of several; even the largest is smaller than a multiple.
      std::optional<uint64_t> Most = workItems(L.LocalAtMost, L.Dims);
      if (Most && *Most < std::min<uint64_t>(D.WorkGroupMultiple, D.SmallWorkGroup))
        reportSize(C, L, L.LocalRange[0],
                   kernelOf(L) + " is launched in groups of at most " + utostr(*Most) +
                       (*Most == 1 ? " work-item" : " work-items"))
            .cost("no multiple of " + utostr(D.WorkGroupMultiple) + ", so lanes are idle");
      continue;
    }
    uint64_t Items = *Known;
    std::string What = kernelOf(L) + " is launched in groups of " + utostr(Items) +
                       (Items == 1 ? " work-item" : " work-items") +
                       (L.LocalByDefault ? ", by default" : "");
    if (Items > D.MaxWorkGroup) {
      Finding &F = reportSize(C, L, L.LocalRange[0], What);
      tooLarge(F, D, Items);
      if (L.LocalByDefault) // the command line may give another size
        F.Failing = 0;
      continue;
    }
    if (Items % D.WorkGroupMultiple == 0)
      continue;
    bool Shares = Items >= D.SmallWorkGroup && D.WorkGroupMultiple % Items == 0;
    Finding &F = reportSize(C, L, L.LocalRange[0], What);
    F.cost(Shares ? utostr(D.WorkGroupMultiple) + " and its multiples run best"
                  : "no multiple of " + utostr(D.WorkGroupMultiple) + ", so lanes are idle");
    if (Shares)
      F.atMost(rules::Severity::Info);
  }
}

CLMALI_HOST_CHECK("local-size-multiple", run);
