//===-- checks/model/analysis/conflict/Bits.cpp - Partners by their bits ----===//
//
// Proofs for pairs of work-items whose numbers differ in some bits (butterflies,
// bitonic sorts): x ^ m is x's partner, and of the two only one does the work.
//
//   if ((i ^ m) > i) { .. p[i] .. p[i ^ m] .. }     one of two is the smaller
//   if ((i & m) == 0) { .. p[i] .. p[i ^ m] .. }    one of two lacks the bit
//   q[i ^ m] = p[i];                                another place for each
//   t[i] += t[i ^ 32];                              partners certainly meet
//   k = t & (m - 1); .. p[2 * (t - k) + k] ..       with m = 1 << s: t is t / m * m + t % m
//
// Limits: m is the same for all work-items; the number is forced by its value, as an
// id is.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::model {

/// X and M of X op M, M shared; by the polynomial of S's value.
std::optional<ConflictTest::Partner> ConflictTest::masked(const Expr *E, Op O, const Stmt *At) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && isIntScalar(E) &&
         isIntScalar(E->Ops[0]) && sizeInBits(E->Ty->Scalar) >= 32)
    E = E->Ops[0];
  if (E->K == ExprKind::VarRef) {
    Poly P = I.poly(E, At);
    if (P.Terms.size() != 1 || P.Terms.begin()->second != 1 || P.Terms.begin()->first.size() != 1)
      return std::nullopt;
    unsigned S = P.Terms.begin()->first[0];
    if (I.Symbols[S].K != SymbolInfo::Atom || !I.Symbols[S].E ||
        I.Symbols[S].E->K == ExprKind::VarRef)
      return std::nullopt;
    return masked(I.Symbols[S].E, O, S < I.SymbolAt.size() ? I.SymbolAt[S] : nullptr);
  }
  if (E->K != ExprKind::Binary || E->O != O || !isIntScalar(E))
    return std::nullopt;
  for (unsigned N : {0u, 1u}) {
    Poly Mask = normal(I.poly(E->Ops[1 - N], At));
    if (!llvm::all_of(Mask.Terms, [&](const auto &Term) {
          return llvm::all_of(Term.first, [&](unsigned S) { return isShared(S); });
        }))
      continue;
    return Partner{normal(I.poly(E->Ops[N], At)), Mask};
  }
  return std::nullopt;
}

/// What Site's guards say of a number and its partner.
unsigned ConflictTest::turnAt(const AccessSite &Site, const Partner &P) {
  enum : unsigned {
    Above = 1,
    Below = 2,
    AboveUnsigned = 4,
    BelowUnsigned = 8,
    Clear = 16,
    Set = 32
  };
  auto IsPartner = [&](const Expr *E) {
    auto X = masked(E, Op::Xor, Site.S);
    return X && X->Of == P.Of && X->Mask == P.Mask;
  };
  auto IsNumber = [&](const Expr *E) { return normal(I.poly(E, Site.S)) == P.Of; };
  // Which bits a mask of several bits leaves set says nothing of the partner.
  bool OneBit = P.Mask.isConstant() && llvm::isPowerOf2_64(uint64_t(P.Mask.constantTerm()));
  if (P.Mask.Terms.size() == 1 && P.Mask.Terms.begin()->first.size() == 1 &&
      P.Mask.Terms.begin()->second == 1)
    if (const Expr *E = I.Symbols[P.Mask.Terms.begin()->first[0]].E;
        E && E->K == ExprKind::Binary && E->O == Op::Shl)
      OneBit |= constantValue(E->Ops[0]) == std::optional<int64_t>(1);
  unsigned Turn = 0;
  for (const Guard &G : Site.Guards) {
    const Expr *C = G.Cond;
    bool Holds = G.Holds;
    while ((C->K == ExprKind::Unary && C->O == Op::LogicalNot) ||
           (C->K == ExprKind::Cast && C->Implicit && isIntScalar(C->Ops[0]))) {
      Holds ^= C->K == ExprKind::Unary;
      C = C->Ops[0];
    }
    if (!isIntScalar(C))
      continue;
    const Expr *Bits = C;
    bool NotZero = Holds;
    if (C->K == ExprKind::Binary && (C->O == Op::EQ || C->O == Op::NE) &&
        constantValue(C->Ops[1]) == std::optional<int64_t>(0)) {
      Bits = C->Ops[0];
      NotZero ^= C->O == Op::EQ;
    }
    if (auto X = masked(Bits, Op::And, Site.S); X && X->Of == P.Of && X->Mask == P.Mask)
      Turn |= !NotZero ? Clear : OneBit ? Set : 0;
    if (C->K != ExprKind::Binary || !isComparison(C->O) || !isIntScalar(C->Ops[0]))
      continue;
    Op O = Holds ? C->O : inverse(C->O);
    if (O == Op::EQ || O == Op::NE)
      continue;
    bool Greater = O == Op::GT || O == Op::GE, Signed = isSigned(C->Ops[0]->Ty->Scalar);
    if (IsNumber(C->Ops[0]) && IsPartner(C->Ops[1]))
      Greater = !Greater;
    else if (!IsPartner(C->Ops[0]) || !IsNumber(C->Ops[1]))
      continue;
    Turn |= Greater ? (Signed ? Above : AboveUnsigned) : (Signed ? Below : BelowUnsigned);
  }
  return Turn;
}

