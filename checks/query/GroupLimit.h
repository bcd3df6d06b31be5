//===- GroupLimit.h - the largest work-group that a device or a kernel allows -----------------===//

#ifndef CLMALI_CHECKS_QUERY_GROUPLIMIT_H
#define CLMALI_CHECKS_QUERY_GROUPLIMIT_H

#include "checks/Check.h"

namespace clmali::checks {

/// Adds to a finding that a group of Items work-items, more than the family's max-work-group, is
/// too large: the launch fails on all members of the family, or on some.
void tooLarge(Finding &F, const rules::DeviceFacts &D, uint64_t Items);

/// The work-items of a group of a kernel that needs this many registers for each: all that a core
/// holds at full occupancy, half or a quarter of them, and at most the device's largest group.
uint64_t groupLimit(const rules::DeviceFacts &D, double Registers);

/// True if every build of the host file is for OpenCL C before 2.0, where the local size must
/// divide the global size. False if it builds nothing, or with options that are not known.
bool needsWholeGroups(const model::HostModule &H);

} // namespace clmali::checks

#endif
