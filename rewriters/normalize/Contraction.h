//===-- rewriters/normalize/Contraction.h - Where x * y + z may fuse ------*- C++ -*-===//
//
// `#pragma OPENCL FP_CONTRACT` says whether a compiler may make one operation of
// a product and a sum. The model does not carry it: an expression that moves
// from a helper into the kernel, or from the body of a function into a new one,
// would be computed by other rules.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_NORMALIZE_CONTRACTION_H
#define CLMALI_REWRITERS_NORMALIZE_CONTRACTION_H

#include "checks/model/ir/Model.h"

namespace clmali::rewrite {

/// A pragma because of which K's expressions need not all follow the rule that
/// holds behind K, where the rewritten kernel stands. Nothing if one rule holds
/// for all: no pragma, or all of those before K's end stand outside of functions
/// and say the same, the first of them before any function.
std::optional<model::SourceRange> contractionSwitch(const model::Module &M, const model::Kernel &K);

} // namespace clmali::rewrite
#endif
