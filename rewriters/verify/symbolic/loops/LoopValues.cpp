#include "rewriters/verify/symbolic/loops/LoopValues.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace clmali::verify::symbolic {

using namespace llvm;

/// Rounds in which colours are refined; longer chains of variables may stay alike.
static constexpr size_t MostRounds = 8;

Term LoopValues::fresh(unsigned Width) {
  Term X = T.variable(Width);
  State.insert(X);
  return X;
}

Term LoopValues::placeholder(unsigned Width, unsigned Index) {
  Term &X = Placeholders[{Width, Index}];
  if (!X)
    X = T.variable(Width);
  return X;
}

std::vector<Term> LoopValues::variablesIn(ArrayRef<Term> Roots) const {
  std::vector<Term> Found;
  DenseSet<Term> Seen;
  SmallVector<Term, 32> Stack(Roots.rbegin(), Roots.rend());
  while (!Stack.empty()) {
    Term X = Stack.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    if (State.contains(X))
      Found.push_back(X);
    ArrayRef<Term> Ops = T.operands(X);
    Stack.append(Ops.rbegin(), Ops.rend());
  }
  return Found;
}

static uint64_t mix(uint64_t A, uint64_t B) { return uint64_t(size_t(hash_combine(A, B))); }

uint64_t LoopValues::colourOfNode(Term X, const Colours &OfVariables, const Colours &Known) const {
  const Node &N = T.node(X);
  if (auto It = OfVariables.find(X); It != OfVariables.end())
    return It->second;
  if (N.O == Op::Var)
    return State.contains(X) ? mix(1, N.Width) : mix(2, N.Imm);
  uint64_t H = mix(uint64_t(N.O) << 8 | N.Width, N.Imm);
  ArrayRef<Term> Ops = T.operands(X);
  // Operands whose order does not count are added up.
  size_t Unordered = 0;
  switch (N.O) {
  case Op::Sum: {
    uint64_t All = 0;
    for (size_t I = 0; I < Ops.size(); I += 2)
      All += mix(Known.lookup(Ops[I]), T.value(Ops[I + 1]));
    return mix(H, All);
  }
  case Op::Mul:
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Eq:
  case Op::SMin:
  case Op::SMax:
  case Op::UMin:
  case Op::UMax:
    Unordered = 2;
    break;
  case Op::Call:
    Unordered = T.commutes(unsigned(N.Imm)) ? 2 : 0;
    break;
  default:
    break;
  }
  uint64_t All = 0;
  for (size_t I = 0; I < Ops.size(); ++I)
    if (I < Unordered)
      All += mix(3, Known.lookup(Ops[I]));
    else
      H = mix(H, Known.lookup(Ops[I]));
  return mix(H, All);
}

uint64_t LoopValues::colourOf(Term Root, const Colours &OfVariables, Colours &Known) const {
  SmallVector<std::pair<Term, bool>, 32> Stack{{Root, false}};
  while (!Stack.empty()) {
    auto [X, Visited] = Stack.pop_back_val();
    if (Known.contains(X))
      continue;
    if (!Visited) {
      Stack.push_back({X, true});
      for (Term Operand : T.operands(X))
        Stack.push_back({Operand, false});
      continue;
    }
    Known[X] = colourOfNode(X, OfVariables, Known);
  }
  return Known.lookup(Root);
}

std::vector<size_t> LoopValues::sliceOf(const std::vector<Unit> &Units, size_t I,
                                        Term Condition) const {
  DenseMap<Term, size_t> UnitOf;
  for (size_t N = 0; N < Units.size(); ++N)
    UnitOf[Units[N].Variable] = N;
  std::vector<size_t> Slice{I};
  auto add = [&](Term Root) {
    for (Term V : variablesIn(Root))
      if (auto It = UnitOf.find(V); It != UnitOf.end() && !is_contained(Slice, It->second))
        Slice.push_back(It->second);
  };
  add(Condition);
  for (size_t N = 0; N < Slice.size(); ++N)
    add(Units[Slice[N]].Next);

  Colours Now;
  for (size_t N : Slice)
    Now[Units[N].Variable] = mix(T.width(Units[N].Variable), N == I);
  for (size_t Round = 0; Round < std::min(Slice.size() + 1, MostRounds); ++Round) {
    Colours Known, Refined;
    const uint64_t OfCondition = colourOf(Condition, Now, Known);
    for (size_t N : Slice)
      Refined[Units[N].Variable] =
          mix(mix(Now[Units[N].Variable], OfCondition), colourOf(Units[N].Next, Now, Known));
    Now = std::move(Refined);
  }
  llvm::stable_sort(Slice, [&](size_t A, size_t B) {
    return Now.lookup(Units[A].Variable) < Now.lookup(Units[B].Variable);
  });
  return Slice;
}

void LoopValues::name(std::vector<Unit> &Units, Term Condition) {
  std::vector<std::pair<std::vector<size_t>, Chain>> Chains;
  const std::map<size_t, Follower> Followers = findFollowers(Units, Condition);
  for (size_t I = 0; I < Units.size(); ++I) {
    if (Followers.count(I))
      continue;
    const std::vector<size_t> Slice = sliceOf(Units, I, Condition);
    const std::optional<Chain> Before = chain(Units, Condition, Slice);
    DenseMap<Term, Term> Map;
    std::vector<Term> Args, Roots{Condition};
    unsigned Index = 0;
    for (size_t At = 0; At < Slice.size(); ++At) {
      const size_t N = Slice[At];
      Term V = Units[N].Variable;
      Map[V] = placeholder(T.width(V), Index++);
      Args.push_back(Before ? Before->First->Units[Before->UnitOf[At]].Initial : Units[N].Initial);
      Roots.push_back(Units[N].Next);
    }
    // The state of loops around this one does not change in it.
    for (Term V : variablesIn(Roots))
      if (!Map.contains(V)) {
        Map[V] = placeholder(T.width(V), Index++);
        Args.push_back(V);
      }
    std::vector<Term> Description;
    for (Term Root : Roots)
      Description.push_back(T.substitute(Root, Map));
    const size_t At = size_t(llvm::find(Slice, I) - Slice.begin());
    Description.push_back(Term(At));
    const unsigned Number = Slices.try_emplace(Description, unsigned(Slices.size())).first->second;
    const std::string Name = std::to_string(Number);
    const unsigned Width = T.width(Units[I].Variable);
    Units[I].Final = T.call("final#" + Name, Width, Args);
    Units[I].Sequence = T.call("iteration#" + Name, Width, Args);
    if (Before)
      Chains.push_back({Slice, *Before});
  }
  nameFollowers(Units, Followers);
  keepSteps(Units, Condition, Chains);
  Named.push_back({Units, Condition});
  for (size_t I = 0; I < Units.size(); ++I)
    if (!Followers.count(I) && T.node(Units[I].Final).O == Op::Call)
      FinalOf[Units[I].Final] = {&Named.back(), I};
}

} // namespace clmali::verify::symbolic
