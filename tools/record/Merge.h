//===- Merge.h - launch files of a recording --------------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORD_MERGE_H
#define CLMALI_TOOLS_RECORD_MERGE_H

#include "tools/record/Recording.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::record {

/// Writes the sources, the launch files and index.json into the recording's folder, and prints a
/// table.
llvm::Error writeLaunchFiles(const std::string &Folder, Recording R, llvm::raw_ostream &Say);

} // namespace clmali::record

#endif
