//===-- checks/model/analysis/conflict/Proofs.cpp - They never meet ----------===//
//
// Proofs that two accesses of different work-items are apart:
//
//   by remainder  p[2 * i] and p[2 * i + 1]
//   by range      p[i] and p[i + n] with i < n
//   by rank       p[4 * w * y + 4 * x] with x < w: equal addresses force equal ids
//   by digits     t[k / 18][k % 18]: equal rows and columns force equal k, and that equal ids
//   by row and column  m[i * p + j] and m[j * p + i] with i < j
//   by halves     p[i] and p[n - 1 - i] with i < n / 2
//
// Limits: those of Conflict.cpp.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "checks/model/ir/Division.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace clmali::model {

/// D cannot come near 0: by remainder, or by range.
bool ConflictTest::neverNear() {
  // All steps are multiples of G: D = Constant modulo G.
  int64_t G = 0;
  auto Take = [&](const Poly &P) {
    for (const auto &[Mono, C] : P.Terms)
      if (!Mono.empty() || &P != &Constant)
        G = std::gcd(G, C);
  };
  for (const Variable &V : Vars) {
    Take(V.A);
    Take(V.B);
  }
  Take(Constant);
  int64_t C = Constant.constantTerm();
  if (G != 0) {
    int64_t R = ((C % G) + G) % G;
    if (R >= WB && G - R >= WA)
      return true;
  } else if (C >= WB || C <= -WA) {
    return true; // the same two places for all items
  }
  // By range: D at least WB, or at most -WA.
  Poly Most = Constant, Least = Constant;
  bool HasMost = true, HasLeast = true;
  for (const Variable &V : Vars) {
    if (V.A.isZero() && V.B.isZero())
      continue;
    if (!(V.A == V.B)) {
      // One of the addresses alone moves by it.
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

/// Which variables must be equal for D to be near 0.
bool ConflictTest::forces() {
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
  // A fixed distance that is some steps of a value that is no id moves that value.
  for (Variable *V : Terms) {
    bool Id = V->Other == ~0u && I.Symbols[V->Symbol].K == SymbolInfo::WorkItem;
    for (int64_t Steps : {1, -1, 2, -2})
      if (Poly Rest = Constant - V->A * Steps;
          !Id && !V->Shifted && !V->A.isConstant() && Rest.Terms.size() < Constant.Terms.size()) {
        Constant = Rest;
        V->Shifted = true;
        for (Poly &Spread : V->Spread)
          Spread = Spread + Poly::constant(std::abs(Steps));
      }
  }
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
  // From the top: what is below cannot make up for one step of this term.
  int64_t Width = std::max(WA, WB);
  std::function<bool(size_t, Poly, const Poly &)> Below = [&](size_t N, Poly Sum,
                                                              const Poly &Coefficient) -> bool {
    if (N == 0)
      return isAtLeast(Coefficient - Sum, Width);
    const Variable *V = Terms[N - 1];
    Poly Abs = isAtLeast(V->A, 0) ? V->A : V->A * -1;
    for (const Poly &Spread : V->Spread)
      if (Below(N - 1, Sum + Abs * Spread, Coefficient))
        return true;
    return false;
  };
  Poly Start = isAtLeast(Constant, 0) ? Constant : Constant * -1;
  for (size_t N = Terms.size(); N-- > 0;) {
    Poly Abs = isAtLeast(Terms[N]->A, 0) ? Terms[N]->A : Terms[N]->A * -1;
    if (N > 4 || !Below(N, Start, Abs))
      break;
    Terms[N]->Forced = true;
  }
  return true;
}

/// Are quotient and remainder of Id forced to be equal?
bool ConflictTest::splitsId(unsigned Id) {
  auto Forced = [](const Variable &V) { return V.Forced && !V.Shifted && V.Other == ~0u; };
  for (const Variable &Q : Vars)
    for (const Variable &R : Vars) {
      if (!Forced(Q) || !Forced(R))
        continue;
      const Expr *X = I.Symbols[Q.Symbol].E, *Y = I.Symbols[R.Symbol].E;
      if (!X || !Y || X->K != ExprKind::Binary || X->O != Op::Div || Y->K != ExprKind::Binary ||
          Y->O != Op::Rem)
        continue;
      const Stmt *AtX = I.SymbolAt[Q.Symbol], *AtY = I.SymbolAt[R.Symbol];
      Poly Whole = normal(I.poly(X->Ops[0], AtX)), Part = normal(I.poly(X->Ops[1], AtX));
      if (!(Whole == normal(I.poly(Y->Ops[0], AtY))) || !(Part == normal(I.poly(Y->Ops[1], AtY))))
        continue;
      Poly Coefficient = Whole.degree(Id) == 1 ? Whole.coefficient(Id) : Poly();
      if (!Coefficient.isConstant() || Coefficient.isZero())
        continue;
      auto Clean = [&](const Poly &P) {
        return llvm::all_of(P.Terms, [&](const auto &Term) {
          return llvm::all_of(Term.first, [&](unsigned S) { return isShared(S); });
        });
      };
      if (Clean(Whole - Coefficient * Poly::symbol(Id)) && Clean(Part))
        return true;
    }
  return false;
}

/// k / 60, k / 10 % 6 and k % 10 are k's digits: where all of them are forced to be equal, so is
/// k. Do equal numbers mean one item?
bool ConflictTest::sameNumbers() {
  struct Digit {
    Poly Of;
    int64_t Unit = 1, Values = 0; ///< (Of / Unit) % Values; 0: all that is left
  };
  std::function<std::optional<Digit>(const Expr *, const Stmt *, unsigned)> digit =
      [&](const Expr *E, const Stmt *At, unsigned Depth) -> std::optional<Digit> {
    // A variable that is a digit: by its value's own symbol.
    Poly P = I.poly(E, At);
    bool Symbol =
        P.Terms.size() == 1 && P.Terms.begin()->second == 1 && P.Terms.begin()->first.size() == 1;
    if (Symbol) {
      unsigned S = P.Terms.begin()->first[0];
      const Expr *Of = I.Symbols[S].E;
      const Stmt *OfAt = I.SymbolAt[S];
      auto D = I.Symbols[S].K == SymbolInfo::Atom
                   ? divisionOf(Of, [&](const Expr *X) { return I.poly(X, OfAt); })
                   : std::nullopt;
      if (D && Depth < 6 && (D->Exact || I.rangeAt(D->Of, OfAt).Lo >= 0)) {
        auto Inner = digit(D->Of, OfAt, Depth + 1);
        if (!Inner || (Inner->Values && Inner->Values % D->By))
          return std::nullopt;
        if (D->Rest)
          return Digit{Inner->Of, Inner->Unit, D->By};
        return Digit{Inner->Of, Inner->Unit * D->By, Inner->Values / D->By};
      }
    }
    return Digit{normal(P), 1, 0};
  };
  struct Pair {
    Digit A, B;
  };
  std::vector<Pair> Known;
  for (const Variable &V : Vars) {
    unsigned Second = V.Other == ~0u ? V.Symbol : V.Other;
    if (!V.Forced || V.Shifted || I.Symbols[V.Symbol].K != SymbolInfo::Atom ||
        I.Symbols[Second].K != SymbolInfo::Atom)
      continue;
    auto X = digit(I.Symbols[V.Symbol].E, I.SymbolAt[V.Symbol], 0),
         Y = digit(I.Symbols[Second].E, I.SymbolAt[Second], 0);
    if (X && Y && X->Unit == Y->Unit && X->Values == Y->Values)
      Known.push_back({*X, *Y});
  }
  for (const Pair &First : Known) {
    // From the lowest digit up, to the last.
    int64_t Unit = 1;
    for (bool More = true; More && Unit;) {
      More = false;
      for (const Pair &Next : Known)
        if (Next.A.Of == First.A.Of && Next.B.Of == First.B.Of && Next.A.Unit == Unit &&
            Next.A.Values != 1) {
          Unit = Next.A.Values ? Unit * Next.A.Values : 0;
          More = true;
          break;
        }
    }
    if (Unit)
      continue;
    ConflictTest Numbers(*this, First.A.Of, First.B.Of);
    if (!Numbers.collect())
      continue;
    Numbers.bounds();
    if (Numbers.neverNear() || (Numbers.forces() && Numbers.separated()))
      return true;
  }
  return false;
}

/// Two items whose forced ids are equal are one item.
bool ConflictTest::separated() {
  auto IsForced = [&](Query Q, unsigned D) {
    unsigned S = id(Q, D);
    return llvm::any_of(Vars,
                        [S](const Variable &V) {
                          return V.Symbol == S && V.Forced && V.Other == ~0u && V.A == V.B;
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
// Rows and columns
//===----------------------------------------------------------------------===//

/// Both addresses as row * pitch + column, the column within the pitch: then two items meet
/// only where row equals row and column column. A triangle and its mirror image, say:
/// Added to the symbols of B's item where both stand in one polynomial.
static constexpr unsigned Other = 1u << 30;

Poly ConflictTest::ofB(const Poly &P) {
  Poly Q;
  for (const auto &[Mono, C] : P.Terms) {
    Monomial New;
    for (unsigned X : Mono)
      New.push_back(isShared(X) ? X : X + Other);
    llvm::sort(New);
    Q.Terms[New] = C;
  }
  return Q;
}

/// The least value of P, linear in what differs between the items, each symbol by itself.
Wide ConflictTest::leastOfBoth(const Poly &P, unsigned Positive) const {
  Wide Sum = 0;
  for (const auto &[Mono, C] : P.Terms) {
    if (Mono.empty()) {
      Sum += C;
      continue;
    }
    if (Mono.size() > 1)
      return -Infinite;
    unsigned S = Mono[0] & ~Other;
    Range R = I.Symbols[S].R;
    if (S == Positive)
      R.Lo = std::max<int64_t>(R.Lo, 1);
    int64_t Edge = C > 0 ? R.Lo : R.Hi;
    if (Edge == INT64_MIN || Edge == INT64_MAX)
      return -Infinite;
    Sum = clampWide(Sum + Wide(Edge) * C);
  }
  return Sum;
}

/// What is not negative wherever Site is reached.
std::vector<Poly> ConflictTest::factsAt(const AccessSite &Site) {
  std::vector<Poly> Facts;
  for (const Guard &G : Site.Guards) {
    const Expr *C = G.Cond;
    if (C->K != ExprKind::Binary || !isComparison(C->O) || !isIntScalar(C->Ops[0]))
      continue;
    Op O = G.Holds ? C->O : inverse(C->O);
    Poly D = normal(I.poly(C->Ops[0], Site.S) - I.poly(C->Ops[1], Site.S)), One = Poly::constant(1);
    if (O == Op::GT || O == Op::GE || O == Op::EQ)
      Facts.push_back(O == Op::GT ? D - One : D);
    if (O == Op::LT || O == Op::LE || O == Op::EQ)
      Facts.push_back(O == Op::LT ? D * -1 - One : D * -1);
  }
  return Facts;
}

/// Base is never 0 or more, for then a sum of it and what is known (one of OfA, one of
/// OfB) would be negative: base, x and y are all three not negative.
bool ConflictTest::contradicts(const Poly &Base, llvm::ArrayRef<Poly> OfA, llvm::ArrayRef<Poly> OfB,
                               unsigned Positive) {
  // h = n / k, n not negative: c * h <= n for every c up to k. Of a shift k * h <= n whatever n is.
  auto Halves = [&](Poly Sum) {
    for (unsigned Round = 0; Round < 4; ++Round) {
      bool Changed = false;
      for (const auto &[Mono, C] : Sum.Terms) {
        if (Mono.size() != 1 || C <= 0 || Mono[0] >= Other)
          continue;
        const SymbolInfo Info = I.Symbols[Mono[0]];
        const Expr *H = Info.E;
        if (Info.K != SymbolInfo::Atom || !H || H->K != ExprKind::Binary || !isIntScalar(H) ||
            !isShared(Mono[0]) || (H->O != Op::Div && H->O != Op::Shr))
          continue;
        auto By = constantValue(H->Ops[1]);
        if (!By || *By < 1 || *By > (H->O == Op::Shr ? 16 : 65536))
          continue;
        int64_t K = H->O == Op::Shr ? int64_t(1) << *By : *By;
        const Stmt *At = Mono[0] < I.SymbolAt.size() ? I.SymbolAt[Mono[0]] : nullptr;
        Poly N = normal(I.poly(H->Ops[0], At)), Half = Poly::symbol(Mono[0]);
        bool Counts = !isSigned(H->Ops[0]->Ty->Scalar) || I.rangeAt(H->Ops[0], At).Lo >= 0;
        // Where some guard keeps h above 0, n is so, too.
        for (llvm::ArrayRef<Poly> Facts : {OfA, OfB})
          for (const Poly &F : Facts)
            Counts |= leastOfBoth((F - Half) * -1, Positive) >= 1;
        bool Fixed = llvm::all_of(N.Terms, [&](const auto &Term) {
          return llvm::all_of(Term.first, [&](unsigned Sym) { return isShared(Sym); });
        });
        bool Whole = C % K == 0;
        if (!Fixed || !(Counts || (Whole && H->O == Op::Shr)))
          continue;
        Sum = Sum + N * ((C + K - 1) / K) - Half * C;
        Changed = true;
        break;
      }
      if (!Changed)
        break;
    }
    return Sum;
  };
  for (const Poly &X : OfA)
    for (const Poly &Y : OfB)
      if (leastOfBoth(Halves(Base + X + Y) * -1, Positive) > 0)
        return true;
  return false;
}

/// E, over the symbols of both items, is never 0 where both accesses are made: x and
/// n - 1 - x with x < n / 2 are never one place.
bool ConflictTest::neverZero(const Poly &E, unsigned Positive) {
  std::vector<Poly> OfA = factsAt(A), OfB = factsAt(B);
  for (Poly &P : OfB)
    P = ofB(P);
  OfA.push_back(Poly());
  OfB.push_back(Poly());
  return contradicts(E, OfA, OfB, Positive) || contradicts(E * -1, OfA, OfB, Positive);
}

/// P, of one item, is not negative wherever Site is reached.
bool ConflictTest::notNegative(const Poly &P, const AccessSite &Site, unsigned Positive) {
  std::vector<Poly> Facts = factsAt(Site);
  Facts.push_back(Poly());
  return contradicts(P * -1 - Poly::constant(1), Facts, Facts, Positive);
}

/// m[i * p + j] and m[j * p + i] with i < j meet nowhere, for i < j and j < i cannot be.
bool ConflictTest::rowsAndColumns() {
  int64_t Size = std::min(WA, WB);
  if (WA != WB || WA != sizeInBytes(A.A->Elem))
    return false;
  unsigned Positive = None; // the pitch that is tried
  auto Least = [&](const Poly &P) { return leastOfBoth(P, Positive); };
  std::optional<Poly> EA = divided(PA, Size), EB = divided(PB, Size);
  if (!EA || !EB)
    return false;
  if (neverZero(*EA - ofB(*EB), None))
    return true;
  llvm::SmallVector<unsigned, 4> Pitches;
  for (const auto &[Mono, C] : EA->Terms)
    for (unsigned S : Mono)
      if (Mono.size() > 1 && I.Symbols[S].K == SymbolInfo::Param && !llvm::is_contained(Pitches, S))
        Pitches.push_back(S);
  for (unsigned S : Pitches)
    for (int64_t More : {0, 1, -1, 2})
      for (int64_t Back : {0, 1, 2, 3}) {
        if (EA->degree(S) > 1 || EB->degree(S) > 1)
          continue;
        // (S + More) * Row + Column; of y * w + w - 1 - x the row is y. Back: of which access.
        Positive = S;
        Poly Pitch = Poly::symbol(S) + Poly::constant(More);
        Poly RowA = EA->coefficient(S) - Poly::constant(Back & 1),
             RowB = EB->coefficient(S) - Poly::constant(Back >> 1);
        Poly ColA = *EA - Pitch * RowA, ColB = *EB - Pitch * RowB, One = Poly::constant(1);
        if (!notNegative(ColA, A, Positive) || !notNegative(ColB, B, Positive) ||
            !notNegative(Pitch - ColA - One, A, Positive) ||
            !notNegative(Pitch - ColB - One, B, Positive))
          continue;
        Poly Rows = RowA - ofB(RowB), Cols = ColA - ofB(ColB);
        if (neverZero(Rows, Positive) || neverZero(Cols, Positive))
          return true;
        uint8_t Forced = 0;
        for (unsigned Round = 0; Round < 3; ++Round) {
          Poly Zero[] = {Rows, Cols, Rows + Cols, Rows - Cols};
          llvm::SmallVector<std::pair<unsigned, int64_t>, 4> Settled;
          for (const Poly &E : Zero) {
            if (Least(E) > 0 || Least(E * -1) > 0)
              return true; // they never meet
            for (unsigned D = 0; D < 3; ++D)
              for (Query Q : {Query::GlobalId, Query::LocalId}) {
                unsigned Id = id(Q, D);
                Poly Apart = Poly::symbol(Id) - Poly::symbol(Id + Other);
                if ((Q == Query::GlobalId || Local) && !E.isZero() &&
                    (E == Apart || E == Apart * -1))
                  Forced |= 1u << D;
              }
            // A sum of what is not negative is 0: so is each of them.
            for (const Poly &P : {E, E * -1})
              if (!P.isZero() && Least(P) == 0)
                for (const auto &[Mono, C] : P.Terms)
                  if (Mono.size() == 1) {
                    const SymbolInfo &Info = I.Symbols[Mono[0] & ~Other];
                    Settled.push_back({Mono[0], C > 0 ? Info.R.Lo : Info.R.Hi});
                  }
          }
          if (Used && (Forced & Used) == Used)
            return true;
          if (Settled.empty())
            break;
          for (auto [Sym, Value] : Settled)
            if (!isShared(Sym & ~Other)) {
              Rows = Rows.substitute(Sym, Poly::constant(Value));
              Cols = Cols.substitute(Sym, Poly::constant(Value));
            }
        }
      }
  return false;
}

} // namespace clmali::model
