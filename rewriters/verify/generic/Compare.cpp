// The effects of a block and of the work-item that stands for it, compared.
#include "rewriters/verify/generic/Block.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::verify::generic {

using namespace llvm;
using namespace symbolic;

std::string Prover::describe(const Questions &Q) const {
  std::string Text;
  auto add = [&](const std::string &Name, Term X) {
    if (T.node(X).O == Op::ZExt || T.node(X).O == Op::SExt)
      X = T.operands(X)[0];
    if (auto It = Q.model().find(X); It != Q.model().end())
      Text += (Text.empty() ? " (" : ", ") + Name + "=" +
              std::to_string(signedOf(It->second, T.width(X)));
  };
  for (const auto &[Name, X] : Scalars)
    add(Name, X);
  return Text.empty() ? Text : Text + ")";
}

void Prover::claim(Term Bit, Reason Otherwise, const Twine &Detail, Term Stronger) {
  if (!T.isConst(Bit, 1) && none_of(Claims, [&](const Claim &C) { return C.Bit == Bit; }))
    Claims.push_back({Bit, Otherwise, Detail.str(), Stronger});
}

void Prover::addCandidates(Questions &Q, const Claim &C) {
  // Sizes that can be run: 2^22 elements in one or two dimensions.
  for (unsigned I = 0; I < SizeNames.size(); ++I) {
    const Names &Of = SizeNames[I];
    if (Of.empty())
      continue;
    for (int64_t Most : {int64_t(300), Of.size() == 1 ? int64_t(1) << 22 : int64_t(2048)}) {
      SmallVector<Term, 4> Small;
      for (const auto &[Name, X] : Of) {
        Small.push_back(T.slt(X, T.constant(64, uint64_t(Most))));
        Small.push_back(T.slt(T.constant(64, 0), X));
      }
      if (Q.ask(C.Bit, 0, Small) != Truth::Sometimes)
        continue;
      GenericCandidate Found;
      Found.Launch = I;
      Found.What = C.Detail;
      for (const auto &[Name, X] : Of)
        if (auto It = Q.model().find(X); It != Q.model().end())
          Found.At[Name] = int64_t(It->second);
      if (Found.At.size() == Of.size())
        Result.Candidates.push_back(std::move(Found));
      break;
    }
  }
}

bool Prover::proveOne(Questions &Q, const Claim &C) {
  switch (Q.ask(C.Bit, C.Stronger)) {
  case Truth::Always:
    return true;
  case Truth::Sometimes:
    addCandidates(Q, C);
    return stop(C.Otherwise, C.Detail + describe(Q));
  case Truth::Unknown:
    break;
  }
  if (T.node(C.Bit).HasUndef)
    return stop(Reason::Uninitialised, C.Detail + ": an uninitialised value");
  return stop(Q.outOfTime() ? Reason::OutOfTime : Reason::SolverGaveUp, C.Detail);
}

bool Prover::proveClaims(Questions &Q) {
  const std::vector<Claim> All = std::exchange(Claims, {});
  // They share what they are made of: one question for many.
  constexpr size_t Together = 16;
  for (bool Data : {false, true}) {
    std::vector<const Claim *> Some;
    for (const Claim &C : All)
      if ((C.Stronger != 0) == Data)
        Some.push_back(&C);
    for (size_t I = 0; I < Some.size(); I += Together)
      if (!proveTogether(Q, ArrayRef(Some).slice(I).take_front(Together)))
        return false;
  }
  return true;
}

bool Prover::proveTogether(Questions &Q, ArrayRef<const Claim *> Some) {
  SmallVector<Term, 16> Bits;
  for (const Claim *C : Some)
    Bits.push_back(C->Bit);
  if (Some.size() > 1 && Q.holdTogether(Bits))
    return true;
  return all_of(Some, [&](const Claim *C) { return proveOne(Q, *C); });
}

