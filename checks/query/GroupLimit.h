//===- GroupLimit.h - the largest work-group that a device or a kernel allows -----------------===//

#ifndef CLMALI_CHECKS_QUERY_GROUPLIMIT_H
#define CLMALI_CHECKS_QUERY_GROUPLIMIT_H

#include "checks/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::checks {

/// The largest group of any member of the family.
inline uint64_t largestGroupOf(const rules::DeviceFacts &D) {
  const rules::Fact *F = D.fact("largest-work-group");
  return std::max<uint64_t>(F ? F->Value : 0, D.MaxWorkGroup);
}

/// Adds to a finding that a group of Items work-items, more than the family's max-work-group, is
/// too large: the launch fails on all members of the family, or on some.
inline void tooLarge(Finding &F, const rules::DeviceFacts &D, uint64_t Items) {
  if (Items > largestGroupOf(D)) {
    F.cost("the largest group is " + llvm::utostr(largestGroupOf(D)) + ", so the launch fails");
    F.fails();
    return;
  }
  F.cost("the largest group is " + llvm::utostr(D.MaxWorkGroup) +
         " on some models of the family, so the launch fails there");
}

/// The work-items of a group of a kernel that needs this many registers for each: all that a core
/// holds at full occupancy, half or a quarter of them, and at most the device's largest group.
inline uint64_t groupLimit(const rules::DeviceFacts &D, double Registers) {
  uint64_t Most = largestGroupOf(D);
  uint64_t Resident = D.ThreadsFull;
  if (Registers > D.RegistersFull)
    Resident /= 2;
  if (Registers > D.RegistersHalf && D.RegistersQuarter > D.RegistersHalf)
    Resident /= 2;
  return std::min(Most, Resident);
}

/// True if every build of the host file is for OpenCL C before 2.0, where the local size must
/// divide the global size. False if it builds nothing, or with options that are not known.
inline bool needsWholeGroups(const model::HostModule &H) {
  return !H.BuildOptions.empty() && llvm::all_of(H.BuildOptions, [](llvm::StringRef Options) {
    return !Options.contains('\1') && !Options.contains("-cl-std=CL2") &&
           !Options.contains("-cl-std=CL3") && !Options.contains("-cl-std=CLC++");
  });
}

} // namespace clmali::checks

#endif
