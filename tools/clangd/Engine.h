//===- Engine.h - clangd with clmali's checks -------------------------------------------------===//
//
// Before: the distribution's clangd, which has no clmali checks and parses a kernel file with
//         default flags.
// After:  clmali-* checks are registered, marked as fast and enabled unless the project's settings
//         say otherwise; kernel files are parsed for a device, in the dialect that they need.
// Limits: clangd's headers are not installed, so this is tied to version 19 (see CMakeLists.txt).
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_CLANGD_ENGINE_H
#define CLMALI_TOOLS_CLANGD_ENGINE_H

#include "rules/Rules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clmali::editor {

/// Settings of a file from .clangd, .clang-tidy and compile_commands.json; .clmali.yaml fills what
/// these leave open.
struct FileSettings {
  std::string Device;                  ///< empty: all families
  std::vector<std::string> ClangArgs;  ///< -D, -U, -I and -cl-... of its command
  std::vector<std::string> ConfigArgs; ///< those of .clmali.yaml, which clmali-rewrite reads itself
};

/// Settings of a file that clangd has opened; empty for other files. Thread-safe.
FileSettings settingsOf(llvm::StringRef Path);

/// The severity of a finding that clangd published for Path with Message.
rules::Severity severityOf(llvm::StringRef Path, llvm::StringRef Message);

/// --clmali-platform: the OpenCL platform that rewrites are verified on; empty: the first.
std::string verifyPlatform();

/// The error in our arguments, or empty.
std::optional<std::string> checkArguments(llvm::ArrayRef<std::string> Args);

/// Calls Tell, on any thread, with each error in a file's settings, once for each text.
void onProblem(std::function<void(const std::string &Text)> Tell);

/// Runs clangd's main on stdin and stdout, with clangd's arguments and ours (--clmali-...).
int runEngine(std::vector<std::string> Args);

/// True for kernel files by name: .cl and similar extensions.
bool isKernelFile(llvm::StringRef Path);

} // namespace clmali::editor

#endif
