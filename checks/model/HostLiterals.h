//===-- checks/model/HostLiterals.h - Kernels in literals that did not parse -*- C++ -*-===//
//
// Where a header is missing, a declaration may be lost whole, and with it the kernels
// that stand in its string literals:
//
//   const Text Kernels::source[] = R"(__kernel void f() { .. })";   nobody declares Text
//
// Those are found in the file's text.
//
// Limits: of pieces that a program joins, each run of neighbouring literals alone.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOSTLITERALS_H
#define CLMALI_CHECKS_MODEL_HOSTLITERALS_H

#include "checks/model/Host.h"
#include "llvm/ADT/ArrayRef.h"
#include <utility>

namespace clmali::model {

/// Adds the kernels in literals of Text, the main file's, of which M has not seen the literal; none of LeftOut.
void addUnparsedKernels(HostModule &M, llvm::StringRef Text, llvm::ArrayRef<std::pair<uint32_t, uint32_t>> LeftOut);

} // namespace clmali::model
#endif
