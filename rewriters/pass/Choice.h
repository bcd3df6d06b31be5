//===-- rewriters/pass/Choice.h - What candidates differ in -------------*- C++ -*-===//
#ifndef CLMALI_REWRITERS_PASS_CHOICE_H
#define CLMALI_REWRITERS_PASS_CHOICE_H

#include "rewriters/pass/BlockShape.h"

namespace clmali::rewrite {

/// Local memory that holds copies of global memory.
enum class Staging : uint8_t {
  Keep,       ///< as the source has it
  Localize,   ///< filled by asynchronous copies, or introduced
  Delocalize, ///< removed: reads go to global memory
};

/// One value for each axis along which candidates differ. The planner enumerates them, the
/// pipeline's steps read them.
struct Choice {
  bool LaunchValues = false;    ///< arguments that are the same in every launch are constants
  bool SplitComponents = false; ///< vectors of the source become scalars, so that items are lanes
  bool Exchange = false;        ///< buffers in place of images that are only written
  bool Unroll = false;          ///< loops of constant trip count
  Staging Stage = Staging::Keep;
  BlockShape Shape;     ///< work-items of the original that one new work-item does
  unsigned Inner = 1;   ///< unroll factor of innermost loops, so that loads become neighbours
  unsigned Sums = 1;    ///< iterations of a reduction loop that become lanes
  bool Overlap = false; ///< merge-loads also unites vector loads that share elements

  bool operator==(const Choice &) const = default;
};

} // namespace clmali::rewrite
#endif