/// Both programs leave the same value at \p At. \p SameCondition: both must store there under the
/// same condition. Otherwise one program may store the value that it loaded from there where the
/// other stores nothing; checkInterference() shows that no other work-item stores there.
void Prover::compareUnit(const Block &B, Unit At, const Stored &From, const Stored &To,
                         bool SameCondition) {
  const std::string &Name = BufferNames[At.first];
  const Term W = From.Written, V = To.Written;
  if (From.Mixed || To.Mixed)
    return claim(T.boolean(false), Reason::StoreOrder,
                 "stores to " + Name + " in and outside of loops");
  // What the original leaves undefined may be anything, or be left out.
  const bool Undefined = !From.Cases.empty() && From.isUndefined(T);
  if (!SameCondition) {
    auto It = B.From.Loaded.find(At);
    const Term Loaded = It == B.From.Loaded.end() ? T.boolean(false) : It->second;
    claim(T.bitOr(T.bitNot(T.bitXor(W, V)), Undefined ? T.bitNot(V) : Loaded), Reason::StoreDiffers,
          "a store to " + Name + " is made under other conditions");
  }
  if (Undefined)
    return;
  auto same = [&](Term Condition, Term X, Term Y) {
    Term Same = T.eq(X, Y);
    claim(T.bitOr(T.bitNot(Condition), Same), Reason::ValueDiffers,
          "another value is written to " + Name, Same);
  };
  for (const Stored::Case &X : From.Cases)
    for (const Stored::Case &Y : To.Cases)
      same(T.bitAnd(X.Last, Y.Last), X.Value, Y.Value);
  if (SameCondition)
    return;
  const Term Before = T.read(At.first, Granules[At.first] * 8, At.second);
  for (const Stored::Case &X : From.Cases)
    same(T.bitAnd(X.Last, T.bitNot(V)), X.Value, Before);
  for (const Stored::Case &Y : To.Cases)
    same(T.bitAnd(Y.Last, T.bitNot(W)), Y.Value, Before);
}

/// Work-items that store to one place without a barrier between them store the same.
void Prover::claimOneWriter(Unit At, const Stored &S) {
  for (size_t I = 0; I < S.Stores.size(); ++I)
    for (size_t J = 0; J < I; ++J) {
      const Stored::Store &X = S.Stores[I], &Y = S.Stores[J];
      if (!Stored::areOrdered(X, Y))
        claim(T.bitOr(T.bitNot(T.bitAnd(X.Guard, Y.Guard)), T.eq(X.Value, Y.Value)),
              Reason::StoreOrder,
              "two work-items store different values to " + BufferNames[At.first]);
    }
}

/// Gives stores of the rewritten kernel the term that the original has for their address, where
/// that is the same address in another form.
void Prover::pairStores(Questions &Q, Block &B) {
  std::vector<Unit> From, To;
  for (const auto &[At, S] : B.From.Stores)
    if (!B.To.Stores.contains(At))
      From.push_back(At);
  for (const auto &[At, S] : B.To.Stores)
    if (!B.From.Stores.contains(At))
      To.push_back(At);
  if (From.size() != To.size())
    return;
  // The same order in most cases: others are not worth the time.
  for (size_t I = 0; I < To.size(); ++I) {
    const Unit X = To[I], Y = From[I];
    if (X.first != Y.first)
      continue;
    const Term Guard = B.To.Stores.find(X)->second.Written;
    if (Q.ask(T.bitOr(T.bitNot(Guard), T.eq(X.second, Y.second))) != Truth::Always)
      return;
    B.To.rename(X, Y);
  }
}

bool Prover::compareStores(Questions &Q, const Block &B) {
  Stored None;
  None.Written = T.boolean(false);
  auto in = [&](const Effects &E, Unit At) -> const Stored & {
    auto It = E.Stores.find(At);
    return It == E.Stores.end() ? None : It->second;
  };
  std::vector<Unit> Units;
  for (const auto &[At, S] : B.From.Stores)
    Units.push_back(At);
  for (const auto &[At, S] : B.To.Stores)
    if (!B.From.Stores.contains(At))
      Units.push_back(At);
  Term AllSame = T.boolean(true);
  auto sameConditions = [&](Unit At) { return T.eq(in(B.From, At).Written, in(B.To, At).Written); };
  for (Unit At : Units)
    AllSame = T.bitAnd(AllSame, sameConditions(At));
  const bool All = Q.ask(AllSame) == Truth::Always;
  for (const auto &[At, S] : B.To.Stores)
    claimOneWriter(At, S);
  for (Unit At : Units)
    compareUnit(B, At, in(B.From, At), in(B.To, At),
                All || Q.ask(sameConditions(At)) == Truth::Always);
  return proveClaims(Q);
}

static bool inOrder(const Stored &X, const Stored &Y) {
  return any_of(X.Stores, [&](const Stored::Store &A) {
    return any_of(Y.Stores, [&](const Stored::Store &B) { return Stored::areOrdered(A, B); });
  });
}

