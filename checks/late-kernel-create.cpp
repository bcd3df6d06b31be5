//===- late-kernel-create.cpp (host) -----------------------------------------------------------===//

#include "checks/HostQuery.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  std::set<StringRef> Launches, SetsUp;
  for (const HostCall &Call : H.Calls) {
    std::string Name = shortName(Call);
    if (isLaunch(Call))
      Launches.insert(Call.Function);
    if (StringRef(Name).starts_with("clCreateProgram") || StringRef(Name).starts_with("clCreateContext") ||
        Name == "clBuildProgram" || Name == "cl::Program" || Name == "cl::Context" || Call.SetsUp)
      SetsUp.insert(Call.Function);
  }
  for (const HostCall &Call : H.Calls)
    if ((Call.Name == "clCreateKernel" || Call.Name == "cl::Kernel" || Call.Name == "cl::KernelFunctor") && Call.Function != "main" &&
        Launches.count(Call.Function) &&
        !SetsUp.count(Call.Function))
      C.report(Call.NameRange, "the kernel is created in the function that launches it")
          .cost("the finalizing compile delays the first launch");
}

CLMALI_HOST_CHECK("late-kernel-create", run);
