//===-- rewriters/staging/StagingPass.h - Contract of staging passes ----*- C++ -*-===//
#ifndef CLMALI_REWRITERS_STAGING_STAGINGPASS_H
#define CLMALI_REWRITERS_STAGING_STAGINGPASS_H

#include "rewriters/pass/PassState.h"
#include "rewriters/pass/Passes.h"

namespace clmali::rewrite {

/// What is required so far, and the local size that may be relied on.
StagingNeeds stagingNeeds(const PassState &S);

/// Takes over what a pass has added. False, with a refusal: a condition of the launch would read
/// an integer parameter whose name stands for the geometry in manifests.
bool acceptNeeds(PassState &S, const StagingNeeds &Needs);

} // namespace clmali::rewrite
#endif
