//===- JudgeRecord.h - a verdict on a report page ---------------------------------------------===//

#ifndef CLMALI_TOOLS_REPORT_JUDGERECORD_H
#define CLMALI_TOOLS_REPORT_JUDGERECORD_H

#include "rewriters/verify/Judge.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace clmali::report {

/// "held: proved", "refuted", "inconclusive" in a coloured frame.
std::string verdictBadge(const verify::Verdict &V);

/// The verdict, its counterexample, each check with its state, and the whole record to open.
std::string judgeRecord(const verify::Verdict &V);

/// A cell of a table that is stacked on narrow screens; \p Is names its column there.
std::string cell(llvm::StringRef Is, const llvm::Twine &Text, bool Number = false);

} // namespace clmali::report

#endif
