//===-- rewriters/blocking/ItemBlocker.h - Inside the block transformation -*- C++ -*-===//
//
// One instance is one original work-item of the block: a row R in [0, rows()) and
// a lane in [0, Lanes). Rows walk dimension 0 fastest.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_ITEMBLOCKER_H
#define CLMALI_REWRITERS_BLOCKING_ITEMBLOCKER_H

#include "rewriters/blocking/Block.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::rewrite {

using namespace model;

/// How a value differs between the lanes of a row, and whether rows differ.
struct VShape {
  enum Kind : uint8_t { Uniform, Linear, Vector } K = Uniform;
  int64_t Stride = 0; ///< Linear: from lane to lane
  bool Rows = false;
  bool operator==(const VShape &O) const = default;
};
VShape join(VShape A, VShape B);

/// A value of one row. Uniform and Linear: E is lane 0's scalar. Vector: E has
/// a lane for each item. Mask: a comparison's result, lanes 0 or -1.
struct LaneVal {
  enum Kind : uint8_t { Uniform, Linear, Vector, Mask } K = Uniform;
  const Expr *E = nullptr;
  int64_t Stride = 0;
};

/// Where a variable of the original lives in the new kernel.
struct VarState {
  VShape Shape;
  llvm::SmallVector<Var *, 4> New;      ///< one, or one for each row
  llvm::SmallVector<int64_t, 4> Offset; ///< rows that are New[0] plus a constant
  bool Live = false;
};

/// Variables that hold the same thing for the channels of an interleaved
/// element (b, g, r of a pixel). In the new kernel the lanes of all channels lie
/// in memory order in as many vectors (chunks) as there are channels.
struct VarPack {
  llvm::SmallVector<Var *, 4> Members;            ///< by channel
  std::vector<llvm::SmallVector<Stmt *, 4>> Defs; ///< each: one statement for each channel
  std::vector<llvm::SmallVector<Var *, 4>> New;   ///< [row][chunk]
};

/// Stores to all channels of an element, and whether their values are packed
/// too (isomorphic) or are interleaved lane by lane.
struct StorePack {
  llvm::SmallVector<Stmt *, 4> Members; ///< by channel
  bool Isomorphic = false;
};

/// A load of one channel of interleaved elements all of whose channels are read.
struct ChannelLoad {
  Access First;          ///< of the lowest channel that is touched
  unsigned Channel = 0;  ///< counted from there
  unsigned Channels = 0; ///< from one element to the next
  unsigned Touched = 0;  ///< from the lowest to the highest channel
};

class ItemBlocker {
public:
  ItemBlocker(Module &M, const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
              const Kernel *Short, bool Guarded = false)
      : M(M), Old(Old), A(A), S(S), N(S.Lanes), R(S.rows()), Short(Short), Guarded(Guarded) {}
  BlockOutcome run();

private:
  Module &M;
  const Kernel &Old;
  const KernelAnalysis &A;
  const BlockShape S;
  const unsigned N, R;
  const Kernel *Short;
  BlockOutcome Out;
  Kernel *New = nullptr;
  StmtList *Cur = nullptr;
  llvm::StringSet<> Names;
  llvm::StringMap<unsigned> NextName; ///< numbers below are taken
  bool Failed = false;

  //--- Shapes.cpp: what differs between the items of a block
  llvm::DenseMap<const Var *, VShape> Shapes;
  llvm::DenseSet<const Stmt *> AssumedIfs;     ///< Ifs whose condition is assumed
  llvm::DenseMap<const Stmt *, bool> Decision; ///< and which way
  bool MayAssume = true;
  bool InMasked = false; ///< inside a loop that lanes leave at different times
  llvm::DenseSet<const Var *> DeclaredOnly;
  void computeShapes();
  bool updateShapes(const StmtList &B, VShape Control);
  VShape shape(const Expr *E);
  VShape shapeOf(const Var *V) const;
  bool coordinateOp(const Expr *E, unsigned &Winner);
  llvm::DenseSet<const Expr *> Corrections; ///< selections that an address is made of
  void findCorrections();
  std::optional<bool> inside(const Expr *Cond);
  bool assumable(const Expr *Cond, bool Holds);
  /// E in terms that can be computed before the body: loads, varying
  /// variables and variables of loops cannot. Null if it is not so.
  const Expr *atEntry(const Expr *E);
  bool inPrologue(const Var *V) const;
  /// Loops around what is looked at, outermost first.
  llvm::SmallVector<const Stmt *, 4> Around;
  bool KeepLoopVars = false; ///< atEntry leaves the variables of Around alone
  std::optional<CountedLoop> countedBy(const Var *V) const;
  const Expr *overLoops(const Expr *E);
  bool atLoopEnds(const Expr *Cond, llvm::SmallVectorImpl<const Expr *> &Tests);
  bool assumableCompare(const Expr *X, const Expr *Y, Op O);
  bool allowed();
  bool legal();
  const Expr *cutIndex(const Expr *E, const Stmt *At, unsigned Depth) const;
  bool hasStoreOrBarrier(const StmtList &B) const;

