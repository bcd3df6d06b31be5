//===-- rewriters/normalize/Contraction.h - Where x * y + z may fuse ------*- C++ -*-===//
//
// `#pragma OPENCL FP_CONTRACT` decides whether a compiler may fuse a product and a sum. The model
// does not represent it: an expression that moves from a helper into the kernel, or from one
// function into another, could be computed under another setting.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_NORMALIZE_CONTRACTION_H
#define CLMALI_REWRITERS_NORMALIZE_CONTRACTION_H

#include "checks/model/ir/Model.h"

namespace clmali::rewrite {

/// A pragma because of which the setting for some of K's expressions may differ from that after K,
/// where the rewritten kernel is placed. Nothing if one setting applies to all: there is no pragma,
/// or all pragmas before K's end are outside functions and agree, the first of them before any
/// function, or all of them say ON, which is the default.
std::optional<model::SourceRange> contractionSwitch(const model::Module &M, const model::Kernel &K);

} // namespace clmali::rewrite
#endif
