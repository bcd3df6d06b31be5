//===-- rewriters/blocking/ItemCode.h - Code for one item at a time ---*- C++ -*-===//
//
// Statements of the original for single work-items of a block: one after another as scalar code
// between the vectors, or in a loop over the lanes; and the slow path of the block.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_ITEMCODE_H
#define CLMALI_REWRITERS_BLOCKING_ITEMCODE_H

#include "rewriters/blocking/BlockValues.h"

namespace clmali::rewrite {

class ItemCode : protected BlockValues {
protected:
  ItemCode(Module &M, const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
           const Kernel *Short, bool Guarded, bool UseSteps)
      : BlockValues(M, Old, A, S, Guarded, UseSteps), Short(Short) {}

  /// Variables of the original, and those of one item in the new kernel.
  using OwnVars = llvm::DenseMap<const Var *, Var *>;

  //--- ItemCode.cpp
  /// B for one item of the block, as scalar code. Own: the item's own variables.
  void scalarItem(const StmtList &B, unsigned Row, unsigned Lane, OwnVars &Own);
  /// True if Cond is false for this item in every launch: id == 3, where the item's id is a
  /// multiple of the lane count plus another remainder.
  bool isNeverTrue(const Expr *Cond, unsigned Row, unsigned Lane);
  /// for (int Counter = 0; Counter < Count; ++Counter), with an empty body. It runs rarely.
  Stmt *countingLoop(Var *Counter, unsigned Count);
  /// Source, a branch, or what is left of a loop, for the lane in the variable Lane. The
  /// declarations that it needs are added. Own: the lane's own variables. Held: the lane's value
  /// of a variable that is a vector; null: it is none.
  Stmt *copyForLane(Stmt *Source, unsigned Row, Var *Lane, OwnVars &Own,
                    llvm::function_ref<const Expr *(const Var *)> Held);

  //--- SlowPath.cpp
  /// The statements after the prologue for the items one by one: Long, or what is left of Short.
  StmtList slowPath(const StmtList &Long);

private:
  const Kernel *Short; ///< the kernel without unrolled loops; null: there is none

  bool scalarAssign(const Stmt *St, Stmt *C, const Expr *Value, unsigned Row, unsigned Lane,
                    const OwnVars &Own);
  /// X, which is no vector, for the lane in the variable Lane.
  const Expr *atLane(const LaneVal &X, Var *Lane);
  const Expr *arraysOf(const Expr *E, unsigned Row, const Expr *Lane);
  void arraysOf(const StmtList &B, unsigned Row, const Expr *Lane);

  using ItemVars = std::array<Var *, 3>;
  std::optional<StmtList> shortRest(llvm::DenseMap<const Var *, const Var *> &Known);
  StmtList *emitItemLoops(StmtList &Top, ItemVars &Item);
  const Expr *prologueValue(const Stmt *Def, const ItemVars &Item,
                            llvm::function_ref<const Expr *(const Expr *)> Ids);
};

/// True if B declares V.
bool declares(const StmtList &B, const Var *V);

} // namespace clmali::rewrite
#endif
