//===- Unfinished.h - checks within a TimeBudget ----------------------------------------------===//

#ifndef CLMALI_CHECKS_UNFINISHED_H
#define CLMALI_CHECKS_UNFINISHED_H

#include "checks/Check.h"

namespace clmali::checks {

/// As runKernelChecks of Check.h, within the TimeBudget of this thread: a kernel whose checks it
/// ends has no findings and is added to \p Unfinished, if it is not there yet.
std::vector<Finding> runKernelChecks(model::Module &M, const RunOptions &O,
                                     std::vector<const model::Kernel *> &Unfinished);

} // namespace clmali::checks

#endif
