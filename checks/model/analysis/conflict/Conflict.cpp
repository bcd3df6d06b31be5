//===-- checks/model/analysis/conflict/Conflict.cpp - Do two accesses conflict? -----===//
//
// What it does: decides whether two different work-items can touch a common byte through two
// accesses. The difference of the two addresses is
//
//   D = (A - B of one work-item) + sum of coefficient * (id of one - id of the other)
//
// No:   the coefficient of some term is larger than the sum of all smaller terms, from the largest
//       down, so that D near 0 means equal ids (row-major: 4*w*y + 4*x with x < w); or D is never
//       near 0 (remainders, ranges).
// Must: two work-items at a fixed distance touch a common byte whatever the arguments are, and for
//       small arguments both pass the guards.
// May:  everything else.
//
// Limits: index arithmetic is taken as not wrapping; a launch uses the dimensions whose ids the
// kernel uses; a row's pitch is at least 1.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/Conflict.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

llvm::StringRef name(ConflictReason R) {
  switch (R) {
  case ConflictReason::DifferentObjects:
    return "different-objects";
  case ConflictReason::NoWrite:
    return "no-write";
  case ConflictReason::BothAtomic:
    return "both-atomic";
  case ConflictReason::NotShared:
    return "not-shared";
  case ConflictReason::BarrierBetween:
    return "barrier-between";
  case ConflictReason::DisjointAddresses:
    return "disjoint-addresses";
  case ConflictReason::SameWorkItem:
    return "same-work-item";
  case ConflictReason::DisjointRowsColumns:
    return "disjoint-rows-columns";
  case ConflictReason::OnePartnerOnly:
    return "one-partner-only";
  case ConflictReason::GroupCopy:
    return "group-copy";
  case ConflictReason::DataDependentAddress:
    return "data-dependent-address";
  case ConflictReason::Unproved:
    return "unproved";
  case ConflictReason::Witness:
    return "witness";
  case ConflictReason::PartnersMeet:
    return "partners-meet";
  }
  return "";
}

static int64_t widthOf(const Access &A) {
  unsigned Lanes = A.Lanes == 3 && A.F != Access::VLoad ? 4 : A.Lanes;
  return int64_t(sizeInBytes(A.Elem)) * Lanes;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The symbol of a work-item query.
unsigned ConflictTest::id(Query Q, unsigned Dim) {
  auto [It, New] = I.IdSymbol.try_emplace(unsigned(Q) * 4 + Dim, None);
  if (New)
    It->second = I.symbolOf(I.M.workItem(Q, Dim), nullptr);
  return It->second;
}

/// True if both accesses are in one barrier interval of a loop that has a barrier in every trip:
/// the two work-items (of one group) are in the same trip.
bool ConflictTest::inLockstep(const Stmt *Loop) const {
  if (!Local || !I.isInside(A.S, Loop) || !I.isInside(B.S, Loop))
    return false;
  if (I.Info.lookup(A.S).Interval != I.Info.lookup(B.S).Interval)
    return false;
  return llvm::any_of(Loop->Body, [](const Stmt *S) {
    return S->K == StmtKind::Barrier && !llvm::StringRef(S->Name).starts_with("sub_group");
  });
}

/// True if S has one value for both work-items.
bool ConflictTest::isShared(unsigned S) {
  const SymbolInfo &Info = I.Symbols[S];
  if (Info.K == SymbolInfo::Param)
    return true;
  if (Info.Varies.Item || (Info.Varies.Group && !Local))
    return false;
  if (Info.Varies.Data) {
    // The loaded memory must not change in between.
    if (!Info.E)
      return false;
    for (ExprAt E : exprs(Info.E))
      if (E->K == ExprKind::Opaque ||
          (isRead(E->K) && I.Written.contains(E->Image ? E->Image : E->Acc.Base)) ||
          (E->K == ExprKind::VarRef && I.varies(E.E, I.SymbolAt[S]).Data))
        return false;
  }
  for (const auto *Loops : {&A.Loops, &B.Loops})
    for (const Stmt *L : *Loops)
      if (!I.symbolInvariant(S, L) && !inLockstep(L))
        return false;
  return true;
}

bool ConflictTest::isShared(const Poly &P) {
  return llvm::all_of(P.Terms, [&](const auto &Term) {
    return llvm::all_of(Term.first, [&](unsigned S) { return isShared(S); });
  });
}

/// P in one form of ids: group id times local size plus local id is the global id; within a group,
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

//===----------------------------------------------------------------------===//
// The form of the addresses
//===----------------------------------------------------------------------===//

/// if (l == 0) .. p[0]: there, p[0] is p[l]. What a guard makes zero is added to P where Other has
/// a term of the same id, so that the two move alike.
void ConflictTest::addPinned(const AccessSite &Site, Poly &P, const Poly &Other) {
  for (const Guard &G : Site.Guards) {
    const Expr *C = G.Cond;
    if (C->K != ExprKind::Binary || C->O != (G.Holds ? Op::EQ : Op::NE) || !isIntScalar(C->Ops[0]))
      continue;
    Poly Zero = normal(I.poly(C->Ops[0], Site.S) - I.poly(C->Ops[1], Site.S));
    for (const auto &[Mono, Coefficient] : Zero.Terms) {
      bool Id = Mono.size() == 1 && I.Symbols[Mono[0]].K == SymbolInfo::WorkItem &&
                I.Symbols[Mono[0]].Varies.Item;
      auto OfOther = Other.Terms.find(Mono);
      if (!Id || OfOther == Other.Terms.end() || P.Terms.count(Mono) ||
          OfOther->second % Coefficient)
        continue;
      P = P + Zero * (OfOther->second / Coefficient);
      break;
    }
  }
}

/// Adds P's terms to Constant (all symbols shared) and to the variables (one symbol is not); false:
/// a product of two that are not shared.
bool ConflictTest::split(const Poly &P, bool First, std::map<unsigned, Variable> &BySymbol) {
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
    Variable &V = BySymbol[Own];
    V.Symbol = Own;
    Poly &Coefficient = First ? V.A : V.B;
    Coefficient = Coefficient + Term;
  }
  return true;
}

