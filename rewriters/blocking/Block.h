//===-- rewriters/blocking/Block.h - Several work-items become one -------*- C++ -*-===//
//
// The transformation of `vectorize` and `coarsen`: a block of adjacent work-items becomes one
// work-item of a new kernel. Along one dimension the items become the lanes of vectors, along the
// others (rows) their statements are repeated and share uniform values.
//
//   before                             after, 4 lanes
//   int i = get_global_id(0);          int i = get_global_id(0) * 4;
//   if (i < n)                         if (i + 3 < n)
//     y[i] = a * x[i] + y[i];            vstore4(a * vload4(0, x + i) + vload4(0, y + i), 0, y +
//     i);
//                                      else
//                                        for (int lane = 0; lane < 4; ++lane) ...
//
// The items of a block run in lockstep. Work-items are ordered by barriers and atomics only, so
// this is legal for race-free kernels; each item's own order of reads and writes is kept.
//
// Where items of a block may diverge, the block tests whether all agree (assumptions: guards,
// clamps of coordinates, divisions of flattened indices) and runs item by item otherwise.
//
// Limits: what it refuses is in Refusal, with the location. It makes no loads at addresses that the
// original items do not read.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_BLOCK_H
#define CLMALI_REWRITERS_BLOCKING_BLOCK_H

#include "rewriters/plan/Rewrite.h"

namespace clmali::rewrite {

/// The obligation for moving a load past a store to another buffer.
constexpr llvm::StringLiteral NoOverlapText = "buffers do not overlap other than as a whole";

/// The obligation for moving a load that all work-items make past a store of each of them: were the
/// buffers one, the original would have a race, unless it is launched with one work-item.
constexpr llvm::StringLiteral ReadByAllText =
    "no buffer that all work-items read is one that they write";

/// The obligation for a vector that ends at elements of the next work-item.
constexpr llvm::StringLiteral NextItemText =
    "buffers hold the elements of each work-item that passes the guards of the kernel";

struct BlockShape {
  unsigned LaneDim = 0; ///< dimension along which work-items become lanes; 3: none, with one lane
  unsigned Lanes = 1;   ///< 1, 2, 4, 8 or 16
  std::array<unsigned, 3> Rows = {
      1, 1, 1}; ///< work-items repeated along each dimension (1 along LaneDim)
  /// Original work-items for each new one along Dim.
  unsigned factor(unsigned Dim) const { return Dim == LaneDim ? Lanes : Rows[Dim]; }
  unsigned rows() const { return Rows[0] * Rows[1] * Rows[2]; }
};

/// What the new kernel requires of its launch.
struct BlockNeeds {
  int64_t IdsBelow = 0;        ///< all global ids are below this power of two; 0: any
  bool WholeBlocks = false;    ///< global sizes must divide: the kernel reads them
  bool GroupSemantics = false; ///< barriers, local memory, group ids: groups map one to one
  std::array<int64_t, 3> LocalMax = {0, 0,
                                     0}; ///< largest original local size that is right; 0: any
  std::vector<std::string> When;         ///< other conditions, as in a manifest
};

struct BlockOutcome {
  model::Kernel *K = nullptr; ///< null: refused
  std::vector<RefusalAt> Refusals;
  BlockNeeds Needs;
  std::vector<std::string> Obligations;       ///< assumed, not proved
  bool Versioned = false;                     ///< has a slow path
  std::array<unsigned, 3> Border = {0, 0, 0}; ///< blocks along each dimension that always take it
  unsigned Packs = 0;                         ///< groups of isomorphic statements that became lanes
  unsigned VectorAccesses = 0, ScalarAccesses = 0; ///< made in the fast path
};

/// Original must have been normalized (normalize in Passes.h); A describes it. Short: the same
/// kernel without unrolled loops, for the items that run one by one.
BlockOutcome block(model::Module &M, const model::Kernel &Original, const model::KernelAnalysis &A,
                   const BlockShape &S, const model::Kernel *Short = nullptr);

} // namespace clmali::rewrite
#endif
