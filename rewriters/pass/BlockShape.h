//===-- rewriters/pass/BlockShape.h - Work-items that become one --------*- C++ -*-===//
#ifndef CLMALI_REWRITERS_PASS_BLOCKSHAPE_H
#define CLMALI_REWRITERS_PASS_BLOCKSHAPE_H

#include "checks/model/ir/Model.h"
#include <array>

namespace clmali::rewrite {

/// True for sizes and offsets, which count work-items: those of a launch of blocks are smaller.
inline bool countsItems(model::WorkItemQuery Q) {
  return Q == model::WorkItemQuery::GlobalSize || Q == model::WorkItemQuery::LocalSize ||
         Q == model::WorkItemQuery::GlobalOffset;
}

struct BlockShape {
  unsigned LaneDim = 0; ///< dimension along which work-items become lanes; 3: none, with one lane
  unsigned Lanes = 1;   ///< 1, 2, 4, 8 or 16
  /// Work-items repeated along each dimension (1 along LaneDim).
  std::array<unsigned, 3> Rows = {1, 1, 1};
  /// Neighbouring work-items that are made one before the others are its lanes and rows.
  std::array<unsigned, 3> Phases = {1, 1, 1};
  /// Original work-items for each new one along Dim.
  unsigned factor(unsigned Dim) const { return (Dim == LaneDim ? Lanes : Rows[Dim]) * Phases[Dim]; }
  unsigned rows() const { return Rows[0] * Rows[1] * Rows[2]; }
  unsigned phases() const { return Phases[0] * Phases[1] * Phases[2]; }

  bool operator==(const BlockShape &) const = default;
};

} // namespace clmali::rewrite
#endif
