//===- Report.h - the report of clmali-run, as HTML -------------------------------------------===//

#ifndef CLMALI_TOOLS_RUN_REPORT_H
#define CLMALI_TOOLS_RUN_REPORT_H

#include "rewriters/verify/Judge.h"
#include <string>

namespace clmali::run {

/// The verdict and the judge's record; both programs side by side; how the host runs the rewritten
/// one.
std::string reportOf(const verify::JudgeRequest &Request, const verify::Verdict &V);

struct SizeTime {
  std::string Size; ///< "n=4096"
  verify::Timing Time;
};

/// The program, and the time of its kernel at each size.
std::string reportOf(const launch::LaunchFile &Launch, const verify::ProgramText &Program,
                     llvm::ArrayRef<SizeTime> Times);

} // namespace clmali::run

#endif
