//===-- rewriters/blocking/analysis/BlockAnalysis.h - What differs in a block -*- C++ -*-===//
//
// Answers questions about the original kernel before and while the new one is made; it makes no
// statements itself:
//   - Shapes.cpp:     how a value differs between the lanes and rows of a block
//   - Assumable.cpp:  which conditions the fast path may assume for all work-items
//   - Quotients.cpp:  quotients and remainders of ids by less than the lane count
//   - Wraps.cpp:      which values may wrap between two lanes
//   - Bits.cpp:       shifts, masks and divisions of ids by multiples of the lane count
//   - Lockstep.cpp:   which branches and loops all lanes can run together
//   - Legality.cpp:   whether the kernel can be blocked at all
//
// An instance is one original work-item of the block: a row R in [0, rows()) and a lane in
// [0, Lanes). Rows walk dimension 0 fastest.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_ANALYSIS_BLOCKANALYSIS_H
#define CLMALI_REWRITERS_BLOCKING_ANALYSIS_BLOCKANALYSIS_H

#include "rewriters/lanes/Exact.h"
#include "rewriters/lanes/LaneValue.h"
#include "rewriters/lanes/Linear.h"
#include "rewriters/lanes/Polynomials.h"
#include "rewriters/pass/BlockShape.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <set>

namespace clmali::rewrite {

using namespace model;

/// How a value differs between the lanes of a row, and whether rows differ. Differences of Linear
/// and Stepped values are modulo the width of their type: isExact() says whether they may wrap.
struct VShape {
  enum Kind : uint8_t { Uniform, Linear, Stepped, Vector } K = Uniform;
  int64_t Stride = 0; ///< Linear: from lane to lane
  bool Rows = false;
  /// Stepped: the difference of each lane from lane 0. Owned by the module: equal lists are one
  /// object.
  const LaneSteps *Steps = nullptr;
  bool operator==(const VShape &O) const = default;
};
VShape join(VShape A, VShape B);
/// True if S differs between any two work-items of the block.
inline bool varies(const VShape &S) { return S.K != VShape::Uniform || S.Rows; }

/// The most statements that run under a mask instead of behind a branch, and what a guarded
/// store counts for.
inline constexpr unsigned MaxMaskedBranch = 24, MaxMaskedLoop = 64, MaskedStoreCost = 3;

class BlockAnalysis {
public:
  /// Guarded: memory may be accessed under masks.
  /// UseSteps: values may be Stepped. Needs: gets the limits on ids that answers rest on.
  BlockAnalysis(Module &M, const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
                LaunchContract &Needs, bool Guarded, bool UseSteps);
  /// Private: the arrays that the block widens.
  void setArrays(llvm::ArrayRef<const Var *> Private) {
    Arrays.insert(Private.begin(), Private.end());
  }

  //--- The location that questions are about; the emitter keeps it current.
  /// Loops around the expression in question, outermost first.
  llvm::SmallVector<const Stmt *, 4> Around;
  /// Definitions that run before the assumptions are tested.
  std::vector<const Stmt *> Prologue;
  /// True while an assumption is evaluated, which happens before the fast path.
  bool AtEntry = false;
  /// The counter of the loop in question, if each of its iterations tests its own assumptions.
  const Var *TripCounter = nullptr;
  /// Loads that lanes may make although the source does not: their elements lie between elements
  /// that are loaded anyway.
  llvm::DenseSet<const Expr *> SafeLoads;

  //--- Shapes.cpp
  void computeShapes();
  VShape shape(const Expr *E);
  VShape shapeOf(const Var *V) const;
  /// The shape of E as the index of an access.
  VShape indexShape(const Expr *E);
  /// How many low bits of the value in question matter. A value that wraps at that width stays
  /// linear when it is converted to a wider type. Of an index that is in bounds 32 bits tell all.
  unsigned BitsUsed = AllBits;

