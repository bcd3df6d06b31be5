//===-- checks/model/host/repair/Conditions.h - Macros that satisfy #if ---*- C++ -*-===//
//
// The OpenCL part of a program may be built only with macros of a missing header or of the build
// system:
//
//   #if USE_CL || USE_BOTH        definitionsFor(.., the call)
//   #if BACKEND == 2              USE_CL=1, USE_BOTH=1, BACKEND=2
//     clFinish(queue);
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_REPAIR_CONDITIONS_H
#define CLMALI_CHECKS_MODEL_HOST_REPAIR_CONDITIONS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clmali::model {

/// Macros ("NAME=VALUE") that make the conditions around Offset true. Left out are those of
/// compilers and systems, those that the text defines, and those that must not be defined.
std::vector<std::string> definitionsFor(llvm::StringRef Text, uint32_t Offset);

} // namespace clmali::model
#endif
