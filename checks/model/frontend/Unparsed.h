//===-- checks/model/frontend/Unparsed.h - Why a file has no kernel ------*- C++ -*-===//
//
// Questions to the text of a file that did not parse, for messages: is it a template that a build
// fills in, text for a C macro, or does it have a kernel that does not parse?
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_UNPARSED_H
#define CLMALI_CHECKS_MODEL_FRONTEND_UNPARSED_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clmali::model {

/// A place that a build, a script or the host fills in: @N@, ${N}, $N, {{ n }}, {% .. %}, %(n)s, %s
/// where C expects a value or a statement.
struct Placeholder {
  std::string Spelling;
  unsigned Line = 0, Column = 0; ///< from 1
};

/// The first one outside of comments and string literals; nothing: there is none.
std::optional<Placeholder> firstPlaceholder(llvm::StringRef Text);

/// True if Text has the head of a kernel: kernel void, __kernel, or a macro of the host in its
/// place, KERNEL(copy)(..) or KERNEL void copy(..).
bool mentionsKernel(llvm::StringRef Text);

/// True if Text is the argument of a C macro, or string literals, and kernels are inside.
bool isWrappedText(llvm::StringRef Text);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_UNPARSED_H
