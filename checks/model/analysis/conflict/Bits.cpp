//===-- checks/model/analysis/conflict/Bits.cpp - Partners by their bits ----===//
//
// Proofs for pairs of work-items whose numbers differ in some bits (butterflies, bitonic sorts):
// x ^ m is x's partner, and only one work-item of the two accesses both elements.
//
//   if ((i ^ m) > i) { .. p[i] .. p[i ^ m] .. }     the smaller of the two
//   if ((i & m) == 0) { .. p[i] .. p[i ^ m] .. }    the one without the bit
//   q[i ^ m] = p[i];                                each writes another element
//   t[i] += t[i ^ 32];                              partners do conflict
//   k = t & (m - 1); .. p[2 * (t - k) + k] ..       with m = 1 << s: t is t / m * m + t % m
//
// Limits: m is the same for all work-items; the number determines the work-item, as an id does.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::model {

static bool isOne(const Expr *E) { return constantValue(E) == std::optional<int64_t>(1); }

/// X and M of `X O M` with M shared; E may be a variable with that value.
std::optional<ConflictTest::Partner> ConflictTest::masked(const Expr *E, Op O, const Stmt *At) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && isIntScalar(E) &&
         isIntScalar(E->Ops[0]) && sizeInBits(E->Ty->Scalar) >= 32)
    E = E->Ops[0];
  if (E->K == ExprKind::VarRef) {
    unsigned S = onlySymbol(I.poly(E, At));
    if (S == None || I.Symbols[S].K != SymbolInfo::Atom || !I.Symbols[S].E ||
        I.Symbols[S].E->K == ExprKind::VarRef)
      return std::nullopt;
    return masked(I.Symbols[S].E, O, placeOf(S));
  }
  if (E->K != ExprKind::Binary || E->O != O || !isIntScalar(E))
    return std::nullopt;
  for (unsigned N : {0u, 1u})
    if (Poly Mask = normal(I.poly(E->Ops[1 - N], At)); isShared(Mask))
      return Partner{normal(I.poly(E->Ops[N], At)), Mask};
  return std::nullopt;
}

namespace {

/// Which of the two partners passes a guard.
enum Side : unsigned {
  Above = 1, ///< the partner's number is above its own
  Below = 2,
  AboveUnsigned = 4,
  BelowUnsigned = 8,
  Clear = 16, ///< its own number lacks the mask's bit
  Set = 32
};

} // namespace

/// The Sides that G selects.
unsigned ConflictTest::sideByGuard(const Guard &G, const AccessSite &Site, const Partner &P,
                                   bool OneBit) {
  auto IsPartner = [&](const Expr *E) {
    auto X = masked(E, Op::Xor, Site.S);
    return X && X->Of == P.Of && X->Mask == P.Mask;
  };
  auto IsNumber = [&](const Expr *E) { return normal(I.poly(E, Site.S)) == P.Of; };
  const Expr *C = G.Cond;
  bool Holds = G.Holds;
  while ((C->K == ExprKind::Unary && C->O == Op::LogicalNot) ||
         (C->K == ExprKind::Cast && C->Implicit && isIntScalar(C->Ops[0]))) {
    Holds ^= C->K == ExprKind::Unary;
    C = C->Ops[0];
  }
  if (!isIntScalar(C))
    return 0;
  unsigned Sides = 0;
  const Expr *Bits = C;
  bool NotZero = Holds;
  if (C->K == ExprKind::Binary && (C->O == Op::EQ || C->O == Op::NE) &&
      constantValue(C->Ops[1]) == std::optional<int64_t>(0)) {
    Bits = C->Ops[0];
    NotZero ^= C->O == Op::EQ;
  }
  // Which of several bits are set does not determine the partner's.
  if (auto X = masked(Bits, Op::And, Site.S); X && X->Of == P.Of && X->Mask == P.Mask)
    Sides |= !NotZero ? Clear : OneBit ? Set : 0;
  if (C->K != ExprKind::Binary || !isComparison(C->O) || !isIntScalar(C->Ops[0]))
    return Sides;
  Op O = Holds ? C->O : inverse(C->O);
  if (O == Op::EQ || O == Op::NE)
    return Sides;
  bool Greater = O == Op::GT || O == Op::GE, Signed = isSigned(C->Ops[0]->Ty->Scalar);
  if (IsNumber(C->Ops[0]) && IsPartner(C->Ops[1]))
    Greater = !Greater;
  else if (!IsPartner(C->Ops[0]) || !IsNumber(C->Ops[1]))
    return Sides;
  return Sides | (Greater ? (Signed ? Above : AboveUnsigned) : (Signed ? Below : BelowUnsigned));
}

/// The Sides that Site's guards select.
unsigned ConflictTest::sideOfPartner(const AccessSite &Site, const Partner &P) {
  bool OneBit = P.Mask.isConstant() && llvm::isPowerOf2_64(uint64_t(P.Mask.constantTerm()));
  if (unsigned S = onlySymbol(P.Mask); S != None)
    if (const Expr *E = I.Symbols[S].E; E && E->K == ExprKind::Binary && E->O == Op::Shl)
      OneBit |= isOne(E->Ops[0]);
  unsigned Sides = 0;
  for (const Guard &G : Site.Guards)
    Sides |= sideByGuard(G, Site, P, OneBit);
  return Sides;
}

