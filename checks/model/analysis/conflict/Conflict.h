//===-- checks/model/analysis/conflict/Conflict.h - One question of conflict -*- C++ -*-===//
//
// The state of one test of two accesses (Conflict.cpp): their addresses as a part that both
// work-items share and variables that may differ between the two. The proofs that two work-items
// never touch a common byte are in Proofs.cpp, Bounds.cpp, RowsAndColumns.cpp and Bits.cpp, the
// search for two that do in Witness.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_CONFLICT_CONFLICT_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_CONFLICT_CONFLICT_H

#include "checks/model/analysis/AnalysisImpl.h"
#include "checks/model/analysis/conflict/ConflictReason.h"

namespace clmali::model {

using Wide = __int128;
constexpr Wide Infinite = Wide(1) << 100;

inline Wide clampWide(Wide V) { return std::clamp(V, -Infinite, Infinite); }

/// A value that may differ between the two work-items. Where the two addresses move by different
/// values with one coefficient (two loops over the same rows), a pair of them is one Variable:
/// Symbol is A's, Other is B's.
struct Variable {
  unsigned Symbol = None;
  Poly A, B;                         ///< its coefficients in the two addresses
  llvm::SmallVector<Poly, 3> Spread; ///< upper bounds of the distance of the two values
  bool Pinned = false;               ///< the guards make it equal
  bool Forced = false;               ///< D near 0 makes it equal
  unsigned Other = None;
  llvm::SmallVector<Poly, 2> Low, Up; ///< bounds of a value in one of the addresses only
  bool Shifted = false;               ///< D near 0 makes it a fixed distance apart instead

  bool isPair() const { return Other != None; }
  unsigned symbolOfB() const { return isPair() ? Other : Symbol; }
};

class ConflictTest {
public:
  ConflictTest(KernelAnalysis::Impl &I, const AccessSite &A, const AccessSite &B)
      : I(I), A(A), B(B) {}
  ConflictResult run();

private:
  /// A test of two numbers instead of the addresses; of one byte each.
  ConflictTest(const ConflictTest &Of, Poly A, Poly B)
      : I(Of.I), A(Of.A), B(Of.B), Local(Of.Local), Used(Of.Used), PA(std::move(A)),
        PB(std::move(B)), WA(1), WB(1) {}
  using Query = WorkItemQuery;

  //===--- Conflict.cpp: symbols and the form of the addresses ------------===//
  bool isQuery(unsigned S, Query Q) const {
    return I.Symbols[S].K == SymbolInfo::WorkItem && I.Symbols[S].E->Query == Q;
  }
  unsigned id(Query Q, unsigned Dim);
  bool inLockstep(const Stmt *Loop) const;
  bool isShared(unsigned S);
  bool isShared(const Poly &P);
  Poly normal(Poly P);
  const Stmt *placeOf(unsigned S) const { return S < I.SymbolAt.size() ? I.SymbolAt[S] : nullptr; }
  void addPinned(const AccessSite &Site, Poly &P, const Poly &Other);
  bool collect();
  bool split(const Poly &P, bool First, std::map<unsigned, Variable> &BySymbol);
  std::optional<ConflictReason> separate();
  std::optional<ConflictReason> provenApart();

  //===--- Bounds.cpp: how far the variables can be apart ------------------===//
  struct Bound {
    std::vector<Poly> Upper, Lower, Equal;
  };
  void bounds();
  void boundByGuards(const AccessSite &Site, unsigned S, Bound &R);
  void boundByGuard(const Poly &Difference, Op O, unsigned S, Bound &R);
  void boundQuotient(unsigned S, Poly Difference, Op O, Bound &R);
  void boundByOperation(unsigned S, Bound &R);
  void boundByRange(unsigned S, Bound &R);
  void boundPair(Variable &V, const Bound &OfA, const Bound &OfB);
  void boundSame(Variable &V, const Bound &OfA, const Bound &OfB);
  Wide least(const Poly &P) const;
  bool isAtLeast(const Poly &P, int64_t N) const { return least(P) >= N; }