  //--- Eval.cpp: expressions
  llvm::DenseMap<const Var *, VarState> States;
  llvm::SmallVector<unsigned, 16> ActiveRows;
  struct Available {
    Var *Base;
    Poly Address;
    const Type *Ty;
    Var *V;
  };
  std::vector<Available> Loads;
  LaneVal eval(const Expr *E, unsigned Row);
  LaneVal evalLoad(const Expr *E, unsigned Row);
  LaneVal combine(const Expr *E, llvm::ArrayRef<LaneVal> Ops);
  LaneVal combineBinary(const Expr *E, const LaneVal &X, const LaneVal &Y);
  const Expr *term(const LaneVal &V, const Type *Ty);
  LaneVal combineCast(const Expr *E, const LaneVal &V);
  LaneVal combineCall(const Expr *E, llvm::ArrayRef<LaneVal> Args);
  const Type *maskLike(const LaneVal &V, const Type *Of);
  const Expr *evalLane(const Expr *E, unsigned Row, unsigned Lane);
  const Expr *vec(const LaneVal &V, const Type *Scalar); ///< as N lanes of Scalar
  const Expr *scalarOf(const LaneVal &V, unsigned Lane, const Type *Ty);
  const Expr *mask(const LaneVal &V, const Type *Like,
                   const Type *Of); ///< as a mask for lanes as wide as Like
  const Expr *condition(const Expr *Cond, unsigned Row, const Type *Like);
  const Type *vecTy(const Type *T);
  const Expr *temp(const Expr *E, llvm::StringRef Hint);
  Poly address(const Access &Acc);
  Poly polyOf(const Expr *E);
  const Expr *loadOnce(const Access &Acc, const Type *Ty, bool Hoist);
  bool speculable(const Expr *E);
  /// Loads that may be made for lanes that would not make them: what lies between
  /// elements that are loaded anyway.
  llvm::DenseSet<const Expr *> Safe;
  void findSafe(const Stmt *St);
  bool covered(const Access &Acc);
  void forgetVar(const Var *V);
  std::vector<const Expr *> PolySymbols;
  llvm::DenseMap<const Var *, const Expr *> NewDefs; ///< new variables with one definition
  unsigned Conditional = 0;                          ///< inside what is not always evaluated
  bool NeedsNoOverlap = false;
  unsigned VectorAccesses = 0, ScalarAccesses = 0, ScalarCalls = 0;
  std::optional<int64_t> laneStride(const Access &Acc, unsigned Row, Access &Lane0);
  unsigned rowOffset(unsigned Row, unsigned Dim) const;
  void invalidate(const Var *Base, const Poly &Address, unsigned Bytes);

  //--- Assume.cpp: what a block takes for granted
  std::vector<const Expr *> Assumptions; ///< scalar conditions at entry
  bool AtEntry = false;                  ///< evaluating an assumption
  LaneVal evalAssumed(const Expr *E, unsigned Winner, unsigned Row);
  bool countsUp(const Expr *X);
  llvm::DenseSet<std::pair<const Expr *, const Stmt *>> AssumedOps; ///< and the loop around
  bool AgreeHere = false; ///< allAgree speaks of the current place, not of entry
  const Expr *allAgree(const Expr *Cond, bool Holds);
  void assume(const Expr *C);
  std::optional<Poly> slack(const Expr *C);
  bool certain(const Poly &P, int Sign);
  void countBorder();

