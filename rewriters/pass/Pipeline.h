//===-- rewriters/pass/Pipeline.h - The order of the passes -------------*- C++ -*-===//
//
// The steps that make a candidate, as data. Which candidates are made is the planner's business:
// it sets the axes of choice (Choice in PassState.h) and runs the steps.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PASS_PIPELINE_H
#define CLMALI_REWRITERS_PASS_PIPELINE_H

#include "rewriters/pass/Pass.h"

namespace clmali::rewrite {

/// When a step runs.
enum class When : uint8_t {
  Always,
  Never,
  Changed, ///< the step before it changed something
  // A choice of the planner:
  Values,     ///< arguments that are the same in every launch are constants
  Components, ///< vectors of the source are split
  Exchange,   ///< images that are only written become buffers
  Unroll,     ///< loops of constant trip count are unrolled
  Localize,
  Delocalize,
  Staged, ///< either of the two
  Lanes,  ///< work-items become lanes
  Rows,   ///< work-items become rows
  Inner,  ///< innermost loops are unrolled by a factor
  Sums,   ///< iterations of a reduction become lanes
  Overlap,
};
llvm::StringRef name(When W);

struct Step {
  llvm::StringLiteral Pass; ///< its id
  When Runs;
  When Must; ///< where this holds and the pass changes nothing, the candidate is dropped
  llvm::StringLiteral Why; ///< the reason for its place
};

/// From the lifted kernel to the form that blocks are made of; run once for each Base.
llvm::ArrayRef<Step> normalFormSteps();
/// Several work-items become one; run once for each shape.
llvm::ArrayRef<Step> blockSteps();
/// What pays on the finished block; run for each way to finish it.
llvm::ArrayRef<Step> finishSteps();

/// Do the choices of How make the step run? (Changed: no.)
bool holds(When W, const Choice &How);

} // namespace clmali::rewrite
#endif
