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

/// The original as it was launched, where When holds.
launch::ManifestLaunch originalLaunch(llvm::StringRef Original, llvm::StringRef When);

/// The launches of First, each where it says, and those of Otherwise where First has none but the
/// original: Entry of First with the launches of both.
launch::ManifestKernel firstThatHolds(launch::ManifestKernel First,
                                      const launch::ManifestKernel &Otherwise);

/// The launches in words, for the comment above the kernel. Others: what is said of launches that
/// the conditions exclude, "f itself does".
std::vector<std::string> contract(llvm::StringRef Original, unsigned Dims, const BlockShape &S,
                                  const LaunchContract &Needs, std::array<unsigned, 3> Axis,
                                  llvm::ArrayRef<std::string> Obligations,
                                  const std::string &Others);

} // namespace clmali::rewrite
#endif
