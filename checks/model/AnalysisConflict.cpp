//===-- checks/model/AnalysisConflict.cpp - Do work-items meet? -----------===//
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

#include "checks/model/AnalysisImpl.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace clmali::model {
namespace {

using Wide = __int128;
constexpr Wide Infinite = Wide(1) << 100;

Wide clampWide(Wide V) { return std::clamp(V, -Infinite, Infinite); }

int64_t widthOf(const Access &A) {
  unsigned Lanes = A.Lanes == 3 && A.F != Access::VLoad ? 4 : A.Lanes;
  return int64_t(sizeInBytes(A.Elem)) * Lanes;
}

/// A value that may differ between the two items. Where the two addresses move by
/// different values at one pace (two loops over the same rows), a pair of them counts as
/// one: Symbol is A's, Other is B's.
struct Variable {
  unsigned Symbol;
  Poly A, B; ///< its coefficients in the two addresses
  llvm::SmallVector<Poly, 3> Spread; ///< how far two items' values are apart at most
  bool Pinned = false;               ///< the guards make it equal
  bool Forced = false;               ///< D near 0 makes it equal
  unsigned Other = ~0u;
  llvm::SmallVector<Poly, 2> Low, Up; ///< of a value in one of the addresses only
  bool Shifted = false;               ///< D near 0 puts it a fixed distance apart instead
};

} // namespace

class ConflictTest {
public:
  ConflictTest(KernelAnalysis::Impl &I, const AccessSite &A, const AccessSite &B)
      : I(I), A(A), B(B) {}
  Conflict run();

private:
  using Query = WorkItemQuery;
  bool isQuery(unsigned S, Query Q) const {
    return I.Symbols[S].K == SymbolInfo::WorkItem && I.Symbols[S].E->Query == Q;
  }
  unsigned id(Query Q, unsigned Dim);
  bool inLockstep(const Stmt *Loop) const;
  bool isShared(unsigned S);
  Poly normal(Poly P);
  bool collect();
  void bounds();
  Wide least(const Poly &P) const;
  bool isAtLeast(const Poly &P, int64_t N) const { return least(P) >= N; }
  bool neverNear();
  bool forces();
  bool separated();
  bool rowsAndColumns();
  bool meets();
  bool splitsId(unsigned Id);
  bool writesOneValue();
  bool anyTwoMeet();
  void launch();
  std::array<int64_t, 3> item(unsigned N) const;
  const KernelAnalysis::Impl::Tried *tried(const AccessSite &Site);
  bool witness(std::array<int, 3> Shift);
  std::optional<int64_t> value(const Expr *E, const Stmt *At, unsigned Depth);

  KernelAnalysis::Impl &I;
  const AccessSite &A, &B;
  bool Local = false;
  uint8_t Used = 0; ///< dimensions of which the kernel asks ids
  Poly PA, PB, Constant;
  std::vector<Variable> Vars;
  llvm::SmallVector<unsigned, 4> Divisors; ///< symbols that something is divided by: not 0
  int64_t WA = 0, WB = 0;

