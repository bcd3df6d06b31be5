// Atomic updates of a block and of the work-items that stand for it, compared.
//
// Updates of one kind commute. So the updates of a block have the same effect if, for each term of
// an address, all operands together are the same: whether two terms are the same address does not
// matter then, nor the order of the blocks.
#include "rewriters/verify/generic/Block.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <map>

namespace clmali::verify::generic {

using namespace llvm;
using symbolic::UpdateKind;

static symbolic::Op operationOf(UpdateKind K) {
  switch (K) {
  case UpdateKind::Min:
    return symbolic::Op::SMin;
  case UpdateKind::Max:
    return symbolic::Op::SMax;
  case UpdateKind::UMin:
    return symbolic::Op::UMin;
  case UpdateKind::UMax:
    return symbolic::Op::UMax;
  case UpdateKind::And:
    return symbolic::Op::And;
  default:
    return symbolic::Op::Or;
  }
}

static bool isIdempotent(UpdateKind K) { return K != UpdateKind::Add && K != UpdateKind::Xor; }

/// The operands of an idempotent update, each with the condition under which it counts.
using Operands = std::map<Term, Term>;

/// Adds those of \p X where \p When is 1.
static void flatten(TermStore &T, UpdateKind K, Term X, Term When, Operands &Into) {
  const symbolic::Node N = T.node(X);
  const SmallVector<Term, 4> Ops(T.operands(X));
  const Term None = symbolic::neutralOperand(T, K, N.Width);
  if (X == None)
    return;
  if (N.O == symbolic::Op::Ite && Ops[2] == None)
    return flatten(T, K, Ops[1], T.bitAnd(When, Ops[0]), Into);
  if (N.O == symbolic::Op::Ite && Ops[1] == None)
    return flatten(T, K, Ops[2], T.bitAnd(When, T.bitNot(Ops[0])), Into);
  // Numbers without a sign are compared as unsigned ones.
  const bool Unsigned = (N.O == symbolic::Op::UMin && K == UpdateKind::Min) ||
                        (N.O == symbolic::Op::UMax && K == UpdateKind::Max);
  if (N.O == operationOf(K) ||
      (Unsigned && all_of(Ops, [&](Term Y) { return T.node(Y).SLo >= 0; }))) {
    for (Term Y : Ops)
      flatten(T, K, Y, When, Into);
    return;
  }
  auto [It, New] = Into.insert({X, When});
  if (!New)
    It->second = T.bitOr(It->second, When);
}

/// Claims that \p X and \p Y, operands of kind \p K, are the same where \p Where is 1.
void Prover::claimSame(Term Where, UpdateKind K, Term X, Term Y, const std::string &What) {
  auto claimEqual = [&](Term P, Term Q) {
    const Term Same = T.eq(P, Q);
    claim(T.bitOr(T.bitNot(Where), Same), Reason::ValueDiffers, What, Same);
  };
  Operands Of[2];
  if (isIdempotent(K))
    for (unsigned I : {0u, 1u})
      flatten(T, K, I ? Y : X, T.boolean(true), Of[I]);
  auto sameOperand = [](const auto &P, const auto &Q) { return P.first == Q.first; };
  if (Of[0].empty() || Of[0].size() != Of[1].size() ||
      !std::equal(Of[0].begin(), Of[0].end(), Of[1].begin(), sameOperand))
    return claimEqual(X, Y);
  for (const auto &[Operand, When] : Of[0])
    claimEqual(When, Of[1][Operand]);
}

/// A buffer that is updated is accessed by updates of one width alone. Those of different kinds are
/// at different constant addresses.
bool Prover::checkUpdated(const Block &B) {
  std::vector<Update> All = B.From.Updates;
  llvm::append_range(All, B.To.Updates);
  for (const Update &U : All) {
    const unsigned Buffer = U.At.first;
    const std::string &Name = BufferNames[Buffer];
    for (const Effects *E : {&B.From, &B.To})
      if (E->writes(Buffer) || E->loads(Buffer) || U.Bytes != Granules[Buffer])
        return stop(Reason::Atomics, Name + " is accessed by atomic operations and by others");
    for (const Update &V : All)
      if (V.At.first == Buffer && V.Kind != U.Kind &&
          (!T.isConst(U.At.second) || !T.isConst(V.At.second) || U.At.second == V.At.second))
        return stop(Reason::Atomics, Name + " is accessed by atomic operations of several kinds");
  }
  return true;
}

static bool reads(const TermStore &T, Term Root) {
  SmallVector<Term, 16> Left{Root};
  DenseSet<Term> Seen;
  while (!Left.empty()) {
    const Term X = Left.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    if (T.node(X).O == symbolic::Op::Read)
      return true;
    llvm::append_range(Left, T.operands(X));
  }
  return false;
}

/// Where all of \p Given are 1: parts of guards that always hold then are dropped, and updates that
/// are never made. \p Fast: what is given says much about the ids.
void Prover::assumeCase(Questions &Q, ArrayRef<Term> Given, bool Fast, UpdateList &Of) {
  Term Otherwise = T.boolean(false);
  for (Term Part : Given)
    Otherwise = T.bitOr(Otherwise, T.bitNot(Part));
  // Parts that differ between the work-items, such as x + 3 < width.
  SmallVector<Term, 32> Some;
  for (const Update &U : Of)
    for (Term Part : U.Path)
      if (Fast && !is_contained(Given, Part) && !is_contained(Some, Part) && !reads(T, Part) &&
          any_of(Of, [&](const Update &V) { return !is_contained(V.Path, Part); }))
        Some.push_back(Part);
  SmallVector<Term, 32> Claims;
  for (Term Part : Some)
    Claims.push_back(T.bitOr(Otherwise, Part));
  if (!Q.holdTogether(Claims))
    Some.clear();
  for (Update &U : Of) {
    U.Guard = U.OfData = T.boolean(true);
    for (Term Part : U.Path) {
      if (is_contained(Given, Part) || is_contained(Some, Part))
        continue;
      Term &Into = reads(T, Part) ? U.OfData : U.Guard;
      Into = is_contained(Given, T.bitNot(Part)) ? T.boolean(false) : T.bitAnd(Into, Part);
    }
  }
  llvm::erase_if(Of,
                 [&](const Update &U) { return T.isConst(U.Guard, 0) || T.isConst(U.OfData, 0); });
}

/// Takes out updates that both programs make: with the same operand, under the same condition.
void Prover::cancelPairs(Questions &Q, Term Case, UpdateList &From, UpdateList &To) {
  auto isSame = [&](const Update &X, const Update &Y, bool Ask) {
    if (X.Operand != Y.Operand || X.OfData != Y.OfData)
      return false;
    return X.Guard == Y.Guard ||
           (Ask && Q.holdTogether(T.bitOr(T.bitNot(Case), T.eq(X.Guard, Y.Guard))));
  };
  for (bool Ask : {false, true})
    for (size_t I = 0; I < To.size();) {
      auto It = find_if(From, [&](const Update &X) { return isSame(X, To[I], Ask); });
      if (It == From.end()) {
        ++I;
        continue;
      }
      From.erase(It);
      To.erase(To.begin() + I);
    }
}

/// Claims that the updates of one unit have the same effect where all of \p Given are 1. \p Fast:
/// they are the conditions of the rewritten kernel's fast path.
void Prover::compareOperands(Questions &Q, ArrayRef<Term> Given, bool Fast, UpdateList From,
                             UpdateList To) {
  Term Case = T.boolean(true);
  for (Term Part : Given)
    Case = T.bitAnd(Case, Part);
  const Update Any = From.empty() ? To.front() : From.front();
  const Term None = symbolic::neutralOperand(T, Any.Kind, Any.Bytes * 8);
  auto joined = [&](const UpdateList &Of) {
    Term All = None;
    for (const Update &U : Of)
      All =
          symbolic::updated(T, Any.Kind, All, T.ite(T.bitAnd(U.Guard, U.OfData), U.Operand, None));
    return All;
  };
  auto same = [&](Term Condition, Term X, Term Y) {
    claimSame(T.bitAnd(Case, Condition), Any.Kind, X, Y,
              "an atomic operation on " + BufferNames[Any.At.first] + " has another operand");
  };
  assumeCase(Q, Given, Fast, From);
  assumeCase(Q, Given, false, To);
  cancelPairs(Q, Case, From, To);
  if (To.size() != 1)
    return same(T.boolean(true), joined(From), joined(To));
  // One update in place of many.
  const Update &U = To.front();
  const Term Here = T.bitAnd(U.Guard, U.OfData);
  SmallVector<Term, 8> Its(Given);
  copy_if(U.Path, std::back_inserter(Its), [&](Term Part) { return !reads(T, Part); });
  UpdateList Made = From;
  assumeCase(Q, Its, Fast, Made);
  same(Here, joined(Made), U.Operand);
  same(T.bitNot(Here), joined(From), None);
}

bool Prover::compareUpdates(Questions &Q, const Block &B) {
  MapVector<Unit, std::array<UpdateList, 2>> Units; ///< of the original, of the rewritten kernel
  for (const Update &U : B.From.Updates)
    Units[U.At][0].push_back(U);
  // The same address may be another term in the rewritten kernel.
  constexpr unsigned MostAsked = 64, MostConditions = 4;
  unsigned Asked = 0;
  auto nameOf = [&](const Update &U) {
    if (Units.contains(U.At))
      return U.At;
    for (const auto &[At, Its] : Units)
      if (At.first == U.At.first && Its[1].empty() && ++Asked <= MostAsked &&
          Q.ask(T.bitOr(T.bitNot(U.Guard), T.eq(At.second, U.At.second))) == Truth::Always)
        return At;
    return U.At;
  };
  for (const Update &U : B.To.Updates)
    Units[nameOf(U)][1].push_back(U);
  for (const auto &[At, Its] : Units) {
    // The fast path of the rewritten kernel, then what fails one of its conditions.
    SmallVector<Term, 4> Fast;
    if (!Its[1].empty())
      for (Term Part : Its[1].front().Path) {
        if (reads(T, Part) || Fast.size() == MostConditions)
          break;
        Fast.push_back(Part);
      }
    compareOperands(Q, Fast, true, Its[0], Its[1]);
    while (!Fast.empty()) {
      Fast.back() = T.bitNot(Fast.back());
      compareOperands(Q, Fast, false, Its[0], Its[1]);
      Fast.pop_back();
    }
  }
  return proveClaims(Q);
}

} // namespace clmali::verify::generic
