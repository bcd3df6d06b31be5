//===- Engine.h - clangd with our checks in it
//--------------------------------------------------===//
//
// Before: the distribution's clangd, which knows no check of ours and takes a kernel file as it
// comes. After:  clmali-* checks are known, fast and on unless the project's settings say
// otherwise; kernel
//         files are parsed for a device, in the dialect that they need.
// Limits: clangd's headers are not shipped, so this holds for version 19 only (see CMakeLists.txt).
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

/// What is set for a file: in .clangd, .clang-tidy, compile_commands.json, and for what these leave
/// open in .clmali.yaml.
struct FileSettings {
  std::string Device;                  ///< empty: all families
  std::vector<std::string> ClangArgs;  ///< -D, -U, -I and -cl-... of its command
  std::vector<std::string> ConfigArgs; ///< those of .clmali.yaml, which clmali-rewrite reads itself
};

/// Of a file that clangd has opened; empty settings for others. Any thread.
FileSettings settingsOf(llvm::StringRef Path);

/// The severity of a finding that clangd published for Path with Message.
rules::Severity severityOf(llvm::StringRef Path, llvm::StringRef Message);

/// --clmali-platform: the OpenCL platform that rewrites are verified on; empty: the first.
std::string verifyPlatform();

/// What is wrong with our arguments, if anything.
std::optional<std::string> checkArguments(llvm::ArrayRef<std::string> Args);

/// Tell is called, on any thread, with what is wrong in a file's settings: once for each text.
void onProblem(std::function<void(const std::string &Text)> Tell);

/// clangd's main, on stdin and stdout. Arguments are clangd's, and ours (--clmali-...).
int runEngine(std::vector<std::string> Args);

/// By its name: .cl and its like.
bool isKernelFile(llvm::StringRef Path);

} // namespace clmali::editor

#endif
