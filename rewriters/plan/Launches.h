//===-- rewriters/plan/Launches.h - How a rewritten kernel is launched -*- C++ -*-===//
//
// The launches (as in a manifest) that replace one launch of the original.
//
//   before               after, 4 lanes along dimension 0
//   global (gx)          global (gx / 4) of the new kernel, when gx >= 4,
//                        global (gx % 4) at offset ox + gx - gx % 4 of the original
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PLAN_LAUNCHES_H
#define CLMALI_REWRITERS_PLAN_LAUNCHES_H

#include "rewriters/launch/Manifest.h"
#include "rewriters/pass/BlockShape.h"
#include "rewriters/pass/LaunchContract.h"

namespace clmali::rewrite {

/// The launches that replace one launch of Original. Axis: the new kernel's
/// dimension d walks the original's Axis[d].
/// TailKernel does what blocks leave over; the original, if it needs no groups.
std::vector<launch::ManifestLaunch> launches(llvm::StringRef Original, llvm::StringRef New,
                                             llvm::StringRef TailKernel, unsigned Dims,
                                             const BlockShape &S, const LaunchContract &Needs,
                                             std::array<unsigned, 3> Axis);

/// The launches in words, for the comment above the kernel.
std::vector<std::string> contract(llvm::StringRef Original, unsigned Dims, const BlockShape &S,
                                  const LaunchContract &Needs, std::array<unsigned, 3> Axis,
                                  llvm::ArrayRef<std::string> Obligations);

} // namespace clmali::rewrite
#endif
