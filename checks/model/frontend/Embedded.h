//===-- checks/model/frontend/Embedded.h - Kernels inside host strings ---*- C++ -*-===//
//
// What it is: the way back from the text of a string literal to the host file
// that it stands in.
//
//   before: bytes [42, 43) of the kernel's source
//   after:  the bytes of host.c that spell them: two where it is "\n"
//
// Limits: a kernel that a macro made of its argument (#x) has no exact places;
// all of it lies at the literal.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_FRONTEND_EMBEDDED_H
#define CLMALI_CHECKS_MODEL_FRONTEND_EMBEDDED_H

#include "checks/model/host/Host.h"
#include "llvm/ADT/ArrayRef.h"

namespace clmali::model {

/// Where bytes R of E.Source are spelled, in the file of E.Range.
SourceRange hostRange(const EmbeddedKernel &E, SourceRange R);

/// May R of E.Source be replaced there by text? Only where its bytes map one to
/// one and lie together.
bool canEditInHost(const EmbeddedKernel &E, SourceRange R);

/// How hosts build their programs, as far as it can be seen: -D, -I and -cl-std; -I also beside
/// KernelFile. What is known only at run time is left out, so that it is guessed like any other
/// macro. First all option strings together, of several values the first; then each option string
/// alone that defines other macros than these. Never empty.
std::vector<std::vector<std::string>> buildOptions(llvm::ArrayRef<const HostModule *> Hosts,
                                                   llvm::StringRef KernelFile);

/// Is it OpenCL C, whatever the file is called? It defines kernels outside of strings and of
/// macros' arguments, and includes no header of the system.
bool isKernelSource(llvm::StringRef Text);

/// Does OpenCL C, or an option of its compiler, speak of floating point? Of what it includes
/// nothing is known: it may.
bool mayUseFloats(llvm::StringRef Source);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_EMBEDDED_H
