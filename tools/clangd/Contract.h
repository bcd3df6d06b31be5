//===- Contract.h - launches of a rewrite as a comment in the source --------------------------===//
//
// Before: "// clmali: rewritten from scale ..." and a manifest file, which an editor does not write
// After:  the same comment with every launch and every assumption of the manifest
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_CLANGD_CONTRACT_H
#define CLMALI_TOOLS_CLANGD_CONTRACT_H

#include "rewriters/launch/Manifest.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clmali::editor {

/// Adds the contract to \p Text if it contains a rewrite of \p M's original; else returns it
/// unchanged.
std::string withContract(llvm::StringRef Text, const launch::ManifestKernel &M);

} // namespace clmali::editor

#endif
