//===- write-race.cpp -------------------------------------------------------------------------===//
//
// Before: if (last) { data[i] = 0; return; }  data[i + 1] = 2 * i;     two work-items, one element
// Limits: reports what is proved, or occurs in each of several small simulated launches. A pair
//         that neither decides is no finding.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/analysis/conflict/ConflictReason.h"
#include "checks/model/analysis/eval/LaunchSimulator.h"
#include "checks/model/host/Host.h"
#include "checks/query/Barriers.h"
#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "checks/query/Scatter.h"
#include "checks/query/races/Election.h"
#include "checks/query/races/SharedElements.h"
#include "checks/query/races/UnorderedPairs.h"
#include "checks/query/races/UnusedReads.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The dimensions on which an address, a stored value, a condition or an image coordinate depends.
static uint8_t usedDimensions(const KernelAnalysis &K) {
  uint8_t Used = 0;
  for (const Stmt *S : stmts(K.kernel().Body)) {
    auto Use = [&](const Expr *X) { Used |= K.varies(X, S).Item | K.varies(X, S).Group; };
    if (S->K == StmtKind::Atomic)
      Used = 7;
    if (S->K == StmtKind::Decl || S->K == StmtKind::Assign)
      for (ExprAt At : exprs(*S)) {
        if (isRead(At->K) || At->K == ExprKind::Opaque)
          forEachOperand(*At.E, Use);
      }
    else
      forEachExpr(*S, Use);
  }
  return Used;
}

/// Reports a store if the host launches several work-items along a dimension that the kernel does
/// not use: all of them store the same.
static void reportUnusedLaunchDimension(Context &C) {
  const KernelAnalysis &K = C.analysis();
  if (C.launches().empty())
    return;
  uint8_t Used = usedDimensions(K);
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    for (const HostLaunch &L : C.launches()) {
      if ((Used >> Dim & 1) || L.Dims <= Dim || !L.Global[Dim] || *L.Global[Dim] < 2 ||
          L.GlobalByDefault)
        continue;
      for (const AccessSite &A : K.accesses()) {
        if (A.S->K != StmtKind::Store || A.A->Base->space() != AddressSpace::Global || !A.IsWrite)
          continue;
        C.report(A.A->Range,
                 utostr(*L.Global[Dim]) + " work-items write the same value to one element of " +
                     nameOf(*A.A) +
                     ", and nothing orders them: the host launches so many along dimension " +
                     utostr(Dim) + ", of which the kernel makes no use")
            .atMost(rules::Severity::Info);
        return;
      }
    }
}

/// The kernel swaps pointers, so the buffer of an access changes from iteration to iteration.
static void reportSwappedBuffers(const KernelAnalysis &K, Context &C) {
  if (const AccessSite *Read = readOfPreviousIteration(K))
    C.report(Read->A->Range, "what is read through " + nameOf(*Read->A) +
                                 " was written by work-items of other groups in the round "
                                 "before, and a barrier orders one group only")
        .atMost(rules::Severity::Warning);
}

/// Work-items of the part of a group in which the address of A is the same, or is that of a
/// partner: l / 32 * 32, l & ~31, l ^ 1. 0: the address has no such part.
static int64_t partOf(const KernelAnalysis &K, const AccessSite &A) {
  int64_t Width = 0;
  for (const Expr *Index : A.A->Index)
    for (ExprAt X : Slice(K, Index, A.S)) {
      if (X->K != ExprKind::Binary)
        continue;
      const Expr *Id = origin(K, X->Ops[0]);
      std::optional<int64_t> By = constantValue(stripCasts(X->Ops[1]));
      if (!By || Id->K != ExprKind::WorkItem || Id->Query != WorkItemQuery::LocalId)
        continue;
      if (X->O == Op::Div || X->O == Op::Rem)
        Width = std::max(Width, *By);
      else if (X->O == Op::Shr && *By > 0 && *By < 16)
        Width = std::max(Width, int64_t(1) << *By);
      else if (X->O == Op::And || X->O == Op::Or || X->O == Op::Xor)
        Width = std::max(Width, int64_t(*By < 0 || *By > INT32_MAX ? int32_t(~*By) : *By) + 1);
    }
  return Width > 1 ? Width : 0;
}

