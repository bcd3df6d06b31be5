//===- HostCode.h - how the host builds and launches a kernel file ----------------------------===//
//
// Without a launch file, macros, build options and local sizes come from the host files that load
// the kernel file. Those are searched in the compilation database of -p, else in the kernel's
// folder.
//
// Limits: one build; values that are known only at run time are not known here either.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REWRITE_HOSTCODE_H
#define CLMALI_TOOLS_REWRITE_HOSTCODE_H

#include "checks/model/host/Host.h"
#include "tools/rewrite/Tool.h"

namespace clmali::tool {

struct HostCode {
  std::vector<std::string> Files;          ///< that load the kernel file
  std::vector<std::string> Options;        ///< -D, -I, -cl-std of its first build
  unsigned Builds = 0;                     ///< with different macros
  std::vector<model::HostLaunch> Launches; ///< of all kernels
};

/// Nothing was found: Files is empty. The error is about the build folder of -p.
llvm::Expected<HostCode> readHostCode(const Options &O);

/// The local size with which all known launches of a kernel are made; nothing: there is none.
std::optional<std::array<uint64_t, 3>> localSizeOf(llvm::ArrayRef<model::HostLaunch> Launches,
                                                   llvm::StringRef Kernel);

} // namespace clmali::tool

#endif
