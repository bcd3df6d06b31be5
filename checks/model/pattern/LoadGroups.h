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
// counts as one to the same buffer, unless restrict or a constant distance excludes it.
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

struct LoadGroup {
  Var *Base;
  ScalarKind Elem;
  Poly Address; ///< bytes, of element 0
  std::vector<GroupedLoad> Loads;
  std::vector<Span> Written; ///< by stores behind the loads so far
};

/// May A and B be the same memory?
bool mayAlias(const Var *A, const Var *B);
/// The element type of what V is an array of or points to.
const Type *elementOf(const Var *V);
/// True if Acc is one element, or several in a row, of an array of scalars.
bool isPlain(const Access &Acc);

/// The groups of the loads in B's own statements, those of nested blocks left out.
std::vector<LoadGroup> loadGroups(const KernelAnalysis &A, const StmtList &B);

/// The fewest loads that read just the union of Spans; empty where they are not fewer than Spans.
std::vector<Span> fewerLoads(const std::set<Span> &Spans);

/// The loads of the kernel that fewerLoads() replaces, and those of one address.
llvm::DenseSet<const Expr *> overlappingLoads(const KernelAnalysis &A);

} // namespace clmali::model::pattern

#endif
