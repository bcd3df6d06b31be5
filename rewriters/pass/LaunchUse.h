//===-- rewriters/pass/LaunchUse.h - How a kernel depends on its launch -*- C++ -*-===//
#ifndef CLMALI_REWRITERS_PASS_LAUNCHUSE_H
#define CLMALI_REWRITERS_PASS_LAUNCHUSE_H

#include "checks/model/ir/Model.h"
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

} // namespace clmali::rewrite
#endif
