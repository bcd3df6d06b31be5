#include "rewriters/verify/generic/Effects.h"

#include "llvm/ADT/STLExtras.h"

namespace clmali::verify::generic {

using namespace llvm;

Term Effects::guardOf(const OpenAccess &A) {
  Term Guard = T->boolean(true);
  for (Term C : A.Path)
    Guard = T->bitAnd(Guard, C);
  return Guard;
}

void Effects::addStore(Unit At, const OpenAccess &A, unsigned Part, Term Guard, unsigned Item) {
  const unsigned Bits = Granules[A.Buffer] * 8;
  Term Value = T->extract(A.Value, Part * Bits, Bits);
  auto [It, New] = Stores.insert({At, Stored()});
  Stored &S = It->second;
  S.Stores.push_back({Item, Group, A.Phase, Guard, Value});
  if (New) {
    S.Written = Guard;
    S.Cases.push_back({Guard, Value});
    S.First = S.Last = Count;
    S.InLoop = !A.Loops.empty();
    S.Loops = A.Loops;
    return;
  }
  S.Mixed |= S.Loops != A.Loops && (S.InLoop || !A.Loops.empty()) &&
             !T->isConst(T->bitAnd(S.Written, Guard), 0);
  for (Stored::Case &C : S.Cases)
    C.Last = T->bitAnd(C.Last, T->bitNot(Guard));
  llvm::erase_if(S.Cases, [&](const Stored::Case &C) { return T->isConst(C.Last, 0); });
  auto Same = llvm::find_if(S.Cases, [&](const Stored::Case &C) { return C.Value == Value; });
  if (Same == S.Cases.end())
    S.Cases.push_back({Guard, Value});
  else
    Same->Last = T->bitOr(Same->Last, Guard);
  S.Written = T->bitOr(S.Written, Guard);
  S.Last = Count;
}

void Effects::add(ArrayRef<OpenAccess> Accesses, unsigned FirstItem) {
  ++Group;
  for (const OpenAccess &A : Accesses) {
    const unsigned Item = FirstItem + A.Item;
    const Term Guard = guardOf(A);
    const unsigned Granule = Granules[A.Buffer];
    ++Count;
    for (unsigned Part = 0; Part < A.Bytes / Granule; ++Part) {
      const Unit At{A.Buffer, T->addConst(A.Offset, uint64_t(Part) * Granule)};
      auto note = [&](MapVector<Unit, Term> &Into) {
        auto [It, New] = Into.insert({At, Guard});
        if (!New)
          It->second = T->bitOr(It->second, Guard);
      };
      note(Touched);
      if (!A.Loops.empty())
        InLoop.insert(A.Buffer);
      if (A.Update != symbolic::UpdateKind::None) {
        if (Part == 0)
          Updates.push_back({At, A.Update, A.Bytes, Guard, A.Value, A.Path});
        continue;
      }
      if (A.Write) {
        addStore(At, A, Part, Guard, Item);
        continue;
      }
      note(Loaded);
      Readers[At].push_back({Item, Guard});
    }
  }
}

void Effects::addStep(Term Condition, const DenseMap<Term, Term> &Map) {
  for (MapVector<Unit, Term> *Of : {&Touched, &Loaded}) {
    const MapVector<Unit, Term> Known = *Of;
    for (const auto &[At, Guard] : Known) {
      const Unit There{At.first, T->substitute(At.second, Map)};
      if (There == At)
        continue;
      Term Bit = T->bitAnd(Condition, T->substitute(Guard, Map));
      auto [It, New] = Of->insert({There, Bit});
      if (!New)
        It->second = T->bitOr(It->second, Bit);
    }
  }
}

void Effects::rename(Unit From, Unit To) {
  Stored S = Stores.find(From)->second;
  Stores.erase(From);
  Stores.insert({To, std::move(S)});
  if (auto It = Touched.find(From); It != Touched.end()) {
    const Term Guard = It->second;
    auto [Its, New] = Touched.insert({To, Guard});
    if (!New)
      Its->second = T->bitOr(Its->second, Guard);
  }
}

bool Effects::writes(unsigned Buffer) const {
  return any_of(Stores, [&](const auto &S) { return S.first.first == Buffer; });
}

bool Effects::loads(unsigned Buffer) const {
  return any_of(Loaded, [&](const auto &S) { return S.first.first == Buffer; });
}

} // namespace clmali::verify::generic
