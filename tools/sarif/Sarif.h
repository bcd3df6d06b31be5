//===- Sarif.h - parts of SARIF 2.1.0 logs that all programs share ----------------------------===//
//
// Files are named relative to the root of the repository that contains the working folder (else to
// the working folder), as code hosts expect; the log states that root.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_SARIF_SARIF_H
#define CLMALI_TOOLS_SARIF_SARIF_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace clmali::sarif {

/// Replaces invalid UTF-8, which JSON does not allow.
llvm::json::Value text(llvm::StringRef S);

/// The nearest folder at or above the file's that contains .git; else the working folder. Absolute.
std::string rootOf(llvm::StringRef File);
/// The path of a file relative to its root, with slashes; absolute if it is not below it.
std::string pathFromRoot(llvm::StringRef File);

/// {"uri": ..., "uriBaseId": ...}
llvm::json::Object artifactLocation(llvm::StringRef File);

/// Converts a byte column (from 1) to a column in UTF-16 code units, which SARIF counts.
unsigned utf16Column(llvm::StringRef Line, unsigned Column);

/// A complete log of one run. \p Driver is tool.driver; the fields that every run has are added to
/// \p Run.
std::string log(llvm::json::Object Driver, llvm::json::Object Run);

} // namespace clmali::sarif

#endif
