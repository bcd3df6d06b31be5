//===- late-kernel-create.cpp (host) -----------------------------------------------------------===//

#include "checks/HostQuery.h"
#include <map>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  struct Function {
    unsigned ToCome = 0, Done = 0; ///< launches
    Finding *Told = nullptr;       ///< of what is created before the first
  };
  std::map<StringRef, Function> Functions;
  for (const HostCall &Call : H.Calls)
    Functions[Call.Function].ToCome += isLaunch(Call);
  for (const HostCall &Call : H.Calls) {
    Function &F = Functions[Call.Function];
    if (isLaunch(Call)) {
      --F.ToCome;
      ++F.Done;
    }
    if ((Call.Name != "clCreateKernel" && Call.Name != "cl::Kernel" && Call.Name != "cl::KernelFunctor") || !F.ToCome)
      continue;
    if (F.Done)
      C.report(Call.NameRange, "the kernel is created between launches").cost("the finalizing compile delays the next one");
    else if (F.Told)
      F.Told->note(Call.NameRange, "so is this one");
    else
      F.Told = &C.report(Call.NameRange, "the kernel is created in the function that launches it")
                    .cost("the finalizing compile delays the first launch");
  }
}

CLMALI_HOST_CHECK("late-kernel-create", run);
