//===-- rewriters/loops/LoopLanes.h - Iterations as lanes -------------*- C++ -*-===//
//
// Makes the body of a loop for several iterations at once, with a partial sum in each lane of the
// variables that are reduced. The caller makes the loop (UnrollInner.cpp). Expressions:
// LoopLanes.cpp; statements and loops: LoopBody.cpp; reductions: LoopSums.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LOOPS_LOOPLANES_H
#define CLMALI_REWRITERS_LOOPS_LOOPLANES_H

#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Evaluator.h"
#include "rewriters/lanes/Joins.h"
#include "rewriters/lanes/Linear.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <optional>

namespace clmali::rewrite {

/// True if E reads V.
bool mentions(const model::Expr *E, const model::Var *V);
/// True for scalar integers except bool.
bool isIntScalar(const model::Type *T);

class LoopLanes : LaneEvaluator {
public:
  /// Statements that are added around another one.
  struct Around {
    model::StmtList Before, After;
  };
  struct LaneBody {
    model::StmtList Body;
    Around Here; ///< of the loop
  };

  /// Lanes: iterations that are done at once.
  LoopLanes(model::Module &M, model::Kernel &K, unsigned Lanes, bool Reassociate);

  /// The body of Loop, which counts Counter up by one and only computes, for several
  /// iterations at once. False: that is not possible.
  bool make(model::Stmt *Loop, model::Var *Counter, LaneBody &Out);

  /// Adds the statements around others than the loops to the kernel.
  void finish();

private:
  using Stmt = model::Stmt;
  using Expr = model::Expr;
  using Var = model::Var;
  using Type = model::Type;
  using StmtList = model::StmtList;
  using Access = model::Access;

  struct Sum {
    Var *V = nullptr;
    Join How = Join::Sum;
    model::Op Takes =
        model::Op::None; ///< Choose: how the value that is taken compares with the present one
    Var *Lanes = nullptr;
  };

  model::Kernel &K;
  const bool Reassociate;
  const model::StmtTree Tree;
  std::map<const Stmt *, Around> Elsewhere;

  unsigned BitsUsed = AllBits; ///< of the value at hand
  const Expr *Mask = nullptr;  ///< lanes that execute the current statement; null: all
  StmtList *Cur = nullptr;
  llvm::DenseMap<const Var *, LaneVal> Now;
  llvm::DenseSet<const Var *> Unset; ///< declared, no value yet
  std::vector<Access> Loaded;        ///< by all lanes, in this iteration
  llvm::DenseMap<const Var *, size_t> Joined;
  llvm::DenseMap<const Var *, int64_t> Counts; ///< other induction variables, and their steps
  std::vector<Sum> Sums;

  bool joins(const Expr *E, const Var *V, Join How) const;
  std::optional<Join> joinOf(const Expr *E, const Var *V) const;
  const Expr *asChoice(const Stmt *S);
  bool onlyJoins(Stmt *P, const Var *V, Join How);

  Var *newVar(llvm::StringRef Name, const Type *Ty);
  const Expr *splat(const Expr *E, const Type *Lanes);
  const Expr *mask(const LaneVal &V, const Type *Like) const {
    return Convert.toMask(V, Like, M.value(V.E->Ty->Scalar));
  }
  LaneVal shape(const Expr *E) override;
  LaneVal shapeOfOperation(const Expr *E);
  unsigned &bitsUsed() override { return BitsUsed; }
  bool mayWrap(const Expr *E) override { return shape(E).Wraps; }
  LaneVal evalVar(const Expr *E, unsigned Row) override;
  LaneVal evalWorkItem(const Expr *E, unsigned) override { return {LaneVal::Uniform, E}; }
  LaneVal evalLoad(const Expr *E, unsigned Row) override;
  /// Loads and divisions are looked at one by one.
  bool speculable(const Expr *) override { return true; }
  const Expr *hold(const Expr *E, llvm::StringRef Name) override;
  void refuse(LaneFault, const Expr *) override { Failed = true; }
  LaneVal vectorAt(const Access &First, bool Down);

  const Expr *both(const Sum &S, const Expr *X, const Expr *Y);
  const Expr *joined(const Expr *E, const Sum &S);
  const Expr *total(const Sum &S, StmtList &Into);
  void add(Sum &S, const Expr *E);

  void set(Var *V, const Expr *E);
  void statements(const StmtList &B);
  void statement(Stmt *S);
  void assign(Stmt *S);
  void branch(Stmt *S);
  void uniformBranch(Stmt *S, const Expr *Cond);
  void maskedBranch(Stmt *S, const LaneVal &Cond);
  void addMasked(Sum &S, const Expr *E);

  void reset();
  bool classify(Stmt *Loop, const llvm::DenseSet<const Var *> &Own);
  bool classify(Stmt *Loop, Var *V);
  bool usedElsewhere(const Stmt *Loop, const llvm::DenseSet<const Var *> &Own) const;
  const Type *partialType(const Sum &S);
  const Expr *neutral(const Sum &S);
  void placeSum(const Sum &S, Stmt *Loop, Around &AtLoop);
};

} // namespace clmali::rewrite
#endif