static Variable variable(unsigned Symbol, Poly A, Poly B) {
  Variable V;
  V.Symbol = Symbol;
  V.A = std::move(A);
  V.B = std::move(B);
  return V;
}

/// The two addresses as a shared part and variables; false: they are not of that form.
bool ConflictTest::collect() {
  std::map<unsigned, Variable> BySymbol;
  if (!split(PA, true, BySymbol) || !split(PB, false, BySymbol))
    return false;
  std::vector<Variable> OfA, OfB;
  for (auto &[S, V] : BySymbol) {
    if (V.A == V.B) {
      Vars.push_back(std::move(V));
      continue;
    }
    if (!V.A.isZero())
      OfA.push_back(variable(S, V.A, {}));
    if (!V.B.isZero())
      OfB.push_back(variable(S, {}, V.B));
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
  // Ids that the addresses do not contain may still be pinned by guards.
  for (unsigned D = 0; D < 3; ++D)
    for (Query Q : {Query::GlobalId, Query::LocalId, Query::GroupId}) {
      unsigned S = id(Q, D);
      if ((Used >> D & 1) && llvm::none_of(Vars, [&](const Variable &V) {
            return V.Symbol == S && V.A == V.B && !V.isPair();
          }))
        Vars.push_back(variable(S, {}, {}));
    }
  return true;
}

//===----------------------------------------------------------------------===//
// The decision
//===----------------------------------------------------------------------===//

/// Why the two addresses are apart for any two work-items, by the variables of their difference;
/// nullopt: not proved.
std::optional<ConflictReason> ConflictTest::separate() {
  if (!collect())
    return std::nullopt;
  bounds();
  if (neverNear())
    return ConflictReason::DisjointAddresses;
  if (!forces())
    return std::nullopt;
  if (separated() || equalNumbersMeanOneItem())
    return ConflictReason::SameWorkItem;
  // What remains when the forced values are equal.
  bool Fewer = false;
  for (Variable &V : Vars)
    if (V.Forced && !V.Pinned && V.A == V.B)
      V.Pinned = Fewer = true; // a shifted one adds nothing either
  if (Fewer && neverNear())
    return ConflictReason::DisjointAddresses;
  return std::nullopt;
}

std::optional<ConflictReason> ConflictTest::provenApart() {
  if (std::optional<ConflictReason> R = separate())
    return R;
  if (rowsAndColumns())
    return ConflictReason::DisjointRowsColumns;
  if (partners())
    return ConflictReason::OnePartnerOnly;
  return remainders();
}

static bool dependsOnData(const KernelAnalysis::Impl &I, const Poly &P) {
  return llvm::any_of(P.Terms, [&](const auto &Term) {
    return llvm::any_of(Term.first, [&](unsigned S) { return I.Symbols[S].Varies.Data; });
  });
}

ConflictResult ConflictTest::run() {
  auto No = [](ConflictReason R) { return ConflictResult{Conflict::No, R, {}}; };
  auto May = [](ConflictReason R) { return ConflictResult{Conflict::May, R, {}}; };
  const Var *Base = A.A->Base;
  if (Base != B.A->Base)
    return No(ConflictReason::DifferentObjects);
  if (!A.IsWrite && !B.IsWrite)
    return No(ConflictReason::NoWrite);
  if (A.IsAtomic && B.IsAtomic)
    return No(ConflictReason::BothAtomic);
  if (Base->space() == AddressSpace::Private || Base->space() == AddressSpace::Constant)
    return No(ConflictReason::NotShared);
  Local = Base->space() == AddressSpace::Local;
  if (Local && I.K.hasGroupsOfOne())
    return No(ConflictReason::SameWorkItem);
  if (Local && A.Interval != B.Interval)
    return No(ConflictReason::BarrierBetween);
  if (A.S->K == StmtKind::AsyncCopy || B.S->K == StmtKind::AsyncCopy)
    return May(ConflictReason::GroupCopy);
  I.findVariation();
  I.findRanges();
  Used = I.UsedDims;
  WA = widthOf(*A.A);
  WB = widthOf(*B.A);
  PA = normal(A.Bytes);
  PB = normal(B.Bytes);
  addPinned(A, PA, PB);
  addPinned(B, PB, PA);
  if (std::optional<ConflictReason> R = provenApart())
    return No(*R);
  if (PartnersMeet)
    return {Conflict::Must, ConflictReason::PartnersMeet, {}};
  if (std::optional<std::array<int, 3>> Distance = findWitness())
    return {Conflict::Must, ConflictReason::Witness, Distance};
  bool ByData = dependsOnData(I, PA) || dependsOnData(I, PB);
  return May(ByData ? ConflictReason::DataDependentAddress : ConflictReason::Unproved);
}

Conflict KernelAnalysis::conflict(const AccessSite &A, const AccessSite &B) const {
  return conflictReason(A, B).Kind;
}

ConflictResult KernelAnalysis::conflictReason(const AccessSite &A, const AccessSite &B) const {
  return ConflictTest(*I, A, B).run();
}

} // namespace clmali::model