/// "mali-midgard runs 1, mali-bifrost 4".
static std::string lockstepWidths() {
  std::string Result;
  for (const rules::DeviceFacts &F : rules::families())
    if (F.Group != "generic")
      Result += (Result.empty() ? "" : ", ") + F.Name + (Result.empty() ? " runs " : " ") +
                utostr(F.SimdWidth);
  return Result;
}

namespace {
/// What the races below ask about a kernel.
struct Facts {
  explicit Facts(Context &C)
      : C(C), K(C.analysis()), Simulated(C.cached<LaunchSimulator>()), Last(electionOf(K)),
        AtomicResults(resultsOfAtomics(K)), HasFlags(any_of(K.accesses(), [](const AccessSite &A) {
          return A.IsAtomic || A.A->Volatile;
        })) {}

  bool onlyUnused(const AccessSite &A, const AccessSite &B) const {
    return onlyUnusedDimensions(K, C.cached<DimensionUse>(), A, B);
  }
  /// One work-item of the launch executes A.
  bool isOfElectedItem(const AccessSite &A) const { return Last.OneItem && Last.isElected(A); }

  Context &C;
  const KernelAnalysis &K;
  LaunchSimulator &Simulated;
  ChosenByOwnData ByOwnData{K};
  Election Last;
  std::set<const Var *> AtomicResults;
  bool HasFlags;      ///< by which one work-item may wait for another
  unsigned Pairs = 0; ///< pairs compared so far
};

/// A race of two accesses A and B of one buffer, or of one access: A is B.
struct Race {
  bool (*Is)(Facts &F, const AccessSite &A, const AccessSite &B);
  enum : uint8_t { One, Two } Accesses;
  enum : uint8_t { Never, IfAddress, IfAddresses } RestsOnGuess; ///< of A, of A and B
  rules::Severity AtMost;
  StringLiteral Text;      ///< "@": the element of A
  StringLiteral Note = ""; ///< what B is
  bool AtSecond = false;   ///< the finding stands at B, and the note is about A
};
} // namespace

/// True if A and B, one of them a write, conflict by proof or by simulation.
static bool meet(Facts &F, const AccessSite &A, const AccessSite &B) {
  const KernelAnalysis &K = F.K;
  // Each pair of writes once.
  if (!A.IsWrite || (B.IsWrite && &B < &A) || (assumesGroupSize(K, A) && assumesGroupSize(K, B)))
    return false;
  if (++F.Pairs == limits::AccessPairs)
    F.C.note("kernel " + K.kernel().Name +
             " has too many accesses for write-race: not each pair of them is compared");
  if (F.Pairs >= limits::AccessPairs || areFields(A, B))
    return false;
  ConflictResult Known = K.conflictReason(A, B);
  // Where data choose the element, other races ask.
  if (Known.Kind == Conflict::No || Known.Reason == ConflictReason::DataDependentAddress)
    return false;
  bool Shares = &A == &B && A.S->E && isManyToOne(K, A) && dependsBeyondQuotients(K, A.S->E, A.S);
  bool Proved = Known.Kind == Conflict::Must;
  if (!Proved && ((B.IsWrite && !Shares) || differByArgument(K, A, B) || isByteBuffer(*A.A) ||
                  !F.Simulated.meet(A, B)))
    return false;
  if (isUnusedWhereWritten(K, A, B))
    return false;
  // A window that each work-item moves along: iterations of two work-items conflict, and both
  // belong to a dimension that the kernel uses.
  bool ByIterations = !Proved && !B.IsWrite && any_of(A.Bytes.Terms, [&](const auto &Term) {
    return any_of(Term.first, [&](unsigned S) { return K.symbol(S).K == SymbolInfo::LoopVar; });
  });
  return !(A.A->Base->space() == AddressSpace::Local && leavesBarrierOut(F.C, A, B)) &&
         (ByIterations || !F.onlyUnused(A, B));
}

