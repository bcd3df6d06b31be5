//===-- checks/model/host/parse/LostCalls.h - Calls that a parse did not find -*- C++ -*-===//
//
// Compares the tokens of a host file with the calls that were lifted from it. What is missing shows
// whether another parse, with other options or declarations, is worth while.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_PARSE_LOSTCALLS_H
#define CLMALI_CHECKS_MODEL_HOST_PARSE_LOSTCALLS_H

#include "checks/model/host/parse/HostRun.h"

namespace clmali::model {

/// Calls of the API in the text that are not among the lifted calls.
struct LostCalls {
  unsigned Lost = 0;                    ///< not in regions that #if leaves out
  unsigned Hidden = 0;                  ///< in such regions
  uint32_t FirstHidden = 0;             ///< the offset of the first hidden call
  std::optional<uint32_t> LaunchHidden; ///< the offset of the first hidden launch
};
LostCalls lostCalls(llvm::StringRef Text, const HostRun &Run);

/// The offsets of the word `kernel` of kernels, in strings or not; 16 at most.
std::vector<uint32_t> kernelOffsets(llvm::StringRef Text);

/// Options that define macros of missing headers which make strings of kernels: `STRINGIZE(
/// __kernel void .. )`.
std::vector<std::string> stringMacros(llvm::StringRef Text);

} // namespace clmali::model
#endif
