//===- Severity.h - severities of findings for clangd -----------------------------------------===//
//
// clang-tidy has remarks and warnings. clangd, which runs the same checks, attaches a remark as a
// note to the previous diagnostic, and can show errors. In clangd every finding is emitted as a
// warning, and its severity is passed through this hook.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_TIDY_SEVERITY_H
#define CLMALI_CHECKS_TIDY_SEVERITY_H

#include "rules/Rules.h"
#include "llvm/ADT/StringRef.h"

namespace clmali::tidy {

/// Called on the thread that runs the checks of File: once with an empty Text before its findings,
/// then for each with its text. Null (the default): the diagnostic level is the severity.
using SeverityHook = void (*)(llvm::StringRef File, llvm::StringRef Text, rules::Severity);
extern SeverityHook OnFinding;

} // namespace clmali::tidy

#endif
