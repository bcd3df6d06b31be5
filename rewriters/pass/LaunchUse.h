//===-- rewriters/pass/LaunchUse.h - How a kernel depends on its launch -*- C++ -*-===//
#ifndef CLMALI_REWRITERS_PASS_LAUNCHUSE_H
#define CLMALI_REWRITERS_PASS_LAUNCHUSE_H

#include "checks/model/launch/LaunchFacts.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace clmali::rewrite {

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

/// The integer parameters of K that every launch sets to one value, and that K does not set.
llvm::DenseMap<const model::Var *, int64_t> knownScalars(const model::Kernel &K,
                                                         const model::LaunchFacts &Launch);
/// K where an integer argument of Scalars is its value, and the local size is Local (0: not known),
/// in place: what it computes in such launches.
void fixLaunch(model::Module &M, model::Kernel &K, const model::WorkSize &Local,
               const llvm::DenseMap<const model::Var *, int64_t> &Scalars =
                   llvm::DenseMap<const model::Var *, int64_t>());
/// A copy of K as the launches run it, for what they cost. Local: the local size of K; 0: not
/// known.
model::Kernel *asLaunched(model::Module &M, const model::Kernel &K,
                          const model::LaunchFacts &Launch, const model::WorkSize &Local);

} // namespace clmali::rewrite
#endif
