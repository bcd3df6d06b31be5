//===- late-kernel-create.cpp (host)
//-----------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// In `main` everything happens once: there a kernel is created late only where its launch is near,
/// with at most its arguments between.
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
    unsigned ToCome = 0, Done = 0; ///< launches
    Finding *Told = nullptr;       ///< of what is created before the first
    SourceRange Site;              ///< the first call of another function that launches
  };
  std::map<std::pair<StringRef, uint32_t>, Function> Functions;
  for (const HostCall &Call : H.Calls)
    Functions[{Call.Function, Call.FunctionAt}].ToCome += isLaunch(Call);
  for (const auto &[Index, Call] : enumerate(H.Calls)) {
    Function &F = Functions[{Call.Function, Call.FunctionAt}];
    if (isLaunch(Call)) {
      --F.ToCome;
      ++F.Done;
    }
    bool Creates = Call.Name == "clCreateKernel" || Call.Name == "cl::Kernel" ||
                   Call.Name == "cl::KernelFunctor" || Call.MakesKernel;
    bool ByCall = !F.ToCome && Call.LaunchSite.isValid();
    if (!Creates || (!F.ToCome && !ByCall) || !isLate(H, Index, C.option("MaxLines")))
      continue;
    if (F.Done || (F.Site.isValid() && F.Site.Begin < Call.Range.Begin)) {
      C.report(Call.NameRange, "the kernel is created between launches")
          .cost("the finalizing compile delays the next one");
    } else if (F.Told) {
      F.Told->note(Call.NameRange, "so is this one");
    } else {
      F.Told = &C.report(Call.NameRange, "the kernel is created in the function that launches it")
                    .cost("the finalizing compile delays the first launch");
      if (ByCall)
        F.Told->note(Call.LaunchSite, "launched by this call");
    }
    if (ByCall && !F.Site.isValid())
      F.Site = Call.LaunchSite;
  }
}

CLMALI_HOST_CHECK("late-kernel-create", run);
