//===-- checks/model/pattern/Opaque.h - Kernels that passes refuse whole -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_PATTERN_OPAQUE_H
#define CLMALI_CHECKS_MODEL_PATTERN_OPAQUE_H

#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model::pattern {

/// True if K has parts that the model cannot represent. They may access any memory, so a pass that
/// moves, merges or replaces accesses refuses the kernel.
inline bool hasOpaqueParts(const Kernel &K) {
  return !K.Opaques.empty() ||
         llvm::any_of(stmts(K.Body), [](const Stmt *S) { return S->K == StmtKind::Opaque; });
}

} // namespace clmali::model::pattern

#endif
