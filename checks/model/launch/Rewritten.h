//===-- checks/model/launch/Rewritten.h - Kernels with a rewritten form ---*- C++ -*-===//
//
// A rewritten file keeps the original kernel where its launches need it. The comment above the
// rewritten kernel names the original:
//
//   __kernel void scale(...) {...}          runs what the blocks of scale_v4 leave over
//   // clmali: rewritten from scale
//   __kernel void scale_v4(...) {...}
//
// An original that works in groups cannot run what is left over; a rewritten kernel for single
// work-items does, and its comment says so.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_LAUNCH_REWRITTEN_H
#define CLMALI_CHECKS_MODEL_LAUNCH_REWRITTEN_H

#include "checks/model/ir/Model.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::model {

/// The first line of the comment of a rewritten kernel, without its "// ".
inline constexpr llvm::StringLiteral RewrittenMarker = "clmali: rewritten from ";

/// In the comment of a rewritten kernel that runs the remainder of another one's launch.
inline constexpr llvm::StringLiteral RemainderMarker = "the remainder of the blocks";

/// The name of the kernel of M whose launch leaves the remainder that K runs, by the comments of
/// rewritten kernels; empty: none.
std::string rewrittenForm(const Module &M, const Kernel &K);

} // namespace clmali::model
#endif
