//===-- checks/model/analysis/conflict/Conflict.h - One question of conflict -*- C++ -*-===//
//
// The state of one question (Conflict.cpp): two accesses, their addresses as
// a shared part and variables that may differ between two work-items. The proofs that
// they never meet are in Proofs.cpp and Bits.cpp, the
// search for two that do in Witness.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_CONFLICT_CONFLICT_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_CONFLICT_CONFLICT_H

#include "checks/model/analysis/AnalysisImpl.h"

namespace clmali::model {

using Wide = __int128;
constexpr Wide Infinite = Wide(1) << 100;

inline Wide clampWide(Wide V) { return std::clamp(V, -Infinite, Infinite); }

/// A value that may differ between the two items. Where the two addresses move by
/// different values at one pace (two loops over the same rows), a pair of them counts as
/// one: Symbol is A's, Other is B's.
struct Variable {
  unsigned Symbol;
  Poly A, B;                         ///< its coefficients in the two addresses
  llvm::SmallVector<Poly, 3> Spread; ///< how far two items' values are apart at most
  bool Pinned = false;               ///< the guards make it equal
  bool Forced = false;               ///< D near 0 makes it equal
  unsigned Other = ~0u;
  llvm::SmallVector<Poly, 2> Low, Up; ///< of a value in one of the addresses only
  bool Shifted = false;               ///< D near 0 puts it a fixed distance apart instead
};

class ConflictTest {
public:
  ConflictTest(KernelAnalysis::Impl &I, const AccessSite &A, const AccessSite &B)
      : I(I), A(A), B(B) {}
  Conflict run();

private:
  ConflictTest(const ConflictTest &Of, Poly A, Poly B)
      : I(Of.I), A(Of.A), B(Of.B), Local(Of.Local), Used(Of.Used), PA(std::move(A)),
        PB(std::move(B)), WA(1), WB(1) {}
  using Query = WorkItemQuery;
  bool isQuery(unsigned S, Query Q) const {
    return I.Symbols[S].K == SymbolInfo::WorkItem && I.Symbols[S].E->Query == Q;
  }
  unsigned id(Query Q, unsigned Dim);
  bool inLockstep(const Stmt *Loop) const;
  bool isShared(unsigned S);
  Poly normal(Poly P);
  bool collect();
  void pinnedAlike(const AccessSite &Site, Poly &P, const Poly &Other);
  void bounds();
  Wide least(const Poly &P) const;
  bool isAtLeast(const Poly &P, int64_t N) const { return least(P) >= N; }
  bool neverNear();
  bool forces();
  bool separated();
  Poly ofB(const Poly &P);
  Wide leastOfBoth(const Poly &P, unsigned Positive) const;
  std::vector<Poly> factsAt(const AccessSite &Site);
  bool contradicts(const Poly &Base, llvm::ArrayRef<Poly> OfA, llvm::ArrayRef<Poly> OfB,
                   unsigned Positive);
  bool neverZero(const Poly &E, unsigned Positive);
  bool notNegative(const Poly &P, const AccessSite &Site, unsigned Positive);
  bool rowsAndColumns();
  /// Number ^ Mask, Mask the same for all items.
  struct Partner {
    Poly Of, Mask;
  };
  std::optional<Partner> masked(const Expr *E, Op O, const Stmt *At);
  unsigned turnAt(const AccessSite &Site, const Partner &P);
  bool partners();
  bool remainders();
  bool apart();
  bool meets();
  bool splitsId(unsigned Id);
  bool sameNumbers();
  bool writesOneValue();
  bool anyTwoMeet();
  void launch();
  std::array<int64_t, 3> item(unsigned N) const;
  const KernelAnalysis::Impl::Simulated *tried(const AccessSite &Site);
  bool witness(std::array<int, 3> Shift);
  std::optional<int64_t> value(const Expr *E, const Stmt *At, unsigned Depth);

  KernelAnalysis::Impl &I;
  const AccessSite &A, &B;
  bool Local = false;
  bool PartnersMeet = false; ///< set by partners
  uint8_t Used = 0;          ///< dimensions of which the kernel asks ids
  Poly PA, PB, Constant;
  std::vector<Variable> Vars;
  llvm::SmallVector<unsigned, 4> Divisors; ///< symbols that something is divided by: at least 1
  int64_t WA = 0, WB = 0;

  // The witness being tried.
  std::array<int64_t, 3> Global{}, LocalSize{}, GlobalSize{}, Extent{};
  unsigned Items = 0;
  std::map<const Var *, int64_t> Params;
  bool Unknown = false; ///< what was asked for is no number that can be tried
};

} // namespace clmali::model
#endif
