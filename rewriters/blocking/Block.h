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

#include "checks/model/analysis/Analysis.h"
#include "rewriters/pass/BlockShape.h"
#include "rewriters/pass/LaunchContract.h"
#include "rewriters/pass/Refusal.h"

namespace clmali::rewrite {

struct BlockOutcome {
  model::Kernel *K = nullptr; ///< null: refused
  std::vector<RefusalAt> Refusals;
  LaunchContract Needs;                       ///< of this block
  std::array<unsigned, 3> Border = {0, 0, 0}; ///< blocks along each dimension on the slow path
};

/// Original must have been normalized (normalize in Passes.h); A describes it. Short: the same
/// kernel without unrolled loops, for the items that run one by one.
BlockOutcome block(model::Module &M, const model::Kernel &Original, const model::KernelAnalysis &A,
                   const BlockShape &S, const model::Kernel *Short = nullptr);

/// phases/Phases.cpp: the same for a shape with phases.
BlockOutcome blockOfPhases(model::Module &M, const model::Kernel &Original,
                           const model::KernelAnalysis &A, const BlockShape &S,
                           const model::Kernel *Short = nullptr);
/// By dimension, the smallest number of work-items after which the remainders of global ids that
/// the kernel computes repeat; 1: it computes none.
std::array<unsigned, 3> phasesOf(const model::KernelAnalysis &A);

} // namespace clmali::rewrite
#endif
