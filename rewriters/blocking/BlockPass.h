//===-- rewriters/blocking/BlockPass.h - block() as a pass --------------*- C++ -*-===//
#ifndef CLMALI_REWRITERS_BLOCKING_BLOCKPASS_H
#define CLMALI_REWRITERS_BLOCKING_BLOCKPASS_H

#include "rewriters/pass/PassState.h"

namespace clmali::rewrite {

/// Makes the whole block of S.How.Shape, lanes and rows. Returns 1, or 0 where it is refused.
unsigned makeBlock(PassState &S);

/// The refusal where the original works in groups and no launch gives a local size.
RefusalAt groupsLeftOpen(const PassContext &C);

} // namespace clmali::rewrite
#endif
