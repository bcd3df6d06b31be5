//===- CompileCommands.h - host files and their flags -----------------------------------------===//

#ifndef CLMALI_TOOLS_CONFIG_COMPILECOMMANDS_H
#define CLMALI_TOOLS_CONFIG_COMPILECOMMANDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace clmali::config {

struct CompileCommand {
  std::string File; ///< absolute
  std::vector<std::string> Args;
};

/// Reads compile_commands.json in \p Build. Keeps only the arguments that a parse needs: not the
/// compiler's name, the input file, or outputs.
llvm::Expected<std::vector<CompileCommand>> readCompileCommands(llvm::StringRef Build);

/// True for the name of a C or C++ file.
bool isHostFile(llvm::StringRef Name);

/// True if a string literal of a host names the kernel file: "kernels/saxpy.cl" names
/// ".../kernels/saxpy.cl".
bool namesFile(llvm::StringRef Literal, llvm::StringRef Path);

} // namespace clmali::config

#endif
