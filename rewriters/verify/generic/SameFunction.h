// Whether two functions of two modules are the same, with all that they call.
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_SAMEFUNCTION_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_SAMEFUNCTION_H

#include "llvm/IR/Function.h"

namespace clmali::verify::generic {

/// True if \p A and \p B execute the same instructions. Their modules share a context.
bool sameFunction(const llvm::Function &A, const llvm::Function &B);

/// True if what \p F computes depends on more of its launch than the global ids: sizes, offsets,
/// groups, local memory, barriers.
bool dependsOnLaunch(const llvm::Function &F);

} // namespace clmali::verify::generic

#endif