/// E as a partner's number plus a shared base.
std::optional<ConflictTest::PartnerAddress> ConflictTest::partnerAddress(const Poly &E) {
  for (const auto &[Mono, C] : E.Terms) {
    if (Mono.size() != 1 || C != 1 || I.Symbols[Mono[0]].K != SymbolInfo::Atom ||
        !I.Symbols[Mono[0]].E)
      continue;
    unsigned S = Mono[0];
    auto P = masked(I.Symbols[S].E, Op::Xor, placeOf(S));
    Poly Base = E - Poly::symbol(S);
    if (P && isShared(Base))
      return PartnerAddress{*P, Base};
  }
  return std::nullopt;
}

/// True if nothing guards the accesses and the mask is not 0: both partners execute both.
bool ConflictTest::partnersSurelyMeet(const Partner &P) {
  auto Unguarded = [&](const AccessSite &Site) {
    return !I.Info.lookup(Site.S).Guards && Site.Loops.empty() && !Site.Conditional;
  };
  unsigned S = onlySymbol(P.Mask);
  bool NotZero = (S != None && I.Symbols[S].K == SymbolInfo::Param) ||
                 (P.Mask.isConstant() && P.Mask.constantTerm() > 0);
  bool Id = false;
  for (unsigned D = 0; D < 3; ++D)
    Id |=
        P.Of == Poly::symbol(id(Query::GlobalId, D)) || P.Of == Poly::symbol(id(Query::LocalId, D));
  return Unguarded(A) && Unguarded(B) && NotZero && Id && !I.LeavesEarly &&
         I.Info.lookup(A.S).Interval == I.Info.lookup(B.S).Interval && !writesOneValue();
}

/// True if the accesses go to numbers and their partners, and no two work-items touch the same.
/// Sets PartnersMeet if they certainly do.
bool ConflictTest::partners() {
  if (WA != WB || !WA)
    return false;
  std::optional<Poly> EA = divided(PA, WA), EB = divided(PB, WA);
  if (!EA || !EB)
    return false;
  std::optional<PartnerAddress> OfA = partnerAddress(*EA), OfB = partnerAddress(*EB);
  if (!OfA && !OfB)
    return false;
  const auto &[P, Base] = OfA ? *OfA : *OfB;
  if (OfA && OfB) {
    if (!(P.Of == OfB->P.Of && P.Mask == OfB->P.Mask && Base == OfB->Base))
      return false;
  } else {
    // One of them goes to the number itself.
    if (!((OfA ? *EB : *EA) == P.Of + Base))
      return false;
    if (!(sideOfPartner(A, P) & sideOfPartner(B, P))) {
      PartnersMeet = partnersSurelyMeet(P);
      return false;
    }
  }
  return meansOneItem(P.Of, P.Of);
}

//===----------------------------------------------------------------------===//
// Numbers with some bits removed
//===----------------------------------------------------------------------===//

/// If S is t % m or t & (m - 1), with an id t and m the same for all work-items: NA and NB with t
/// written as t / m * m + t % m. Failed: they are not linear in it.
bool ConflictTest::splitByModulus(unsigned S, Poly &NA, Poly &NB, bool &Failed) {
  const Expr *E = I.Symbols[S].E;
  const Stmt *At = placeOf(S);
  if (E->K != ExprKind::Binary || !isIntScalar(E) || (E->O != Op::Rem && E->O != Op::And))
    return false;
  for (unsigned N : {0u, 1u}) {
    const Expr *X = E->Ops[N], *By = E->Ops[1 - N];
    Poly M = normal(I.poly(By, At));
    if (E->O == Op::And)
      M = M + Poly::constant(1);
    unsigned Modulus = onlySymbol(M), Id = onlySymbol(normal(I.poly(X, At)));
    if (Modulus == None || Id == None || !isShared(M) || I.Symbols[Id].K != SymbolInfo::WorkItem ||
        (isSigned(X->Ty->Scalar) && I.rangeAt(X, At).Lo < 0) || (N && E->O == Op::Rem))
      continue;
    const Expr *Of = I.Symbols[Modulus].E;
    if (!Of ||
        (E->O == Op::And && !(Of->K == ExprKind::Binary && Of->O == Op::Shl && isOne(Of->Ops[0]))))
      continue;
    if (Of->Ty != X->Ty)
      Of = I.M.cast(Of, X->Ty);
    unsigned Quotient = I.symbolOf(I.M.binary(Op::Div, X, Of), At),
             Rest = I.symbolOf(I.M.binary(Op::Rem, X, Of), At);
    Poly Whole = Poly::symbol(Quotient) * M + Poly::symbol(Rest);
    for (Poly *P : {&NA, &NB}) {
      if (P->degree(S) > 1 || P->degree(Id) > 1) {
        Failed = true;
        return false;
      }
      *P = P->substitute(S, Poly::symbol(Rest)).substitute(Id, Whole);
    }
    return true;
  }
  return false;
}

/// Addresses of t and of t % m (or t & (m - 1)) as those of t / m and t % m: then each of the two
/// moves with a coefficient of its own. The first modulus only.
std::optional<ConflictReason> ConflictTest::remainders() {
  llvm::SmallVector<unsigned, 4> Atoms;
  for (const Poly *P : {&PA, &PB})
    for (const auto &[Mono, C] : P->Terms)
      for (unsigned S : Mono)
        if (I.Symbols[S].K == SymbolInfo::Atom && I.Symbols[S].E && !llvm::is_contained(Atoms, S))
          Atoms.push_back(S);
  Poly NA = PA, NB = PB;
  bool Failed = false;
  for (unsigned S : Atoms) {
    bool Changed = splitByModulus(S, NA, NB, Failed);
    if (Failed)
      return std::nullopt;
    if (!Changed)
      continue;
    ConflictTest Parts(*this, NA, NB);
    Parts.WA = WA, Parts.WB = WB;
    return Parts.separate();
  }
  return std::nullopt;
}

} // namespace clmali::model
