//===-- rewriters/blocking/BlockValues.h - Values of a block's items -*- C++ -*-===//
//
// What variables, loads and expressions of the original are for a whole block of work-items. What
// differs between the items and what may be assumed is decided by BlockAnalysis, which values are
// packed by findPacks. Evaluation adds what it holds in variables to the new kernel; statements
// are made by ItemCode and BlockEmitter.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_BLOCKVALUES_H
#define CLMALI_REWRITERS_BLOCKING_BLOCKVALUES_H

#include "rewriters/blocking/Block.h"
#include "rewriters/blocking/KernelWriter.h"
#include "rewriters/blocking/KnownLoads.h"
#include "rewriters/blocking/analysis/Assumptions.h"
#include "rewriters/blocking/analysis/BlockAnalysis.h"
#include "rewriters/blocking/analysis/Packs.h"
#include "rewriters/lanes/Evaluator.h"
#include "rewriters/lanes/Pieces.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

/// The variables of the new kernel for one of the original.
struct VarState {
  VShape Shape;
  llvm::SmallVector<Var *, 4> New;      ///< one, or one for each row
  llvm::SmallVector<int64_t, 4> Offset; ///< rows that are New[0] plus a constant
  bool OffsetWraps = false;             ///< ... modulo the width of the type
  bool Live = false;
};

class BlockValues : protected LaneEvaluator {
protected:
  BlockValues(Module &M, const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
              bool Guarded, bool UseSteps)
      : LaneEvaluator(M, S.Lanes), Old(Old), A(A), S(S), R(S.rows()), W(M),
        Polys(idSpace(Old, S), Out.Needs.IdsBelow),
        Block(M, Old, A, S, Out.Needs, Guarded, UseSteps), Loads(Polys), Assumed(M, Polys) {}

  const Kernel &Old;
  const KernelAnalysis &A;
  const BlockShape S;
  const unsigned R; ///< rows
  BlockOutcome Out;
  KernelWriter W;
  Polynomials Polys;
  BlockAnalysis Block;
  KnownLoads Loads;
  Assumptions Assumed;
  Packs P;
  llvm::DenseMap<const Var *, VarState> States;
  llvm::SmallVector<unsigned, 16> ActiveRows;
  unsigned VectorAccesses = 0, ScalarAccesses = 0;

  void refuse(Refusal Why, llvm::StringRef Pass, llvm::StringRef Detail, SourceRange At);
  /// Makes the new variables of V, which has none yet: one, or one for each row if rows differ.
  /// The caller declares them.
  void declareState(Var *V);
  /// The new variable that holds V for Row.
  Var *varOfRow(const Var *V, unsigned Row);

  //--- Values.cpp
  /// The value of Acc in the new kernel: the variable that holds it already, or a new load.
  /// MayHold: it may be held in a variable.
  const Expr *loadOnce(const Access &Acc, const Type *Ty, bool MayHold);
  /// True if the lanes' loads of Acc lie between elements of the same base that are loaded already.
  bool covered(const Access &Acc);
  /// Finds the loads under St's condition that all lanes may make.
  void findSafeLoads(const Stmt *St);
  /// Cond, a truth value, as a mask whose lanes are as wide as Like's.
  const Expr *condition(const Expr *Cond, unsigned Row, const Type *Like);
  /// Loads under a mask, by load and row, that have been made for the current statement.
  llvm::DenseMap<std::pair<const Expr *, unsigned>, LaneVal> GuardedLoads;

  //--- Agree.cpp: conditions of all items at once
  /// A scalar condition, computed at entry, that is true only if Cond is Holds for every item of
  /// the block. Null: there is none.
  const Expr *allAgree(const Expr *Cond, bool Holds);
  /// As allAgree, with values of the current location.
  const Expr *allAgreeHere(const Expr *Cond, bool Holds);

  //--- Arrays.cpp: private arrays, one for all lanes of a row
  llvm::DenseMap<const Var *, llvm::SmallVector<Var *, 4>> Arrays; ///< of the new kernel, by row
  using Indices = llvm::SmallVector<const Expr *, 2>;
  /// The element of Acc, at Index in terms of the new kernel, that belongs to Lane; without a
  /// lane, those of all lanes.
  Access elementOfArray(const Access &Acc, unsigned Row, llvm::ArrayRef<const Expr *> Index,
                        const Expr *Lane);
  /// The indices of Acc, which are the same in all lanes; nothing: they are not.
  std::optional<Indices> commonIndices(const Access &Acc, unsigned Row);
  Indices indicesOfLane(const Access &Acc, unsigned Row, unsigned Lane);

