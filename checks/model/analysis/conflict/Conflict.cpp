//===-- checks/model/analysis/conflict/Conflict.cpp - Do work-items meet? -----------===//
//
// What it does: decides whether two different work-items can touch a common
// byte through two accesses. The difference of the two addresses is
//
//   D = (A - B of one item) + sum of coefficient * (id of one - id of other)
//
// No:   some term's coefficient is larger than all that is below it can sum up
//       to, from the top down, so that D near 0 means equal ids (row-major:
//       4*w*y + 4*x with x < w); or D is never near 0 (remainders, ranges).
// Must: two items at a fixed distance meet whatever the arguments are, and
//       for small arguments the guards let both through (tried out).
// May:  everything else.
//
// Limits: index arithmetic is taken as not wrapping; a launch uses the
// dimensions that the kernel asks ids of; a row's pitch is at least 1.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

static int64_t widthOf(const Access &A) {
  unsigned Lanes = A.Lanes == 3 && A.F != Access::VLoad ? 4 : A.Lanes;
  return int64_t(sizeInBytes(A.Elem)) * Lanes;
}

unsigned ConflictTest::id(Query Q, unsigned Dim) {
  auto [It, New] = I.IdSymbol.try_emplace(unsigned(Q) * 4 + Dim, None);
  if (New)
    It->second = I.symbolOf(I.M.workItem(Q, Dim), nullptr);
  return It->second;
}

/// Both accesses in one barrier interval of a loop that has a barrier in every
/// round: the two items (of one group) are in the same round.
bool ConflictTest::inLockstep(const Stmt *Loop) const {
  if (!Local || !I.isInside(A.S, Loop) || !I.isInside(B.S, Loop))
    return false;
  if (I.Info.lookup(A.S).Interval != I.Info.lookup(B.S).Interval)
    return false;
  return llvm::any_of(Loop->Body, [](const Stmt *S) {
    return S->K == StmtKind::Barrier && !llvm::StringRef(S->Name).starts_with("sub_group");
  });
}

/// Is S the same number for both items?
bool ConflictTest::isShared(unsigned S) {
  const SymbolInfo &Info = I.Symbols[S];
  if (Info.K == SymbolInfo::Param)
    return true;
  if (Info.Varies.Item || (Info.Varies.Group && !Local))
    return false;
  if (Info.Varies.Data) {
    // What is loaded must not change meanwhile.
    bool Fixed = Info.E != nullptr;
    if (Info.E)
      walk(Info.E, [&](const Expr *E) {
        if (E->K == ExprKind::Opaque || (E->K == ExprKind::Load && I.Written.contains(E->Acc.Base)))
          Fixed = false;
        if (E->K == ExprKind::VarRef && I.varies(E, I.SymbolAt[S]).Data)
          Fixed = false;
        return Fixed;
      });
    if (!Fixed)
      return false;
  }
  for (const auto *Loops : {&A.Loops, &B.Loops})
    for (const Stmt *L : *Loops)
      if (!I.symbolInvariant(S, L) && !inLockstep(L))
        return false;
  return true;
}

/// Group id times local size plus local id is the global id; within a group,
/// the global id moves as the local id does.
Poly ConflictTest::normal(Poly P) {
  for (unsigned D = 0; D < 3; ++D) {
    unsigned G = id(Query::GlobalId, D), L = id(Query::LocalId, D), Gr = id(Query::GroupId, D);
    if (Local) {
      if (P.has(G) && P.degree(G) == 1)
        P = P.substitute(G, Poly::symbol(L));
      continue;
    }
    if (P.degree(L) != 1 || P.degree(Gr) != 1)
      continue;
    Poly Q = P.coefficient(L);
    Poly Size = Poly::symbol(id(Query::LocalSize, D));
    bool IsGlobal = P.coefficient(Gr) == Q * Size;
    if (I.K.ReqdWorkGroupSize)
      IsGlobal |= P.coefficient(Gr) == Q * int64_t((*I.K.ReqdWorkGroupSize)[D]);
    if (!IsGlobal)
      continue;
    P = P - Q * Poly::symbol(L) - P.coefficient(Gr) * Poly::symbol(Gr) +
        Q * (Poly::symbol(G) - Poly::symbol(id(Query::GlobalOffset, D)));
  }
  return P;
}

