//===- missing-reqd-work-group-size.cpp ---------------------------------------------------===//
//
// Before: __kernel void f(...)
// After:  __kernel __attribute__((reqd_work_group_size(64, 1, 1))) void f(...)
// Limits: the fix is safe only if host code of the same run shows the local size of every launch,
//         and all of them are equal. Of a recording it is unsafe.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/host/RecordedLaunches.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The local size of all launches, if it is known and the same.
static std::optional<std::array<uint64_t, 3>> commonSize(ArrayRef<HostLaunch> Launches) {
  std::optional<std::array<uint64_t, 3>> Common;
  for (const HostLaunch &L : Launches) {
    if (L.LocalIsNull || L.LocalByDefault || L.Dims == 0)
      return std::nullopt;
    std::array<uint64_t, 3> Size{1, 1, 1};
    for (unsigned D = 0; D < L.Dims; ++D) {
      if (!L.Local[D])
        return std::nullopt;
      Size[D] = *L.Local[D];
    }
    if (Common && *Common != Size)
      return std::nullopt;
    Common = Size;
  }
  return Common;
}

static void run(const Kernel &K, Context &C) {
  if (K.ReqdWorkGroupSize)
    return;
  std::optional<std::array<uint64_t, 3>> Size = commonSize(C.launches());
  // If local memory is ordinary memory, no source gives a figure for what the attribute gains. Stay
  // silent if the host chooses the size at run time, or if the kernel counts as hand-tuned.
  if (!C.device().LocalOnChip && !Size && (!C.launches().empty() || isHandTuned(C.analysis())))
    return;
  Finding &F = C.report(K.NameRange, "its work-group size is not known at compile time");
  // With the attribute, a launch without a local size fails. null-local-size reports that launch.
  if (any_of(C.launches(), [](const HostLaunch &L) { return L.LocalIsNull; }))
    F.atMost(rules::Severity::Info);
  if (C.analysis().hasBarrier() && C.device().SimdWidth > C.device().WorkGroupMultiple / 2 &&
      C.device().WorkGroupMultiple >= 32)
    F.cost("with the barrier in it, a group smaller than " + utostr(C.device().WorkGroupMultiple) +
           " work-items has a task of " + utostr(C.device().SimdWidth) + " lanes to itself");
  if (!Size) {
    F.fix(Applicability::Unsafe, "add __attribute__((reqd_work_group_size(X, Y, Z))) with the size "
                                 "that the host launches it with");
    return;
  }
  std::string Text = "__attribute__((reqd_work_group_size(" + utostr((*Size)[0]) + ", " +
                     utostr((*Size)[1]) + ", " + utostr((*Size)[2]) + ")))";
  const HostLaunch &L = C.launches().front();
  F.Notes.push_back({L.Range, "launched here with this local size", L.File});
  // Insert after the keyword `kernel`. If a macro hides it, there is no edit.
  StringRef Head = C.text({K.Range.File, K.Range.Begin, K.NameRange.Begin});
  size_t Word = Head.find("kernel");
  std::vector<Edit> Edits;
  if (Word != StringRef::npos) {
    size_t After = Word + 6;
    while (After < Head.size() && Head[After] == '_')
      ++After;
    uint32_t At = K.Range.Begin + After;
    Edits.push_back({{K.Range.File, At, At}, " " + Text});
  }
  // Another run may have another size.
  if (isRecorded(L))
    F.fix(Applicability::Unsafe, "add " + Text + " if no other run has another size");
  else
    F.fix(Applicability::Safe, "add " + Text, std::move(Edits));
}

CLMALI_KERNEL_CHECK("missing-reqd-work-group-size", run);
