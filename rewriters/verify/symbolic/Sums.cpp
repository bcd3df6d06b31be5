// Questions that depend on one sum: all values of the sum are tried, not those of its parts.
//
//   before   (a + b + ... + i) / 9 against ((a + b + ... + i) * 7282) >> 16. The
//            second sum is kept as 7282 a + ... + 7282 i, in another width: to a
//            solver these are two functions of nine variables
//   after    all sums of the form g * t + c, for one t with the same parts, are
//            computed from t. If nothing else in the question varies, it is
//            evaluated for every t in its bounds
//   limits   the bounds of t hold values that its parts cannot give. So the only
//            answer is "impossible for all of them"

#include "rewriters/verify/symbolic/Solver.h"

#include "llvm/ADT/DenseSet.h"

#include <map>
#include <numeric>
#include <tuple>

namespace clmali::verify::symbolic {

using namespace llvm;

namespace {

/// The integer that an operand of a sum stands for, modulo the sum's width: the
/// term inside its extension, read as signed or as unsigned number.
using Summand = std::pair<Term, bool>;

Summand partOf(const TermStore &T, Term X) {
  bool Signed = false;
  while (T.node(X).O == Op::SExt) {
    X = T.operands(X)[0];
    Signed = true;
  }
  // A number extended with zeros is not negative, whatever extends it further. A sign-extended
  // number that is then extended with zeros is another number.
  while (T.node(X).O == Op::ZExt) {
    X = T.operands(X)[0];
    Signed = false;
  }
  return {X, Signed};
}

/// A sum as Factor * t + Constant, t given by its parts.
struct Multiple {
  std::vector<std::pair<Summand, int64_t>> Direction; ///< of t; sorted
  int64_t Factor = 1;
};

Multiple multipleOf(const TermStore &T, Term Sum) {
  const Node &N = T.node(Sum);
  ArrayRef<Term> Ops = T.operands(Sum);
  std::map<Summand, int64_t> Parts;
  for (size_t I = 0; I < Ops.size(); I += 2)
    Parts[partOf(T, Ops[I])] += signedOf(T.value(Ops[I + 1]), N.Width);
  Multiple M;
  int64_t Divisor = 0;
  for (const auto &[P, F] : Parts)
    Divisor = std::gcd(Divisor, F);
  if (Divisor == 0)
    return M;
  if (Parts.begin()->second < 0)
    Divisor = -Divisor;
  M.Factor = Divisor;
  for (const auto &[P, F] : Parts)
    M.Direction.push_back({P, F / Divisor});
  return M;
}

} // namespace

bool Solver::impossibleForSums(Term Bit, double Work) {
  // All sums in the question, by what they are multiples of.
  std::map<std::vector<std::pair<Summand, int64_t>>, std::vector<std::pair<Term, int64_t>>>
      Directions;
  DenseSet<Term> Seen;
  std::vector<Term> Stack{Bit};
  while (!Stack.empty()) {
    Term X = Stack.back();
    Stack.pop_back();
    if (!Seen.insert(X).second)
      continue;
    if (T.node(X).O == Op::Read || T.node(X).O == Op::Call)
      return false;
    if (T.node(X).O == Op::Sum && T.node(X).Count >= 4) {
      Multiple M = multipleOf(T, X);
      if (M.Direction.size() >= 2)
        Directions[M.Direction].push_back({X, M.Factor});
    }
    for (Term O : T.operands(X))
      Stack.push_back(O);
  }
  for (const auto &[Direction, Sums] : Directions) {
    if (Sums.size() < 2)
      continue;
    __int128 Low = 0, High = 0;
    bool Bounded = true;
    for (const auto &[P, F] : Direction) {
      const Node &N = T.node(P.first);
      __int128 A = __int128(F) * (P.second ? __int128(N.SLo) : __int128(N.ULo));
      __int128 B = __int128(F) * (P.second ? __int128(N.SHi) : __int128(N.UHi));
      Low += std::min(A, B);
      High += std::max(A, B);
      Bounded = Bounded && High - Low < (__int128(1) << 40) && Low > -(__int128(1) << 40) &&
                High < (__int128(1) << 40);
      if (!Bounded)
        break;
    }
    if (!Bounded)
      continue;
    DenseMap<Term, unsigned> Cuts;
    for (const auto &[Sum, F] : Sums)
      Cuts.try_emplace(Sum, unsigned(Cuts.size()));
    Evaluator E(T, Buffers, Bit, &Cuts);
    if (!E.variables().empty() || double(High - Low + 1) * double(E.size()) > Work)
      continue;
    Assignment None(T.variables(), 0);
    bool Holds = false;
    for (int64_t At = int64_t(Low); At <= int64_t(High) && !Holds; ++At) {
      for (const auto &[Sum, F] : Sums)
        E.setCut(Cuts.lookup(Sum), uint64_t(F) * uint64_t(At) + T.node(Sum).Imm);
      E.run(None);
      Holds = E.value(Bit) != 0;
      if ((At & 4095) == 0 && secondsLeft() < 0)
        return false;
    }
    if (!Holds)
      return true;
  }
  return false;
}

} // namespace clmali::verify::symbolic
