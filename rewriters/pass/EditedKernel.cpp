//===-- rewriters/pass/EditedKernel.cpp - A kernel and its analysis -----------===//

#include "rewriters/pass/EditedKernel.h"

namespace clmali::rewrite {

EditedKernel::Analysis EditedKernel::analysis() const {
  if (!*Made)
    *Made = std::make_shared<const model::KernelAnalysis>(*M, *K);
  return *Made;
}

} // namespace clmali::rewrite
