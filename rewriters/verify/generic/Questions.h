// Questions about terms at symbolic sizes, answered by Z3.
//
// Those about ids and addresses in integers first (IntegerTerms.h), which is fast where it
// succeeds.
//
// Then without what is known of sizes, and with any number for each read from a buffer: so data
// are compared, by the solver of the rung "symbolic". Then by Z3 with the facts that concern the
// claim: reads from buffers and floating-point operations are uninterpreted functions. A product of
// two variables is an unknown number first, and itself if that does not suffice. A quotient and a
// remainder are unknown numbers with their defining equation; for dividends that differ by a
// constant, that both lie in the same row is a lemma.
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_QUESTIONS_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_QUESTIONS_H

#include "rewriters/verify/generic/IntegerTerms.h"
#include "rewriters/verify/symbolic/Solver.h"
#include "rewriters/verify/symbolic/terms/Terms.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clmali::verify::generic {

enum class Truth { Always, Unknown, Sometimes };

class Questions {
public:
  /// \p SecondsLeft: of processor time, for all questions.
  Questions(TermStore &T, std::function<double()> SecondsLeft);
  ~Questions();

  /// A bit that is 1 in every case that counts. \p About: it is one of many such facts, and serves
  /// claims about this term first.
  void assume(Term Bit, Term About = 0);
  /// Always: \p Claim is 1 in every case. Sometimes: not in a case that model() describes, as far
  /// as the abstraction goes. Unknown: no answer in time.
  /// \p Stronger: another claim that is tried first, about data, for which no facts are needed.
  /// \p Also: what counts for this question alone.
  Truth ask(Term Claim, Term Stronger = 0, llvm::ArrayRef<Term> Also = {});
  /// True if many claims are found to hold together, quickly.
  bool holdTogether(llvm::ArrayRef<Term> Claims);
  /// False if the facts exclude that \p Bit is 1.
  bool mayHold(Term Bit);
  /// Values of the variables in the last case found.
  const llvm::DenseMap<Term, uint64_t> &model() const { return Model; }
  bool outOfTime() const { return SecondsLeft() <= 0; }
  unsigned asked() const { return Asked; }

private:
  class Translation;
  Truth check(Translation &Z, Term Claim, llvm::ArrayRef<Term> Given, double Seconds);
  void makeTranslations();
  /// True if \p Claim follows in integers. Not tried where data are compared.
  bool followsInIntegers(Term Claim, llvm::ArrayRef<Term> Given, double Seconds);
  /// Which facts are used for a claim.
  enum class Use { SameTerm, Near, SameData, All };
  struct Fact {
    Term Bit = 0, About = 0;
  };
  /// The facts where \p Claim is 0: what is then known to be 0 or 1 is put in. Nothing: a fact
  /// excludes that.
  std::optional<std::vector<Fact>> factsAgainst(Term Claim);
  std::vector<Term> relevant(std::vector<Fact> Rest, Term Claim, Use Which);
  /// Keeps those with the fewest terms that \p Claim has not.
  void keepNear(std::vector<Fact> &Of, Term Claim);
  /// Everything inside \p Root.
  const llvm::DenseSet<Term> &termsOf(Term Root);
  /// The variables, calls and reads inside \p Root.
  const llvm::DenseSet<Term> &atomsOf(Term Root);
  /// True if \p Claim holds whatever its reads, calls and products are: data, without facts.
  bool holdsForAllData(Term Claim);

  TermStore &T;
  std::function<double()> SecondsLeft;
  std::vector<Fact> Facts;
  llvm::DenseSet<Term> IsFact;
  llvm::DenseMap<Term, Truth> Known;
  std::map<Term, std::unique_ptr<llvm::DenseSet<Term>>> Atoms, Inside;
  llvm::DenseMap<Term, uint64_t> Model;
  std::unique_ptr<Translation> Coarse, Exact;
  std::unique_ptr<IntegerTerms> Integers;
  SymbolicLimits DataLimits;
  std::unique_ptr<symbolic::Solver> Data;
  llvm::DenseMap<Term, Term> Abstracted; ///< what is any number, and the variable for it
  unsigned Asked = 0;
};

} // namespace clmali::verify::generic

#endif
