//===-- checks/model/analysis/conflict/Proofs.cpp - Addresses that are apart ----------===//
//
// Proofs that two accesses of different work-items touch no common byte, by the variables of the
// difference of their addresses:
//
//   by remainder  p[2 * i] and p[2 * i + 1]
//   by range      p[i] and p[i + n] with i < n
//   by rank       p[4 * w * y + 4 * x] with x < w: equal addresses force equal ids
//   by digits     t[k / 18][k % 18]: equal rows and columns force equal k, and that equal ids
//
// Limits: those of Conflict.cpp.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "checks/model/ir/Division.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Never near
//===----------------------------------------------------------------------===//

/// All steps are multiples of one number G, so D is Constant modulo G.
bool ConflictTest::neverNearByRemainder() {
  int64_t G = 0;
  auto AddSteps = [&](const Poly &P, bool WithConstantTerm) {
    for (const auto &[Mono, C] : P.Terms)
      if (!Mono.empty() || WithConstantTerm)
        G = std::gcd(G, C);
  };
  for (const Variable &V : Vars) {
    AddSteps(V.A, true);
    AddSteps(V.B, true);
  }
  AddSteps(Constant, false);
  int64_t C = Constant.constantTerm();
  if (G == 0) // two fixed addresses, the same for all work-items
    return C >= WB || C <= -WA;
  int64_t R = ((C % G) + G) % G;
  return R >= WB && G - R >= WA;
}

/// D is at least WB, or at most -WA, over the ranges of the variables.
bool ConflictTest::neverNearByRange() {
  Poly Most = Constant, Least = Constant;
  bool HasMost = true, HasLeast = true;
  for (const Variable &V : Vars) {
    if (V.A.isZero() && V.B.isZero())
      continue;
    if (!(V.A == V.B)) {
      // Only one of the addresses contains it.
      Poly C = V.A - V.B;
      bool Positive = isAtLeast(C, 0);
      if (!Positive && !isAtLeast(C * -1, 0))
        return false;
      const auto &Up = Positive ? V.Up : V.Low, &Low = Positive ? V.Low : V.Up;
      HasMost &= !Up.empty();
      HasLeast &= !Low.empty();
      if (!Up.empty())
        Most = Most + C * Up.front();
      if (!Low.empty())
        Least = Least + C * Low.front();
      continue;
    }
    if (V.Pinned)
      continue;
    if (V.Spread.empty())
      return false;
    bool Positive = isAtLeast(V.A, 0), Negative = isAtLeast(V.A * -1, 0);
    if (!Positive && !Negative)
      return false;
    Poly Reach = V.A * (Positive ? 1 : -1) * V.Spread.front();
    Most = Most + Reach;
    Least = Least - Reach;
  }
  return (HasMost && isAtLeast(Most * -1, WA)) || (HasLeast && isAtLeast(Least, WB));
}

/// True if D is never near 0: no two work-items touch a common byte.
bool ConflictTest::neverNear() { return neverNearByRemainder() || neverNearByRange(); }

//===----------------------------------------------------------------------===//
// Forced variables
//===----------------------------------------------------------------------===//

/// A constant distance that is a few steps of a variable that is no id shifts that variable:
/// a[(r + 1) * w] is row r shifted by one.
void ConflictTest::shiftByConstant(llvm::ArrayRef<Variable *> Terms) {
  for (Variable *V : Terms) {
    if (!V->isPair() && I.Symbols[V->Symbol].K == SymbolInfo::WorkItem)
      continue;
    for (int64_t Steps : {1, -1, 2, -2}) {
      Poly Rest = Constant - V->A * Steps;
      if (V->Shifted || V->A.isConstant() || Rest.Terms.size() >= Constant.Terms.size())
        continue;
      Constant = Rest;
      V->Shifted = true;
      for (Poly &Spread : V->Spread)
        Spread = Spread + Poly::constant(std::abs(Steps));
    }
  }
}

Poly ConflictTest::absolute(const Poly &P) const { return isAtLeast(P, 0) ? P : P * -1; }