  //--- Bits.cpp: the lanes are the lowest bits of the ids
  struct BitsOp {
    unsigned Moving = 0; ///< the operand that is made of ids
    VShape Out;
    bool Assumes = false; ///< the other operand is a multiple of the lanes
    bool AllSet = false;  ///< ... or one less
    bool Counts = false;  ///< ids are not negative as signed numbers
  };
  std::optional<BitsOp> bitsOp(const Expr *E);
  bool aligned(const Expr *E, unsigned Depth);
  bool countsItems(const Expr *E) const;
  LaneVal evalBits(const Expr *E, const BitsOp &B, unsigned Row);

  //--- Guarded.cpp: memory under a mask
  bool Guarded = false; ///< what is tried where a block is refused otherwise
  llvm::DenseMap<std::pair<const Expr *, unsigned>, LaneVal>
      GuardedLoads; ///< by load and row, of the statement at hand
  struct GuardedLoad {
    Available Load;
    unsigned Depth; ///< of branches that it was made in; deeper ones let fewer lanes through
  };
  std::vector<GuardedLoad> GuardedKnown;
  unsigned GuardDepth = 0;
  bool guardable(const Expr *E);
  const Expr *maskOf(llvm::ArrayRef<const Expr *> Conditions, unsigned Row);
  const Expr *endsOf(const Expr *Mask);
  const Expr *laneIn(const Expr *Mask, unsigned Lane);
  StmtList laneByLane(const Expr *Mask, llvm::function_ref<Stmt *(unsigned Lane)> Of);
  void guardLoads(const Expr *E, unsigned Row, llvm::ArrayRef<const Expr *> Conditions);
  void guardStore(Stmt *St, llvm::ArrayRef<llvm::SmallVector<const Expr *, 2>> Outer);
  llvm::DenseSet<const Var *> Counters; ///< of masked loops, the same for all lanes that go on

  //--- Arrays.cpp: private arrays, one for all lanes of a row
  llvm::DenseMap<const Var *, llvm::SmallVector<Var *, 4>> Arrays; ///< of the new kernel, by row
  bool findArrays();
  bool inArrays(const Access &Acc) const { return Arrays.count(Acc.Base); }
  void declareArrays(const Stmt *Decl);
  Var *arrayOfItem(const Var *V);
  Access elementOfArray(const Access &Acc, unsigned Row, llvm::ArrayRef<const Expr *> Index,
                        const Expr *Lane);
  LaneVal evalArray(const Expr *E, unsigned Row);
  void storeArray(Stmt *St, unsigned Row);
  const Expr *arraysOf(const Expr *E, unsigned Row, const Expr *Lane);
  void arraysOf(const StmtList &B, unsigned Row, const Expr *Lane);