  // The witness being tried.
  std::array<int64_t, 3> Global{}, LocalSize{}, GlobalSize{}, Extent{};
  unsigned Items = 0;
  std::map<const Var *, int64_t> Params;
  bool Unknown = false; ///< what was asked for is no number that can be tried
};

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
      if ((Used >> D & 1) && llvm::none_of(Vars, [&](const Variable &V) { return V.Symbol == S && V.A == V.B && V.Other == ~0u; }))
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
  auto Find = [&](const AccessSite &Site, unsigned S) {
    Bound R;
    for (const Guard &G : Site.Guards) {
      const Expr *C = G.Cond;
      if (C->K != ExprKind::Binary || !isComparison(C->O) || !isIntScalar(C->Ops[0]))
        continue;
      Poly D = normal(I.poly(C->Ops[0], Site.S) - I.poly(C->Ops[1], Site.S));
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
        O = O == Op::LT   ? Op::GE
            : O == Op::LE ? Op::GT
            : O == Op::GT ? Op::LE
            : O == Op::GE ? Op::LT
            : O == Op::EQ ? Op::NE
                          : Op::EQ;
      if (!Up)
        O = O == Op::LT ? Op::GT : O == Op::LE ? Op::GE : O == Op::GT ? Op::LT : O == Op::GE ? Op::LE : O;
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
    if (E->O != Op::And && Y.Terms.size() == 1 && Y == Poly::symbol(Y.Terms.begin()->first.empty() ? ~0u : Y.Terms.begin()->first[0]))
      Divisors.push_back(Y.Terms.begin()->first[0]);
    // Ids are not negative, in an int neither: a launch of 2^31 items is another matter.
    bool Counts = I.rangeAt(E->Ops[0], At).Lo >= 0 ||
                  llvm::all_of(I.poly(E->Ops[0], At).Terms, [&](const auto &Term) {
                    return Term.second >= 0 && llvm::all_of(Term.first, [&](unsigned Sym) {
                             return I.Symbols[Sym].K == SymbolInfo::WorkItem;
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
      if (Info.K == SymbolInfo::Param || (SLo >= 0 && llvm::is_contained(Divisors, S)))
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
      if (Poly Rest = Constant - V->A * Steps; !Id && !V->Shifted && !V->A.isConstant() && Rest.Terms.size() < Constant.Terms.size()) {
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
      if (!X || !Y || X->K != ExprKind::Binary || X->O != Op::Div || Y->K != ExprKind::Binary || Y->O != Op::Rem)
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

/// Two items whose forced ids are equal are one item.
bool ConflictTest::separated() {
  auto IsForced = [&](Query Q, unsigned D) {
    unsigned S = id(Q, D);
    return llvm::any_of(Vars, [S](const Variable &V) {
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
/// m[i * p + j] and m[j * p + i] with i < j meet nowhere, for i < j and j < i cannot be.
bool ConflictTest::rowsAndColumns() {
  constexpr unsigned Other = 1u << 30; // added to the symbols of B's item
  int64_t Size = std::min(WA, WB);
  if (WA != WB || WA != sizeInBytes(A.A->Elem))
    return false;
  unsigned Positive = None; // the pitch that is tried
  auto Least = [&](const Poly &P) {
    // Linear in what differs, so each symbol by itself.
    Wide Sum = 0;
    for (const auto &[Mono, C] : P.Terms) {
      if (Mono.empty()) {
        Sum += C;
        continue;
      }
      if (Mono.size() > 1)
        return -Infinite;
      unsigned S = Mono[0] & ~Other;
      const SymbolInfo &Info = I.Symbols[S];
      Range R = Info.R;
      if (S == Positive)
        R.Lo = std::max<int64_t>(R.Lo, 1);
      int64_t Edge = C > 0 ? R.Lo : R.Hi;
      if (Edge == INT64_MIN || Edge == INT64_MAX)
        return -Infinite;
      Sum = clampWide(Sum + Wide(Edge) * C);
    }
    return Sum;
  };
  // Is Q < 0 wherever Site is reached?
  auto Below = [&](const Poly &Q, const AccessSite &Site) {
    for (const Guard &G : Site.Guards) {
      const Expr *C = G.Cond;
      if (C->K != ExprKind::Binary || !isComparison(C->O) || !isIntScalar(C->Ops[0]))
        continue;
      Op O = C->O;
      if (!G.Holds)
        O = O == Op::LT ? Op::GE : O == Op::LE ? Op::GT : O == Op::GT ? Op::LE : O == Op::GE ? Op::LT : Op::None;
      Poly D = normal(I.poly(C->Ops[0], Site.S) - I.poly(C->Ops[1], Site.S));
      if (O == Op::GT || O == Op::GE)
        D = D * -1;
      if (O == Op::LE || O == Op::GE)
        D = D - Poly::constant(1);
      else if (O != Op::LT && O != Op::GT)
        continue;
      if (Least(D - Q) >= 0)
        return true;
    }
    return false;
  };
  auto Exact = [&](const Poly &P) -> std::optional<Poly> {
    Poly Q;
    for (const auto &[Mono, C] : P.Terms) {
      if (C % Size)
        return std::nullopt;
      Q.Terms[Mono] = C / Size;
    }
    return Q;
  };
  std::optional<Poly> EA = Exact(PA), EB = Exact(PB);
  if (!EA || !EB)
    return false;
  llvm::SmallVector<unsigned, 4> Pitches;
  for (const auto &[Mono, C] : EA->Terms)
    for (unsigned S : Mono)
      if (Mono.size() > 1 && I.Symbols[S].K == SymbolInfo::Param && !llvm::is_contained(Pitches, S))
        Pitches.push_back(S);
  for (unsigned S : Pitches)
    for (int64_t More : {0, 1, -1, 2}) {
      if (EA->degree(S) > 1 || EB->degree(S) > 1)
        continue;
      // (S + More) * Row + Column
      Positive = S;
      Poly Pitch = Poly::symbol(S) + Poly::constant(More);
      Poly RowA = EA->coefficient(S), RowB = EB->coefficient(S);
      Poly ColA = *EA - Pitch * RowA, ColB = *EB - Pitch * RowB;
      if (Least(ColA) < 0 || Least(ColB) < 0 || !Below(ColA - Pitch, A) || !Below(ColB - Pitch, B))
        continue;
      auto OfB = [&](Poly P) {
        Poly Q;
        for (const auto &[Mono, C] : P.Terms) {
          Monomial New;
          for (unsigned X : Mono)
            New.push_back(isShared(X) ? X : X + Other);
          llvm::sort(New);
          Q.Terms[New] = C;
        }
        return Q;
      };
      Poly Rows = RowA - OfB(RowB), Cols = ColA - OfB(ColB);
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
              if ((Q == Query::GlobalId || Local) && !E.isZero() && (E == Apart || E == Apart * -1))
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

//===----------------------------------------------------------------------===//
// Must: a witness
//===----------------------------------------------------------------------===//

/// E for the work-item and arguments being tried; small numbers, so nothing
/// wraps but what is negative in an unsigned type (then: no value).
std::optional<int64_t> ConflictTest::value(const Expr *E, const Stmt *At, unsigned Depth) {
  auto No = [&]() -> std::optional<int64_t> {
    Unknown = true;
    return std::nullopt;
  };
  if (Depth > 64 || !isIntScalar(E))
    return No();
  auto Sub = [&](unsigned N) { return value(E->Ops[N], At, Depth + 1); };
  auto Checked = [&](Wide V) -> std::optional<int64_t> {
    Range R = rangeOf(E->Ty->Scalar);
    if (V < R.Lo || V > R.Hi)
      return std::nullopt;
    return int64_t(V);
  };
  switch (E->K) {
  case ExprKind::IntConst:
    return Checked(E->Int);
  case ExprKind::WorkItem: {
    unsigned D = E->Dim;
    if (D > 2)
      return No();
    switch (E->Query) {
    case Query::GlobalId: return Global[D];
    case Query::LocalId: return Global[D] % LocalSize[D];
    case Query::GroupId: return Global[D] / LocalSize[D];
    case Query::GlobalSize: return GlobalSize[D];
    case Query::LocalSize: return LocalSize[D];
    case Query::NumGroups: return GlobalSize[D] / LocalSize[D];
    case Query::GlobalOffset: return 0;
    case Query::WorkDim: return No();
    }
    return No();
  }
  case ExprKind::VarRef: {
    unsigned N = I.versionAt(E->V, At);
    // Both items in the first round of a counted loop.
    while (I.Versions[N].K == Version::LoopHead) {
      const auto &Loop = I.shape(I.Versions[N].S);
      if (!Loop || Loop->Head != N)
        return No();
      N = Loop->Init;
    }
    const Version &V = I.Versions[N];
    if (V.K == Version::Entry && V.V->K == Var::Param) {
      auto It = Params.find(V.V);
      return It == Params.end() ? No() : Checked(It->second);
    }
    if (V.K != Version::Def || !V.S->E || !V.S->LaneIdx.empty() ||
        (V.S->K != StmtKind::Decl && V.S->K != StmtKind::Assign))
      return No();
    return value(V.S->E, V.S, Depth + 1);
  }
  case ExprKind::Cast: {
    if (E->C != CastOp::Convert)
      return No();
    std::optional<int64_t> V = Sub(0);
    if (V && E->Ty->Scalar == ScalarKind::Bool)
      return *V != 0;
    return V ? Checked(*V) : V;
  }
  case ExprKind::Unary: {
    std::optional<int64_t> V = Sub(0);
    if (!V)
      return V;
    return E->O == Op::Neg ? Checked(-Wide(*V))
           : E->O == Op::LogicalNot ? std::optional<int64_t>(!*V)
                                    : No();
  }
  case ExprKind::Select: {
    std::optional<int64_t> C = Sub(0);
    return C ? Sub(*C ? 1 : 2) : C;
  }
  case ExprKind::Binary: {
    std::optional<int64_t> X = Sub(0);
    if (!X)
      return X;
    if (E->O == Op::LogicalAnd && !*X)
      return 0;
    if (E->O == Op::LogicalOr && *X)
      return 1;
    std::optional<int64_t> Y = Sub(1);
    if (!Y)
      return Y;
    switch (E->O) {
    case Op::Add: return Checked(Wide(*X) + *Y);
    case Op::Sub: return Checked(Wide(*X) - *Y);
    case Op::Mul: return Checked(Wide(*X) * *Y);
    case Op::Div: return *Y ? Checked(Wide(*X) / *Y) : std::nullopt;
    case Op::Rem: return *Y ? Checked(Wide(*X) % *Y) : std::nullopt;
    case Op::And: return Checked(*X & *Y);
    case Op::Or: return Checked(*X | *Y);
    case Op::Xor: return Checked(*X ^ *Y);
    case Op::Shl: return *Y >= 0 && *Y < 16 ? Checked(Wide(*X) << *Y) : std::nullopt;
    case Op::Shr: return *Y >= 0 && *Y < 32 && *X >= 0 ? Checked(*X >> *Y) : std::nullopt;
    case Op::LT: return *X < *Y;
    case Op::LE: return *X <= *Y;
    case Op::GT: return *X > *Y;
    case Op::GE: return *X >= *Y;
    case Op::EQ: return *X == *Y;
    case Op::NE: return *X != *Y;
    case Op::LogicalAnd:
    case Op::LogicalOr: return *Y != 0;
    default: return No();
    }
  }
  default:
    return No();
  }
}

/// Which items of a small launch all guards of Site let through, for each
/// choice of small arguments; null: a guard cannot be evaluated.
const KernelAnalysis::Impl::Tried *ConflictTest::tried(const AccessSite &Site) {
  std::vector<uint64_t> Key{reinterpret_cast<uintptr_t>(Site.S)};
  for (const Guard &G : Site.Guards)
    Key.push_back(reinterpret_cast<uintptr_t>(G.Cond) + G.Holds);
  auto [It, New] = I.TriedAt.try_emplace(std::move(Key));
  KernelAnalysis::Impl::Tried &T = It->second;
  if (!New)
    return T.Known ? &T : nullptr;
  unsigned Arguments = 0;
  for (const Var *P : I.K.Params)
    Arguments += P->Ty->isScalar() && P->Ty->isInteger();
  constexpr int64_t Small[] = {8, 10, 5};
  unsigned Choices = Arguments == 0 ? 1 : Arguments == 1 ? 3 : 9;
  for (unsigned Choice = 0; Choice < Choices; ++Choice) {
    Params.clear();
    bool Odd = false;
    for (const Var *P : I.K.Params)
      if (P->Ty->isScalar() && P->Ty->isInteger()) {
        Params[P] = Small[Odd ? Choice / 3 : Choice % 3];
        Odd = !Odd;
      }
    llvm::BitVector Pass(Items);
    for (unsigned N = 0; N < Items; ++N) {
      Global = item(N);
      bool All = true;
      for (const Guard &G : Site.Guards) {
        Unknown = false;
        std::optional<int64_t> V = value(G.Cond, Site.S, 0);
        if (Unknown)
          return nullptr;
        All = All && V && (*V != 0) == G.Holds;
      }
      if (All)
        Pass.set(N);
    }
    T.Pass.push_back(std::move(Pass));
  }
  T.Known = true;
  return &T;
}

/// A launch with a few groups of a few items.
void ConflictTest::launch() {
  unsigned Dims = llvm::popcount(I.ItemDims);
  int64_t Edge = Dims == 1 ? 40 : Dims == 2 ? 12 : 6;
  Items = 1;
  for (unsigned D = 0; D < 3; ++D) {
    bool Spreads = I.ItemDims >> D & 1;
    int64_t Size = I.K.ReqdWorkGroupSize ? (*I.K.ReqdWorkGroupSize)[D] : Dims == 3 ? 3 : 4;
    LocalSize[D] = Spreads ? Size : 1;
    Extent[D] = Spreads ? Edge : 1;
    // Whole groups.
    GlobalSize[D] = (Extent[D] + LocalSize[D] - 1) / LocalSize[D] * LocalSize[D];
    Items *= unsigned(Extent[D]);
  }
}

std::array<int64_t, 3> ConflictTest::item(unsigned N) const {
  return {N % Extent[0], N / Extent[0] % Extent[1], N / Extent[0] / Extent[1]};
}

/// Do the guards let an item and its neighbour at -Shift, in one group,
/// through?
bool ConflictTest::witness(std::array<int, 3> Shift) {
  const auto *OfA = tried(A), *OfB = tried(B);
  if (!OfA || !OfB)
    return false;
  for (unsigned N = 0; N < Items; ++N) {
    std::array<int64_t, 3> P = item(N), Q;
    bool Fits = true;
    for (unsigned D = 0; D < 3; ++D) {
      Q[D] = P[D] - Shift[D];
      Fits = Fits && Q[D] >= 0 && Q[D] < Extent[D] && Q[D] / LocalSize[D] == P[D] / LocalSize[D];
    }
    if (!Fits)
      continue;
    unsigned Other = unsigned(Q[0] + Extent[0] * (Q[1] + Extent[1] * Q[2]));
    for (auto [PassA, PassB] : llvm::zip_equal(OfA->Pass, OfB->Pass))
      if (PassA.test(N) && PassB.test(Other))
        return true;
  }
  return false;
}

/// Both write, and the same: nobody can tell who was last.
bool ConflictTest::writesOneValue() {
  if (!A.IsWrite || !B.IsWrite || A.S->K != StmtKind::Store || B.S->K != StmtKind::Store)
    return false;
  return !I.varies(A.S->E, A.S).Item && I.valueOf(A.S->E, A.S) == I.valueOf(B.S->E, B.S);
}

bool ConflictTest::meets() {
  // Work-items are neighbours along dimensions whose global or local ids the
  // kernel asks for; with none, it is a task.
  if (!I.ItemDims || writesOneValue())
    return false;
  // Who has left before, in some loop, cannot be tried out.
  if (I.LeavesEarly)
    return false;
  // The very same interval, not only one that a loop joins with it.
  if (I.Info.lookup(A.S).Interval != I.Info.lookup(B.S).Interval)
    return false;
  // Loop variables: both items run all rounds, so take the same round.
  Poly Difference = PA - PB;
  for (const Poly *P : {&PA, &PB})
    for (const auto &[Mono, C] : P->Terms)
      for (unsigned S : Mono) {
        const SymbolInfo &Info = I.Symbols[S];
        bool Plain = Info.K != SymbolInfo::Atom;
        if (!Plain && !isShared(S))
          return false;
      }
  // The items' own conditions that no guard lists (a variable changed below,
  // a loop that is no counted one) cannot be tried out.
  for (const AccessSite *S : {&A, &B}) {
    for (const GuardLink *G = I.Info.lookup(S->S).Guards; G; G = G->Outer)
      if (!G->Listed)
        return false;
    for (const Stmt *L : S->Loops) {
      const auto &Shape = I.shape(L);
      if (!Shape || Shape->LeavesEarly)
        return false;
      // The loop's own test is among the guards; it must run at least once,
      // which is known for constant bounds only.
      std::optional<int64_t> Trips = I.tripCount(L);
      if (!Trips || *Trips < 1)
        return false;
    }
  }
  // Local memory is shared by a group: a dimension whose local id the kernel
  // never asks for is one where it expects groups of size 1.
  unsigned Asked = Local ? I.LocalDims : 7;
  std::array<int, 3> Reach{};
  for (unsigned D = 0; D < 3; ++D)
    Reach[D] = (I.ItemDims & Asked) >> D & 1 ? (I.ItemDims == 7 ? 1 : 2) : 0;
  launch();
  for (int Z = -Reach[2]; Z <= Reach[2]; ++Z)
    for (int Y = -Reach[1]; Y <= Reach[1]; ++Y)
      for (int X = -Reach[0]; X <= Reach[0]; ++X) {
        if (!X && !Y && !Z)
          continue;
        std::array<int, 3> Shift{X, Y, Z};
        // B's item is at (ids - Shift): within one group, global and local
        // ids move alike.
        Poly Other = PB;
        bool Linear = true;
        for (unsigned D = 0; D < 3; ++D)
          for (Query Q : {Query::GlobalId, Query::LocalId}) {
            unsigned S = id(Q, D);
            if (Shift[D] && Other.has(S))
              Other = Other.substitute(S, Poly::symbol(S) - Poly::constant(Shift[D]));
          }
        Poly D = PA - Other;
        Linear &= D.isConstant();
        if (!Linear || D.constantTerm() >= WB || D.constantTerm() <= -WA)
          continue;
        if (witness(Shift))
          return true;
      }
  return anyTwoMeet();
}

/// Addresses that are known but for what both items share: x[id] and x[0]. Any two items of a group
/// are tried.
bool ConflictTest::anyTwoMeet() {
  struct Part {
    int64_t Constant = 0;
    std::vector<std::pair<unsigned, int64_t>> Ids; ///< symbol, coefficient
  };
  Part OfA, OfB;
  Poly Rest;
  for (auto [P, Own, Sign] : {std::tuple(&PA, &OfA, 1), std::tuple(&PB, &OfB, -1)})
    for (const auto &[Mono, C] : P->Terms) {
      bool HasId = llvm::any_of(Mono, [&](unsigned S) {
        return isQuery(S, Query::GlobalId) || isQuery(S, Query::LocalId);
      });
      if (HasId) {
        if (Mono.size() != 1)
          return false;
        Own->Ids.emplace_back(Mono.front(), C);
        continue;
      }
      for (unsigned S : Mono)
        if (!isShared(S))
          return false;
      Poly Term;
      Term.Terms[Mono] = C * Sign;
      Rest = Rest + Term;
    }
  if (!Rest.isConstant() || (OfA.Ids.empty() && OfB.Ids.empty()))
    return false;
  OfA.Constant = Rest.constantTerm();
  const auto *PassA = tried(A), *PassB = tried(B);
  if (!PassA || !PassB)
    return false;
  auto At = [&](const Part &P, unsigned N) {
    std::array<int64_t, 3> Item = item(N);
    int64_t V = P.Constant;
    for (auto [S, C] : P.Ids) {
      unsigned D = I.Symbols[S].E->Dim;
      V += C * (isQuery(S, Query::GlobalId) ? Item[D] : Item[D] % LocalSize[D]);
    }
    return V;
  };
  unsigned Asked = Local ? I.LocalDims : 7;
  for (unsigned N = 0; N < Items; ++N)
    for (unsigned Other = 0; Other < Items; ++Other) {
      std::array<int64_t, 3> P = item(N), Q = item(Other);
      bool Group = N != Other;
      for (unsigned D = 0; D < 3; ++D)
        Group = Group && P[D] / LocalSize[D] == Q[D] / LocalSize[D] && (P[D] == Q[D] || (I.ItemDims & Asked) >> D & 1);
      if (!Group)
        continue;
      int64_t Distance = At(OfA, N) - At(OfB, Other);
      if (Distance >= WB || Distance <= -WA)
        continue;
      for (auto [X, Y] : llvm::zip_equal(PassA->Pass, PassB->Pass))
        if (X.test(N) && Y.test(Other))
          return true;
    }
  return false;
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
  if (collect()) {
    bounds();
    if (neverNear())
      return Conflict::No;
    if (forces()) {
      if (separated())
        return Conflict::No;
      // What is left when the forced values are equal.
      bool Fewer = false;
      for (Variable &V : Vars)
        if (V.Forced && !V.Pinned && V.A == V.B)
          V.Pinned = Fewer = true; // a shifted one adds nothing either
      if (Fewer && neverNear())
        return Conflict::No;
    }
  }
  if (rowsAndColumns())
    return Conflict::No;
  return meets() ? Conflict::Must : Conflict::May;
}

Conflict KernelAnalysis::conflict(const AccessSite &A, const AccessSite &B) const {
  return ConflictTest(*I, A, B).run();
}

} // namespace clmali::model
