// Names for the values of loops of symbolic trip count.
//
// A loop is a transition of state variables and a condition to go on. A value that it leaves behind
// depends on a slice of that: the variables that it is computed from, and those of the condition.
// Two loops whose slices are the same terms, up to the names of the variables, compute the same
// value from the same initial values: that value is an uninterpreted function of the initial
// values, named after the slice. So a lane of a vector loop and the scalar loop that it stands for
// leave behind the same term. The same holds for the values during an iteration; such a term stands
// for the whole sequence.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_LOOPVALUES_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_LOOPVALUES_H

#include "rewriters/verify/symbolic/terms/Terms.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <vector>

namespace clmali::verify::symbolic {

class LoopValues {
public:
  explicit LoopValues(TermStore &T) : T(T) {}

  struct Unit {
    Term Variable = 0; ///< its value when an iteration begins, of fresh()
    Term Initial = 0;
    Term Next = 0;     ///< its value when the iteration ends
    Term Final = 0;    ///< filled in: its value after the loop
    Term Sequence = 0; ///< filled in: stands for Variable in all iterations
  };
  /// A variable for the state of one loop.
  Term fresh(unsigned Width);
  /// Fills in the values of \p Units, for a loop that goes on while \p Condition is 1.
  void name(std::vector<Unit> &Units, Term Condition);

private:
  using Colours = llvm::DenseMap<Term, uint64_t>;
  uint64_t colourOf(Term Root, const Colours &OfVariables, Colours &Known) const;
  uint64_t colourOfNode(Term X, const Colours &OfVariables, const Colours &Known) const;
  /// The units that unit \p I and the condition depend on, in an order that does not depend on
  /// names.
  std::vector<size_t> sliceOf(const std::vector<Unit> &Units, size_t I, Term Condition) const;
  std::vector<Term> variablesIn(llvm::ArrayRef<Term> Roots) const;
  Term placeholder(unsigned Width, unsigned Index);

  TermStore &T;
  llvm::DenseSet<Term> State; ///< of all loops
  std::map<std::pair<unsigned, unsigned>, Term> Placeholders;
  std::map<std::vector<Term>, unsigned> Slices;
};

} // namespace clmali::verify::symbolic

#endif
