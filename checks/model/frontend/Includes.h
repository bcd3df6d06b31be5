//===-- checks/model/frontend/Includes.h - #include and -D, without a parse -*- C++ -*-===//
//
// Which headers a file includes and which macros the command line defines, found in their text.
// Limits: headers are sought in the file's folder and in the -I folders; #if is evaluated only
// where it tests __OPENCL_VERSION__ or __cplusplus.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_INCLUDES_H
#define CLMALI_CHECKS_MODEL_FRONTEND_INCLUDES_H

#include "checks/model/frontend/tolerant/TokenScan.h"
#include "llvm/ADT/ArrayRef.h"

namespace clmali::model {

struct ParseDiagnostic;

struct IncludedFile {
  std::string Path, Text;
};

/// The headers that Text includes, directly or not, as far as they are found.
std::vector<IncludedFile> headersOf(llvm::StringRef FileName, llvm::StringRef Text,
                                    llvm::ArrayRef<std::string> ClangArgs);

/// The macros that the command line defines, with their values. -DX=X is left out: it only says
/// that X is some name.
llvm::StringMap<std::string> macrosOf(llvm::ArrayRef<std::string> ClangArgs);

/// The include that was not found; empty: all were found.
std::string missingInclude(llvm::ArrayRef<ParseDiagnostic> Diagnostics);

/// Macros without which Text, a header that host and kernels share, includes headers that only a
/// host has.
std::vector<WantedMacro> macrosAgainstHostHeaders(llvm::StringRef Text,
                                                  const llvm::StringMap<std::string> &Given);

} // namespace clmali::model
#endif
