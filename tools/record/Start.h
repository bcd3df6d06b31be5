//===- Start.h - starts a program with the layer ----------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORD_START_H
#define CLMALI_TOOLS_RECORD_START_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace clmali::record {

/// The folder of the layer's libraries, by the path of the running program.
llvm::Expected<std::string> layerFolder(const char *Argv0);

/// Runs the program, with the layer and these variables in its environment, and waits for it. Its
/// exit code; 128 + N if signal N ended it.
/// \p DropIn: in place of libOpenCL.so.1, for a library that knows no layers.
llvm::Expected<int> runWithLayer(llvm::ArrayRef<std::string> Command, const std::string &Folder,
                                 bool DropIn,
                                 llvm::ArrayRef<std::pair<std::string, std::string>> Variables);

} // namespace clmali::record

#endif
