//===-- checks/model/Embedded.h - Kernels inside host strings ---*- C++ -*-===//
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

#ifndef CLMALI_CHECKS_MODEL_EMBEDDED_H
#define CLMALI_CHECKS_MODEL_EMBEDDED_H

#include "checks/model/Host.h"

namespace clmali::model {

/// Where bytes R of E.Source are spelled, in the file of E.Range.
SourceRange hostRange(const EmbeddedKernel &E, SourceRange R);

/// May R of E.Source be replaced there by text? Only where its bytes map one to
/// one and lie together.
bool canEditInHost(const EmbeddedKernel &E, SourceRange R);

/// How the host builds its programs, as far as it can be seen: the -D options of
/// every option string, in order.
std::vector<std::string> hostDefines(const HostModule &H);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_EMBEDDED_H