  //===--- Proofs.cpp ------------------------------------------------------===//
  bool neverNear();
  bool neverNearByRemainder();
  bool neverNearByRange();
  bool forces();
  void shiftByConstant(llvm::ArrayRef<Variable *> Terms);
  Poly absolute(const Poly &P) const;
  bool exceeds(const Poly &Coefficient, const Poly &Sum, llvm::ArrayRef<Variable *> Terms) const;
  bool separated();
  bool splitsId(unsigned Id);
  bool equalNumbersMeanOneItem();
  bool meansOneItem(const Poly &OfA, const Poly &OfB);
  /// (Of / Unit) % Values; Values 0: the quotient itself.
  struct Digit {
    Poly Of;
    int64_t Unit = 1, Values = 0;
  };
  std::optional<Digit> digit(const Expr *E, const Stmt *At, unsigned Depth);

  //===--- RowsAndColumns.cpp ----------------------------------------------===//
  Poly ofB(const Poly &P);
  Wide leastOfBoth(const Poly &P, unsigned Positive) const;
  std::vector<Poly> factsAt(const AccessSite &Site);
  bool contradicts(const Poly &Base, llvm::ArrayRef<Poly> OfA, llvm::ArrayRef<Poly> OfB,
                   unsigned Positive);
  Poly withoutQuotients(Poly Sum, llvm::ArrayRef<Poly> OfA, llvm::ArrayRef<Poly> OfB,
                        unsigned Positive);
  std::optional<Poly> replaceQuotient(const Poly &Sum, const Monomial &Mono, int64_t C,
                                      llvm::ArrayRef<Poly> OfA, llvm::ArrayRef<Poly> OfB,
                                      unsigned Positive);
  bool neverZero(const Poly &E, unsigned Positive);
  bool notNegative(const Poly &P, const AccessSite &Site, unsigned Positive);
  bool rowsAndColumns();
  bool apartByPitch(const Poly &EA, const Poly &EB, unsigned Symbol, int64_t More,
                    int64_t RowsBack);
  bool equalRowsMeanOneItem(Poly Rows, Poly Cols, unsigned Positive);

  //===--- Bits.cpp --------------------------------------------------------===//
  /// Number ^ Mask, Mask the same for all work-items.
  struct Partner {
    Poly Of, Mask;
  };
  /// A partner's number plus a base that is the same for all work-items.
  struct PartnerAddress {
    Partner P;
    Poly Base;
  };
  std::optional<Partner> masked(const Expr *E, Op O, const Stmt *At);
  std::optional<PartnerAddress> partnerAddress(const Poly &E);
  unsigned sideOfPartner(const AccessSite &Site, const Partner &P);
  unsigned sideByGuard(const Guard &G, const AccessSite &Site, const Partner &P, bool OneBit);
  bool partnersSurelyMeet(const Partner &P);
  bool partners();
  std::optional<ConflictReason> remainders();
  bool splitByModulus(unsigned S, Poly &NA, Poly &NB, bool &Failed);

  //===--- Witness.cpp -----------------------------------------------------===//
  using Ids = std::array<int64_t, 3>;
  struct SampleLaunch {
    Ids LocalSize{}, GlobalSize{}, Extent{};
    unsigned Items = 0;
    Ids item(unsigned N) const;
  };
  class GuardInterpreter;
  std::optional<std::array<int, 3>> findWitness();
  bool canBeTested();
  SampleLaunch sampleLaunch() const;
  bool touchAtDistance(std::array<int, 3> Shift);
  std::optional<int> distanceAlong(unsigned Dim, const SampleLaunch &L);
  std::optional<std::array<int, 3>> anyTwo(const SampleLaunch &L, unsigned Dims);
  llvm::ArrayRef<llvm::BitVector> passing(const AccessSite &Site, const SampleLaunch &L);
  bool bothPass(const SampleLaunch &L, std::array<int, 3> Shift);
  bool writesOneValue();

  KernelAnalysis::Impl &I;
  const AccessSite &A, &B;
  bool Local = false;
  bool PartnersMeet = false; ///< set by partners
  uint8_t Used = 0;          ///< dimensions of which the kernel uses ids
  Poly PA, PB, Constant;
  std::vector<Variable> Vars;
  llvm::SmallVector<unsigned, 4> Divisors; ///< symbols that something is divided by: at least 1
  int64_t WA = 0, WB = 0;                  ///< widths of the accesses in bytes
};

} // namespace clmali::model
#endif
