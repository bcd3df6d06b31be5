//===- late-kernel-create.cpp (host) -----------------------------------------------------------===//

#include "checks/HostQuery.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  std::set<StringRef> SetsUp;
  for (const HostCall &Call : H.Calls) {
    std::string Name = shortName(Call);
    if (StringRef(Name).starts_with("clCreateProgram") || StringRef(Name).starts_with("clCreateContext") ||
        Name == "clBuildProgram" || Name == "cl::Program" || Name == "cl::Context" || Call.SetsUp)
      SetsUp.insert(Call.Function);
  }
  std::map<StringRef, unsigned> ToCome, Done; // launches of a function
  for (const HostCall &Call : H.Calls)
    ToCome[Call.Function] += isLaunch(Call);
  for (const HostCall &Call : H.Calls) {
    if (isLaunch(Call)) {
      --ToCome[Call.Function];
      ++Done[Call.Function];
    }
    if ((Call.Name != "clCreateKernel" && Call.Name != "cl::Kernel" && Call.Name != "cl::KernelFunctor") ||
        !ToCome[Call.Function])
      continue;
    if (Done[Call.Function])
      C.report(Call.NameRange, "the kernel is created between launches")
          .cost("the finalizing compile delays the next one");
    else if (Call.Function != "main" && !SetsUp.count(Call.Function))
      C.report(Call.NameRange, "the kernel is created in the function that launches it")
          .cost("the finalizing compile delays the first launch");
  }
}

CLMALI_HOST_CHECK("late-kernel-create", run);
