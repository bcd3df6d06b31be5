//===- HostCode.h - a manifest as code for the host -------------------------------------------===//
//
// Before: a manifest's entry: { "kernel": "f_v4", "when": "gx >= 4", "global": ["gx / 4"] }, ...
// After:  C or C++ that makes the kernels, sets their arguments and enqueues them in place of one
//         clEnqueueNDRangeKernel of the original, conditions and remainders included.
// Limits: OpenCL 1.2 (one event for several launches needs clEnqueueMarkerWithWaitList).
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REPORT_HOSTCODE_H
#define CLMALI_TOOLS_REPORT_HOSTCODE_H

#include "rewriters/launch/Manifest.h"
#include <string>
#include <vector>

namespace clmali::report {

enum class HostLanguage { C, Cpp };

/// \p Parameters: the kernel's, by name, in order (for `__local` arguments that grow).
std::string hostCode(const launch::ManifestKernel &K, llvm::ArrayRef<std::string> Parameters,
                     HostLanguage Language);

/// The launches in words, one sentence each.
std::vector<std::string> launchesInWords(const launch::ManifestKernel &K);

} // namespace clmali::report

#endif
