//===- Version.h - the version of all programs ------------------------------------------------===//

#ifndef CLMALI_TOOLS_VERSION_VERSION_H
#define CLMALI_TOOLS_VERSION_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace clmali {

/// The project's version, such as 0.2.0.
extern const char ToolVersion[];

/// Prints one line: "PROGRAM 0.2.0 (commit 0123456789ab, Clang 19.1.7)". A plus sign behind the
/// commit: the sources had changes. Clang is the one that parses kernels and host code.
void printVersion(llvm::StringRef Program);

} // namespace clmali

#endif