/// The order of equal values does not matter, unless one work-item alone writes: then others may
/// read before.
static bool storesOneValue(const KernelAnalysis &K, const AccessSite &A, const AccessSite &B) {
  auto Distance = &A == &B || !B.IsWrite ? K.conflictReason(A, B).Distance : std::nullopt;
  bool SameAt = Distance && storesSameAt(K, A, *Distance) && (B.IsWrite || !isOfOneItem(K, A));
  return sameConstant(A, B) || SameAt ||
         (storesUniform(K, A) &&
          (B.IsWrite ? &A == &B && storesUniform(K, B) : !isOfOneItem(K, A)));
}

/// In the order of their certainty: each buffer is reported once.
using rules::Severity;
using Site = const AccessSite &;
static const Race BeforeUnusedDimensions[] = {
    {[](Facts &F, Site A, Site B) {
       return F.Last.Counter && A.A->Base->space() == AddressSpace::Global && F.Last.isElected(A) &&
              A.IsWrite && !A.IsAtomic && readsWhileElected(F.K, F.Last, B) &&
              F.K.conflict(A, B) != Conflict::No;
     },
     Race::Two, Race::Never, Severity::Warning,
     "the work-item that counts last writes an element of @ that work-items of other groups may "
     "not have read yet, and nothing orders them",
     "the read"},
    {[](Facts &F, Site A, Site B) {
       return F.Last.Counter && A.A->Base->space() == AddressSpace::Global && F.Last.isElected(A) &&
              A.IsRead && !A.IsAtomic && lacksFence(F.K, F.Last, B);
     },
     Race::Two, Race::Never, Severity::Warning,
     "the last group reads what this store writes to @, and no fence stands between it and the "
     "counter",
     "the read", true},
    {[](Facts &F, Site A, Site) { // x[0]++ without an atomic
       return A.IsWrite && !F.isOfElectedItem(A) && isLostUpdate(F.K, A) &&
              (!F.onlyUnused(A, A) ||
               any_of(A.Guards, [&](const Guard &G) { return dependsOnMixedBits(F.K, G.Cond); }));
     },
     Race::One, Race::IfAddress, Severity::Warning,
     "two work-items that get here update one element of @, and not atomically: an update is lost "
     "where two do it at once"},
    {[](Facts &F, Site A, Site B) { return initializesUpdatedElement(F.K, A, B); }, Race::Two,
     Race::Never, Severity::Error,
     "an element of @ is set by one work-item while others already update it, and nothing orders "
     "them",
     "the update"},
    {[](Facts &F, Site A, Site B) {
       return readsFilledTable(F.K, F.ByOwnData, A, B) && !leavesBarrierOut(F.C, A, B);
     },
     Race::Two, Race::Never, Severity::Warning,
     "work-items fill @ together, and data choose what each reads of it: there is no barrier "
     "between",
     "the read"},
    {meet, Race::Two, Race::IfAddresses, Severity::Error, ""}, // the text: see reportConflict
    {[](Facts &F, Site A, Site) {                              // local[0] = 0 by all work-items
       return A.IsWrite && !F.isOfElectedItem(A) && allWriteOneElement(F.K, A) &&
              !F.onlyUnused(A, A) && storesUniform(F.K, A);
     },
     Race::One, Race::IfAddress, Severity::Info,
     "all work-items that get here write the same value to one element of @, and nothing orders "
     "them"},
    {[](Facts &F, Site A, Site) {
       return A.IsWrite && !F.isOfElectedItem(A) && allWriteOneElement(F.K, A) &&
              !F.onlyUnused(A, A) && !storesUniform(F.K, A);
     },
     Race::One, Race::IfAddress, Severity::Info,
     "all work-items that get here write one element of @, and nothing orders them"},
    {[](Facts &F, Site A, Site B) { return copiesBeforeBarrier(F.K, A, B); }, Race::Two,
     Race::Never, Severity::Error,
     "the group copies @ while its work-items may still write to it: there is no barrier between",
     "the write", true},
    {[](Facts &F, Site A, Site B) { return overwritesReadTile(F.K, A, B); }, Race::Two, Race::Never,
     Severity::Error,
     "the next round's copy to @ begins while other work-items still read it: there is no barrier "
     "at the end of the loop",
     "the read"},
};
static const Race BehindUnusedDimensions[] = {
    // result[0] = id under a guard that several work-items may pass.
    {[](Facts &F, Site A, Site) {
       return A.IsWrite && storesDifferentValues(F.K, A, F.AtomicResults) &&
              isRunningExtremum(F.K, A);
     },
     Race::One, Race::IfAddress, Severity::Warning,
     "work-items that get here write different values to one element of @, and nothing orders "
     "them: where two do, one value is lost"},
    {[](Facts &F, Site A, Site) {
       return A.IsWrite && storesDifferentValues(F.K, A, F.AtomicResults);
     },
     Race::One, Race::IfAddress, Severity::Info,
     "work-items that get here write different values to one element of @, and nothing orders "
     "them: where two do, one value is lost"},
    {[](Facts &F, Site A, Site B) { return A.IsWrite && writesWhatGroupsRead(F.K, A, B); },
     Race::Two, Race::IfAddress, Severity::Error,
     "work-items write elements of @ that those of other groups read, and a barrier orders one "
     "group only",
     "the read"},
    {[](Facts &F, Site A, Site B) {
       return A.IsWrite && (readsBeforeInitialized(F.K, A, B) ||
                            (guardReadsWrittenElement(F.K, A, B) && !F.onlyUnused(A, B)));
     },
     Race::Two, Race::IfAddress, Severity::Error,
     "two work-items write and read one element of @, and nothing orders them", "the read"},
    {[](Facts &F, Site A, Site B) {
       return !F.HasFlags && A.IsWrite && ++F.Pairs < limits::AccessPairs &&
              conflictsForSomeData(F.K, F.Simulated, A, B) && !F.onlyUnused(A, B);
     },
     Race::Two, Race::IfAddresses, Severity::Warning,
     "where data let two work-items get here, one writes what the other reads of @, and nothing "
     "orders them",
     "the read"},
    // grid[cell] += q[id]. A buffer of a queue or a lock is ordered by its atomics.
    {[](Facts &F, Site A, Site) { return F.AtomicResults.empty() && isScattered(F.K, A) == true; },
     Race::One, Race::IfAddress, Severity::Info,
     "where the data of two work-items name one element of @, both update it, and not atomically: "
     "an update is lost"},
    {[](Facts &F, Site A, Site) { return F.AtomicResults.empty() && isScattered(F.K, A) == false; },
     Race::One, Race::IfAddress, Severity::Info,
     "where the data of two work-items name one element of @, both write to it, and nothing orders "
     "them: one value is lost"},
};

