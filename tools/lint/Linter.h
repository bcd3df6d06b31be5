//===- Linter.h - from a parsed file to placed findings
//------------------------------------------===//

#ifndef CLMALI_TOOLS_LINT_LINTER_H
#define CLMALI_TOOLS_LINT_LINTER_H

#include "checks/model/host/Host.h"
#include "tools/lint/Lint.h"

namespace clmali::lint {

/// A kernel file, or a string literal \p Embedded of the host file \p Host. \p Hosts are all host
/// programs of the run; those of an embedded kernel begin with its own.
void lintKernels(llvm::StringRef Name, llvm::StringRef Text, bool Named, const Settings &S,
                 llvm::ArrayRef<const model::HostModule *> Hosts, const model::SourceFile *Host,
                 const model::EmbeddedKernel *Embedded, Report &To);

/// The host rules over a parsed host file.
void checkHost(const model::HostModule &H, const Settings &S, Report &To);

} // namespace clmali::lint

#endif