static bool allInOrder(const Stored &X, const Stored &Y) {
  return all_of(X.Stores, [&](const Stored::Store &A) {
    return all_of(Y.Stores, [&](const Stored::Store &B) { return Stored::areOrdered(A, B); });
  });
}

/// Stores of one original work-item that may meet keep their order, and so do those of a group that
/// are between different barriers. Others do not meet, or the original's result is not determined.
bool Prover::checkOrder(Questions &Q, const Block &B) {
  for (const auto &[P, X] : B.From.Stores)
    for (const auto &[O, Y] : B.From.Stores) {
      if (P.first != O.first || !(X.First < Y.Last) || P == O || !inOrder(X, Y))
        continue;
      Term Distance = T.sub(P.second, O.second);
      if (T.isConst(Distance)) {
        int64_t By = signedOf(T.value(Distance), 64);
        if (std::abs(By) >= int64_t(Granules[P.first]))
          continue;
        return stop(Reason::StoreOrder, "stores overlap in part");
      }
      const auto U = B.To.Stores.find(P), V = B.To.Stores.find(O);
      if (U == B.To.Stores.end() || V == B.To.Stores.end())
        continue; // never written, as is proved
      if (X.Last < Y.First && U->second.Last < V->second.First && allInOrder(U->second, V->second))
        continue;
      claim(T.bitNot(T.bitAnd(T.bitAnd(X.Written, Y.Written), T.eq(P.second, O.second))),
            Reason::StoreOrder,
            "stores to " + BufferNames[P.first] + " that may meet are in another order");
    }
  return proveClaims(Q);
}

/// Each address that the rewritten work-item touches is one of its block's.
bool Prover::checkLoads(Questions &Q, const Block &B) {
  for (const auto &[At, Guard] : B.To.Touched) {
    auto It = B.From.Touched.find(At);
    Term Allowed = It == B.From.Touched.end() ? T.boolean(false) : It->second;
    // Another term may be the same address. Below an address that is accessed lies the buffer; what
    // is there does not matter, if it does not change.
    const bool Written = B.From.writes(At.first) || B.To.writes(At.first);
    for (const auto &[Other, Its] : B.From.Touched)
      if (It == B.From.Touched.end() && Other.first == At.first)
        Allowed =
            T.bitOr(Allowed, T.bitAnd(Its, Written ? T.eq(Other.second, At.second)
                                                   : T.bitNot(T.ult(Other.second, At.second))));
    claim(T.bitOr(T.bitNot(Guard), Allowed), Reason::NewAccess,
          "an access to " + BufferNames[At.first] + " that the original does not make");
  }
  return proveClaims(Q);
}

/// No access of \p One to \p Buffer meets a store of \p Other, where \p Differ.
bool Prover::checkPairs(Questions &Q, unsigned Buffer, bool Stores, const Effects &One,
                        const Effects &Other, Term Differ) {
  const unsigned Granule = Granules[Buffer];
  for (const auto &[At, Guard] : Stores ? One.Touched : One.Loaded)
    for (const auto &[To, S] : Other.Stores) {
      if (At.first != Buffer || To.first != Buffer)
        continue;
      // From Granule - 1 bytes below to Granule - 1 bytes above.
      Term Distance = T.addConst(T.sub(At.second, To.second), Granule - 1);
      Term Meet = T.ult(Distance, T.constant(64, 2 * Granule - 1));
      Term Both = T.bitAnd(T.bitAnd(Guard, S.Written), T.bitAnd(Differ, Meet));
      claim(T.bitNot(Both), Reason::Interference,
            "a work-item may read what another one writes to " + BufferNames[Buffer]);
    }
  return proveClaims(Q);
}

std::unique_ptr<Machine> Prover::executeAlone(const Block &B, std::array<Term, 3> &Id) {
  OpenItem Item = originalItem(Id, B.Groups[0]);
  for (unsigned A = 0; A < 3 && Item.Local[0]; ++A) {
    const uint64_t Size = Item.Local[A];
    Item.Alone[A] = Size == 1 ? T.constant(64, 0)
                              : T.extend(T.variableBetween(32, 0, int64_t(Size - 1)), 64, false);
    // Any id of the launch is the first one of a group, and what comes after it.
    Item.Group[A] = T.isConst(Id[A]) ? Id[A] : freshIds({T.node(Id[A]).UHi / Size, 0, 0})[0];
    Item.Id[A] = Id[A] = T.add(T.mul(Item.Group[A], T.constant(64, Size)), Item.Alone[A]);
  }
  bool Again = false;
  std::unique_ptr<Machine> M = execute(false, std::move(Item), Again);
  if (Again)
    stop(Reason::Interference, "accesses of several widths");
  return M;
}

