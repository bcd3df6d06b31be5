//===-- checks/model/host/parse/HostRun.h - One run of Clang over a host file -*- C++ -*-===//
//
// Parses a host file once, keeps the diagnostics, and lifts what could be parsed. Which options are
// tried, and in which order, is decided by Parse.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_PARSE_HOSTRUN_H
#define CLMALI_CHECKS_MODEL_HOST_PARSE_HOSTRUN_H

#include "checks/model/host/Host.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

struct HostRun {
  std::unique_ptr<HostModule> M; ///< null: nothing was parsed
  std::vector<ParseDiagnostic> Errors;
  std::vector<ParseDiagnostic> Missing; ///< headers that were not found
  /// What #if leaves out of the main file: from, to, in bytes.
  std::vector<std::pair<uint32_t, uint32_t>> LeftOut;

  bool isLeftOut(uint32_t Offset) const {
    return llvm::any_of(LeftOut,
                        [&](const auto &R) { return Offset >= R.first && Offset < R.second; });
  }
};

/// Missing: one of HostRun::Missing. The name of its header.
llvm::StringRef missingHeader(const ParseDiagnostic &Missing);

/// Parses Text as FileName. Names: the text of MissingNamesFile.
HostRun runHostParse(llvm::StringRef FileName, llvm::StringRef Text, llvm::StringRef Names,
                     const std::vector<std::string> &Args);

} // namespace clmali::model
#endif