/// Numbers and their partners: never the same for two items.
bool ConflictTest::partners() {
  int64_t Size = WA;
  if (WA != WB || !Size)
    return false;
  std::optional<Poly> EA = divided(PA, Size), EB = divided(PB, Size);
  if (!EA || !EB)
    return false;
  struct Side {
    Partner P;
    Poly Base; ///< the same for all
  };
  auto Find = [&](const Poly &E) -> std::optional<Side> {
    for (const auto &[Mono, C] : E.Terms) {
      if (Mono.size() != 1 || C != 1 || I.Symbols[Mono[0]].K != SymbolInfo::Atom ||
          !I.Symbols[Mono[0]].E)
        continue;
      unsigned S = Mono[0];
      auto P = masked(I.Symbols[S].E, Op::Xor, S < I.SymbolAt.size() ? I.SymbolAt[S] : nullptr);
      Poly Rest = E - Poly::symbol(S);
      if (P && llvm::all_of(Rest.Terms, [&](const auto &Term) {
            return llvm::all_of(Term.first, [&](unsigned Sym) { return isShared(Sym); });
          }))
        return Side{*P, Rest};
    }
    return std::nullopt;
  };
  std::optional<Side> SA = Find(*EA), SB = Find(*EB);
  if (!SA && !SB)
    return false;
  const Side &S = SA ? *SA : *SB;
  if (SA && SB) {
    if (!(SA->P.Of == SB->P.Of && SA->P.Mask == SB->P.Mask && SA->Base == SB->Base))
      return false;
  } else {
    // One of them the number itself.
    if (!((SA ? *EB : *EA) == S.P.Of + S.Base))
      return false;
    if (!(turnAt(A, S.P) & turnAt(B, S.P))) {
      // Where nothing stands before them, both do it.
      auto Bare = [&](const AccessSite &Site) {
        return !I.Info.lookup(Site.S).Guards && Site.Loops.empty() && !Site.Conditional;
      };
      const Poly &Mask = S.P.Mask;
      bool Argument = Mask.Terms.size() == 1 && Mask.Terms.begin()->first.size() == 1 &&
                      Mask.Terms.begin()->second == 1 &&
                      I.Symbols[Mask.Terms.begin()->first[0]].K == SymbolInfo::Param;
      bool NotZero = Argument || (Mask.isConstant() && Mask.constantTerm() > 0);
      bool Id = false;
      for (unsigned D = 0; D < 3; ++D)
        Id |= S.P.Of == Poly::symbol(id(Query::GlobalId, D)) ||
              S.P.Of == Poly::symbol(id(Query::LocalId, D));
      PartnersMeet = Bare(A) && Bare(B) && NotZero && Id && !I.LeavesEarly &&
                     I.Info.lookup(A.S).Interval == I.Info.lookup(B.S).Interval &&
                     !writesOneValue();
      return false;
    }
  }
  // Equal numbers mean one item.
  ConflictTest Numbers(*this, S.P.Of, S.P.Of);
  if (!Numbers.collect())
    return false;
  Numbers.bounds();
  return Numbers.neverNear() || (Numbers.forces() && Numbers.separated());
}