namespace {
class RaceFinder {
public:
  explicit RaceFinder(Context &C) : F(C) {
    // Accesses of global and local memory. An inlined kernel has mostly private ones.
    for (const AccessSite &A : F.K.accesses())
      if (AddressSpace Space = A.A->Base->space();
          Space == AddressSpace::Global || Space == AddressSpace::Local)
        Sites[A.A->Base].push_back(&A), Shared.push_back(&A);
  }

  void run() {
    for (const Race &R : BeforeUnusedDimensions)
      find(R);
    if (Reported.empty())
      reportUnusedLaunchDimension(F.C);
    for (const Race &R : BehindUnusedDimensions)
      find(R);
    findTexels();
  }

private:
  Facts F;
  std::vector<const AccessSite *> Shared;
  std::map<const Var *, std::vector<const AccessSite *>> Sites; ///< of Shared, by their buffer
  std::set<const Var *> Reported;

  void find(const Race &R) {
    for (const AccessSite *A : Shared)
      for (const AccessSite *B :
           R.Accesses == Race::One ? ArrayRef(A) : ArrayRef(Sites[A->A->Base]))
        if (!Reported.count(A->A->Base) && R.Is(F, *A, *B))
          report(R, *A, *B);
  }

  /// Texels of one image that two work-items access, one of them writing.
  void findTexels() {
    std::vector<pattern::TexelSite> Texels;
    for (const ImageAccess &I : imageAccesses(F.C))
      if (I.IsWrite || isWritable(*I.Read->Image))
        if (std::optional<pattern::TexelSite> T = pattern::texelSite(F.K, I.S, I.Read))
          Texels.push_back(std::move(*T));
    for (pattern::TexelSite &T : Texels)
      T.Site.A = &T.Texel;
    for (const pattern::TexelSite &A : Texels)
      for (const pattern::TexelSite &B : Texels)
        if (A.Site.IsWrite && (!B.Site.IsWrite || &A <= &B) && !Reported.count(A.Texel.Base) &&
            ++F.Pairs < limits::AccessPairs && F.K.conflict(A.Site, B.Site) == Conflict::Must &&
            !F.onlyUnused(A.Site, B.Site))
          reportTexel(A.Site, B.Site);
  }

