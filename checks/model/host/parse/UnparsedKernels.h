//===-- checks/model/host/parse/UnparsedKernels.h - Kernels of lost literals -*- C++ -*-===//
//
// A missing header may make a whole declaration unreadable, with the kernels in its literals:
//
//   const Text Kernels::source[] = R"(__kernel void f() { .. })";   Text is not declared
//
// These are found in the tokens of the file. So are kernels that statements compose where types are
// not known, as in templates:
//
//   s.append("__kernel void f(__global "); s.append(type); s.append(" *x) {");
//     becomes   __kernel void f(__global HOST_type *x) {
//
// Limits: branches and loops of the program count once each.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_PARSE_UNPARSEDKERNELS_H
#define CLMALI_CHECKS_MODEL_HOST_PARSE_UNPARSEDKERNELS_H

#include "checks/model/host/Host.h"
#include "llvm/ADT/ArrayRef.h"
#include <utility>

namespace clmali::model {

/// Adds the kernels in literals of Text, the main file, that are not among M.LiteralsSeen and not
/// in LeftOut.
void addUnparsedKernels(HostModule &M, llvm::StringRef Text,
                        llvm::ArrayRef<std::pair<uint32_t, uint32_t>> LeftOut);

} // namespace clmali::model
#endif