//===----------------------------------------------------------------------===//
// Numbers with some bits taken out
//===----------------------------------------------------------------------===//

/// Addresses of t and of t % m (or t & (m - 1)) as those of t / m and t % m: then each of the
/// two moves by a pace of its own.
bool ConflictTest::remainders() {
  auto Shared = [&](const Poly &P) {
    return llvm::all_of(P.Terms, [&](const auto &Term) {
      return llvm::all_of(Term.first, [&](unsigned S) { return isShared(S); });
    });
  };
  auto Single = [](const Poly &P) -> unsigned {
    return P.Terms.size() == 1 && P.Terms.begin()->second == 1 && P.Terms.begin()->first.size() == 1
               ? P.Terms.begin()->first[0]
               : None;
  };
  Poly NA = PA, NB = PB;
  bool Changed = false;
  llvm::SmallVector<unsigned, 4> Rests;
  for (const Poly *P : {&PA, &PB})
    for (const auto &[Mono, C] : P->Terms)
      for (unsigned S : Mono)
        if (I.Symbols[S].K == SymbolInfo::Atom && I.Symbols[S].E && !llvm::is_contained(Rests, S))
          Rests.push_back(S);
  for (unsigned S : Rests) {
    const Expr *E = I.Symbols[S].E;
    const Stmt *At = S < I.SymbolAt.size() ? I.SymbolAt[S] : nullptr;
    if (E->K != ExprKind::Binary || !isIntScalar(E) || (E->O != Op::Rem && E->O != Op::And))
      continue;
    for (unsigned N : {0u, 1u}) {
      const Expr *X = E->Ops[N], *By = E->Ops[1 - N];
      Poly M = normal(I.poly(By, At));
      if (E->O == Op::And)
        M = M + Poly::constant(1);
      unsigned Modulus = Single(M), Id = Single(normal(I.poly(X, At)));
      if (Modulus == None || Id == None || !Shared(M) || I.Symbols[Id].K != SymbolInfo::WorkItem ||
          (isSigned(X->Ty->Scalar) && I.rangeAt(X, At).Lo < 0) || (N && E->O == Op::Rem))
        continue;
      const Expr *Of = I.Symbols[Modulus].E;
      if (!Of || (E->O == Op::And && !(Of->K == ExprKind::Binary && Of->O == Op::Shl &&
                                       constantValue(Of->Ops[0]) == std::optional<int64_t>(1))))
        continue;
      if (Of->Ty != X->Ty)
        Of = I.M.cast(Of, X->Ty);
      unsigned Quotient = I.symbolOf(I.M.binary(Op::Div, X, Of), At),
               Rest = I.symbolOf(I.M.binary(Op::Rem, X, Of), At);
      Poly Whole = Poly::symbol(Quotient) * M + Poly::symbol(Rest);
      for (Poly *P : {&NA, &NB}) {
        if (P->degree(S) > 1 || P->degree(Id) > 1)
          return false;
        *P = P->substitute(S, Poly::symbol(Rest)).substitute(Id, Whole);
      }
      Changed = true;
      break;
    }
    if (Changed)
      break; // of one modulus
  }
  if (!Changed)
    return false;
  ConflictTest Parts(*this, NA, NB);
  Parts.WA = WA, Parts.WB = WB;
  return Parts.apart();
}

} // namespace clmali::model
