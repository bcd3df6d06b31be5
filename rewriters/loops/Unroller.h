//===-- rewriters/loops/Unroller.h - Inside loop unrolling ------------*- C++ -*-===//
//
// Loops of constant trip count: Unroll.cpp, those that may end early: BoundedTrips.cpp. Innermost
// loops by a factor: UnrollInner.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LOOPS_UNROLLER_H
#define CLMALI_REWRITERS_LOOPS_UNROLLER_H

#include "rewriters/loops/LoopLanes.h"
#include "rewriters/pass/Passes.h"

namespace clmali::rewrite {

using namespace model;

/// True if the loop with body B is left, or an iteration of it cut short, other than by its
/// condition.
bool leavesEarly(const StmtList &B);
/// True if B contains a statement of kind K.
bool holds(const StmtList &B, StmtKind K);
bool isAssigned(const StmtList &B, const Var *V);
/// True if S leaves the loop around it under its condition, and before that only assigns:
/// if (i >= n) break;
bool isBreak(const Stmt *S);
/// True if E, of variables and arithmetic only, has one value throughout Body and Step.
bool isStable(const Expr *E, const StmtList &Body, const StmtList &Step);

class Unroller {
public:
  explicit Unroller(const EditedKernel &E);
  unsigned constantLoops(unsigned MaxTrips, unsigned MaxNodes);
  unsigned inner(unsigned Factor, LoopLanes *AsLanes = nullptr);

  /// Scalar parameters that every launch sets to one value. They need not have it: they tell how
  /// often loops run.
  llvm::DenseMap<const Var *, int64_t> Launched;

private:
  const EditedKernel Edited;
  Module &M;
  Kernel &K;
  llvm::DenseSet<const Var *> Written; ///< tables that the kernel writes have no known values
  LoopLanes *Lanes = nullptr;          ///< iterations become lanes, not copies

  StmtList copy(const StmtList &B);
  void replace(StmtList &B, Var *V, const Expr *By);
  const Expr *fold(const Expr *E);

  // BoundedTrips.cpp
  /// A loop of at most a constant number of iterations, which ends early where a condition on
  /// coordinates does not hold.
  struct BoundedLoop {
    CountedLoop Count;
    int64_t Trips = 0;
    const Expr *Goes = nullptr; ///< the rest of the loop's condition; null: none
  };
  std::optional<BoundedLoop> boundedTrips(const Stmt *Loop, const KernelAnalysis &A);

  // Unroll.cpp
  std::optional<int64_t> trips(const Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A);
  std::optional<int64_t> distance(const Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A);
  /// Goes: the iterations end where it does not hold; null: none ends early but by a break.
  bool unrollAll(Stmt *Loop, const CountedLoop &L, int64_t Trips, const Expr *Goes, StmtList &Into);
  bool constantLoops(StmtList &B, const KernelAnalysis &A, unsigned MaxTrips, unsigned MaxNodes);

  // UnrollInner.cpp
  /// How the bound of the unrolled loop is computed from the bound n and the first value lo.
  enum class Rounding : uint8_t {
    FromZero, ///< n & ~(F - 1)
    Exact,    ///< lo + ((n - lo) & ~(F - 1)), where n - lo does not overflow
    Unsigned  ///< likewise in unsigned arithmetic, which is right where lo < n
  };
  struct Plan {
    const Expr *Bound = nullptr;    ///< of `<`
    const Expr *Compared = nullptr; ///< the counter in Bound's type
    bool CounterLeft = true;        ///< of the comparison
    bool BoundLoads = false;
    Rounding Round = Rounding::FromZero;
  };
  std::optional<Plan> plan(Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A,
                           unsigned Factor) const;
  bool hasPlainHeader(const Stmt *Loop, const CountedLoop &L) const;
  bool runsOftenEnough(const Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A,
                       unsigned Factor) const;
  std::optional<Rounding> roundingOf(const Stmt *Loop, const CountedLoop &L, const Plan &P,
                                     const KernelAnalysis &A) const;
  const Expr *roundedDown(const Expr *E, unsigned Factor);
  const Expr *held(llvm::StringRef Name, const Expr *E, SourceRange At, StmtList &Into);
  const Expr *endOf(Stmt *Loop, const CountedLoop &L, Plan &P, unsigned Factor, StmtList &Before,
                    StmtList &Into);
  Stmt *mainLoop(Stmt *Loop, const CountedLoop &L, unsigned Factor, StmtList Together);
  bool unrollBy(Stmt *Loop, const CountedLoop &L, const KernelAnalysis &A, unsigned Factor,
                StmtList &Into);
  unsigned inner(StmtList &B, const KernelAnalysis &A, unsigned Factor);
};

} // namespace clmali::rewrite
#endif
