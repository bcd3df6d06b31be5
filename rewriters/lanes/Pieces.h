//===-- rewriters/lanes/Pieces.h - Runs of lanes as vectors ------------*- C++ -*-===//
//
// OpenCL has vectors of 2, 3, 4, 8 and 16 lanes. A run of another length is made of several.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LANES_PIECES_H
#define CLMALI_REWRITERS_LANES_PIECES_H

#include "checks/model/ir/Model.h"

namespace clmali::rewrite {

constexpr unsigned MostLanes = 16;

/// The lanes of the first piece of a run of Run > 0 lanes: the longest power of two up to Most > 0.
unsigned pieceLength(uint64_t Run, uint64_t Most = MostLanes);
/// As pieceLength, for adjacent elements in memory: three may be accessed together.
unsigned accessLength(uint64_t Run, uint64_t Most = MostLanes);

/// The element of memory that is Elements behind Acc's, in the same array.
model::Access movedBy(model::Module &M, model::Access Acc, int64_t Elements);

/// One lane of a vector.
struct LaneOf {
  const model::Expr *Vector; ///< or a scalar, whose lane is 0
  uint8_t Lane;
};
/// From as one vector, whose length OpenCL has: consecutive lanes of one vector are swizzled
/// together.
const model::Expr *gatherLanes(model::Module &M, llvm::ArrayRef<LaneOf> From);

/// Parts as one vector, whose length OpenCL has: components of vectors are gathered, other scalars
/// and vectors put between them.
const model::Expr *putTogether(model::Module &M, llvm::ArrayRef<const model::Expr *> Parts);

} // namespace clmali::rewrite
#endif
