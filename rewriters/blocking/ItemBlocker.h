//===-- rewriters/blocking/ItemBlocker.h - Emits the kernel of a block -*- C++ -*-===//
//
// Makes the new kernel statement by statement: what differs between the items and what may be
// assumed is decided by BlockAnalysis, which statements are packed by findPacks.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_ITEMBLOCKER_H
#define CLMALI_REWRITERS_BLOCKING_ITEMBLOCKER_H

#include "rewriters/blocking/Assumptions.h"
#include "rewriters/blocking/KnownLoads.h"
#include "rewriters/blocking/analysis/BlockAnalysis.h"
#include "rewriters/blocking/analysis/Packs.h"
#include "rewriters/lanes/Operations.h"
#include "rewriters/lanes/Pieces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::rewrite {

/// The variables of the new kernel for one of the original.
struct VarState {
  VShape Shape;
  llvm::SmallVector<Var *, 4> New;      ///< one, or one for each row
  llvm::SmallVector<int64_t, 4> Offset; ///< rows that are New[0] plus a constant
  bool OffsetWraps = false;             ///< ... modulo the width of the type
  bool Live = false;
};

class ItemBlocker {
public:
  ItemBlocker(Module &M, const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
              const Kernel *Short, bool Guarded = false, bool UseSteps = false)
      : M(M), Old(Old), A(A), S(S), N(S.Lanes), R(S.rows()), Short(Short), Guarded(Guarded),
        Polys(idSpace(Old, S), Out.Needs.IdsBelow),
        Block(M, Old, A, S, Out.Needs, Guarded, UseSteps), Convert(M, N),
        Lanes(M, N,
              [this](const Expr *E, llvm::StringRef Hint) {
                return Conditional ? E : temp(E, Hint);
              }),
        Loads(Polys), Assumed(M, Polys) {}
  BlockOutcome run();
  bool usesSteps() const { return Block.usesSteps(); }

private:
  Module &M;
  const Kernel &Old;
  const KernelAnalysis &A;
  const BlockShape S;
  const unsigned N, R;
  const Kernel *Short;
  const bool Guarded; ///< memory may be accessed under masks (tried where a block is refused else)
  BlockOutcome Out;
  bool Failed = false;

  Polynomials Polys;
  BlockAnalysis Block;
  const LaneConverter Convert;
  LaneOperations Lanes;
  KnownLoads Loads;
  Assumptions Assumed;
  Packs P;

  Kernel *New = nullptr;
  StmtList *Cur = nullptr; ///< statements are added here
  llvm::StringSet<> Names;
  llvm::StringMap<unsigned> NextName; ///< numbers below are taken
  llvm::DenseMap<const Var *, VarState> States;
  llvm::SmallVector<unsigned, 16> ActiveRows;
  unsigned Conditional = 0; ///< depth of expressions that are not always evaluated
  unsigned VectorAccesses = 0, ScalarAccesses = 0;

  //--- Block.cpp: the whole kernel
  void startKernel();
  size_t emitPrologue();
  void finishKernel(StmtList Fast, const StmtList &Rest);
  void refuse(Refusal Why, llvm::StringRef Pass, llvm::StringRef Detail, SourceRange At);