/// What a work-item loads from a buffer that is written belongs to no other work-item. Shown for
/// two work-items of the original; the rewritten kernel's addresses are among its.
bool Prover::checkInterference(Questions &Q, const Block &B) {
  std::vector<unsigned> Shared;
  for (unsigned I = 0; I < BufferNames.size(); ++I)
    if ((B.From.writes(I) || B.To.writes(I)) && (B.From.loads(I) || B.To.loads(I)))
      Shared.push_back(I);
  if (Shared.empty())
    return true;
  std::array<Term, 3> Ids[2];
  Effects Of[2] = {Effects(T, Granules), Effects(T, Granules)};
  std::array<std::optional<uint64_t>, 3> Largest;
  for (unsigned A = 0; A < 3; ++A) {
    Largest[A] = 0;
    for (const LaunchClaim *C : B.Claims)
      Largest[A] = Largest[A] && C->LargestOriginal[A] ? std::max(Largest[A], C->LargestOriginal[A])
                                                       : std::nullopt;
  }
  Questions Pair(T, [this] { return secondsLeft(); });
  assumeHost(Pair);
  Term Differ = T.boolean(false);
  for (unsigned N : {0u, 1u}) {
    Ids[N] = freshIds(Largest);
    std::unique_ptr<Machine> M = executeAlone(B, Ids[N]);
    if (!M)
      return false;
    Of[N].add(M->accesses(), N);
    assumeItem(Pair, *M);
    for (unsigned D = 0; D < Host.Dimensions; ++D) {
      Pair.assume(T.bitNot(T.ult(Ids[N][D], Offsets[D])));
      Pair.assume(T.ult(Ids[N][D], T.add(Offsets[D], Sizes[D])));
    }
  }
  for (unsigned D = 0; D < Host.Dimensions; ++D)
    Differ = T.bitOr(Differ, T.bitNot(T.eq(Ids[0][D], Ids[1][D])));
  for (unsigned I : Shared) {
    if (Of[0].inLoop(I))
      return stop(Reason::Interference,
                  BufferNames[I] + " is read and written, and accessed in a loop");
    bool Stores = false;
    for (const auto &[At, Guard] : B.To.Loaded)
      Stores |= At.first == I && !B.From.Loaded.contains(At);
    if (!checkPairs(Pair, I, Stores, Of[0], Of[1], Differ))
      return false;
  }
  return checkInside(Q, B, Shared);
}

/// Each of several work-items of the rewritten kernel accesses buffers that are read and written
/// only where its own original work-items do.
bool Prover::checkInside(Questions &Q, const Block &B, ArrayRef<unsigned> Shared) {
  if (B.ToAt.size() == 1)
    return true;
  auto isOwn = [&](unsigned Original, unsigned Rewritten) {
    for (unsigned A = 0; A < 3; ++A)
      if (B.FromAt[Original][A] / (B.Size[A] / B.Count[A]) != B.ToAt[Rewritten][A])
        return false;
    return true;
  };
  auto inside = [&](Unit At, unsigned Item, Term Guard, auto &&Theirs) {
    Term Allowed = T.boolean(false);
    for (const auto &[Original, Its] : Theirs)
      if (isOwn(Original, Item))
        Allowed = T.bitOr(Allowed, Its);
    claim(T.bitOr(T.bitNot(Guard), Allowed), Reason::Interference,
          "a work-item accesses what another one does in " + BufferNames[At.first]);
  };
  using Accesses = SmallVector<std::pair<unsigned, Term>, 2>;
  for (const auto &[At, Its] : B.To.Readers) {
    if (!is_contained(Shared, At.first))
      continue;
    auto Theirs = B.From.Readers.find(At);
    for (const auto &[Item, Guard] : Its)
      inside(At, Item, Guard, Theirs == B.From.Readers.end() ? Accesses() : Theirs->second);
  }
  for (const auto &[At, Its] : B.To.Stores) {
    if (!is_contained(Shared, At.first))
      continue;
    Accesses Theirs;
    if (auto It = B.From.Stores.find(At); It != B.From.Stores.end())
      for (const Stored::Store &S : It->second.Stores)
        Theirs.push_back({S.Item, S.Guard});
    for (const Stored::Store &S : Its.Stores)
      inside(At, S.Item, S.Guard, Theirs);
  }
  return proveClaims(Q);
}

} // namespace clmali::verify::generic
