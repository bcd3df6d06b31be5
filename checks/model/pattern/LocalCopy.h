//===-- checks/model/pattern/LocalCopy.h - Values that are copies of memory -*- C++ -*-===//
//
// What is stored to a local array, where that is a copy of global memory:
//
//   tile[l] = in[g];                                a load
//   tile[l] = g < n ? in[g] : 0;                    a load, or a constant of the launch
//   float v = 0; if (g < n) v = in[g]; tile[l] = v; the same
//   tile[l] = in4[g].x;                             a component
//
// Rules: local-copy-barrier, manual-local-preload. Passes: delocalize, localize.
//
// Limits: conversions, selections, components and vectors of loads and constants. Variables are
// followed to all that they may have been given.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_PATTERN_LOCALCOPY_H
#define CLMALI_CHECKS_MODEL_PATTERN_LOCALCOPY_H

#include "checks/model/analysis/Analysis.h"
#include "checks/model/ir/Traversal.h"
#include <optional>
#include <set>

namespace clmali::model::pattern {

/// if (c) v = a; else v = b;  or  v = b; if (c) v = a;
struct ChosenValue {
  const Stmt *If = nullptr, *Then = nullptr, *Else = nullptr;
};

/// What a value is copied from.
struct CopySources {
  std::vector<const Expr *> Loads;  ///< from global or constant memory
  std::vector<const Expr *> Pixels; ///< reads of images
  /// True if the value can be computed anew where the copy is read: a pass can replace the copy.
  /// Private arrays, images that are written, volatile loads and variables with several values
  /// cannot.
  bool Replaceable = true;
};

/// How the copies into a local array and its reads stand to each other.
struct StagingOrder {
  enum Kind : uint8_t {
    Staged,           ///< all copies, Barrier, all reads
    WrittenAfterRead, ///< a copy follows a read
    NoBarrier,        ///< no barrier between the last copy and the first read
    DivergentBarrier, ///< not all work-items of a group reach the barrier
  };
  Kind K = Staged;
  StmtList *List = nullptr; ///< the innermost one that holds all of them
  Stmt *Barrier = nullptr;
};

class CopyRecognizer {
public:
  explicit CopyRecognizer(const KernelAnalysis &A);

  /// The sources of E, as computed at At; nothing if E is not a copy.
  std::optional<CopySources> sourcesOf(const Expr *E, const Stmt *At) const;
  /// The two values that V may have at Use, if a branch chooses between them.
  std::optional<ChosenValue> chosenValue(const Var *V, const Stmt *Use) const;
  /// The order of Writes and Reads of one local array; neither may be empty.
  StagingOrder orderOf(llvm::ArrayRef<const Stmt *> Writes,
                       llvm::ArrayRef<const Stmt *> Reads) const;
  /// The same, of all accesses to Tile; false where it is never written or never read.
  bool isStaged(const Var *Tile) const;

private:
  struct Visit;
  const KernelAnalysis &A;
  StmtTree Tree;
};

} // namespace clmali::model::pattern

#endif