  //--- Stmts.cpp: variables, definitions, stores
  struct Definition {
    Var *V;
    const Expr *E;
    llvm::ArrayRef<uint8_t> LaneIdx;
    const Stmt *From;
    bool HasComments = true; ///< the next statement gets From's comments
  };
  llvm::DenseSet<const Var *> DeclaredLater; ///< of rows that have not come to the declaration
  llvm::DenseSet<const Var *> Unset;         ///< declared, no value yet on any path here
  void add(Stmt *St) { Cur->push_back(St); }
  Var *newVar(llvm::StringRef Name, const Type *Ty);
  Var *copyVar(const Var *V);
  std::string unique(llvm::StringRef Name);
  const Expr *temp(const Expr *E, llvm::StringRef Hint);
  Stmt *makeDecl(Var *V, const Expr *E = nullptr);
  Stmt *copyStmt(const Stmt *St);
  void declareState(Var *V);
  void declareUnset(Var *V);
  void declareBefore(const Stmt *St);
  Var *varOfRow(const Var *V, unsigned Row);
  bool emitInto(llvm::function_ref<void()> F, StmtList &Into);
  void emit(const StmtList &B);
  void emit(Stmt *St);
  void emitDef(Var *V, const Expr *E, llvm::ArrayRef<uint8_t> LaneIdx, bool IsDecl,
               const Stmt *From);
  const Expr *valueOf(const Definition &D, unsigned Row);
  void place(Definition &D, Var *NV, const Expr *Value, bool IsDecl);
  bool defineByOffsets(Definition &D);
  void defineNew(Definition &D);
  void assign(Definition &D, bool IsDecl);
  void emitStore(Stmt *St);

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
  std::vector<const Expr *> masksOf(const Expr *Cond, Conditions Outer = {});
  void emitLoop(Stmt *St);
  void emitLockstepLoop(Stmt *St, unsigned Row);
  void emitMaskedLoop(Stmt *St);
  const Expr *activeLanes(const Stmt *Loop, unsigned Row, bool Uniform);

  //--- Items.cpp: branches whose items run one by one
  bool HasSplitBranch = false;
  void emitDivergent(Stmt *St);
  StmtList *emitIfTogether(Stmt *St);
  bool emitTogether(Stmt *St, StmtList &Into);
  bool isNeverTrue(const Expr *Cond, unsigned Row, unsigned Lane);
  void scalarItem(const StmtList &B, unsigned Row, unsigned Lane,
                  llvm::DenseMap<const Var *, Var *> &Own);
  bool scalarAssign(const Stmt *St, Stmt *C, const Expr *Value, unsigned Row, unsigned Lane,
                    const llvm::DenseMap<const Var *, Var *> &Own);
  Stmt *countingLoop(Var *Counter, unsigned Count);
  const Expr *atLane(const LaneVal &X, Var *Lane);
  Stmt *copyForLane(Stmt *Source, unsigned Row, Var *Lane, llvm::DenseMap<const Var *, Var *> &Own,
                    llvm::function_ref<const Expr *(const Var *)> Held);

  //--- SplitLoop.cpp: loops that lanes leave at different times
  void emitSplitLoop(Stmt *St);
  void emitTrip(Stmt *St, unsigned Row);
  void emitWhileAllRun(Stmt *St, const Expr *All, unsigned Row);
  bool vectorsUsedIn(Stmt *St, llvm::SmallVectorImpl<Var *> &Order);
  StmtList restLaneByLane(Stmt *St, unsigned Row, llvm::ArrayRef<Var *> Order,
                          llvm::function_ref<bool(const Var *)> IsResult);

  //--- SlowPath.cpp: blocks that fail the assumptions
  using ItemVars = std::array<Var *, 3>;
  StmtList slowPath(const StmtList &Body);
  std::optional<StmtList> shortRest(llvm::DenseMap<const Var *, const Var *> &Known);
  StmtList *emitItemLoops(StmtList &Top, ItemVars &Item);
  const Expr *prologueValue(const Stmt *Def, const ItemVars &Item,
                            llvm::function_ref<const Expr *(const Expr *)> Ids);

  //--- Eval.cpp: expressions
  LaneVal eval(const Expr *E, unsigned Row);
  LaneVal evalIndex(const Expr *E, unsigned Row);
  LaneVal evalByKind(const Expr *E, unsigned Row);
  LaneVal evalVar(const Expr *E, unsigned Row);
  LaneVal evalWorkItem(const Expr *E, unsigned Row);
  LaneVal evalOperation(const Expr *E, unsigned Row);
  LaneVal evalLoad(const Expr *E, unsigned Row);
  LaneVal evalQuotient(const Expr *E, const BlockAnalysis::Quotient &Q, unsigned Row);
  const Expr *quotientOfRow(const Expr *E, unsigned Row);
  LaneVal evalBits(const Expr *E, const BlockAnalysis::BitsOp &B, unsigned Row);
  LaneVal combine(const Expr *E, llvm::MutableArrayRef<LaneVal> Ops);
  const Expr *evalLane(const Expr *E, unsigned Row, unsigned Lane);
  const Expr *condition(const Expr *Cond, unsigned Row, const Type *Like);
  const Expr *loadOnce(const Access &Acc, const Type *Ty, bool Hoist);
  std::optional<int64_t> laneStride(const Access &Acc, unsigned Row, Access &Lane0);
  void findSafeLoads(const Stmt *St);
  bool covered(const Access &Acc);
  unsigned rowOffset(unsigned Row, unsigned Dim) const;

