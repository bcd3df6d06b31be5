// Whether two functions of two modules are the same, with all that they call.
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_SAMEFUNCTION_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_SAMEFUNCTION_H

#include "llvm/IR/Function.h"

namespace clmali::verify::generic {

/// True if \p A and \p B execute the same instructions. Their modules share a context.
bool sameFunction(const llvm::Function &A, const llvm::Function &B);

/// Which properties of the launch a function depends on. Global ids are not counted.
struct LaunchUse {
  bool Sizes = false;  ///< global sizes, offsets, the number of dimensions
  bool Groups = false; ///< group and local ids and sizes, local memory, barriers
  bool any() const { return Sizes || Groups; }
};
LaunchUse launchUse(const llvm::Function &F);

} // namespace clmali::verify::generic

#endif
