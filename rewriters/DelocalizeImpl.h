//===-- rewriters/DelocalizeImpl.h - Inside delocalize ----------*- C++ -*-===//
//
// Three parts: facts (what holds at a place, what follows from it), text (a
// polynomial as an expression of a place), and the mapping from a tile's element
// to what the work-item that stored it had copied (Delocalize.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_DELOCALIZEIMPL_H
#define CLMALI_REWRITERS_DELOCALIZEIMPL_H

#include "rewriters/Passes.h"
#include "llvm/ADT/DenseMap.h"

namespace clmali::rewrite {

/// Where a statement stands.
struct Spot {
  model::Stmt *Parent = nullptr;
  model::Block *In = nullptr;
  size_t Index = 0;
};

/// A condition, evaluated where At is, that holds (or does not).
struct Fact {
  const model::Expr *Cond = nullptr;
  bool Holds = true;
  const model::Stmt *At = nullptr;
};

/// What is known at places of a kernel, in polynomials.
class Places {
public:
  Places(model::Module &M, model::Kernel &K, const model::KernelAnalysis &A);

  model::Module &M;
  model::Kernel &K;
  const model::KernelAnalysis &A;
  llvm::DenseMap<const model::Stmt *, Spot> Spots;
  /// Upper bounds of local ids that the launch must respect, by dimension.
  std::array<std::optional<int64_t>, 3> LocalMax;

  std::vector<model::Stmt *> ancestors(const model::Stmt *S) const; ///< innermost first
  bool isInside(const model::Stmt *S, const model::Stmt *Of) const;

  /// Splits Cond into the conditions that all hold (negations resolved).
  static void split(const model::Expr *Cond, bool Holds, const model::Stmt *At, std::vector<Fact> &Into);
  /// What the branches and loops around S say, up to Stop.
  std::vector<Fact> factsAt(const model::Stmt *S, const model::Stmt *Stop = nullptr) const;
  /// Polynomials that are not negative where F holds.
  void nonNegative(const Fact &F, std::vector<model::Poly> &Into) const;
  std::optional<int64_t> least(const model::Poly &P) const;
  /// Is T >= 0 wherever Known are? Assume: local ids may be bounded for it.
  bool prove(const model::Poly &T, llvm::ArrayRef<model::Poly> Known, bool Assume = false);

  unsigned localId(unsigned D) const { return Lid[D]; }
  unsigned globalId(unsigned D) const { return Gid[D]; }

  /// May E be written at S, meaning the same as where it came from?
  bool isVisible(const model::Expr *E, const model::Stmt *S) const;
  bool isValid(unsigned Symbol, const model::Stmt *S) const;
  /// P, computed in Ty, at S: in terms of variables in sight where that is
  /// shorter. Null: it cannot be said there.
  const model::Expr *express(model::Poly P, const model::Type *Ty, const model::Stmt *S);

private:
  std::array<unsigned, 3> Lid, Gid;
  void place(model::Block &B, model::Stmt *Parent);
  std::vector<model::Var *> inSight(const model::Stmt *S) const;
};

/// P with every symbol replaced at once.
model::Poly substituteAll(const model::Poly &P, llvm::function_ref<model::Poly(unsigned)> By);

} // namespace clmali::rewrite
#endif
