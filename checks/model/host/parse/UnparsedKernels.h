//===-- checks/model/host/parse/UnparsedKernels.h - Kernels in literals that did not parse -*- C++
//-*-===//
//
// Where a header is missing, a declaration may be lost whole, and with it the kernels
// that stand in its string literals:
//
//   const Text Kernels::source[] = R"(__kernel void f() { .. })";   nobody declares Text
//
// Those are found in the file's text. So are those that statements put together where their types
// are not known, as in templates:
//
//   s.append("__kernel void f(__global "); s.append(type); s.append(" *x) {");     __kernel void
//   f(__global HOST_type *x) {
//
// Limits: branches and loops of the program that puts a kernel together are taken once each.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_PARSE_UNPARSEDKERNELS_H
#define CLMALI_CHECKS_MODEL_HOST_PARSE_UNPARSEDKERNELS_H

#include "checks/model/host/Host.h"
#include "llvm/ADT/ArrayRef.h"
#include <utility>

namespace clmali::model {

/// Adds the kernels in literals of Text, the main file's, of which M has not seen the literal; none
/// of LeftOut.
void addUnparsedKernels(HostModule &M, llvm::StringRef Text,
                        llvm::ArrayRef<std::pair<uint32_t, uint32_t>> LeftOut);

} // namespace clmali::model
#endif
