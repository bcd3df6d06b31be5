//===-- checks/model/analysis/conflict/RowsAndColumns.cpp - Two addresses as matrix elements ===//
//
// Both addresses as row * pitch + column, the column within the pitch: then two work-items touch
// one element only where row equals row and column equals column.
//
//   m[i * p + j] and m[j * p + i] with i < j     a triangle and its mirror image: no common element
//   p[i] and p[n - 1 - i] with i < n / 2         two halves
//
// Limits: those of Conflict.cpp; symbols are bounded one by one.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

/// Added to the symbols of B's work-item where a polynomial has the symbols of both.
static constexpr unsigned OfOtherItem = 1u << 30;

/// P with the symbols of B's work-item.
Poly ConflictTest::ofB(const Poly &P) {
  Poly Q;
  for (const auto &[Mono, C] : P.Terms) {
    Monomial New;
    for (unsigned X : Mono)
      New.push_back(isShared(X) ? X : X + OfOtherItem);
    llvm::sort(New);
    Q.Terms[New] = C;
  }
  return Q;
}

/// The least value of P, linear in its symbols, each bounded by itself. Positive: an argument that
/// is taken as at least 1.
Wide ConflictTest::leastOfBoth(const Poly &P, unsigned Positive) const {
  Wide Sum = 0;
  for (const auto &[Mono, C] : P.Terms) {
    if (Mono.empty()) {
      Sum += C;
      continue;
    }
    if (Mono.size() > 1)
      return -Infinite;
    unsigned S = Mono[0] & ~OfOtherItem;
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

/// Polynomials that are not negative wherever Site is executed, from its guards.
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

/// Sum with its term C * h, where h = n / k, replaced by an upper bound in n: for n not negative,
/// c * h <= n for every c up to k; for a shift k * h <= n whatever n is. nullopt: h is none.
std::optional<Poly> ConflictTest::replaceQuotient(const Poly &Sum, const Monomial &Mono, int64_t C,
                                                  llvm::ArrayRef<Poly> OfA,
                                                  llvm::ArrayRef<Poly> OfB, unsigned Positive) {
  constexpr int64_t MaxShift = 16, MaxDivisor = 65536;
  if (Mono.size() != 1 || C <= 0 || Mono[0] >= OfOtherItem)
    return std::nullopt;
  unsigned S = Mono[0];
  const Expr *H = I.Symbols[S].E;
  if (I.Symbols[S].K != SymbolInfo::Atom || !H || H->K != ExprKind::Binary || !isIntScalar(H) ||
      !isShared(S) || (H->O != Op::Div && H->O != Op::Shr))
    return std::nullopt;
  bool IsShift = H->O == Op::Shr;
  auto By = constantValue(H->Ops[1]);
  if (!By || *By < 1 || *By > (IsShift ? MaxShift : MaxDivisor))
    return std::nullopt;
  int64_t K = IsShift ? int64_t(1) << *By : *By;
  const Stmt *At = placeOf(S);
  Poly N = normal(I.poly(H->Ops[0], At)), Half = Poly::symbol(S);
  bool NotNegative = !isSigned(H->Ops[0]->Ty->Scalar) || I.rangeAt(H->Ops[0], At).Lo >= 0;
  // Where some guard keeps h above 0, n is positive, too.
  for (llvm::ArrayRef<Poly> Facts : {OfA, OfB})
    for (const Poly &F : Facts)
      NotNegative |= leastOfBoth((F - Half) * -1, Positive) >= 1;
  if (!isShared(N) || !(NotNegative || (C % K == 0 && IsShift)))
    return std::nullopt;
  return Sum + N * ((C + K - 1) / K) - Half * C;
}

/// Sum with quotients replaced by their upper bounds.
Poly ConflictTest::withoutQuotients(Poly Sum, llvm::ArrayRef<Poly> OfA, llvm::ArrayRef<Poly> OfB,
                                    unsigned Positive) {
  constexpr unsigned MaxQuotients = 4;
  for (unsigned N = 0; N < MaxQuotients; ++N) {
    std::optional<Poly> Replaced;
    for (const auto &[Mono, C] : Sum.Terms)
      if ((Replaced = replaceQuotient(Sum, Mono, C, OfA, OfB, Positive)))
        break;
    if (!Replaced)
      break;
    Sum = *Replaced;
  }
  return Sum;
}

/// True if Base is never 0 or more: then a sum of it and two facts (one of OfA, one of OfB) would
/// be negative, while none of the three is.
bool ConflictTest::contradicts(const Poly &Base, llvm::ArrayRef<Poly> OfA, llvm::ArrayRef<Poly> OfB,
                               unsigned Positive) {
  for (const Poly &X : OfA)
    for (const Poly &Y : OfB)
      if (leastOfBoth(withoutQuotients(Base + X + Y, OfA, OfB, Positive) * -1, Positive) > 0)
        return true;
  return false;
}

/// True if E, over the symbols of both work-items, is never 0 where both accesses are executed: x
/// and n - 1 - x with x < n / 2 are never equal.
bool ConflictTest::neverZero(const Poly &E, unsigned Positive) {
  std::vector<Poly> OfA = factsAt(A), OfB = factsAt(B);
  for (Poly &P : OfB)
    P = ofB(P);
  OfA.push_back(Poly());
  OfB.push_back(Poly());
  return contradicts(E, OfA, OfB, Positive) || contradicts(E * -1, OfA, OfB, Positive);
}

/// True if P, of one work-item, is not negative wherever Site is executed.
bool ConflictTest::notNegative(const Poly &P, const AccessSite &Site, unsigned Positive) {
  std::vector<Poly> Facts = factsAt(Site);
  Facts.push_back(Poly());
  return contradicts(P * -1 - Poly::constant(1), Facts, Facts, Positive);
}

/// True if the differences of rows and of columns are both 0 for no two work-items: never, or for
/// equal ids only.
bool ConflictTest::equalRowsMeanOneItem(Poly Rows, Poly Cols, unsigned Positive) {
  constexpr unsigned MaxSubstitutions = 3;
  auto Least = [&](const Poly &P) { return leastOfBoth(P, Positive); };
  uint8_t Forced = 0; // dimensions with equal ids
  for (unsigned N = 0; N < MaxSubstitutions; ++N) {
    Poly Zero[] = {Rows, Cols, Rows + Cols, Rows - Cols};
    llvm::SmallVector<std::pair<unsigned, int64_t>, 4> Settled;
    for (const Poly &E : Zero) {
      if (Least(E) > 0 || Least(E * -1) > 0)
        return true;
      for (unsigned D = 0; D < 3; ++D)
        for (Query Q : {Query::GlobalId, Query::LocalId}) {
          unsigned Id = id(Q, D);
          Poly Apart = Poly::symbol(Id) - Poly::symbol(Id + OfOtherItem);
          if ((Q == Query::GlobalId || Local) && !E.isZero() && (E == Apart || E == Apart * -1))
            Forced |= 1u << D;
        }
      // A sum of terms that are not negative is 0: so is each of them.
      for (const Poly &P : {E, E * -1})
        if (!P.isZero() && Least(P) == 0)
          for (const auto &[Mono, C] : P.Terms)
            if (Mono.size() == 1) {
              const SymbolInfo &Info = I.Symbols[Mono[0] & ~OfOtherItem];
              Settled.push_back({Mono[0], C > 0 ? Info.R.Lo : Info.R.Hi});
            }
    }
    if (Used && (Forced & Used) == Used)
      return true;
    if (Settled.empty())
      return false;
    for (auto [Symbol, Value] : Settled)
      if (!isShared(Symbol & ~OfOtherItem)) {
        Rows = Rows.substitute(Symbol, Poly::constant(Value));
        Cols = Cols.substitute(Symbol, Poly::constant(Value));
      }
  }
  return false;
}

/// The proof with the pitch (argument Symbol + More). RowsBack: bit 0 for A, bit 1 for B: in
/// y * w + w - 1 - x the row is y, one less than the coefficient of w.
bool ConflictTest::apartByPitch(const Poly &EA, const Poly &EB, unsigned Symbol, int64_t More,
                                int64_t RowsBack) {
  if (EA.degree(Symbol) > 1 || EB.degree(Symbol) > 1)
    return false;
  Poly Pitch = Poly::symbol(Symbol) + Poly::constant(More), One = Poly::constant(1);
  Poly RowA = EA.coefficient(Symbol) - Poly::constant(RowsBack & 1),
       RowB = EB.coefficient(Symbol) - Poly::constant(RowsBack >> 1);
  Poly ColA = EA - Pitch * RowA, ColB = EB - Pitch * RowB;
  if (!notNegative(ColA, A, Symbol) || !notNegative(ColB, B, Symbol) ||
      !notNegative(Pitch - ColA - One, A, Symbol) || !notNegative(Pitch - ColB - One, B, Symbol))
    return false;
  Poly Rows = RowA - ofB(RowB), Cols = ColA - ofB(ColB);
  return neverZero(Rows, Symbol) || neverZero(Cols, Symbol) ||
         equalRowsMeanOneItem(Rows, Cols, Symbol);
}

/// True if m[i * p + j] and m[j * p + i] with i < j have no common element, as i < j and j < i
/// exclude each other.
bool ConflictTest::rowsAndColumns() {
  int64_t Size = std::min(WA, WB);
  if (WA != WB || WA != sizeInBytes(A.A->Elem))
    return false;
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
      for (int64_t RowsBack : {0, 1, 2, 3})
        if (apartByPitch(*EA, *EB, S, More, RowsBack))
          return true;
  return false;
}

} // namespace clmali::model
