// A verdict as a SARIF log.
#ifndef CLMALI_TOOLS_RUN_SARIF_H
#define CLMALI_TOOLS_RUN_SARIF_H

#include "rewriters/verify/Judge.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clmali {

/// One result for the rewritten file, at its kernel \p NewKernel: pass (held), fail
/// (refuted), open (inconclusive). The whole record is the run's property
/// "verdict".
std::string verdictSarif(const verify::Verdict &V, const verify::ProgramText &Original,
                         const verify::ProgramText &Rewritten, llvm::StringRef Kernel,
                         llvm::StringRef NewKernel);

} // namespace clmali

#endif
