//===- GroupLimit.cpp - the largest work-group that a device or a kernel allows ---------------===//

#include "checks/query/GroupLimit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;

/// The largest group of any member of the family.
static uint64_t largestGroup(const rules::DeviceFacts &D) {
  const rules::Fact *F = D.fact("largest-work-group");
  return std::max<uint64_t>(F ? F->Value : 0, D.MaxWorkGroup);
}

void checks::tooLarge(Finding &F, const rules::DeviceFacts &D, uint64_t Items) {
  if (Items > largestGroup(D)) {
    F.cost("the largest group is " + utostr(largestGroup(D)) + ", so the launch fails");
    F.fails();
    return;
  }
  F.cost("the largest group is " + utostr(D.MaxWorkGroup) +
         " on some models of the family, so the launch fails there");
}

uint64_t checks::groupLimit(const rules::DeviceFacts &D, double Registers) {
  uint64_t Most = largestGroup(D);
  uint64_t Resident = D.ThreadsFull;
  if (Registers > D.RegistersFull)
    Resident /= 2;
  if (Registers > D.RegistersHalf && D.RegistersQuarter > D.RegistersHalf)
    Resident /= 2;
  return std::min(Most, Resident);
}

bool checks::needsWholeGroups(const model::HostModule &H) {
  return !H.BuildOptions.empty() && all_of(H.BuildOptions, [](StringRef Options) {
    return !Options.contains('\1') && !Options.contains("-cl-std=CL2") &&
           !Options.contains("-cl-std=CL3") && !Options.contains("-cl-std=CLC++");
  });
}
