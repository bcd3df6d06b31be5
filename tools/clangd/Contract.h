//===- Contract.h - the launches of a rewrite, in the text itself
//-------------------------------===//
//
// Before: "// clmali: rewritten from scale ..." and a manifest beside it, which an editor does not
// write After:  the same comment, with every launch and every assumption of the manifest
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_CLANGD_CONTRACT_H
#define CLMALI_TOOLS_CLANGD_CONTRACT_H

#include "rewriters/launch/Manifest.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clmali::editor {

/// \p Text, where it holds a rewrite of \p M's original; unchanged otherwise.
std::string withContract(llvm::StringRef Text, const launch::ManifestKernel &M);

} // namespace clmali::editor

#endif