  //--- Agree.cpp: conditions of all items at once
  llvm::DenseSet<std::pair<const Expr *, const Stmt *>> AssumedOps; ///< and the loop around
  bool AgreeHere = false; ///< allAgree is about the current location, not about the entry
  const Expr *allAgree(const Expr *Cond, bool Holds);
  const Expr *allAgreeHere(const Expr *Cond, bool Holds);
  const Expr *allCompare(const Expr *Cond, bool Holds);
  const Expr *allCompareInLoop(const Expr *Cond, Op O);
  const Expr *allLanesOf(const Expr *Cond, bool Holds);
  const Expr *availableForm(const Expr *E) { return AgreeHere ? E : Block.atEntry(E); }
  LaneVal evalAssumed(const Expr *E, unsigned Winner, unsigned Row);
  void assumeWinner(const Expr *E, unsigned Winner);
  void assumeNoRowEnd(const Expr *E);
  const Expr *noWrapUpTo(unsigned Lane, const LaneVal &V, const Type *Ty);

  //--- Guarded.cpp: memory under a mask
  llvm::DenseMap<std::pair<const Expr *, unsigned>, LaneVal>
      GuardedLoads; ///< by load and row, of the current statement
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

  //--- Arrays.cpp: private arrays, one for all lanes of a row
  llvm::DenseMap<const Var *, llvm::SmallVector<Var *, 4>> Arrays; ///< of the new kernel, by row
  void declareArrays(const Stmt *Decl);
  Var *arrayOfItem(const Var *V);
  Access elementOfArray(const Access &Acc, unsigned Row, llvm::ArrayRef<const Expr *> Index,
                        const Expr *Lane);
  LaneVal evalArray(const Expr *E, unsigned Row);
  void storeArray(Stmt *St, unsigned Row);
  const Expr *arraysOf(const Expr *E, unsigned Row, const Expr *Lane);
  void arraysOf(const StmtList &B, unsigned Row, const Expr *Lane);

  //--- Steps.cpp: elements that several lanes share
  std::optional<LaneVal> loadSteps(const Expr *E, unsigned Row);
  llvm::DenseMap<const Expr *, std::vector<std::pair<const Expr *, int64_t>>>
      SharedSteps; ///< other loads that are made with a load, and their distances in bytes
  void findSharedSteps(const StmtList &B);
  Access elementsBehind(const Access &Acc, int64_t Elements, unsigned Lanes);
  std::pair<int64_t, int64_t> sharedWindow(const Expr *E, std::pair<int64_t, int64_t> Own);

  //--- JoinStores.cpp: adjacent elements of different items
  struct ItemStore {
    Access Acc;
    const Expr *E;
  };
  std::vector<ItemStore> joinStores(std::vector<ItemStore> Stores);

  //--- Pack.cpp: channels as lanes
  const Expr *constantOf(const Expr *E) const;
  LaneVal evalPack(llvm::ArrayRef<const Expr *> Es, unsigned Row, unsigned Chunk);
  LaneVal evalShared(const Expr *E, unsigned Row, unsigned Chunk, unsigned Channels);
  LaneVal deinterleave(const Expr *E, const ChannelLoad &C, unsigned Row);
  Access elementsFrom(const Access &Acc, unsigned Row, unsigned Elements);
  void emitPacked(Stmt *St);
  void emitPackedDef(VarPack &VP, unsigned Def, const Stmt *At);
  void emitPackedStore(const StorePack &SP);
  const Expr *withChannelsApart(const StorePack &SP, const Expr *Value, unsigned Row,
                                unsigned Chunk);
  const Expr *interleave(llvm::ArrayRef<const Expr *> Channels, unsigned Chunk);
};

/// True if B declares V.
bool declares(const StmtList &B, const Var *V);

} // namespace clmali::rewrite
#endif
