//===-- checks/model/host/repair/Conditions.h - What #if asks for --------*- C++ -*-===//
//
// A program's OpenCL may be a part that is built only sometimes, as a header or the
// build says that is not here:
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

/// Macros ("NAME=VALUE") under which the conditions around Offset hold. Those of compilers and
/// systems, those that the text itself defines, and those that must not be defined there, are left
/// out.
std::vector<std::string> definitionsFor(llvm::StringRef Text, uint32_t Offset);

} // namespace clmali::model
#endif