  void reportTexel(const AccessSite &A, const AccessSite &B) {
    const bool Same = storesOneValue(F.K, A, B);
    Finding &Found = F.C.report(A.A->Range, verb(Same, B) + "one texel of " + nameOf(*A.A) +
                                                ", and nothing orders them");
    Found.restsOn(A).restsOn(B).restsOnGuess(guessed(F.C).mayLackCode());
    if (Found.stands())
      Reported.insert(A.A->Base);
    Found.atMost(Same ? Severity::Info : Severity::Error);
    addConflict(Found, A, B);
  }

  void report(const Race &R, const AccessSite &A, const AccessSite &B) {
    bool Meet = R.Is == meet;
    auto [Before, Behind] = R.Text.split('@');
    Finding &Found = F.C.report((R.AtSecond ? B : A).A->Range,
                                Meet ? meetText(A, B) : (Before + nameOf(*A.A) + Behind).str());
    if (R.RestsOnGuess != Race::Never)
      Found.restsOn(A);
    if (R.RestsOnGuess == Race::IfAddresses)
      Found.restsOn(B);
    Found.restsOnGuess(guessed(F.C).mayLackCode()); // such as a barrier
    if (Found.stands())
      Reported.insert(A.A->Base);
    Found.atMost(Meet && storesOneValue(F.K, A, B) ? Severity::Info : R.AtMost);
    if (!R.Note.empty())
      Found.note((R.AtSecond ? A : B).A->Range, R.Note);
    if (Meet)
      addConflict(Found, A, B);
    else if (R.AtSecond && F.Last.Counter && A.IsRead)
      Found.note(F.Last.Counter->Range, "the counter");
  }

  static std::string verb(bool Same, const AccessSite &B) {
    std::string Verb = Same ? " write the same value to " : " write to ";
    if (!B.IsWrite)
      Verb = Same ? " write the same value to, and read, " : " write and read ";
    return "two work-items" + Verb;
  }

  std::string meetText(const AccessSite &A, const AccessSite &B) {
    return verb(storesOneValue(F.K, A, B), B) + "one element of " + nameOf(*A.A) +
           ", and nothing orders them";
  }

  void addConflict(Finding &Found, const AccessSite &A, const AccessSite &B) {
    if (int64_t Width = std::max(partOf(F.K, A), partOf(F.K, B));
        Width && A.A->Base->space() == AddressSpace::Local)
      Found.cost("safe only if " + utostr(Width) + " work-items run in lockstep; " +
                 lockstepWidths());
    if (&A != &B && (B.A->Range.Begin != A.A->Range.Begin || B.A->Range.File != A.A->Range.File))
      Found.note(B.A->Range, B.IsWrite ? "the other write" : "the read");
  }
};
} // namespace

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  if (swapsPointers(K.kernel()))
    reportSwappedBuffers(K, C);
  else
    RaceFinder(C).run();
}

CLMALI_KERNEL_CHECK("write-race", run);
