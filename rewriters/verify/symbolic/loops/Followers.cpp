// Values that follow the counter of their loop: those of a window that slides.
//
//   before   v = f(i0 - 1);  for (i = i0; ..; ++i) { w = f(i); .. use v .. ; v = w; }
//   after    v is f(i - 1) in every iteration
//   limits   one counter with a constant step; f is one term in it
//
// The value that an iteration leaves is a term of the counter, f(i). So the next one begins with
// f(i - step), and the first one does if that is the initial value. What is left of the loop then
// is the loop that reads its window anew in each iteration.

#include "rewriters/verify/symbolic/loops/LoopValues.h"

#include "llvm/ADT/STLExtras.h"

namespace clmali::verify::symbolic {

using namespace llvm;

bool LoopValues::isCounter(const Unit &U) const {
  const Term Step = T.sub(U.Next, U.Variable);
  return T.isConst(Step) && T.value(Step) != 0;
}

Term LoopValues::counterFact(const Unit &U) const {
  // Where the exact value is not known, it may wrap.
  if (!isCounter(U) || T.width(U.Variable) != 32 || !U.Wide || T.node(U.Initial).HasUndef)
    return 0;
  const bool Up = signedOf(T.value(T.sub(U.Next, U.Variable)), 32) > 0;
  return T.bitNot(Up ? T.slt(U.Sequence, U.Initial) : T.slt(U.Initial, U.Sequence));
}

/// The signed extensions of \p Variable inside \p Root.
static DenseSet<Term> extensionsOf(const TermStore &T, Term Variable, Term Root) {
  DenseSet<Term> Found, Seen;
  SmallVector<Term, 32> Stack{Root};
  while (!Stack.empty()) {
    const Term X = Stack.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    if (T.node(X).O == Op::SExt && T.operands(X)[0] == Variable)
      Found.insert(X);
    Stack.append(T.operands(X).begin(), T.operands(X).end());
  }
  return Found;
}

Term LoopValues::with(const Unit &Counter, Term Value, Term X) const {
  DenseMap<Term, Term> Map{{Counter.Variable, Value}};
  for (Term Extension : extensionsOf(T, Counter.Variable, X))
    Map[Extension] = T.extend(Value, T.width(Extension), true);
  return T.substitute(X, Map);
}

Term LoopValues::oneStepBack(const Unit &Counter, Term X) const {
  const Term Step = T.sub(Counter.Next, Counter.Variable);
  DenseMap<Term, Term> Map{{Counter.Variable, T.sub(Counter.Variable, Step)}};
  const int64_t By = signedOf(T.value(Step), T.width(Step));
  // The exact value, too, where an overflow is undefined.
  if (T.width(Step) == 32 &&
      Counter.Wide == T.addConst(T.extend(Counter.Variable, 64, true), uint64_t(By)))
    for (Term Extension : extensionsOf(T, Counter.Variable, X))
      Map[Extension] = T.addConst(Extension, uint64_t(-By));
  return T.substitute(X, Map);
}

std::map<size_t, LoopValues::Follower> LoopValues::findFollowers(std::vector<Unit> &Units,
                                                                 Term &Condition) {
  std::map<size_t, Follower> Found;
  DenseMap<Term, size_t> UnitOf;
  for (size_t I = 0; I < Units.size(); ++I)
    UnitOf[Units[I].Variable] = I;
  auto follow = [&](size_t I) {
    const Unit &U = Units[I];
    std::optional<size_t> Counter;
    for (Term V : variablesIn(U.Next))
      if (auto It = UnitOf.find(V); It != UnitOf.end()) {
        if (It->second == I || (Counter && *Counter != It->second))
          return false;
        Counter = It->second;
      }
    if (!Counter || !isCounter(Units[*Counter]))
      return false;
    const Unit &C = Units[*Counter];
    const Term Value = oneStepBack(C, U.Next);
    if (with(C, C.Initial, Value) != U.Initial)
      return false;
    Found[I] = {*Counter, Value};
    return true;
  };
  for (bool Again = true; Again;) {
    Again = false;
    for (size_t I = 0; I < Units.size(); ++I) {
      if (Found.count(I) || isCounter(Units[I]) || !follow(I))
        continue;
      Again = true;
      const DenseMap<Term, Term> Map{{Units[I].Variable, Found[I].Value}};
      Condition = T.substitute(Condition, Map);
      for (Unit &U : Units)
        U.Next = T.substitute(U.Next, Map);
    }
  }
  return Found;
}

void LoopValues::nameFollowers(std::vector<Unit> &Units, const std::map<size_t, Follower> &All) {
  for (const auto &[I, F] : All) {
    const Unit &C = Units[F.Counter];
    Units[I].Final = with(C, C.Final, F.Value);
    Units[I].Sequence = with(C, C.Sequence, F.Value);
  }
}

} // namespace clmali::verify::symbolic
