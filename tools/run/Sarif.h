// A verdict as a SARIF log.
#ifndef CLMALI_TOOLS_RUN_SARIF_H
#define CLMALI_TOOLS_RUN_SARIF_H

#include "rewriters/verify/Judge.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clmali {

/// One result for the rewritten file, at the kernel: note (held), error
/// (refuted), warning (inconclusive). The whole record is the run's property
/// "verdict".
std::string verdictSarif(const verify::Verdict &V, llvm::StringRef Original,
                     llvm::StringRef Rewritten, llvm::StringRef Kernel);

} // namespace clmali

#endif
