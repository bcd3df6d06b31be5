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
#include "rewriters/lanes/Linear.h"
#include "rewriters/lanes/Operations.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <optional>

namespace clmali::rewrite {

/// True if E reads V.
bool mentions(const model::Expr *E, const model::Var *V);
/// True for scalar integers except bool.
bool isIntScalar(const model::Type *T);

class LoopLanes {
public:
  /// Statements that are added around another one.
  struct Around {
    model::StmtList Before, After;
  };
  struct LaneBody {
    model::StmtList Body;
    Around Here; ///< of the loop
  };

  LoopLanes(model::Module &M, model::Kernel &K, bool Reassociate);

  /// The body of Loop, which counts Counter up by one and only computes, for Lanes iterations at
  /// once. False: that is not possible.
  bool make(model::Stmt *Loop, model::Var *Counter, unsigned Lanes, LaneBody &Out);

  /// Adds the statements around others than the loops to the kernel.
  void finish();

private:
  using Stmt = model::Stmt;
  using Expr = model::Expr;
  using Var = model::Var;
  using Type = model::Type;
  using StmtList = model::StmtList;
  using Access = model::Access;

  /// Reductions, whose order does not matter. From Min on they are idempotent.
  enum class Join : uint8_t { Sum, Product, And, Or, Xor, Min, Max, FMin, FMax, Choose };
  struct Sum {
    Var *V = nullptr;
    Join How = Join::Sum;
    model::Op Takes =
        model::Op::None; ///< Choose: how the value that is taken compares with the present one
    Var *Lanes = nullptr;
  };
  using Value = LaneVal;

  model::Module &M;
  model::Kernel &K;
  const bool Reassociate;
  const model::StmtTree Tree;
  std::map<const Stmt *, Around> Elsewhere;

  unsigned N = 1;
  bool Failed = false;
  unsigned Lazy = 0;           ///< depth of expressions that are not always evaluated
  unsigned Masked = 0;         ///< depth of expressions that some lanes would not evaluate
  unsigned BitsUsed = AllBits; ///< of the value at hand
  const Expr *Mask = nullptr;  ///< lanes that execute the current statement; null: all
  StmtList *Cur = nullptr;
  llvm::DenseMap<const Var *, Value> Now;
  llvm::DenseSet<const Var *> Unset; ///< declared, no value yet
  std::vector<Access> Loaded;        ///< by all lanes, in this iteration
  llvm::DenseMap<const Var *, size_t> Joined;
  llvm::DenseMap<const Var *, int64_t> Counts; ///< other induction variables, and their steps
  std::vector<Sum> Sums;

  bool joins(const Expr *E, const Var *V, Join How) const;
  std::optional<Join> joinOf(const Expr *E, const Var *V) const;
  const Expr *asChoice(const Stmt *S);
  bool onlyJoins(Stmt *P, const Var *V, Join How);

  LaneConverter convert() const { return {M, N}; }
  const Type *lanesOf(const Type *T) const { return convert().vectorType(T); }
  Var *newVar(llvm::StringRef Name, const Type *Ty);
  const Expr *hold(const Expr *E, llvm::StringRef Name);
  const Expr *splat(const Expr *E, const Type *Lanes);
  const Expr *vec(const Value &V, const Type *Ty) const { return convert().toVector(V, Ty); }
  const Expr *mask(const Value &V, const Type *Like) const {
    return convert().toMask(V, Like, M.value(V.E->Ty->Scalar));
  }
  Value shape(const Expr *E);
  Value shapeOfOperation(const Expr *E);
  const Expr *lane(const Expr *E, unsigned L);
  Value evalLoad(const Expr *E);
  Value eval(const Expr *E);
  bool evalOperands(const Expr *E, llvm::SmallVectorImpl<Value> &Ops);
  Value vectorAt(const Access &First, bool Down);
  const Expr *fail(const Expr *E);

  const Expr *join(const Sum &S, const Expr *X, const Expr *Y);
  const Expr *joined(const Expr *E, const Sum &S);
  const Expr *total(const Sum &S, StmtList &Into);
  void add(Sum &S, const Expr *E);

  void set(Var *V, const Expr *E);
  void statements(const StmtList &B);
  void statement(Stmt *S);
  void assign(Stmt *S);
  void branch(Stmt *S);
  void uniformBranch(Stmt *S, const Expr *Cond);
  void maskedBranch(Stmt *S, const Value &Cond);
  void addMasked(Sum &S, const Expr *E);

  void reset(unsigned Lanes);
  bool classify(Stmt *Loop, const llvm::DenseSet<const Var *> &Own);
  bool classify(Stmt *Loop, Var *V);
  bool usedElsewhere(const Stmt *Loop, const llvm::DenseSet<const Var *> &Own) const;
  const Type *partialType(const Sum &S);
  const Expr *neutral(const Sum &S);
  void placeSum(const Sum &S, Stmt *Loop, Around &AtLoop);
};

} // namespace clmali::rewrite
#endif
