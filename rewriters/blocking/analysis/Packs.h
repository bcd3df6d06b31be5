//===-- rewriters/blocking/analysis/Packs.h - Channels of interleaved data ------*- C++ -*-===//
//
// Which statements and loads of a kernel handle the channels of interleaved elements
// (out[3 * i + c], c = 0, 1, 2), and can become vectors in memory order.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_ANALYSIS_PACKS_H
#define CLMALI_REWRITERS_BLOCKING_ANALYSIS_PACKS_H

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/analysis/BlockAnalysis.h"
#include "rewriters/lanes/Operations.h"

namespace clmali::rewrite {

/// Variables that hold the same thing for the channels of an interleaved element (b, g, r of a
/// pixel). In the new kernel the lanes of all channels lie in memory order in as many vectors
/// (chunks) as there are channels.
struct VarPack {
  llvm::SmallVector<Var *, 4> Members;            ///< by channel; null: any value will do
  std::vector<llvm::SmallVector<Stmt *, 4>> Defs; ///< each: one statement for each channel
  std::vector<llvm::SmallVector<Var *, 4>> New;   ///< [row][chunk]
};

/// Stores to the channels of an element.
struct StorePack {
  llvm::SmallVector<Stmt *, 4> Members;     ///< by channel; null: keeps what is in memory
  bool Isomorphic = false;                  ///< the values are packed too; else interleaved by lane
  llvm::SmallVector<const Expr *, 4> Apart; ///< Isomorphic: values of channels that are not packed
  /// True if channel C is computed, but not as the others.
  bool apart(unsigned C) const { return Isomorphic && Apart[C]; }
};

/// A load of one channel of interleaved elements all of whose channels are read.
struct ChannelLoad {
  Access First;          ///< of the lowest channel that is accessed, or
  unsigned Back = 0;     ///< so many channels above it
  unsigned Channel = 0;  ///< counted from the lowest
  unsigned Channels = 0; ///< from one element to the next
  unsigned Accessed = 0; ///< from the lowest to the highest channel
};

struct Packs {
  std::vector<VarPack> Vars;
  std::vector<StorePack> Stores;
  llvm::DenseMap<const Var *, std::pair<unsigned, unsigned>> OfVar; ///< pack, channel
  llvm::DenseSet<const Stmt *> Stmts; ///< emitted with the last of their group
  llvm::DenseMap<const Stmt *, std::pair<unsigned, unsigned>> LastDef; ///< var pack, definition
  llvm::DenseMap<const Stmt *, unsigned> LastStore;                    ///< store pack
  /// The vectors end behind what the block's own items access: the next item must be there, too.
  bool NeedsNext = false;
  llvm::DenseSet<const Var *> Whole; ///< read as single values
  llvm::DenseMap<const Expr *, ChannelLoad> Interleaved;
};

/// True if B contains a return, break or continue: the statements after it may not run.
bool hasWaysOut(const StmtList &B);
/// True if the fast path can test that the item after the block's last one executes St, too.
bool hasNextItem(const Kernel &Old, StmtTree &Tree, BlockAnalysis &Block, const Stmt *St);

/// The packs of Old for blocks of shape S, whose values differ as Block says.
Packs findPacks(const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
                BlockAnalysis &Block);

} // namespace clmali::rewrite
#endif
