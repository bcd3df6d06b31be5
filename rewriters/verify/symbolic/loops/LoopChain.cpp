// Loops that take several steps at once, followed by a loop that takes the rest.
//
//   before   for (; i < (n & -4); i += 4) four steps;   for (; i < n; ++i) one step
//   after    the values of one loop:                    for (; i < n; ++i) one step
//   limits   an iteration of the first loop is up to 16 steps of the second one, term by term
//
// That the second loop would go on at each of these steps is proved.

#include "rewriters/verify/symbolic/loops/LoopValues.h"

#include "llvm/ADT/STLExtras.h"

namespace clmali::verify::symbolic {

using namespace llvm;

static constexpr unsigned MostSteps = 16;

/// \p X as a number of 64 bits, where it is a signed number of 32 bits.
static Term wide(TermStore &T, Term X) { return T.width(X) == 32 ? T.extend(X, 64, true) : 0; }

bool LoopValues::findSteps(const std::vector<Unit> &Units, ArrayRef<size_t> Slice, Chain &C) {
  DenseMap<Term, Term> Rename, State;
  for (size_t I = 0; I < Slice.size(); ++I) {
    Term Variable = Units[Slice[I]].Variable;
    Rename[C.First->Units[C.UnitOf[I]].Variable] = Variable;
    State[Variable] = Variable;
  }
  std::vector<Term> Wanted;
  for (size_t At : C.UnitOf)
    Wanted.push_back(T.substitute(C.First->Units[At].Next, Rename));
  for (unsigned Step = 0; Step < MostSteps; ++Step) {
    C.States.push_back(State);
    DenseMap<Term, Term> Next;
    for (size_t N : Slice) {
      const Unit &U = Units[N];
      Next[U.Variable] = T.substitute(U.Next, State);
      if (Term Wide = wide(T, U.Variable); Wide && U.Wide)
        Next[Wide] = T.substitute(U.Wide, State);
    }
    bool All = true;
    for (size_t I = 0; I < Slice.size() && All; ++I)
      All = Next.lookup(Units[Slice[I]].Variable) == Wanted[I];
    if (All)
      return true;
    State = std::move(Next);
  }
  return false;
}

Term LoopValues::stepFact(const std::vector<Unit> &Units, Term Condition, ArrayRef<size_t> Slice,
                          const DenseMap<Term, Term> &State) {
  Term Fact = T.substitute(Condition, State);
  for (size_t N : Slice) {
    Term Variable = Units[N].Variable, Wide = wide(T, Variable);
    if (auto It = State.find(Wide); Wide && It != State.end())
      Fact = T.bitAnd(Fact, T.eq(T.extend(State.lookup(Variable), 64, true), It->second));
  }
  return Fact;
}

bool LoopValues::takesOnlySteps(const std::vector<Unit> &Units, Term Condition,
                                ArrayRef<size_t> Slice, const Chain &C) {
  DenseMap<Term, Term> Rename;
  Term Claim = T.boolean(true);
  auto unless = [&](Term Fact, Term Otherwise) { return T.bitOr(T.bitNot(Fact), Otherwise); };
  for (size_t I = 0; I < Slice.size(); ++I)
    Rename[C.First->Units[C.UnitOf[I]].Variable] = Units[Slice[I]].Variable;
  for (const DenseMap<Term, Term> &State : C.States)
    Claim = T.bitAnd(Claim, stepFact(Units, Condition, Slice, State));
  Claim = unless(T.substitute(C.First->Condition, Rename), Claim);
  // Low bits that an iteration of the first loop does not change are those of its initial value.
  for (size_t I = 0; I < Slice.size(); ++I) {
    const Unit &U = C.First->Units[C.UnitOf[I]];
    Term By = T.sub(U.Next, U.Variable), Variable = Units[Slice[I]].Variable;
    if (!T.isConst(By) || T.value(By) == 0)
      continue;
    const unsigned Bits = unsigned(__builtin_ctzll(T.value(By)));
    if (Bits > 0 && Bits < T.width(By))
      Claim = unless(T.eq(T.trunc(Variable, Bits), T.trunc(U.Initial, Bits)), Claim);
  }
  return Prove && Prove(Claim);
}

std::optional<LoopValues::Chain> LoopValues::chain(const std::vector<Unit> &Units, Term Condition,
                                                   ArrayRef<size_t> Slice) {
  Chain C;
  for (size_t N : Slice) {
    auto It = FinalOf.find(Units[N].Initial);
    if (It == FinalOf.end() || (C.First && It->second.first != C.First))
      return std::nullopt;
    C.First = It->second.first;
    C.UnitOf.push_back(It->second.second);
  }
  if (!C.First || !findSteps(Units, Slice, C) || !takesOnlySteps(Units, Condition, Slice, C))
    return std::nullopt;
  return C;
}

void LoopValues::keepSteps(const std::vector<Unit> &Units, Term Condition,
                           ArrayRef<std::pair<std::vector<size_t>, Chain>> Chains) {
  if (Chains.empty())
    return;
  const Loop &First = *Chains.front().second.First;
  DenseMap<Term, Term> Sequences;
  for (const Unit &U : First.Units)
    Sequences[U.Variable] = U.Sequence;
  const size_t Count = Chains.front().second.States.size();
  for (size_t Number = 0; Number < Count; ++Number) {
    Step S;
    S.Condition = T.substitute(First.Condition, Sequences);
    S.Fact = T.boolean(true);
    for (const auto &[Slice, C] : Chains) {
      if (C.First != &First || C.States.size() != Count)
        continue;
      DenseMap<Term, Term> Back = Sequences;
      for (size_t I = 0; I < Slice.size(); ++I)
        Back[Units[Slice[I]].Variable] = First.Units[C.UnitOf[I]].Sequence;
      const DenseMap<Term, Term> &State = C.States[Number];
      S.Fact = T.bitAnd(S.Fact, T.substitute(stepFact(Units, Condition, Slice, State), Back));
      for (size_t N : Slice) {
        const Unit &U = Units[N];
        S.Map[U.Sequence] = T.substitute(State.lookup(U.Variable), Back);
        Term Wide = wide(T, U.Variable);
        if (auto It = State.find(Wide); Wide && It != State.end())
          S.Map[wide(T, U.Sequence)] = T.substitute(It->second, Back);
      }
    }
    Steps.push_back(std::move(S));
  }
}

void LoopValues::substitute(const DenseMap<Term, Term> &Map) {
  for (Step &S : Steps) {
    S.Condition = T.substitute(S.Condition, Map);
    S.Fact = T.substitute(S.Fact, Map);
    DenseMap<Term, Term> New;
    for (auto [From, To] : S.Map)
      New[T.substitute(From, Map)] = T.substitute(To, Map);
    S.Map = std::move(New);
  }
}

} // namespace clmali::verify::symbolic
