//===-- checks/model/analysis/Pinned.h - Accesses of a single work-item -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_PINNED_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_PINNED_H

#include "checks/model/analysis/Analysis.h"

namespace clmali::model {

/// True if a guard of Site leaves only one work-item of dimension Dim (get_local_id(0) == 0). Other
/// guards may do so, too: false proves nothing.
bool isPinned(const KernelAnalysis &K, const AccessSite &Site, unsigned Dim);

} // namespace clmali::model
#endif