/// True if one step of Coefficient exceeds Sum plus all that Terms can sum up to.
bool ConflictTest::exceeds(const Poly &Coefficient, const Poly &Sum,
                           llvm::ArrayRef<Variable *> Terms) const {
  if (Terms.empty())
    return isAtLeast(Coefficient - Sum, std::max(WA, WB));
  const Variable *V = Terms.back();
  Poly Step = absolute(V->A);
  return llvm::any_of(V->Spread, [&](const Poly &Spread) {
    return exceeds(Coefficient, Sum + Step * Spread, Terms.drop_back());
  });
}

/// Sets Forced of the variables that must be equal for D to be near 0. False: D is not of that
/// form.
bool ConflictTest::forces() {
  constexpr size_t MaxTerms = 4; // below one: their spreads are tried in all combinations
  std::vector<Variable *> Terms;
  for (Variable &V : Vars) {
    V.Forced = V.Pinned;
    if (V.A.isZero() && V.B.isZero())
      continue;
    if (!(V.A == V.B))
      return false;
    if (!V.Pinned)
      Terms.push_back(&V);
  }
  shiftByConstant(Terms);
  if (!isAtLeast(Constant, 0) && !isAtLeast(Constant * -1, 0))
    return false;
  auto Rank = [](const Variable *V) {
    size_t Degree = 0;
    int64_t Size = 0;
    for (const auto &[Mono, C] : V->A.Terms) {
      Degree = std::max(Degree, size_t(Mono.size()));
      Size = std::max(Size, std::abs(C));
    }
    return std::pair(Degree, Size);
  };
  llvm::sort(Terms, [&](auto *X, auto *Y) { return Rank(X) < Rank(Y); });
  // From the largest down: all smaller terms together do not make up for one step of this one.
  Poly Start = absolute(Constant);
  llvm::ArrayRef<Variable *> Below = Terms;
  while (!Below.empty()) {
    Variable *V = Below.back();
    Below = Below.drop_back();
    if (Below.size() > MaxTerms || !exceeds(absolute(V->A), Start, Below))
      break;
    V->Forced = true;
  }
  return true;
}

/// True if quotient and remainder of Id by one number are forced to be equal.
bool ConflictTest::splitsId(unsigned Id) {
  auto Forced = [](const Variable &V) { return V.Forced && !V.Shifted && !V.isPair(); };
  auto IsOperation = [](const Expr *E, Op O) { return E && E->K == ExprKind::Binary && E->O == O; };
  for (const Variable &Q : Vars)
    for (const Variable &R : Vars) {
      if (!Forced(Q) || !Forced(R))
        continue;
      const Expr *X = I.Symbols[Q.Symbol].E, *Y = I.Symbols[R.Symbol].E;
      if (!IsOperation(X, Op::Div) || !IsOperation(Y, Op::Rem))
        continue;
      const Stmt *AtX = I.SymbolAt[Q.Symbol], *AtY = I.SymbolAt[R.Symbol];
      Poly Number = normal(I.poly(X->Ops[0], AtX)), By = normal(I.poly(X->Ops[1], AtX));
      if (!(Number == normal(I.poly(Y->Ops[0], AtY))) || !(By == normal(I.poly(Y->Ops[1], AtY))))
        continue;
      Poly Coefficient = Number.degree(Id) == 1 ? Number.coefficient(Id) : Poly();
      if (!Coefficient.isConstant() || Coefficient.isZero())
        continue;
      if (isShared(Number - Coefficient * Poly::symbol(Id)) && isShared(By))
        return true;
    }
  return false;
}

