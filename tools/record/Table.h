//===- Table.h - what was recorded, for people ------------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORD_TABLE_H
#define CLMALI_TOOLS_RECORD_TABLE_H

#include "tools/record/Recording.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::record {

/// The kernels by time, and what was not recorded. Builds of one program text with other options
/// are one line.
void printTable(const Recording &R, llvm::raw_ostream &Say);

/// What --pretend could not answer.
void printNotHonoured(const Recording &R, llvm::raw_ostream &Say);

/// Why no launch was recorded, as far as the layer saw the program. \p Kernels: the names that were
/// to be recorded; \p ExitCode: of the program.
std::string whyNothing(const Recording &R, llvm::StringRef Program, llvm::StringRef Kernels,
                       int ExitCode);

} // namespace clmali::record

#endif
