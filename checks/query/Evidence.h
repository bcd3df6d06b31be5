//===- Evidence.h - what a finding rests on ---------------------------------------------------===//
//
// Marks the values of a kernel that are computed from guesses of the tolerant frontend: a variable
// with a definition that depends on a guessed number, directly or through other variables. What is
// stored to memory is not followed.
//
//   int rounds = ROWS * 100;        ROWS was guessed: rounds is marked
//
// Finding::restsOn asks these marks and applies the page's `on-guess`. A check asks them itself
// only where a guess changes its question: another message, another criterion, an unknown size.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_EVIDENCE_H
#define CLMALI_CHECKS_QUERY_EVIDENCE_H

#include "checks/Check.h"
#include "checks/model/frontend/Guesses.h"
#include "llvm/ADT/DenseSet.h"

namespace clmali::checks {

class GuessedFacts {
public:
  GuessedFacts(const model::Module &M, const model::KernelAnalysis &K);

  const model::Guesses &names() const { return Names; }
  bool hasNumbers() const { return !Names.Numbers.empty(); }

  /// Null is no guess.
  bool isGuessed(const model::Expr *Value) const;
  bool isGuessed(const model::Access &Address) const;
  bool isGuessed(const model::AccessSite &AddressAndGuards) const;
  bool isGuessed(const model::CountedLoop &TripCount) const;
  bool hasGuessedSize(const model::Var &V) const; ///< a number in its declaration: int x[N]
  bool hasGuessedType(const model::Var &V) const; ///< the type in its declaration

  /// True if the kernel or a function that it calls uses a macro that was guessed to be empty,
  /// F(...)=: a barrier, an access or a branch may be missing.
  bool mayLackCode() const { return LacksCode; }

  /// The trip count of L, if it is a constant that rests on no guess.
  std::optional<int64_t> knownTripCount(const model::CountedLoop &L) const;

private:
  llvm::StringRef text(model::SourceRange R) const;

  const model::Module &M;
  model::Guesses Names;
  bool LacksCode = false;
  llvm::DenseSet<const model::Var *> Marked;
};

/// Those of the kernel, made on first use.
const GuessedFacts &guessed(Context &C);

} // namespace clmali::checks

#endif