  //--- Wraps.cpp
  /// True if E, a scalar integer that is no vector, does not wrap between two lanes of a block: as
  /// integers, too, the lanes differ as its shape says. AlsoRows: nor between two rows.
  bool isExact(const Expr *E, bool AlsoRows = false);
  /// True if every value of E, a scalar integer, is one of type K.
  bool fits(const Expr *E, ScalarKind K) { return Ints.isExact(M.cast(E, M.value(K))); }
  /// What is computed next is computed for lanes that do not execute it, too: only ranges show that
  /// it does not wrap. Returns what held before.
  bool setMasked(bool Masked) {
    bool Was = !Ints.OverflowIsUndefined;
    Ints.OverflowIsUndefined = !Masked;
    return Was;
  }
  /// Adds the parts of E, a sum of products with constants, that may wrap and are converted to a
  /// wider type. E is linear if none of them wraps.
  void findWidened(const Expr *E, llvm::SmallVectorImpl<const Expr *> &Parts);
  /// The shape of E as one side of a comparison that tests what findWidened finds, too.
  VShape comparedShape(const Expr *E);
  /// Takes Parts as exact from now on, and nothing else.
  void assumeExact(llvm::ArrayRef<const Expr *> Parts) {
    AssumedExact.clear();
    AssumedExact.insert(Parts.begin(), Parts.end());
  }
  bool inArrays(const Access &Acc) const { return Arrays.contains(Acc.Base); }
  bool hasArrays() const { return !Arrays.empty(); }
  /// The arm of If that the fast path assumes; nothing: If is not assumed.
  std::optional<bool> assumedArm(const Stmt *If) const;
  /// True for the counter of a masked loop that is the same in all lanes that are still active.
  bool isCommonCounter(const Var *V) const { return Counters.contains(V); }

  //--- Assumable.cpp
  /// True if E returns operand Winner unchanged in the interior of the index space, which the fast
  /// path then assumes: max(x - 1, 0), min, clamp, x > 0 ? x - 1 : 0; for i / w and i % w: the
  /// block does not cross a row.
  bool coordinateOp(const Expr *E, unsigned &Winner);
  /// E in terms that can be computed before the body: loads, varying variables and variables of
  /// loops cannot. Null if there is no such form.
  const Expr *atEntry(const Expr *E);
  bool inPrologue(const Var *V) const;
  bool atLoopEnds(const Expr *Cond, llvm::SmallVectorImpl<const Expr *> &Tests);

  //--- Bits.cpp
  struct BitsOp {
    unsigned Moving = 0; ///< the operand that is made of ids
    VShape Out;
    bool Assumes = false; ///< the other operand is a multiple of the lanes
    bool AllSet = false;  ///< ... or one less
  };
  std::optional<BitsOp> bitsOp(const Expr *E);

  //--- Quotients.cpp
  /// An operation with a constant on a value whose low bits are the lane: x / 2, x % 4, x & ~1.
  struct Quotient {
    VShape Out;
    int64_t By = 1;   ///< the power of two that divides
    bool Low = false; ///< the low bits are kept, not the high ones
  };
  std::optional<Quotient> quotient(const Expr *E);
  /// E in a row where its operand is larger by Offset than in the first row. By: the difference of
  /// E.
  std::optional<Quotient> quotientOfRow(const Expr *E, int64_t Offset);
  /// For each lane, the distance in bytes of its access from that of lane 0. Nothing: not known.
  std::optional<LaneSteps> laneOffsets(const Access &Acc);
  /// True if some value is Stepped.
  bool usesSteps() const { return !AllSteps.empty(); }

  //--- Lockstep.cpp
  bool speculable(const Expr *E) const;
  bool guardable(const Expr *E) const;
  bool canPredicate(const StmtList &B, unsigned &Cost, bool InMasked = false, bool Memory = false);
  bool updatesOneElement(const Stmt *St);
  bool divergent(const Stmt *Loop);
  bool maskable(const Stmt *Loop);
  const Var *commonCounter(const Stmt *Loop);
  const Var *independentTrips(const Stmt *Loop);
  bool alternates(const Expr *Cond);
  bool readsNoVectors(const StmtList &Body, const Expr *Cond = nullptr) const;
  bool usedOutside(const Var *V, const Stmt *Loop) const;

private:
  Module &M;
  const Kernel &Old;
  const KernelAnalysis &A;
  const BlockShape S;
  const unsigned N, R;
  int64_t &IdsBelow;
  Polynomials Olds; ///< of the original's expressions
  ExactInts &Ints = Olds.operations();
  const bool Guarded, UseSteps;
  llvm::DenseSet<const Var *> Arrays;