/// if (l == 0) .. p[0]: there, p[0] is p[l]. What a guard says is nought is added to P, so that it
/// moves as Other does.
void ConflictTest::pinnedAlike(const AccessSite &Site, Poly &P, const Poly &Other) {
  for (const Guard &G : Site.Guards) {
    const Expr *C = G.Cond;
    if (C->K != ExprKind::Binary || C->O != (G.Holds ? Op::EQ : Op::NE) || !isIntScalar(C->Ops[0]))
      continue;
    Poly Nought = normal(I.poly(C->Ops[0], Site.S) - I.poly(C->Ops[1], Site.S));
    for (const auto &[Mono, Coefficient] : Nought.Terms) {
      bool Id = Mono.size() == 1 && I.Symbols[Mono[0]].K == SymbolInfo::WorkItem &&
                I.Symbols[Mono[0]].Varies.Item;
      auto Theirs = Other.Terms.find(Mono);
      if (!Id || Theirs == Other.Terms.end() || P.Terms.count(Mono) || Theirs->second % Coefficient)
        continue;
      P = P + Nought * (Theirs->second / Coefficient);
      break;
    }
  }
}

/// The two addresses as a shared part and variables; false: not of that form.
bool ConflictTest::collect() {
  std::map<unsigned, Variable> ByS;
  auto Split = [&](const Poly &P, bool First) {
    for (const auto &[Mono, C] : P.Terms) {
      Monomial Rest;
      unsigned Own = None;
      for (unsigned S : Mono) {
        if (isShared(S)) {
          Rest.push_back(S);
          continue;
        }
        if (Own != None)
          return false;
        Own = S;
      }
      Poly Term;
      Term.Terms[Rest] = C;
      if (Own == None) {
        Constant = First ? Constant + Term : Constant - Term;
        continue;
      }
      Variable &V = ByS[Own];
      V.Symbol = Own;
      (First ? V.A : V.B) = (First ? V.A : V.B) + Term;
    }
    return true;
  };
  if (!Split(PA, true) || !Split(PB, false))
    return false;
  std::vector<Variable> OfA, OfB;
  for (auto &[S, V] : ByS) {
    if (V.A == V.B) {
      Vars.push_back(std::move(V));
      continue;
    }
    if (!V.A.isZero())
      OfA.push_back({S, V.A, {}, {}, false, false, ~0u, {}, {}, false});
    if (!V.B.isZero())
      OfB.push_back({S, {}, V.B, {}, false, false, ~0u, {}, {}, false});
  }
  for (Variable &V : OfA) {
    auto Same = llvm::find_if(OfB, [&](const Variable &W) { return W.B == V.A; });
    if (Same == OfB.end())
      continue;
    V.Other = Same->Symbol;
    V.B = V.A;
    OfB.erase(Same);
  }
  llvm::append_range(Vars, OfA);
  llvm::append_range(Vars, OfB);
  // Ids that the address does not mention may still be pinned by guards.
  for (unsigned D = 0; D < 3; ++D)
    for (Query Q : {Query::GlobalId, Query::LocalId, Query::GroupId}) {
      unsigned S = id(Q, D);
      if ((Used >> D & 1) && llvm::none_of(Vars, [&](const Variable &V) {
            return V.Symbol == S && V.A == V.B && V.Other == ~0u;
          }))
        Vars.push_back({S, {}, {}, {}, false, false, ~0u, {}, {}, false});
    }
  return true;
}

