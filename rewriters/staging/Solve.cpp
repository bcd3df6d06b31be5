//===-- rewriters/staging/Solve.cpp - Which work-item stored an element ---===//
//
// Part of Delocalizer: solves the index at which a copy stores for its ids and iterations:
//
//   tile[l + 1] = src[g];  ...  tile[i]     lid = i - 1
//
// Limits: each dimension of the index must have an id whose factor divides the others.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

/// The ids and iterations of the work-item itself.
Mapping Delocalizer::itself(const Copy &C) const {
  Mapping Map;
  for (unsigned D = 0; D < 3; ++D)
    Map[P.localId(D)] = Poly::symbol(P.localId(D));
  for (const Part &X : C.Parts) {
    Map[X.Q] = Poly::symbol(X.Q);
    Map[X.R] = Poly::symbol(X.R);
  }
  for (const auto &[S, Is] : C.Atoms)
    Map[S] = Poly::symbol(S);
  return Map;
}

/// The id in I with the smallest factor that Map does not determine, and the factor.
std::pair<std::optional<unsigned>, int64_t>
Delocalizer::smallestFactor(const Copy &C, const Poly &I, const Mapping &Map) const {
  std::optional<unsigned> Solved;
  int64_t Step = 0;
  for (const auto &[Mono, Coefficient] : I.Terms)
    if (Mono.size() == 1 && isId(C, Mono[0]) && !Map.contains(Mono[0]) && I.degree(Mono[0]) == 1 &&
        (!Solved || std::abs(Coefficient) < std::abs(Step))) {
      Solved = Mono[0];
      Step = Coefficient;
    }
  return {Solved, Step};
}

/// The ids and iterations in which C stores the element at Index. Never: set if there are none.
std::optional<Mapping> Delocalizer::solve(const Tile &T, const Copy &C, llvm::ArrayRef<Poly> Index,
                                          bool *Never) {
  Mapping Map = C.Pins;
  unsigned Next = Undetermined;
  auto isId = [&](unsigned S) { return this->isId(C, S); };
  auto Own = stored(T, C);
  if (!Own || Own->size() != Index.size())
    return std::nullopt;
  for (size_t D = 0; D < Own->size(); ++D) {
    const Poly &I = (*Own)[D];
    // The result must not depend on the other ids.
    const auto Smallest = smallestFactor(C, I, Map);
    const std::optional<unsigned> Solved = Smallest.first;
    const int64_t Step = Smallest.second;
    if (!Solved) {
      if (mentions(I, [&](unsigned S) { return isId(S) && !Map.contains(S); }))
        return std::nullopt;
      continue; // one element: the caller tests whether it is read
    }
    Poly Rest = I - Poly::symbol(*Solved) * Step;
    Rest = substituteAll(Rest, [&](unsigned S) {
      if (!isId(S))
        return Poly::symbol(S);
      auto [It, New] = Map.try_emplace(S);
      if (New)
        It->second = Poly::symbol(Next++);
      return It->second;
    });
    Poly Way = Index[D] - Rest;
    if (Step != 1 && Step != -1) {
      Poly Part;
      for (const auto &[Mono, Coefficient] : Way.Terms) {
        if (Coefficient % Step) {
          // Between the elements that C stores, for all ids.
          if (Never && Mono.empty() && llvm::all_of(Way.Terms, [&](const auto &X) {
                return X.first.empty() || X.second % Step == 0;
              }))
            *Never = true;
          return std::nullopt;
        }
        Part.Terms[Mono] = Coefficient / Step;
      }
      Way = Part;
    } else {
      Way = Way * Step;
    }
    Map[*Solved] = Way;
  }
  // k / 18 and k % 18 determine k, and k determines the id in it.
  for (const Part &X : llvm::reverse(C.Parts)) {
    for (unsigned S : {X.Q, X.R})
      if (!Map.contains(S))
        Map[S] = Poly::symbol(Next++);
    if (Map.contains(X.Id))
      return std::nullopt;
    Map[X.Id] = substituteAll(X.IdIs, [&](unsigned S) {
      if (!isId(S))
        return Poly::symbol(S);
      auto [It, New] = Map.try_emplace(S);
      if (New)
        It->second = Poly::symbol(Next++);
      return It->second;
    });
  }
  for (const auto &[S, Is] : C.Atoms)
    Map[S] = substituteAll(Is, [&](unsigned Each) {
      auto It = Map.find(Each);
      return It == Map.end() ? Poly::symbol(Each) : It->second;
    });
  // Work-items that differ in an id that neither the index nor the guards use all store the same
  // element, hence (no race) the same value: the reader's own id can be used.
  for (unsigned D = 0; D < 3; ++D) {
    unsigned S = P.localId(D);
    if (Map.contains(S))
      continue;
    bool Mentioned = llvm::any_of(C.Index, [&](const Poly &I) { return I.has(S); }) ||
                     llvm::any_of(C.Parts, [&](const Part &X) { return X.Of.has(S); });
    for (const Guard &F : C.OwnerGuards)
      Mentioned |= A.poly(F.Cond->Ops[0], F.At).has(S) || A.poly(F.Cond->Ops[1], F.At).has(S);
    Map[S] = Poly::symbol(Mentioned ? Next++ : S);
  }
  for (unsigned S : C.Rounds)
    if (!Map.contains(S))
      Map[S] = Poly::symbol(Next++);
  return Map;
}

} // namespace clmali::rewrite