  // Shapes.cpp
  llvm::DenseMap<const Var *, VShape> Shapes;
  llvm::DenseMap<const Stmt *, bool> AssumedIfs; ///< and the arm that is assumed
  llvm::DenseSet<const Var *> Counters;
  llvm::DenseSet<const Expr *> Corrections; ///< selections in the computation of an address
  bool MayAssume = true;
  bool InMasked = false; ///< inside a loop that lanes leave at different times
  void findCorrections();
  bool updateShapes(const StmtList &B, VShape Control);
  bool updateVariable(const Stmt *St, VShape Control);
  bool updateIf(const Stmt *St, VShape Control);
  bool updateLoop(const Stmt *St, VShape Control);
  bool assumeArm(const Stmt *If);
  VShape binaryShape(const Expr *E, VShape X, VShape Y, bool Rows);
  VShape operatorShape(const Expr *E);
  VShape conversionShape(const Expr *E, VShape Sh);

  // Wraps.cpp
  llvm::DenseSet<const Stmt *> MaskedDefs; ///< definitions that not all lanes execute
  llvm::SmallPtrSet<const Var *, 8> Asked; ///< variables whose definitions are looked at
  llvm::SmallPtrSet<const Expr *, 4> AssumedExact;
  bool isExactVar(const Var *V, bool AlsoRows);
  bool isExactSum(const Expr *E, bool AlsoRows);
  bool staysAligned(const Expr *E, const VShape &Sh);

  // Assumable.cpp
  bool KeepLoopVars = false; ///< atEntry leaves the variables of Around alone
  std::optional<bool> inside(const Expr *Cond);
  bool isPhase(const Expr *E) const;
  bool assumable(const Expr *Cond, bool Holds);
  bool assumableCompare(const Expr *X, const Expr *Y, Op O);
  std::optional<CountedLoop> countedBy(const Var *V) const;
  const Expr *overLoops(const Expr *E);
  const Var *innermostLoopVar(const Expr *X, const Expr *Y) const;

  // Quotients.cpp
  std::set<LaneSteps> AllSteps;
  struct ConstantOp {
    int64_t By = 0; ///< a power of two
    bool Low = false, Divides = false;
  };
  static std::optional<ConstantOp> constantOp(const Expr *E);
  int64_t alignment(const Expr *E, bool FirstRow, unsigned Depth = 0);
  bool mayWrapInRow(const Expr *X, int64_t Offset);
  LaneSteps offsets(const VShape &Sh) const;
  VShape ofOffsets(LaneSteps Offsets, bool Rows);
  VShape steppedBinary(const Expr *E, VShape X, VShape Y, bool Rows);

  // Bits.cpp
  bool aligned(const Expr *E, unsigned Depth);
  std::optional<BitsOp> bitsOfConstant(const Expr *E, unsigned Moving, int64_t C, VShape Sh);
  std::optional<BitsOp> bitsOfArgument(const Expr *E, unsigned Moving, VShape Sh);
};

/// Shapes.cpp: the ids of Old as a kernel of blocks of shape S.
IdSpace idSpace(const Kernel &Old, const BlockShape &S = BlockShape());

/// Legality.cpp: true if work-items of Old may run in lockstep as blocks of shape S. Sets
/// Needs; where the answer is no, adds the reasons to Refusals. Arrays: the private arrays that the
/// block widens.
bool isBlockable(const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
                 LaunchContract &Needs, std::vector<RefusalAt> &Refusals,
                 llvm::SmallVectorImpl<const Var *> &Arrays);

/// True if B stores, or has a statement that may order or change memory.
bool hasStoreOrBarrier(const StmtList &B);

} // namespace clmali::rewrite
#endif
