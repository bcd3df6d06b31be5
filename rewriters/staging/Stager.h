//===-- rewriters/staging/Stager.h - Inside stageReuse ----------------*- C++ -*-===//
//
// What is read, and whether staging it is legal and pays: StageReuse.cpp. The edit: StageEdit.cpp.
// Loops in strips: StripLoop.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_STAGING_STAGER_H
#define CLMALI_REWRITERS_STAGING_STAGER_H

#include "checks/model/ir/Traversal.h"
#include "rewriters/pass/Passes.h"
#include "rewriters/staging/Delocalizer.h"

namespace clmali::rewrite {

class Stager : KernelEditor {
public:
  Stager(const EditedKernel &E, const rules::DeviceFacts &D, WorkSize Local,
         std::vector<RefusalAt> &Refusals, StagingNeeds &Needs, Stmt *Strip = nullptr,
         const StmtList *Before = nullptr)
      : KernelEditor(E), D(D), P(M, K, A), Local(Local), Refusals(Refusals), Needs(Needs),
        Strip(Strip), Before(Before) {
    P.LocalSize = Local;
  }
  /// The number of buffers that are staged now.
  unsigned run();

private:
  const rules::DeviceFacts &D;
  PathFacts P;
  std::array<uint64_t, 3> Local;
  std::vector<RefusalAt> &Refusals;
  StagingNeeds &Needs;
  Stmt *Strip;            ///< the loop each of whose iterations is copied for; null: one copy
  const StmtList *Before; ///< the kernel's body without strips
  llvm::DenseSet<const Var *> Written;

  /// Row * Pitch + Column of local ids and loop variables, from a start that is uniform in the
  /// group.
  struct Window {
    Poly Pitch; ///< 0: one row
    Poly Start;
    Poly Row, Column;
  };
  struct Load {
    const Stmt *S = nullptr;
    const Expr *E = nullptr;
    Window W;
    std::vector<Poly> Tests;            ///< must not be negative, for the whole group
    std::vector<const Stmt *> Branches; ///< that the tests decide
    std::vector<const Stmt *> Loops;    ///< that move the window
  };
  struct Tile {
    Var *Source = nullptr, *V = nullptr;
    SourceRange At; ///< of the last load
    std::vector<Load> Loads;
    std::map<int64_t, std::pair<int64_t, int64_t>> Rows; ///< first, last column
    int64_t FirstColumn = 0, LastColumn = 0;
    bool TwoDimensional = false;
  };
  /// Loads by the statement that holds them, and what replaces them.
  using Replacements = std::map<std::pair<const Stmt *, const Expr *>, const Expr *>;

  // StageReuse.cpp
  void refuse(Refusal Why, const Var *V, const std::string &Detail, SourceRange At);
  std::array<unsigned, 3> groupSize() const;
  bool isPlainKernel();
  bool varies(unsigned S) const;
  std::optional<std::pair<int64_t, int64_t>> valuesOf(unsigned S) const;
  std::optional<Poly> inGroup(const Poly &X, std::vector<Poly> &Tests, unsigned Depth = 0);
  std::optional<Poly> withoutClamp(const SymbolInfo &I, const Stmt *At, std::vector<Poly> &Tests,
                                   unsigned Depth);
  std::optional<Poly> wholeGroup(const Poly &X) const;
  std::optional<Window> window(const Poly &Index) const;
  bool testWholeGroup(Load &L, const std::vector<Poly> &Conds);
  bool analyse(Load &L, std::string &Why);
  bool throughBranch(Load &L, const Stmt *If, bool Then);
  bool throughLoop(Load &L, const Stmt *Loop);
  bool count(Tile &T, std::string &Why);
  bool enumerate(const Load &L, std::set<std::pair<int64_t, int64_t>> &Elements, std::string &Why);
  double readsOf(const Load &L) const;
  std::optional<Tile> tileOf(Var *V, uint64_t BytesInUse);
  uint64_t bytesOf(const Tile &T) const;
  bool readsBothArms(llvm::ArrayRef<Tile> Tiles);
  void addNeeds(llvm::ArrayRef<Tile> Tiles);

  // StageEdit.cpp
  const Expr *compare(const Poly &X, const Stmt *At);
  size_t firstReader(llvm::ArrayRef<Tile> Tiles) const;
  std::optional<const Expr *> wholeGroupTest(llvm::ArrayRef<Tile> Tiles, const Stmt *At);
  bool declareTile(Tile &T, Var *Event, const Stmt *At, StmtList &Fill);
  bool replaceLoads(const Tile &T, Replacements &Replace);
  StmtList ownCopy(const StmtList &B);
  std::map<const Stmt *, bool> takenBranches(llvm::ArrayRef<Tile> Tiles) const;
  void rewrite(StmtList &B, const Replacements &Replace, const std::map<const Stmt *, bool> &Taken);
  bool edit(std::vector<Tile> &Tiles);
  Stmt *copyRows(const Tile &T, int64_t Row, int64_t RowEnd, std::pair<int64_t, int64_t> Columns,
                 Var *Event, const Stmt *At);
};

/// Divides the first loop of K whose trip count is an argument into strips of Length iterations;
/// the remainder stays a loop. Null: there is none.
Stmt *stripLoop(const EditedKernel &E, unsigned Length);

} // namespace clmali::rewrite
#endif