  //--- Steps.cpp: elements that several lanes share
  /// Finds for each load of B that is made in any case the others of the same buffer that are a
  /// constant distance apart.
  void findSharedSteps(const StmtList &B);

  //--- PackValues.cpp: channels as lanes
  /// A chunk of the packed expression Given, one for each channel; null: any value will do.
  LaneVal evalPack(llvm::ArrayRef<const Expr *> Given, unsigned Row, unsigned Chunk);
  /// N elements from lane 0's access on, offset by Elements.
  Access elementsFrom(const Access &Acc, unsigned Row, int64_t Elements);

private:
  //--- LaneEvaluator
  LaneVal shape(const Expr *E) override;
  unsigned &bitsUsed() override { return Block.BitsUsed; }
  bool mayWrap(const Expr *E) override { return !Block.isExact(E); }
  LaneVal evalVar(const Expr *E, unsigned Row) override;
  LaneVal evalWorkItem(const Expr *E, unsigned Row) override;
  LaneVal evalLoad(const Expr *E, unsigned Row) override;
  LaneVal gatherOnce(const Expr *E, unsigned Row);
  LaneVal evalTexel(const Expr *E, unsigned Row) override;
  std::optional<LaneVal> evalKnown(const Expr *E, unsigned Row) override;
  bool speculable(const Expr *E) override { return Block.speculable(E); }
  const Expr *hold(const Expr *E, llvm::StringRef Hint) override {
    return Conditional ? E : W.temp(E, Hint);
  }
  const Expr *loadOfLane(const Access &Acc) override {
    return loadOnce(Acc, M.value(Acc.Elem, Acc.Lanes), false);
  }
  void refuse(LaneFault Why, const Expr *E) override;

  unsigned rowOffset(unsigned Row, unsigned Dim) const;
  LaneVal evalQuotient(const Expr *E, const BlockAnalysis::Quotient &Q, unsigned Row);
  const Expr *quotientOfRow(const Expr *E, unsigned Row);
  LaneVal evalBits(const Expr *E, const BlockAnalysis::BitsOp &B, unsigned Row);

  llvm::DenseSet<std::pair<const Expr *, const Stmt *>> AssumedOps; ///< and the loop around
  bool AgreeHere = false; ///< allAgree is about the current location, not about the entry
  const Expr *allCompare(const Expr *Cond, bool Holds);
  const Expr *allCompareInLoop(const Expr *Cond, Op O);
  const Expr *allLanesOf(const Expr *Cond, bool Holds);
  const Expr *availableForm(const Expr *E) { return AgreeHere ? E : Block.atEntry(E); }
  LaneVal evalAssumed(const Expr *E, unsigned Winner, unsigned Row);
  void assumeWinner(const Expr *E, unsigned Winner);
  const Expr *narrowDivisor(const Expr *E, const Expr *W);
  const Expr *divided(const Expr *E, const Expr *X, const Expr *W);
  void assumeNoRowEnd(const Expr *E);
  const Expr *noWrapUpTo(unsigned Lane, const LaneVal &V, const Type *Ty);

  LaneVal evalArray(const Expr *E, unsigned Row);

  std::optional<LaneVal> loadSteps(const Expr *E, unsigned Row);
  llvm::DenseMap<const Expr *, std::vector<std::pair<const Expr *, int64_t>>>
      SharedSteps; ///< other loads that are made with a load, and their distances in bytes
  Access elementsBehind(const Access &Acc, int64_t Elements, unsigned Lanes);
  std::pair<int64_t, int64_t> sharedWindow(const Expr *E, std::pair<int64_t, int64_t> Own);

  const Expr *constantOf(const Expr *E) const;
  LaneVal evalShared(const Expr *E, unsigned Row, unsigned Chunk, unsigned Channels);
  LaneVal deinterleave(const Expr *E, const ChannelLoad &C, unsigned Row);
};

} // namespace clmali::rewrite
#endif
