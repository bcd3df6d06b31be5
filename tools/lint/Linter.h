//===- Linter.h - from a parsed file to located findings --------------------------------------===//

#ifndef CLMALI_TOOLS_LINT_LINTER_H
#define CLMALI_TOOLS_LINT_LINTER_H

#include "checks/model/host/Host.h"
#include "tools/lint/Lint.h"

namespace clmali::lint {

/// Lints a kernel file, or the string literal \p Embedded of the host file \p Host. \p Hosts are
/// all host programs of the run; for an embedded kernel its own host is the first.
void lintKernels(llvm::StringRef Name, llvm::StringRef Text, bool Named, const Settings &S,
                 llvm::ArrayRef<const model::HostModule *> Hosts, const model::SourceFile *Host,
                 const model::EmbeddedKernel *Embedded, Report &To);

/// Runs the host rules on a parsed host file.
void checkHost(const model::HostModule &H, const Settings &S, Report &To);

} // namespace clmali::lint

#endif
