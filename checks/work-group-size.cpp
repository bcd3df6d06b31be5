//===- work-group-size.cpp --------------------------------------------------------------------===//
//
// Before: reqd_work_group_size(7, 1, 1)
// After:  reqd_work_group_size(32, 1, 1)
// Limits: the attribute only; sizes in host code are reported by local-size-multiple.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/GroupLimit.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  if (!K.ReqdWorkGroupSize)
    return;
  const rules::DeviceFacts &D = C.device();
  const auto &Size = *K.ReqdWorkGroupSize;
  uint64_t Items = uint64_t(Size[0]) * Size[1] * Size[2];
  if (Items == 0)
    return;
  std::string What =
      "it requires work-groups of " + utostr(Items) + (Items == 1 ? " work-item" : " work-items");
  // The attribute is a part of the kernel's text before its body.
  const SourceRange Attribute{K.Range.File, K.Range.Begin, K.BodyRange.Begin};
  if (Items > D.MaxWorkGroup) {
    tooLarge(C.report(K.NameRange, What).restsOn(Attribute), D, Items);
    return;
  }
  if (Items % D.WorkGroupMultiple == 0)
    return;
  // Groups of 4, 8 and 16 share a task of 32 if the size is known: not ideal, but nothing is
  // wasted.
  bool Shares =
      Items >= D.SmallWorkGroup && Items < D.WorkGroupMultiple && D.WorkGroupMultiple % Items == 0;
  Finding &F = C.report(K.NameRange, What).restsOn(Attribute);
  if (Shares) {
    F.cost(utostr(D.WorkGroupMultiple) + " and its multiples run best");
    F.atMost(rules::Severity::Info);
    return;
  }
  F.cost("no multiple of " + utostr(D.WorkGroupMultiple) + ", so lanes are idle");
}

CLMALI_KERNEL_CHECK("work-group-size", run);
