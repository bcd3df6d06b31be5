//===- late-kernel-create.cpp (host) ------------------------------------------------------===//
//
// Before: void scale(...) { kernel = clCreateKernel(...); clEnqueueNDRangeKernel(...); }
// After:  the kernel created once, before the function is called
// Limits: in `main`, only kernels that are created at most MaxLines lines before their launch.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if the creation at \p Index delays a launch. `main` runs once: there, a creation is late
/// only if no buffers are prepared before the launch, or the launch is at most \p Lines lines away.
static bool isLate(const HostModule &H, size_t Index, int64_t Lines) {
  const HostCall &Made = H.Calls[Index];
  if (Made.Function != "main")
    return true;
  bool Prepares = false;
  SourceRange Launch = Made.LaunchSite;
  for (const HostCall &Call : ArrayRef(H.Calls).drop_front(Index + 1)) {
    if (Call.Function != Made.Function || Call.FunctionAt != Made.FunctionAt)
      continue;
    if (isLaunch(Call) || (Launch.isValid() && Call.Range.Begin > Launch.Begin)) {
      if (!Launch.isValid())
        Launch = Call.Range;
      break;
    }
    Prepares |= createsMemory(Call) || isTransfer(Call) || isImageTransfer(Call);
  }
  if (!Prepares || !Launch.isValid() || Launch.File != Made.Range.File ||
      Launch.Begin < Made.Range.Begin)
    return true;
  return StringRef(H.Files[Made.Range.File].Text)
             .slice(Made.Range.Begin, Launch.Begin)
             .count('\n') <= size_t(Lines);
}

static void run(const HostModule &H, Context &C) {
  struct Function {
    unsigned Remaining = 0, Done = 0; ///< launches after and before the current call
    Finding *Reported = nullptr;      ///< of the kernels created before the first launch
    SourceRange Site;                 ///< the first call of another function that launches
  };
  std::map<std::pair<StringRef, uint32_t>, Function> Functions;
  for (const HostCall &Call : H.Calls)
    Functions[{Call.Function, Call.FunctionAt}].Remaining += isLaunch(Call);
  for (const auto &[Index, Call] : enumerate(H.Calls)) {
    Function &F = Functions[{Call.Function, Call.FunctionAt}];
    if (isLaunch(Call)) {
      --F.Remaining;
      ++F.Done;
    }
    bool Creates = Call.Name == "clCreateKernel" || Call.Name == "cl::Kernel" ||
                   Call.Name == "cl::KernelFunctor" || Call.MakesKernel;
    bool ByCall = !F.Remaining && Call.LaunchSite.isValid();
    if (!Creates || (!F.Remaining && !ByCall) || !isLate(H, Index, C.option("MaxLines")))
      continue;
    if (F.Done || (F.Site.isValid() && F.Site.Begin < Call.Range.Begin)) {
      C.report(Call.NameRange, "the kernel is created between launches")
          .cost("the finalizing compile delays the next one");
    } else if (F.Reported) {
      F.Reported->note(Call.NameRange, "so is this one");
    } else {
      F.Reported =
          &C.report(Call.NameRange, "the kernel is created in the function that launches it")
               .cost("the finalizing compile delays the first launch");
      if (ByCall)
        F.Reported->note(Call.LaunchSite, "launched by this call");
    }
    if (ByCall && !F.Site.isValid())
      F.Site = Call.LaunchSite;
  }
}

CLMALI_HOST_CHECK("late-kernel-create", run);
