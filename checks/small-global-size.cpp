//===- small-global-size.cpp (host)
//------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  uint64_t Least = C.option("MinItems") > 0 ? C.option("MinItems") : C.device().MinGlobalSize;
  for (const HostLaunch &L : H.Launches) {
    if (L.Dims == 0)
      continue;
    std::optional<uint64_t> Known = workItems(L.Global, L.Dims);
    if (L.OneGroup && !Known && C.device().MaxWorkGroup < Least) {
      reportSize(C, L, L.GlobalRange[0], kernelOf(L) + " is launched as one work-group")
          .cost("at most " + utostr(C.device().MaxWorkGroup) + " work-items, fewer than the " +
                utostr(Least) + " that hide its latency");
      continue;
    }
    bool AtMost = !Known;
    std::optional<uint64_t> Most = AtMost ? workItems(L.GlobalAtMost, L.Dims) : Known;
    if (!Most || *Most >= Least)
      continue;
    uint64_t Items = *Most;
    Finding &F = reportSize(C, L, L.GlobalRange[0],
                            kernelOf(L) + " is launched with " + (AtMost ? "at most " : "") +
                                utostr(Items) + (Items == 1 ? " work-item" : " work-items") +
                                " in all" + (L.GlobalByDefault ? ", by default" : ""));
    F.cost("fewer than the " + utostr(Least) + " that hide its latency");
  }
}

CLMALI_HOST_CHECK("small-global-size", run);
