//===- Sarif.h - what the SARIF 2.1.0 logs of all programs share
//--------------------------------===//
//
// Files are named from the root of the repository that the working folder lies in (else from the
// working folder), as code hosts want it; the log says where that root is.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_SARIF_SARIF_H
#define CLMALI_TOOLS_SARIF_SARIF_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace clmali::sarif {

/// Source lines and messages may hold bytes that are no UTF-8; JSON may not.
llvm::json::Value text(llvm::StringRef S);

/// The nearest folder at or above the file's that holds .git; else the working folder. Absolute.
std::string rootOf(llvm::StringRef File);
/// The path of a file below its root, with slashes; absolute if it does not lie there.
std::string pathFromRoot(llvm::StringRef File);

/// {"uri": ..., "uriBaseId": ...}
llvm::json::Object artifactLocation(llvm::StringRef File);

/// Byte column (from 1) of a line as a column in UTF-16 code units, which is what SARIF counts.
unsigned utf16Column(llvm::StringRef Line, unsigned Column);

/// A whole log of one run. \p Driver is tool.driver; \p Run gets all that every run has.
std::string log(llvm::json::Object Driver, llvm::json::Object Run);

} // namespace clmali::sarif

#endif
