//===-- checks/model/pattern/LoadGroups.h - Loads that may become fewer -*- C++ -*-===//
//
// Loads of one buffer at constant distances, in straight-line code, between which nothing can write
// what they read:
//
//   a = vload8(0, p); b = vload8(0, p + 1); c = vload8(0, p + 2);     10 elements: one vload8, one
//                                                                     vload2, and swizzles
//
// Rule: overlapping-vector-loads. Pass: merge-loads.
//
// Limits: scalars, and vloadN of scalars; a vector in memory is not loaded as scalars. No private
// arrays, which are registers, and no constants of the program. A store through another pointer
// counts as one to the same buffer, unless restrict or a constant distance excludes it, or what may
// be assumed (Apart).
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_PATTERN_LOADGROUPS_H
#define CLMALI_CHECKS_MODEL_PATTERN_LOADGROUPS_H

#include "checks/model/analysis/Analysis.h"
#include "llvm/ADT/DenseSet.h"
#include <compare>
#include <map>
#include <set>
#include <vector>

namespace clmali::model::pattern {

/// Elements [Begin, End), counted from the first load of a group.
struct Span {
  int64_t Begin = 0, End = 0;
  bool overlaps(const Span &O) const { return Begin < O.End && O.Begin < End; }
  bool contains(const Span &O) const { return Begin <= O.Begin && O.End <= End; }
  int64_t size() const { return End - Begin; }
  auto operator<=>(const Span &O) const = default;
};

struct GroupedLoad {
  size_t At; ///< index of its statement in the block
  const Expr *Load;
  Span S;
  bool Conditional; ///< evaluated only if a condition of its statement holds
};

/// What is assumed about buffers where a load moves over a store to another one.
struct Apart {
  bool ByShift = false;   ///< they do not overlap other than as a whole
  bool ReadByAll = false; ///< what all work-items read is no buffer that each writes its part of
  Apart &operator|=(const Apart &O) {
    ByShift |= O.ByShift;
    ReadByAll |= O.ReadByAll;
    return *this;
  }
};

struct LoadGroup {
  Var *Base;
  ScalarKind Elem;
  Poly Address; ///< bytes, of element 0
  std::vector<GroupedLoad> Loads;
  std::vector<const Access *> Stores; ///< behind the loads so far, that may write what they read
  std::vector<Poly> StoredAt;         ///< their addresses
  Apart Assumed;                      ///< where loads of the group are behind stores
};

/// May A and B be the same memory?
bool mayAlias(const Var *A, const Var *B);
/// The element type of what V is an array of or points to.
const Type *elementOf(const Var *V);
/// True if Acc is one element, or several in a row, of an array of scalars.
bool isPlain(const Access &Acc);

/// True if accesses of so many bytes, Second minus First apart, touch no common byte: by a constant
/// distance, or because the steps of the distance are multiples of more (channels of pixels).
bool neverOverlap(const Poly &Distance, int64_t FirstBytes, int64_t SecondBytes);

/// True if all work-items load from one place, and each stores to its own: were the buffers one,
/// work-items would race, unless there is only one.
bool isReadByAll(const KernelAnalysis &A, const Access &Load, const Access &Store);

/// The groups of the loads in B's own statements, those of nested blocks left out. AssumeApart:
/// Apart::ReadByAll may be assumed.
std::vector<LoadGroup> loadGroups(const KernelAnalysis &A, const StmtList &B,
                                  bool AssumeApart = false);

/// The fewest loads that read just the union of Spans; empty where they are not fewer than Spans.
std::vector<Span> fewerLoads(const std::set<Span> &Spans);

/// The loads of the kernel that fewerLoads() replaces, and those of one address.
llvm::DenseSet<const Expr *> overlappingLoads(const KernelAnalysis &A);

} // namespace clmali::model::pattern

#endif