  //--- Stmts.cpp: statements
  void emit(const StmtList &B);
  void emit(Stmt *St);
  void emitDef(Var *V, const Expr *E, llvm::ArrayRef<uint8_t> LaneIdx, bool IsDecl,
               const Stmt *From);
  void emitStore(Stmt *St);
  void emitIf(Stmt *St);
  void emitLoop(Stmt *St);
  using Conditions = llvm::ArrayRef<llvm::SmallVector<const Expr *, 2>>; ///< by row
  void emitPredicated(const StmtList &B, Conditions Masks);
  std::vector<const Expr *> masksOf(const Expr *Cond, Conditions Outer = {});
  void declareBefore(const Stmt *St);
  void emitDivergent(Stmt *St);
  bool takesTurns(const Expr *Cond);
  bool Parted = false; ///< some branch runs item by item
  bool emitTogether(Stmt *St, StmtList &Into);
  bool laneByLane(const Stmt *St) const;
  bool neverAt(const Expr *Cond, unsigned Row, unsigned Lane);
  void scalarItem(const StmtList &B, unsigned Row, unsigned Lane,
                  llvm::DenseMap<const Var *, Var *> &Own);
  void emitSplitLoop(Stmt *St);
  const Var *RoundVar =
      nullptr; ///< counts the loop at hand whose rounds make assumptions of their own
  const Var *ownRounds(const Stmt *Loop);
  void emitRound(Stmt *St, unsigned Row);
  bool maskable(const Stmt *Loop);
  const Var *commonCounter(const Stmt *Loop);
  bool divergent(const Stmt *Loop);
  void emitMaskedLoop(Stmt *St);
  /// Lanes that go on, by row, in the masked loop at hand.
  std::vector<Var *> Active;
  bool usedOutside(const Var *V, const Stmt *Loop) const;
  void laneLoop(Stmt *L, Var *Lane, unsigned Count);
  void laneRest(Stmt *Loop, unsigned Row, Var *Lane, llvm::DenseMap<const Var *, Var *> &Own,
                llvm::function_ref<const Expr *(const Var *)> Held);
  unsigned rowDim() const;
  bool linearOffsets(llvm::ArrayRef<int64_t> Offsets) const;
  std::vector<const Stmt *> Prologue;
  llvm::DenseSet<const Var *> Later; ///< of rows whose turn at the declaration is still to come
  llvm::DenseSet<const Var *> Unset; ///< declared, no value yet on any way here
  bool canPredicate(const StmtList &B, unsigned &Cost, bool InMasked = false, bool Memory = false);
  Stmt *copyStmt(const Stmt *St);
  void add(Stmt *St) { Cur->push_back(St); }
  Var *newVar(llvm::StringRef Name, const Type *Ty);
  std::string unique(llvm::StringRef Name);
  void declareState(Var *V);
  void refuse(Refusal Why, llvm::StringRef Pass, llvm::StringRef Detail, SourceRange At);
  StmtList slowPath(const StmtList &Body);
  std::optional<StmtList> shortRest(llvm::DenseMap<const Var *, const Var *> &Known);
  bool scoped(llvm::function_ref<void()> F, StmtList &Into);

  //--- Pack.cpp: channels as lanes
  struct Packs {
    std::vector<VarPack> Vars;
    std::vector<StorePack> Stores;
    llvm::DenseMap<const Var *, std::pair<unsigned, unsigned>> OfVar; ///< pack, channel
    llvm::DenseSet<const Stmt *> Stmts; ///< emitted with the last of their group
    llvm::DenseMap<const Stmt *, std::pair<unsigned, unsigned>> LastDef; ///< var pack, definition
    llvm::DenseMap<const Stmt *, unsigned> LastStore;                    ///< store pack
    llvm::DenseSet<const Var *> Whole;                                   ///< read as single values
  } P;
  llvm::DenseMap<const Expr *, ChannelLoad> Interleaved;
  struct Place {
    const StmtList *In = nullptr;
    unsigned Index = 0;
    const Stmt *Parent = nullptr;
  };
  llvm::DenseMap<const Stmt *, Place> Places;
  /// What is said of St's expressions is said inside the loops around it.
  auto within(const Stmt *St) {
    auto Was = Around;
    Around.clear();
    for (const Stmt *Up = Places[St].Parent; Up; Up = Places[Up].Parent)
      if (Up->K == StmtKind::Loop)
        Around.insert(Around.begin(), Up);
    return llvm::make_scope_exit([this, Was] { Around = Was; });
  }
  llvm::DenseMap<const Var *, llvm::SmallVector<Stmt *, 4>> Writes; ///< Decls and Assigns
  void findPacks();
  void place(const StmtList &B, const Stmt *Parent);
  void findStores(const StmtList &B);
  void findInterleavedLoads(const StmtList &B);
  bool adjacent(llvm::ArrayRef<Stmt *> Group, unsigned &Last);
  bool inLockstep(const Stmt *St);
  bool packExprs(llvm::ArrayRef<const Expr *> Es);
  const Expr *constantOf(const Expr *E) const;
  bool packVars(llvm::ArrayRef<Var *> Vs);
  LaneVal evalPack(llvm::ArrayRef<const Expr *> Es, unsigned Row, unsigned Chunk);
  LaneVal deinterleave(const Expr *E, const ChannelLoad &C, unsigned Row);
  Access elementsFrom(const Access &Acc, unsigned Row, unsigned Elements);
  void emitPacked(Stmt *St);
  void emitPackedStore(const StorePack &SP);
};

} // namespace clmali::rewrite
#endif
