//===-- checks/model/analysis/conflict/Bounds.cpp - How far two values are apart ----===//
//
// Upper bounds of the distance of a variable's values in the two work-items: from the launch (ids),
// from value ranges, from guards that hold for both work-items, and from operations:
//
//   if (x < w) .. x        x of one work-item and x of the other are less than w apart
//   x % w                  likewise, w - 1 at most
//   if (k < w * h) .. k / w     below h
//
// Limits: those of Conflict.cpp.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

/// Bounds beyond this are useless as constants.
constexpr int64_t Far = int64_t(1) << 40;
/// Of one variable.
constexpr size_t MaxSpreads = 4;

/// With n < w * h, n / w is below h. Difference is the guard's left side minus its right side.
void ConflictTest::boundQuotient(unsigned S, Poly Difference, Op O, Bound &R) {
  const Expr *E = I.Symbols[S].E;
  if (I.Symbols[S].K != SymbolInfo::Atom || !E || E->K != ExprKind::Binary || E->O != Op::Div ||
      !isIntScalar(E))
    return;
  Poly Divisor = normal(I.poly(E->Ops[1], I.SymbolAt[S]));
  if (Divisor.Terms.size() != 1 || Divisor.Terms.begin()->second != 1)
    return;
  const Monomial &By = Divisor.Terms.begin()->first;
  if (O == Op::GT || O == Op::GE)
    Difference = Difference * -1;
  if (O == Op::LE || O == Op::GE)
    Difference = Difference - Poly::constant(1);
  else if (O != Op::LT && O != Op::GT)
    return;
  // n < Limit; each term of it must be a multiple of the divisor.
  Poly Limit = normal(I.poly(E->Ops[0], I.SymbolAt[S])) - Difference, Quotient;
  for (const auto &[Mono, C] : Limit.Terms) {
    Monomial Rest = Mono;
    for (unsigned Symbol : By) {
      auto *It = llvm::find(Rest, Symbol);
      if (It == Rest.end())
        return;
      Rest.erase(It);
    }
    if (!llvm::all_of(Rest, [&](unsigned Symbol) { return isShared(Symbol); }))
      return;
    Quotient.Terms[Rest] += C;
  }
  if (!Quotient.isZero())
    R.Upper.push_back(Quotient - Poly::constant(1));
}

/// A bound of S from Difference O 0, where S occurs in it with coefficient 1 or -1 and all else is
/// shared.
void ConflictTest::boundByGuard(const Poly &Difference, Op O, unsigned S, Bound &R) {
  if (Difference.degree(S) != 1)
    return;
  Poly Coefficient = Difference.coefficient(S);
  if (!Coefficient.isConstant() || std::abs(Coefficient.constantTerm()) != 1)
    return;
  bool Positive = Coefficient.constantTerm() == 1;
  Poly Other = (Difference - Coefficient * Poly::symbol(S)) * (Positive ? -1 : 1);
  if (!isShared(Other))
    return;
  // S O Other
  switch (Positive ? O : mirrored(O)) {
  case Op::LT:
    R.Upper.push_back(Other - Poly::constant(1));
    return;
  case Op::LE:
    R.Upper.push_back(Other);
    return;
  case Op::GT:
    R.Lower.push_back(Other + Poly::constant(1));
    return;
  case Op::GE:
    R.Lower.push_back(Other);
    return;
  case Op::EQ:
    R.Equal.push_back(Other);
    return;
  default:
    return;
  }
}

void ConflictTest::boundByGuards(const AccessSite &Site, unsigned S, Bound &R) {
  for (const Guard &G : Site.Guards) {
    const Expr *C = G.Cond;
    if (C->K != ExprKind::Binary || !isComparison(C->O) || !isIntScalar(C->Ops[0]))
      continue;
    Poly Difference = normal(I.poly(C->Ops[0], Site.S) - I.poly(C->Ops[1], Site.S));
    Op O = G.Holds ? C->O : inverse(C->O);
    boundQuotient(S, Difference, O, R);
    boundByGuard(Difference, O, S, R);
  }
}

/// x % y is below y, x & y does not exceed y, and nothing is divided by 0.
void ConflictTest::boundByOperation(unsigned S, Bound &R) {
  const SymbolInfo &Info = I.Symbols[S];
  const Expr *E = Info.E;
  if (Info.K != SymbolInfo::Atom || !E || E->K != ExprKind::Binary || !isIntScalar(E) ||
      (E->O != Op::Rem && E->O != Op::Div && E->O != Op::And))
    return;
  const Stmt *At = placeOf(S);
  Poly Y = normal(I.poly(E->Ops[1], At));
  if (!isShared(Y))
    return;
  if (unsigned By = onlySymbol(Y); E->O != Op::And && By != None)
    if (I.Symbols[By].R.Lo >= 0 || !isSigned(E->Ops[1]->Ty->Scalar))
      Divisors.push_back(By);
  // Ids are not negative, in an int neither (a launch of 2^31 work-items is not considered).
  auto IsIdOrTrip = [&](unsigned Symbol) {
    const SymbolInfo &Of = I.Symbols[Symbol];
    return Of.K == SymbolInfo::WorkItem || (Of.K == SymbolInfo::Iteration && Of.R.Lo >= 0);
  };
  bool NotNegative = I.rangeAt(E->Ops[0], At).Lo >= 0 ||
                     llvm::all_of(I.poly(E->Ops[0], At).Terms, [&](const auto &Term) {
                       return Term.second >= 0 && llvm::all_of(Term.first, IsIdOrTrip);
                     });
  if (E->O == Op::Rem && NotNegative)
    R.Upper.push_back(Y - Poly::constant(1));
  if (E->O == Op::And && !isSigned(E->Ty->Scalar))
    R.Upper.push_back(Y);
  if (NotNegative)
    R.Lower.push_back(Poly::constant(0));
}