/// Spreads of the variables: from the launch, from ranges, from guards that
/// hold for both items.
void ConflictTest::bounds() {
  struct Bound {
    std::vector<Poly> Upper, Lower, Equal;
  };
  // With n < w * h, n / w lies below h.
  auto Quotient = [&](unsigned S, Poly D, Op O, Bound &R) {
    const Expr *E = I.Symbols[S].E;
    if (I.Symbols[S].K != SymbolInfo::Atom || !E || E->K != ExprKind::Binary || E->O != Op::Div ||
        !isIntScalar(E))
      return;
    Poly Divisor = normal(I.poly(E->Ops[1], I.SymbolAt[S]));
    if (Divisor.Terms.size() != 1 || Divisor.Terms.begin()->second != 1)
      return;
    const Monomial &By = Divisor.Terms.begin()->first;
    if (O == Op::GT || O == Op::GE)
      D = D * -1;
    if (O == Op::LE || O == Op::GE)
      D = D - Poly::constant(1);
    else if (O != Op::LT && O != Op::GT)
      return;
    Poly Limit = normal(I.poly(E->Ops[0], I.SymbolAt[S])) - D, Q;
    for (const auto &[Mono, C] : Limit.Terms) {
      Monomial Rest = Mono;
      for (unsigned Sym : By) {
        auto *It = llvm::find(Rest, Sym);
        if (It == Rest.end())
          return;
        Rest.erase(It);
      }
      for (unsigned Sym : Rest)
        if (!isShared(Sym))
          return;
      Q.Terms[Rest] += C;
    }
    if (!Q.isZero())
      R.Upper.push_back(Q - Poly::constant(1));
  };
  auto Find = [&](const AccessSite &Site, unsigned S) {
    Bound R;
    for (const Guard &G : Site.Guards) {
      const Expr *C = G.Cond;
      if (C->K != ExprKind::Binary || !isComparison(C->O) || !isIntScalar(C->Ops[0]))
        continue;
      Poly D = normal(I.poly(C->Ops[0], Site.S) - I.poly(C->Ops[1], Site.S));
      Quotient(S, D, G.Holds ? C->O : inverse(C->O), R);
      if (D.degree(S) != 1)
        continue;
      Poly Coefficient = D.coefficient(S);
      if (!Coefficient.isConstant() || std::abs(Coefficient.constantTerm()) != 1)
        continue;
      bool Up = Coefficient.constantTerm() == 1;
      Poly Rest = (D - Coefficient * Poly::symbol(S)) * (Up ? -1 : 1); // S cmp Rest
      bool Clean = true;
      for (const auto &[Mono, X] : Rest.Terms)
        for (unsigned Sym : Mono)
          Clean = Clean && isShared(Sym);
      if (!Clean)
        continue;
      Op O = C->O;
      if (!G.Holds)
        O = inverse(O);
      if (!Up)
        O = O == Op::LT   ? Op::GT
            : O == Op::LE ? Op::GE
            : O == Op::GT ? Op::LT
            : O == Op::GE ? Op::LE
                          : O;
      if (O == Op::LT)
        R.Upper.push_back(Rest - Poly::constant(1));
      else if (O == Op::LE)
        R.Upper.push_back(Rest);
      else if (O == Op::GT)
        R.Lower.push_back(Rest + Poly::constant(1));
      else if (O == Op::GE)
        R.Lower.push_back(Rest);
      else if (O == Op::EQ)
        R.Equal.push_back(Rest);
    }
    return R;
  };
  auto Shared = [&](const Poly &P) {
    return llvm::all_of(P.Terms, [&](const auto &Term) {
      return llvm::all_of(Term.first, [&](unsigned Sym) { return isShared(Sym); });
    });
  };
  // x % y lies below y, x & y does not exceed y, and nothing is divided by 0.
  auto Inherent = [&](unsigned S, Bound &R) {
    const SymbolInfo Info = I.Symbols[S];
    const Stmt *At = S < I.SymbolAt.size() ? I.SymbolAt[S] : nullptr;
    const Expr *E = Info.E;
    if (Info.K != SymbolInfo::Atom || !E || E->K != ExprKind::Binary || !isIntScalar(E) ||
        (E->O != Op::Rem && E->O != Op::Div && E->O != Op::And))
      return;
    Poly Y = normal(I.poly(E->Ops[1], At));
    if (!Shared(Y))
      return;
    if (E->O != Op::And && Y.Terms.size() == 1 &&
        Y == Poly::symbol(Y.Terms.begin()->first.empty() ? ~0u : Y.Terms.begin()->first[0]))
      if (unsigned By = Y.Terms.begin()->first[0];
          I.Symbols[By].R.Lo >= 0 || !isSigned(E->Ops[1]->Ty->Scalar))
        Divisors.push_back(By);
    // Ids are not negative, in an int neither: a launch of 2^31 items is another matter.
    bool Counts = I.rangeAt(E->Ops[0], At).Lo >= 0 ||
                  llvm::all_of(I.poly(E->Ops[0], At).Terms, [&](const auto &Term) {
                    return Term.second >= 0 && llvm::all_of(Term.first, [&](unsigned Sym) {
                             const SymbolInfo &Of = I.Symbols[Sym];
                             return Of.K == SymbolInfo::WorkItem ||
                                    (Of.K == SymbolInfo::Iteration && Of.R.Lo >= 0);
                           });
                  });
    if (E->O == Op::Rem && Counts)
      R.Upper.push_back(Y - Poly::constant(1));
    if (E->O == Op::And && !isSigned(E->Ty->Scalar))
      R.Upper.push_back(Y);
    if (Counts)
      R.Lower.push_back(Poly::constant(0));
  };
  for (Variable &V : Vars) {
    const SymbolInfo Info = I.Symbols[V.Symbol];
    Bound OfA = Find(A, V.Symbol), OfB = Find(B, V.Other == ~0u ? V.Symbol : V.Other);
    if (V.Other != ~0u || !(V.A == V.B)) {
      // Each value by itself; a pair: how far apart they can be.
      auto Own = [&](Bound &X, unsigned S) {
        const SymbolInfo Of = I.Symbols[S];
        if (Of.R.Lo > -(int64_t(1) << 40))
          X.Lower.push_back(Poly::constant(Of.R.Lo));
        if (Of.R.Hi < (int64_t(1) << 40))
          X.Upper.push_back(Poly::constant(Of.R.Hi));
        Inherent(S, X);
      };
      Own(OfA, V.Symbol);
      Own(OfB, V.Other == ~0u ? V.Symbol : V.Other);
      if (V.Other == ~0u) {
        Bound &X = V.B.isZero() ? OfA : OfB;
        V.Low.assign(X.Lower.begin(), X.Lower.end());
        V.Up.assign(X.Upper.begin(), X.Upper.end());
        continue;
      }
      for (const Poly &UpA : OfA.Upper)
        for (const Poly &LowB : OfB.Lower)
          for (const Poly &UpB : OfB.Upper)
            for (const Poly &LowA : OfA.Lower) {
              Poly X = UpA - LowB, Y = UpB - LowA;
              if (V.Spread.size() < 4 && isAtLeast(X - Y, 0))
                V.Spread.push_back(X);
              else if (V.Spread.size() < 4 && isAtLeast(Y - X, 0))
                V.Spread.push_back(Y);
            }
      continue;
    }
    Inherent(V.Symbol, OfA);
    Inherent(V.Symbol, OfB);
    for (const Poly &P : OfA.Equal)
      V.Pinned |= llvm::is_contained(OfB.Equal, P);
    std::vector<Poly> Lower;
    for (const Poly &P : OfA.Lower)
      if (llvm::is_contained(OfB.Lower, P))
        Lower.push_back(P);
    if (Info.R.Lo > -(int64_t(1) << 40))
      Lower.push_back(Poly::constant(Info.R.Lo));
    for (const Poly &Up : OfA.Upper)
      if (llvm::is_contained(OfB.Upper, Up))
        for (const Poly &Low : Lower)
          V.Spread.push_back(Up - Low);
    if (Info.K == SymbolInfo::WorkItem) {
      unsigned D = Info.E->Dim;
      Query Whole = Info.E->Query == Query::GlobalId  ? Query::GlobalSize
                    : Info.E->Query == Query::LocalId ? Query::LocalSize
                                                      : Query::NumGroups;
      V.Spread.push_back(Poly::symbol(id(Whole, D)) - Poly::constant(1));
    }
    if (Info.R.Lo > -(int64_t(1) << 40) && Info.R.Hi < (int64_t(1) << 40))
      V.Spread.push_back(Poly::constant(Info.R.Hi - Info.R.Lo));
    if (V.Spread.size() > 4)
      V.Spread.resize(4);
  }
}

