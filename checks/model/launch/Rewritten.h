//===-- checks/model/launch/Rewritten.h - Kernels with a rewritten form ---*- C++ -*-===//
//
// A rewritten file keeps the original kernel where its launches need it. The comment above the
// rewritten kernel names the original:
//
//   __kernel void scale(...) {...}          runs what the blocks of scale_v4 leave over
//   // clmali: rewritten from scale
//   __kernel void scale_v4(...) {...}
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_LAUNCH_REWRITTEN_H
#define CLMALI_CHECKS_MODEL_LAUNCH_REWRITTEN_H

#include "checks/model/ir/Model.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::model {

/// The first line of the comment of a rewritten kernel, without its "// ".
inline constexpr llvm::StringLiteral RewrittenMarker = "clmali: rewritten from ";

/// The name of another kernel of M whose comment says that it was rewritten from K; empty: none.
std::string rewrittenForm(const Module &M, const Kernel &K);

} // namespace clmali::model
#endif