void ConflictTest::boundByRange(unsigned S, Bound &R) {
  const Range &Values = I.Symbols[S].R;
  if (Values.Lo > -Far)
    R.Lower.push_back(Poly::constant(Values.Lo));
  if (Values.Hi < Far)
    R.Upper.push_back(Poly::constant(Values.Hi));
}

/// Two different symbols, each with bounds of its own.
void ConflictTest::boundPair(Variable &V, const Bound &OfA, const Bound &OfB) {
  for (const Poly &UpA : OfA.Upper)
    for (const Poly &LowB : OfB.Lower)
      for (const Poly &UpB : OfB.Upper)
        for (const Poly &LowA : OfA.Lower) {
          Poly X = UpA - LowB, Y = UpB - LowA;
          if (V.Spread.size() < MaxSpreads && isAtLeast(X - Y, 0))
            V.Spread.push_back(X);
          else if (V.Spread.size() < MaxSpreads && isAtLeast(Y - X, 0))
            V.Spread.push_back(Y);
        }
}

/// One symbol with one coefficient in both addresses: bounds that hold in both work-items.
void ConflictTest::boundSame(Variable &V, const Bound &OfA, const Bound &OfB) {
  const SymbolInfo &Info = I.Symbols[V.Symbol];
  for (const Poly &P : OfA.Equal)
    V.Pinned |= llvm::is_contained(OfB.Equal, P);
  std::vector<Poly> Lower;
  for (const Poly &P : OfA.Lower)
    if (llvm::is_contained(OfB.Lower, P))
      Lower.push_back(P);
  if (Info.R.Lo > -Far)
    Lower.push_back(Poly::constant(Info.R.Lo));
  for (const Poly &Up : OfA.Upper)
    if (llvm::is_contained(OfB.Upper, Up))
      for (const Poly &Low : Lower)
        V.Spread.push_back(Up - Low);
  if (Info.K == SymbolInfo::WorkItem) {
    Query Size = Info.E->Query == Query::GlobalId  ? Query::GlobalSize
                 : Info.E->Query == Query::LocalId ? Query::LocalSize
                                                   : Query::NumGroups;
    V.Spread.push_back(Poly::symbol(id(Size, Info.E->Dim)) - Poly::constant(1));
  }
  if (Info.R.Lo > -Far && Info.R.Hi < Far)
    V.Spread.push_back(Poly::constant(Info.R.Hi - Info.R.Lo));
  if (V.Spread.size() > MaxSpreads)
    V.Spread.resize(MaxSpreads);
}

/// Bounds of all variables.
void ConflictTest::bounds() {
  for (Variable &V : Vars) {
    Bound OfA, OfB;
    boundByGuards(A, V.Symbol, OfA);
    boundByGuards(B, V.symbolOfB(), OfB);
    bool Same = !V.isPair() && V.A == V.B;
    if (!Same) {
      boundByRange(V.Symbol, OfA);
      boundByOperation(V.Symbol, OfA);
      boundByRange(V.symbolOfB(), OfB);
      boundByOperation(V.symbolOfB(), OfB);
      if (V.isPair()) {
        boundPair(V, OfA, OfB);
        continue;
      }
      const Bound &Own = V.B.isZero() ? OfA : OfB;
      V.Low.assign(Own.Lower.begin(), Own.Lower.end());
      V.Up.assign(Own.Upper.begin(), Own.Upper.end());
      continue;
    }
    boundByOperation(V.Symbol, OfA);
    boundByOperation(V.Symbol, OfB);
    boundSame(V, OfA, OfB);
  }
}

/// X * Y, clamped to +-Infinite.
static Wide times(Wide X, Wide Y) {
  if (X == 0 || Y == 0)
    return 0;
  double Approx = double(X) * double(Y);
  return Approx > 1e30 ? Infinite : Approx < -1e30 ? -Infinite : X * Y;
}

/// The least value of P over the ranges of its symbols; arguments are at least 1 (with a pitch of 0
/// any kernel conflicts with itself).
Wide ConflictTest::least(const Poly &P) const {
  Wide Sum = 0;
  bool Unbounded = false;
  for (const auto &[Mono, C] : P.Terms) {
    Wide Lo = 1, Hi = 1;
    for (unsigned S : Mono) {
      const SymbolInfo &Info = I.Symbols[S];
      Wide SLo = Info.R.Lo == INT64_MIN ? -Infinite : Wide(Info.R.Lo);
      Wide SHi = Info.R.Hi == INT64_MAX ? Infinite : Wide(Info.R.Hi);
      if (Info.K == SymbolInfo::Param || llvm::is_contained(Divisors, S))
        SLo = std::max<Wide>(SLo, 1);
      Wide V[] = {times(Lo, SLo), times(Lo, SHi), times(Hi, SLo), times(Hi, SHi)};
      Lo = *llvm::min_element(V);
      Hi = *llvm::max_element(V);
    }
    Wide Edge = C > 0 ? Lo : Hi;
    if (Edge <= -Infinite || Edge >= Infinite) {
      if ((Edge < 0) == (C > 0))
        return -Infinite;
      Unbounded = true;
      continue;
    }
    Sum = clampWide(Sum + Edge * C);
  }
  return Unbounded ? Infinite : Sum;
}

} // namespace clmali::model
