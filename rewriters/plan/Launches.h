//===-- rewriters/plan/Launches.h - How a rewritten kernel is launched -*- C++ -*-===//
//
// How a kernel depends on its launch, and the launches (as in a manifest) that replace one launch
// of the original.
//
//   before               after, 4 lanes along dimension 0
//   global (gx)          global (gx / 4) of the new kernel, when gx >= 4,
//                        global (gx % 4) at offset ox + gx - gx % 4 of the original
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PLAN_LAUNCHES_H
#define CLMALI_REWRITERS_PLAN_LAUNCHES_H

#include "rewriters/blocking/Block.h"
#include "rewriters/pass/LaunchContract.h"

namespace clmali::rewrite {

/// The original's local size by dimension, in the expressions of a manifest.
inline constexpr const char *LocalNames[] = {"lx", "ly", "lz"};

/// Dimensions that a launch of K must have: the highest that a work-item function names.
unsigned dimensions(const model::Kernel &K);

/// Is there an id of dimension D in K? Where there is none, the work-items along
/// D all do the same, and a block of them only does it again.
bool itemsDifferAlong(const model::Kernel &K, unsigned D);

/// The first sign that K works in groups: local or group ids, barriers, local
/// memory, a required size. Nothing if there is none.
std::optional<model::SourceRange> groupUse(const model::Kernel &K);

/// Does K work in groups?
bool worksInGroups(const model::Kernel &K);

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