/// True if two work-items whose forced values are equal are one work-item.
bool ConflictTest::separated() {
  auto IsForced = [&](Query Q, unsigned D) {
    unsigned S = id(Q, D);
    return llvm::any_of(Vars,
                        [S](const Variable &V) {
                          return V.Symbol == S && V.Forced && !V.isPair() && V.A == V.B;
                        }) ||
           splitsId(S);
  };
  for (unsigned D = 0; D < 3; ++D) {
    if (!(Used >> D & 1))
      continue;
    bool OneOnly = I.K.ReqdWorkGroupSize && (*I.K.ReqdWorkGroupSize)[D] == 1;
    bool LocalEqual = IsForced(Query::LocalId, D) || OneOnly;
    if (Local ? !(LocalEqual || IsForced(Query::GlobalId, D))
              : !(IsForced(Query::GlobalId, D) || (LocalEqual && IsForced(Query::GroupId, D))))
      return false;
  }
  return Used != 0;
}

//===----------------------------------------------------------------------===//
// Digits of numbers
//===----------------------------------------------------------------------===//

/// E as a digit of a number: k / 10 % 6 is (k / 10) % 6.
std::optional<ConflictTest::Digit> ConflictTest::digit(const Expr *E, const Stmt *At,
                                                       unsigned Depth) {
  constexpr unsigned MaxDepth = 6;
  // A variable that is a digit: by its value's own symbol.
  Poly P = I.poly(E, At);
  unsigned S = onlySymbol(P);
  if (S == None || I.Symbols[S].K != SymbolInfo::Atom || Depth >= MaxDepth)
    return Digit{normal(P), 1, 0};
  const Stmt *OfAt = I.SymbolAt[S];
  auto D = divisionOf(I.Symbols[S].E, [&](const Expr *X) { return I.poly(X, OfAt); });
  if (!D || !(D->Exact || I.rangeAt(D->Of, OfAt).Lo >= 0))
    return Digit{normal(P), 1, 0};
  auto Inner = digit(D->Of, OfAt, Depth + 1);
  if (!Inner || (Inner->Values && Inner->Values % D->By))
    return std::nullopt;
  if (D->Rest)
    return Digit{Inner->Of, Inner->Unit, D->By};
  return Digit{Inner->Of, Inner->Unit * D->By, Inner->Values / D->By};
}

/// True if OfA of one work-item equals OfB of another one only where both are one work-item.
bool ConflictTest::meansOneItem(const Poly &OfA, const Poly &OfB) {
  ConflictTest Numbers(*this, OfA, OfB);
  if (!Numbers.collect())
    return false;
  Numbers.bounds();
  return Numbers.neverNear() || (Numbers.forces() && Numbers.separated());
}

/// k / 60, k / 10 % 6 and k % 10 are k's digits: where all of them are forced to be equal, so is k.
/// True if that holds for some number which identifies the work-item.
bool ConflictTest::equalNumbersMeanOneItem() {
  struct Pair {
    Digit A, B;
  };
  std::vector<Pair> Known;
  for (const Variable &V : Vars) {
    unsigned Second = V.symbolOfB();
    if (!V.Forced || V.Shifted || I.Symbols[V.Symbol].K != SymbolInfo::Atom ||
        I.Symbols[Second].K != SymbolInfo::Atom)
      continue;
    auto X = digit(I.Symbols[V.Symbol].E, I.SymbolAt[V.Symbol], 0),
         Y = digit(I.Symbols[Second].E, I.SymbolAt[Second], 0);
    if (X && Y && X->Unit == Y->Unit && X->Values == Y->Values)
      Known.push_back({*X, *Y});
  }
  /// True if the digits of First's number are all known, from the lowest to the highest.
  auto IsComplete = [&](const Pair &First) {
    int64_t Unit = 1;
    while (Unit) {
      auto Next = llvm::find_if(Known, [&](const Pair &P) {
        return P.A.Of == First.A.Of && P.B.Of == First.B.Of && P.A.Unit == Unit && P.A.Values != 1;
      });
      if (Next == Known.end())
        return false;
      Unit = Next->A.Values ? Unit * Next->A.Values : 0;
    }
    return true;
  };
  return llvm::any_of(Known, [&](const Pair &First) {
    return IsComplete(First) && meansOneItem(First.A.Of, First.B.Of);
  });
}

} // namespace clmali::model
