//===- Rewrite.h - inputs and state of a background rewrite -----------------------------------===//

#ifndef CLMALI_TOOLS_CLANGD_REWRITE_H
#define CLMALI_TOOLS_CLANGD_REWRITE_H

#include "rules/Devices.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <string>
#include <vector>

namespace clmali::editor {

inline constexpr llvm::StringLiteral RewriteCommand = "clmali.rewrite";
inline constexpr llvm::StringLiteral RewriteKind = "refactor.rewrite";

/// Families to offer: those of the configured device, else all.
std::vector<const rules::DeviceFacts *> rewriteTargets(llvm::StringRef Device);

/// A running rewrite.
struct RewriteJob {
  std::string Uri, Path, Text;
  int64_t Version = 0;
  std::string Kernel;
  std::string Device, DeviceTitle;
  std::string Token; ///< token of its progress report
  std::atomic<bool> Cancelled{false};
};

} // namespace clmali::editor

#endif
