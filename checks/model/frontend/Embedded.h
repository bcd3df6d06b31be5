//===-- checks/model/frontend/Embedded.h - Kernels inside host strings ---*- C++ -*-===//
//
// Maps positions in a kernel that is a string literal back to the host file.
//
//   before: bytes [42, 43) of the kernel's source
//   after:  the bytes of host.c that spell them: two for a "\n"
//
// Limits: a kernel that a macro made of its argument (#x) has no exact positions; all of them map
// to the literal.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_FRONTEND_EMBEDDED_H
#define CLMALI_CHECKS_MODEL_FRONTEND_EMBEDDED_H

#include "checks/model/host/Host.h"
#include "llvm/ADT/ArrayRef.h"

namespace clmali::model {

/// Names with this prefix stand for parts of a program's text that are known only at run time: the
/// variable that holds it (HOST_type), or a number (HOST_TEXT2). No message may show them.
inline constexpr llvm::StringLiteral HostStandIn = "HOST_";

/// A name that stands for text known at run time, in a text that has IsGuessed.
struct StandIn {
  std::string Name;               ///< HOST_type
  std::optional<uint32_t> Offset; ///< of the expression in the host file
};
std::vector<StandIn> standIns(const EmbeddedKernel &E);

/// Message in words of the host's source: a variable's name for HOST_type, "the text of line 7" for
/// HOST_TEXT2. Assumptions that name stand-ins are left out of a list of them ("taken as ..");
/// empty: there are no others.
std::string inHostWords(const EmbeddedKernel &E, llvm::StringRef HostText, llvm::StringRef Message);

/// The bytes that spell R of E.Source, in the file where R begins.
SourceRange hostRange(const EmbeddedKernel &E, SourceRange R);

/// True if text may replace R of E.Source there: its bytes map one to one and are contiguous.
bool canEditInHost(const EmbeddedKernel &E, SourceRange R);

/// The options with which hosts build their programs: -D, -I (also relative to the folder of
/// KernelFile) and -cl-std. Values that are known only at run time are left out, so that they are
/// inferred like any other macro. First all option strings together, with the first value of each
/// macro; then each option string that defines other macros than these. Never empty.
std::vector<std::vector<std::string>> buildOptions(llvm::ArrayRef<const HostModule *> Hosts,
                                                   llvm::StringRef KernelFile);

/// True for OpenCL C, whatever the file's name: it defines kernels outside of strings and macro
/// arguments, and includes no system header.
bool isKernelSource(llvm::StringRef Text);

/// True if OpenCL C, or an option of its compiler, may use floating point. An #include may.
bool mayUseFloats(llvm::StringRef Source);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_EMBEDDED_H