/// The least value of P over the ranges of its symbols; arguments are at
/// least 1 (a pitch of 0 makes any kernel meet itself).
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
      auto Times = [](Wide X, Wide Y) {
        if (X == 0 || Y == 0)
          return Wide(0);
        double Approx = double(X) * double(Y);
        return Approx > 1e30 ? Infinite : Approx < -1e30 ? -Infinite : X * Y;
      };
      Wide V[] = {Times(Lo, SLo), Times(Lo, SHi), Times(Hi, SLo), Times(Hi, SHi)};
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

/// By the parts that the two addresses are made of, they are apart for any two items.
bool ConflictTest::apart() {
  if (!collect())
    return false;
  bounds();
  if (neverNear())
    return true;
  if (!forces())
    return false;
  if (separated() || sameNumbers())
    return true;
  // What is left when the forced values are equal.
  bool Fewer = false;
  for (Variable &V : Vars)
    if (V.Forced && !V.Pinned && V.A == V.B)
      V.Pinned = Fewer = true; // a shifted one adds nothing either
  return Fewer && neverNear();
}

Conflict ConflictTest::run() {
  const Var *Base = A.A->Base;
  if (Base != B.A->Base || (!A.IsWrite && !B.IsWrite) || (A.IsAtomic && B.IsAtomic))
    return Conflict::No;
  if (Base->space() == AddressSpace::Private || Base->space() == AddressSpace::Constant)
    return Conflict::No;
  Local = Base->space() == AddressSpace::Local;
  if (Local && A.Interval != B.Interval)
    return Conflict::No;
  // A copy by the whole group touches more than its address says.
  if (A.S->K == StmtKind::AsyncCopy || B.S->K == StmtKind::AsyncCopy)
    return Conflict::May;
  I.findVariation();
  I.findRanges();
  Used = I.UsedDims;
  WA = widthOf(*A.A);
  WB = widthOf(*B.A);
  PA = normal(A.Bytes);
  PB = normal(B.Bytes);
  pinnedAlike(A, PA, PB);
  pinnedAlike(B, PB, PA);
  if (apart())
    return Conflict::No;
  if (rowsAndColumns() || partners() || remainders())
    return Conflict::No;
  return PartnersMeet || meets() ? Conflict::Must : Conflict::May;
}

Conflict KernelAnalysis::conflict(const AccessSite &A, const AccessSite &B) const {
  return ConflictTest(*I, A, B).run();
}

} // namespace clmali::model
