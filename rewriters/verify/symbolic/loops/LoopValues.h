// Names for the values of loops of symbolic trip count.
//
// A loop is a transition of state variables and a condition to go on. A value that it leaves behind
// depends on a slice of that: the variables that it is computed from, and those of the condition.
// Two loops whose slices are the same terms, up to the names of the variables, compute the same
// value from the same initial values: that value is an uninterpreted function of the initial
// values, named after the slice. So a lane of a vector loop and the scalar loop that it stands for
// leave behind the same term. The same holds for the values during an iteration; such a term stands
// for the whole sequence.
//
// A loop that takes several steps in each iteration, followed by one that takes the rest one by
// one, leaves behind what the second one alone would: chains are found (LoopChain.cpp), and the
// states between the steps are kept.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_LOOPVALUES_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_LOOPVALUES_H

#include "rewriters/verify/symbolic/terms/Terms.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace clmali::verify::symbolic {

class LoopValues {
public:
  explicit LoopValues(TermStore &T) : T(T) {}

  struct Unit {
    Term Variable = 0; ///< its value when an iteration begins, of fresh()
    Term Initial = 0;
    Term Next = 0;     ///< its value when the iteration ends
    Term Wide = 0;     ///< the exact value of Next in 64 bits, where it is known; see Lane
    Term Final = 0;    ///< filled in: its value after the loop
    Term Sequence = 0; ///< filled in: stands for Variable in all iterations
  };
  /// A variable for the state of one loop.
  Term fresh(unsigned Width);
  /// A step inside an iteration of a loop, as the state of the loop that takes single steps: what
  /// stands for that state, and its values. It holds where Condition is 1.
  struct Step {
    Term Condition = 0;
    /// A bit that is proved to be 1 there: the single steps would go on.
    Term Fact = 0;
    llvm::DenseMap<Term, Term> Map;
  };
  const std::vector<Step> &steps() const { return Steps; }
  /// Replaces the state of a loop around those of the steps.
  void substitute(const llvm::DenseMap<Term, Term> &Map);
  /// True if a bit is 1 for all values of its variables.
  std::function<bool(Term)> Prove;

  /// Fills in the values of \p Units, for a loop that goes on while \p Condition is 1.
  void name(std::vector<Unit> &Units, Term Condition);
  /// A bit that is 1 in every iteration, of a named unit that counts: on which side of its initial
  /// value it is. No term for others.
  Term counterFact(const Unit &U) const;

private:
  using Colours = llvm::DenseMap<Term, uint64_t>;
  uint64_t colourOf(Term Root, const Colours &OfVariables, Colours &Known) const;
  uint64_t colourOfNode(Term X, const Colours &OfVariables, const Colours &Known) const;
  /// The units that unit \p I and the condition depend on, in an order that does not depend on
  /// names.
  std::vector<size_t> sliceOf(const std::vector<Unit> &Units, size_t I, Term Condition) const;
  std::vector<Term> variablesIn(llvm::ArrayRef<Term> Roots) const;
  struct Loop {
    std::vector<Unit> Units;
    Term Condition = 0;
  };
  /// A loop that takes several steps of a slice in each iteration.
  struct Chain {
    const Loop *First = nullptr;
    std::vector<size_t> UnitOf; ///< of First, by position in the slice
    /// The values of the slice's variables before each step, by the variables before the first.
    std::vector<llvm::DenseMap<Term, Term>> States;
  };
  /// The loop before \p Units that takes several of its steps at once and leaves the initial values
  /// of \p Slice; nothing if there is none.
  std::optional<Chain> chain(const std::vector<Unit> &Units, Term Condition,
                             llvm::ArrayRef<size_t> Slice);
  bool findSteps(const std::vector<Unit> &Units, llvm::ArrayRef<size_t> Slice, Chain &C);
  bool takesOnlySteps(const std::vector<Unit> &Units, Term Condition, llvm::ArrayRef<size_t> Slice,
                      const Chain &C);
  /// What is shown of the state before a step: the second loop goes on, and exact values are exact.
  Term stepFact(const std::vector<Unit> &Units, Term Condition, llvm::ArrayRef<size_t> Slice,
                const llvm::DenseMap<Term, Term> &State);
  void keepSteps(const std::vector<Unit> &Units, Term Condition,
                 llvm::ArrayRef<std::pair<std::vector<size_t>, Chain>> Chains);
  Term placeholder(unsigned Width, unsigned Index);

  // Followers.cpp
  /// A unit whose value is a term of the variable of another one.
  struct Follower {
    size_t Counter = 0;
    Term Value = 0;
  };
  bool isCounter(const Unit &U) const;
  /// \p X where \p Counter is \p Value.
  Term with(const Unit &Counter, Term Value, Term X) const;
  /// \p X one iteration before.
  Term oneStepBack(const Unit &Counter, Term X) const;
  /// The units that follow a counter, by index. \p Units and \p Condition no longer have their
  /// variables.
  std::map<size_t, Follower> findFollowers(std::vector<Unit> &Units, Term &Condition);
  void nameFollowers(std::vector<Unit> &Units, const std::map<size_t, Follower> &All);

  TermStore &T;
  llvm::DenseSet<Term> State; ///< of all loops
  std::map<std::pair<unsigned, unsigned>, Term> Placeholders;
  std::map<std::vector<Term>, unsigned> Slices;
  std::deque<Loop> Named;
  llvm::DenseMap<Term, std::pair<const Loop *, size_t>> FinalOf;
  std::vector<Step> Steps;
};

} // namespace clmali::verify::symbolic

#endif
