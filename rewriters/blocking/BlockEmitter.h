//===-- rewriters/blocking/BlockEmitter.h - Emits the kernel of a block -*- C++ -*-===//
//
// Makes the new kernel statement by statement, with the values of BlockValues, and with ItemCode
// where items go different ways.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_BLOCKEMITTER_H
#define CLMALI_REWRITERS_BLOCKING_BLOCKEMITTER_H

#include "rewriters/blocking/ItemCode.h"

namespace clmali::rewrite {

class BlockEmitter : ItemCode {
public:
  /// Guarded: memory may be accessed under masks. UseSteps: values may be Stepped.
  BlockEmitter(Module &M, const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
               const Kernel *Short, bool Guarded = false, bool UseSteps = false)
      : ItemCode(M, Old, A, S, Short, Guarded, UseSteps), Guarded(Guarded) {}
  BlockOutcome run();
  bool usesSteps() const { return Block.usesSteps(); }

private:
  const bool Guarded; ///< tried where a block is refused else

  //--- Block.cpp: the whole kernel
  size_t emitPrologue();
  void finishKernel(StmtList Fast, const StmtList &Rest);

  //--- Stmts.cpp: variables, definitions, stores
  struct Definition {
    Var *V;
    const Expr *E;
    llvm::ArrayRef<uint8_t> LaneIdx;
    const Stmt *From;
    bool HasComments = true; ///< the next statement gets From's comments
  };
  /// A store that is made, and its value.
  struct NewStore {
    Access Acc;
    const Expr *E;
  };
  llvm::DenseSet<const Var *> DeclaredLater; ///< of rows that have not come to the declaration
  llvm::DenseSet<const Var *> Unset;         ///< declared, no value yet on any path here
  void declareUnset(Var *V);
  void declareBefore(const Stmt *St);
  bool emitInto(llvm::function_ref<void()> F, StmtList &Into);
  void emit(const StmtList &B);
  void emit(Stmt *St);
  void emitDef(Var *V, const Expr *E, llvm::ArrayRef<uint8_t> LaneIdx, bool IsDecl,
               const Stmt *From);
  /// X as the new variables of V hold it. Of: the type that it had in the source.
  const Expr *asHeld(const Var *V, const LaneVal &X, const Type *Of) const;
  const Expr *valueOf(const Definition &D, unsigned Row);
  void place(Definition &D, Var *NV, const Expr *Value, bool IsDecl);
  bool defineByOffsets(Definition &D);
  void defineNew(Definition &D);
  void assign(Definition &D, bool IsDecl);
  void emitStore(Stmt *St);
  /// Adds Stores, which take the place of From. The first gets the comments.
  void addStores(llvm::ArrayRef<NewStore> Stores, llvm::ArrayRef<Stmt *> From);

  //--- Control.cpp: branches and loops
  using Conditions = llvm::ArrayRef<llvm::SmallVector<const Expr *, 2>>; ///< by row
  std::vector<Var *> Active; ///< by row: lanes that iterate in the masked loop around
  void emitIf(Stmt *St);
  void emitUniformIf(Stmt *St, bool RowsDiffer);
  void emitMaskedIf(Stmt *St);
  void emitPredicated(const StmtList &B, Conditions Masks);
  void predicateBreak(const Stmt *St, Conditions Masks);
  void predicateIf(const Stmt *St, Conditions Masks);
  void predicateAssign(const Stmt *St, Conditions Masks);
  const Expr *conjunction(llvm::ArrayRef<const Expr *> Masks, const Type *Like);
  llvm::SmallVector<const Expr *, 4> withActive(llvm::ArrayRef<const Expr *> Masks,
                                                unsigned Row) const;
  std::vector<const Expr *> masksOf(const Expr *Cond, Conditions Outer);
  void emitLoop(Stmt *St);
  void emitLockstepLoop(Stmt *St, unsigned Row);
  void emitMaskedLoop(Stmt *St);
  const Expr *activeLanes(const Stmt *Loop, unsigned Row, bool Uniform);

  //--- Control.cpp: branches whose items run one by one
  bool HasSplitBranch = false;
  void emitDivergent(Stmt *St);
  StmtList *emitIfTogether(Stmt *St);
  bool emitTogether(Stmt *St, StmtList &Into);

  //--- SplitLoop.cpp: loops that lanes leave at different times
  void emitSplitLoop(Stmt *St);
  void emitTrip(Stmt *St, unsigned Row);
  void emitWhileAllRun(Stmt *St, const Expr *All, unsigned Row);
  bool vectorsUsedIn(Stmt *St, llvm::SmallVectorImpl<Var *> &Order);
  StmtList restLaneByLane(Stmt *St, unsigned Row, llvm::ArrayRef<Var *> Order,
                          llvm::function_ref<bool(const Var *)> IsResult);

  //--- Guarded.cpp: memory under a mask
  unsigned GuardDepth = 0;
  const Expr *maskOf(llvm::ArrayRef<const Expr *> Conditions, unsigned Row);
  const Expr *endsOf(const Expr *Mask);
  const Expr *laneIn(const Expr *Mask, unsigned Lane);
  StmtList laneByLane(const Expr *Mask, llvm::function_ref<Stmt *(unsigned Lane)> Of);
  Stmt *wholeOrLanes(const Expr *Cond, Stmt *Whole, const Expr *Mask, StmtList Each);
  void guardLoads(const Expr *E, unsigned Row, llvm::ArrayRef<const Expr *> Conditions);
  void guardLoad(const Expr *Load, unsigned Row, llvm::ArrayRef<const Expr *> Conditions,
                 const Expr *&Mask);
  void guardStore(Stmt *St, Conditions Outer);
  void guardStore(Stmt *St, unsigned Row, llvm::ArrayRef<const Expr *> Conditions);

  //--- Updates.cpp: atomic operations in any order
  /// Masks: lanes that execute, by row; an empty list: all.
  void emitUpdate(Stmt *St, Conditions Masks);
  const Expr *joinedOperand(const Stmt *St, unsigned Row, const Expr *Mask);
  Stmt *updateBy(const Stmt *St, const Access &At, const Expr *By);
  Stmt *updateOfLane(const Stmt *St, unsigned Row, unsigned Lane);

  //--- Stores of arrays and of several items
  void emitImageWrite(Stmt *St);
  void declareArrays(const Stmt *Decl);
  void storeArray(Stmt *St, unsigned Row);
  std::vector<NewStore> joinStores(std::vector<NewStore> Stores);

  //--- Pack.cpp: channels as lanes
  void emitPacked(Stmt *St);
  void emitPackedDef(VarPack &VP, unsigned Def, const Stmt *At);
  void emitPackedStore(const StorePack &SP);
  const Expr *withChannelsApart(const StorePack &SP, const Expr *Value, unsigned Row,
                                unsigned Chunk);
  const Expr *interleave(llvm::ArrayRef<const Expr *> Channels, unsigned Chunk);
};

} // namespace clmali::rewrite
#endif
