//===-- rewriters/loops/LoopLanes.h - Rounds of a loop as lanes -------*- C++ -*-===//
//
// Makes the body of a loop for several rounds at once, with a partial sum in each
// lane for what the rounds sum up. Who calls it makes the loop (Unroll.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LOOPS_LOOPLANES_H
#define CLMALI_REWRITERS_LOOPS_LOOPLANES_H

#include "checks/model/ir/Model.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <optional>

namespace clmali::rewrite {

/// Does E read V?
bool mentions(const model::Expr *E, const model::Var *V);
/// A number without a fraction, no truth value.
bool isIntScalar(const model::Type *T);

class LoopLanes {
public:
  /// What stands before and behind a statement.
  struct Around {
    model::StmtList Before, Behind;
  };
  struct LaneBody {
    model::StmtList Body;
    Around Here; ///< of the loop
  };

  LoopLanes(model::Module &M, model::Kernel &K, bool Reassociate);

  /// The body of Loop, which counts Counter up by one and has nothing but
  /// computation inside, for Lanes rounds at once. False: it cannot be.
  bool make(model::Stmt *Loop, model::Var *Counter, unsigned Lanes, LaneBody &Out);

  /// Puts what stands around other statements than the loops into the kernel.
  void finish();

private:
  using Stmt = model::Stmt;
  using Expr = model::Expr;
  using Var = model::Var;
  using Type = model::Type;
  using StmtList = model::StmtList;
  using Access = model::Access;

  /// How values are joined; the order of them does not matter. From Min on, joining
  /// the same again changes nothing.
  enum class Join : uint8_t { Sum, Product, And, Or, Xor, Min, Max, FMin, FMax, Choose };
  struct Sum {
    Var *V = nullptr;
    Join How = Join::Sum;
    model::Op Takes = model::Op::None; ///< Choose: how what is taken compares with what there is
    Var *Lanes = nullptr;
  };
  /// Uniform and Linear: E is the first lane's scalar. Mask: lanes are 0 or -1.
  struct Value {
    enum Kind : uint8_t { Uniform, Linear, Vector, Mask } K = Uniform;
    const Expr *E = nullptr;
    int64_t Stride = 0;
  };

  model::Module &M;
  model::Kernel &K;
  const bool Reassociate;
  llvm::DenseMap<const Stmt *, Stmt *> Parents;
  std::map<const Stmt *, Around> Elsewhere;

  unsigned N = 1;
  bool Failed = false;
  unsigned Lazy = 0;          ///< inside what is not always evaluated
  unsigned Masked = 0;        ///< inside what some lanes would not evaluate
  bool InIndex = false;       ///< inside the index of an access
  const Expr *Mask = nullptr; ///< lanes that run the statement at hand; null: all
  StmtList *Cur = nullptr;
  llvm::DenseMap<const Var *, Value> Now;
  llvm::DenseSet<const Var *> Gone; ///< declared, no value yet
  std::vector<Access> Loaded;       ///< by all lanes, in this round
  llvm::DenseMap<const Var *, size_t> Joined;
  llvm::DenseMap<const Var *, int64_t> Counts; ///< variables that count along, by this much
  std::vector<Sum> Sums;

  bool joins(const Expr *E, const Var *V, Join How) const;
  std::optional<Join> joinOf(const Expr *E, const Var *V) const;
  const Expr *asChoice(const Stmt *S);
  bool onlyJoins(Stmt *P, const Var *V, Join How);

  const Type *lanesOf(const Type *T);
  Var *newVar(llvm::StringRef Name, const Type *Ty);
  const Expr *hold(const Expr *E, llvm::StringRef Name);
  const Expr *splat(const Expr *E, const Type *Lanes);
  const Expr *vec(const Value &V, const Type *Ty);
  const Expr *mask(const Value &V, const Type *Like);
  Value shape(const Expr *E) const;
  const Expr *lane(const Expr *E, unsigned L);
  const Expr *laneOf(const Value &V, unsigned L, const Type *Ty);
  Value evalLoad(const Expr *E);
  Value eval(const Expr *E);
  const Expr *fail(const Expr *E);

  const Expr *join(const Sum &S, const Expr *X, const Expr *Y);
  const Expr *joined(const Expr *E, const Sum &S);
  const Expr *total(const Sum &S, StmtList &Into);
  void add(Sum &S, const Expr *E);

  void set(Var *V, const Expr *E);
  void statements(const StmtList &B);
  void statement(Stmt *S);
};

} // namespace clmali::rewrite
#endif
