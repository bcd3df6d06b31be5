//===- Severity.h - how severe a finding is, for hosts that know more than warnings
//--------------===//
//
// clang-tidy has remarks and warnings. clangd, which runs the same checks, takes a remark for a
// note to whatever came before, and could show errors: there every finding is emitted as a warning,
// and its severity is handed over here.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_TIDY_SEVERITY_H
#define CLMALI_CHECKS_TIDY_SEVERITY_H

#include "rules/Rules.h"
#include "llvm/ADT/StringRef.h"

namespace clmali::tidy {

/// Called on the thread that runs the checks of File: once with an empty Text before its findings,
/// then for each with its text. Null, the default: findings bear their level themselves.
using SeverityHook = void (*)(llvm::StringRef File, llvm::StringRef Text, rules::Severity);
extern SeverityHook OnFinding;

} // namespace clmali::tidy

#endif
