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
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/iterator.h"
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
        if (At->K == ExprKind::Load || At->K == ExprKind::Opaque)
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
/// Looks for races in the order of their certainty. Each buffer is reported once.
class RaceFinder {
public:
  explicit RaceFinder(Context &C)
      : C(C), K(C.analysis()), Simulated(C.cached<LaunchSimulator>()), Shared(sharedSites(K)),
        Last(electionOf(K)), Sites(make_pointee_range(Shared)) {}

  void run() {
    reportElection();
    reportLostUpdates();
    reportUnorderedPhases();
    reportConflicts();
    reportCommonElement();
    reportAsyncCopies();
    if (Reported.empty())
      reportUnusedLaunchDimension(C);
    std::set<const Var *> AtomicResults = resultsOfAtomics(K);
    reportLostValues(AtomicResults);
    reportUnorderedReads();
    reportDataGuardedConflicts();
    // A buffer of a queue or a lock is ordered by its atomics.
    if (AtomicResults.empty())
      reportScattered();
  }

private:
  /// Accesses of global and local memory. An inlined kernel has mostly private ones.
  static std::vector<const AccessSite *> sharedSites(const KernelAnalysis &K) {
    std::vector<const AccessSite *> Result;
    for (const AccessSite &Site : K.accesses())
      if (AddressSpace Space = Site.A->Base->space();
          Space == AddressSpace::Global || Space == AddressSpace::Local)
        Result.push_back(&Site);
    return Result;
  }

  bool isReported(const AccessSite &A) const { return Reported.count(A.A->Base); }
  const DimensionUse &use() { return C.cached<DimensionUse>(); }
  /// Reports a race of A that holds only if the addresses and guards of Evidence do. Unless it is
  /// dropped, the buffer of A is reported.
  Finding &report(const AccessSite &A, SourceRange Place, const Twine &Message,
                  std::initializer_list<const AccessSite *> Evidence = {}) {
    Finding &F = C.report(Place, Message);
    for (const AccessSite *E : Evidence)
      F.restsOn(*E);
    F.restsOnGuess(guessed(C).mayLackCode()); // such as a barrier
    if (F.stands())
      Reported.insert(A.A->Base);
    return F;
  }

  /// What the last group, chosen by a counter, writes or reads, and others read or write.
  void reportElection() {
    if (!Last.Counter)
      return;
    for (const AccessSite &A : Sites)
      for (const AccessSite &B : Sites) {
        if (A.A->Base != B.A->Base || A.A->Base->space() != AddressSpace::Global ||
            !Last.isElected(A) || isReported(A))
          continue;
        if (A.IsWrite && !A.IsAtomic && readsWhileElected(K, Last, B) &&
            K.conflict(A, B) != Conflict::No) {
          report(A, A.A->Range,
                 "the work-item that counts last writes an element of " + nameOf(*A.A) +
                     " that work-items of other groups may not have read yet, and "
                     "nothing orders them")
              .note(B.A->Range, "the read")
              .atMost(rules::Severity::Warning);
        } else if (A.IsRead && !A.IsAtomic && lacksFence(K, Last, B)) {
          report(A, B.A->Range,
                 "the last group reads what this store writes to " + nameOf(*B.A) +
                     ", and no fence stands between it and the counter")
              .note(A.A->Range, "the read")
              .note(Last.Counter->Range, "the counter")
              .atMost(rules::Severity::Warning);
        }
      }
  }
  /// True if one work-item of the launch executes A.
  bool isOfElectedItem(const AccessSite &A) const { return Last.OneItem && Last.isElected(A); }

  /// x[0]++ without an atomic.
  void reportLostUpdates() {
    for (const AccessSite &A : Sites)
      if (A.IsWrite && !isReported(A) && !isOfElectedItem(A) && isLostUpdate(K, A) &&
          (!onlyUnusedDimensions(K, use(), A, A) ||
           any_of(A.Guards, [&](const Guard &G) { return dependsOnMixedBits(K, G.Cond); })))
        report(A, A.A->Range,
               "two work-items that get here update one element of " + nameOf(*A.A) +
                   ", and not atomically: an update is lost where two do it at once",
               {&A})
            .atMost(rules::Severity::Warning);
  }

  /// A buffer is initialised and then used at data-dependent elements without a barrier between.
  void reportUnorderedPhases() {
    for (const AccessSite &A : Sites)
      for (const AccessSite &B : Sites)
        if (!isReported(A) && initializesUpdatedElement(K, A, B))
          report(A, A.A->Range,
                 "an element of " + nameOf(*A.A) +
                     " is set by one work-item while others already update it, and "
                     "nothing orders them")
              .note(B.A->Range, "the update");
    for (const AccessSite &A : Sites)
      for (const AccessSite &B : Sites)
        if (!isReported(A) && readsFilledTable(K, A, B) && !leavesBarrierOut(C, A, B))
          report(
              A, A.A->Range,
              "work-items fill " + nameOf(*A.A) +
                  " together, and data choose what each reads of it: there is no barrier between")
              .atMost(rules::Severity::Warning)
              .note(B.A->Range, "the read");
  }

  /// Pairs that are proved to conflict, or conflict in each simulated launch.
  void reportConflicts() {
    for (const AccessSite &A : Sites) {
      if (!A.IsWrite)
        continue;
      for (const AccessSite &B : Sites) {
        if (B.A->Base != A.A->Base || isReported(A))
          continue;
        // Each pair of writes once.
        if (B.IsWrite && &B < &A)
          continue;
        if (assumesGroupSize(K, A) && assumesGroupSize(K, B))
          continue;
        if (++Pairs == limits::AccessPairs)
          C.note("kernel " + K.kernel().Name +
                 " has too many accesses for write-race: not each pair of them is compared");
        if (Pairs >= limits::AccessPairs)
          break;
        if (conflict(A, B))
          reportConflict(A, B);
      }
    }
  }

  /// True if the write A and the access B conflict, by proof or by simulation.
  bool conflict(const AccessSite &A, const AccessSite &B) {
    Conflict Known = areFields(A, B) ? Conflict::No : K.conflict(A, B);
    if (Known == Conflict::No)
      return false;
    bool Shares = &A == &B && A.S->E && isManyToOne(K, A) && dependsBeyondQuotients(K, A.S->E, A.S);
    if (Known == Conflict::May && ((B.IsWrite && !Shares) || differByArgument(K, A, B) ||
                                   isByteBuffer(*A.A) || !Simulated.meet(A, B)))
      return false;
    // A window that each work-item moves along: iterations of two work-items conflict, and both
    // belong to a dimension that the kernel uses.
    bool ByIterations =
        Known == Conflict::May && !B.IsWrite && any_of(A.Bytes.Terms, [&](const auto &Term) {
          return any_of(Term.first,
                        [&](unsigned S) { return K.symbol(S).K == SymbolInfo::LoopVar; });
        });
    return !(A.A->Base->space() == AddressSpace::Local && leavesBarrierOut(C, A, B)) &&
           (ByIterations || !onlyUnusedDimensions(K, use(), A, B));
  }

  void reportConflict(const AccessSite &A, const AccessSite &B) {
    // The order of equal values does not matter, unless one work-item alone writes: then others may
    // read before.
    auto Distance = &A == &B || !B.IsWrite ? K.conflictReason(A, B).Distance : std::nullopt;
    bool SameAt = Distance && storesSameAt(K, A, *Distance) && (B.IsWrite || !isOfOneItem(K, A));
    bool Same =
        sameConstant(A, B) || SameAt ||
        (storesUniform(K, A) && (B.IsWrite ? &A == &B && storesUniform(K, B) : !isOfOneItem(K, A)));
    std::string Verb = Same ? " write the same value to " : " write to ";
    if (!B.IsWrite)
      Verb = Same ? " write the same value to, and read, " : " write and read ";
    Finding &F = report(A, A.A->Range,
                        "two work-items" + Verb + "one element of " + nameOf(*A.A) +
                            ", and nothing orders them",
                        {&A, &B});
    if (Same)
      F.atMost(rules::Severity::Info);
    if (int64_t Width = std::max(partOf(K, A), partOf(K, B));
        Width && A.A->Base->space() == AddressSpace::Local)
      F.cost("safe only if " + utostr(Width) + " work-items run in lockstep; " + lockstepWidths());
    if (&A != &B && (B.A->Range.Begin != A.A->Range.Begin || B.A->Range.File != A.A->Range.File))
      F.note(B.A->Range, B.IsWrite ? "the other write" : "the read");
  }

  /// local[0] = 0 by all work-items.
  void reportCommonElement() {
    for (const AccessSite &A : Sites)
      if (A.IsWrite && !isReported(A) && !isOfElectedItem(A) && allWriteOneElement(K, A) &&
          !onlyUnusedDimensions(K, use(), A, A))
        report(A, A.A->Range,
               "all work-items that get here write " +
                   std::string(storesUniform(K, A) ? "the same value to " : "") +
                   "one element of " + nameOf(*A.A) + ", and nothing orders them",
               {&A})
            .atMost(rules::Severity::Info);
  }

  /// async_work_group_copy without the barriers that it needs.
  void reportAsyncCopies() {
    for (const AccessSite &A : Sites)
      for (const AccessSite &B : Sites) {
        if (!isReported(A) && copiesBeforeBarrier(K, A, B))
          report(A, B.A->Range,
                 "the group copies " + nameOf(*B.A) +
                     " while its work-items may still write to it: there is no barrier between")
              .note(A.A->Range, "the write");
        if (!isReported(A) && overwritesReadTile(K, A, B))
          report(A, A.A->Range,
                 "the next round's copy to " + nameOf(*A.A) +
                     " begins while other work-items still read it: there is no "
                     "barrier at the end of the loop")
              .note(B.A->Range, "the read");
      }
  }

  /// result[0] = id under a guard that several work-items may pass.
  void reportLostValues(const std::set<const Var *> &AtomicResults) {
    for (const AccessSite &A : Sites)
      if (A.IsWrite && !isReported(A) && storesDifferentValues(K, A, AtomicResults))
        report(A, A.A->Range,
               "work-items that get here write different values to one element of " + nameOf(*A.A) +
                   ", and nothing orders them: where two do, one value is lost",
               {&A})
            .atMost(isRunningExtremum(K, A) ? rules::Severity::Warning : rules::Severity::Info);
  }

  /// Writes that work-items of other groups, or of the same group before a barrier, read.
  void reportUnorderedReads() {
    for (const AccessSite &A : Sites)
      for (const AccessSite &B : Sites) {
        if (!A.IsWrite || B.A->Base != A.A->Base || isReported(A))
          continue;
        bool Groups = writesWhatGroupsRead(K, A, B);
        if (!Groups && !readsBeforeInitialized(K, A, B) &&
            (!guardReadsWrittenElement(K, A, B) || onlyUnusedDimensions(K, use(), A, B)))
          continue;
        report(A, A.A->Range,
               Groups ? "work-items write elements of " + nameOf(*A.A) +
                            " that those of other groups read, and a barrier orders one group only"
                      : "two work-items write and read one element of " + nameOf(*A.A) +
                            ", and nothing orders them",
               {&A})
            .note(B.A->Range, "the read");
      }
  }

  /// Conflicts that only a guard on data can prevent.
  void reportDataGuardedConflicts() {
    // Atomics and volatile accesses may be flags by which one work-item waits for another.
    bool Flags =
        any_of(K.accesses(), [](const AccessSite &A) { return A.IsAtomic || A.A->Volatile; });
    for (const AccessSite &A : Sites)
      for (const AccessSite &B : Sites)
        if (!Flags && A.IsWrite && A.A->Base == B.A->Base && !isReported(A) &&
            ++Pairs < limits::AccessPairs && conflictsForSomeData(K, Simulated, A, B) &&
            !onlyUnusedDimensions(K, use(), A, B))
          report(A, A.A->Range,
                 "where data let two work-items get here, one writes what the other reads of " +
                     nameOf(*A.A) + ", and nothing orders them",
                 {&A, &B})
              .atMost(rules::Severity::Warning)
              .note(B.A->Range, "the read");
  }

  /// grid[cell] += q[id]: the data of two work-items may select the same element.
  void reportScattered() {
    for (const AccessSite &A : Sites)
      if (std::optional<bool> Updates = !isReported(A) ? isScattered(K, A) : std::nullopt; Updates)
        report(A, A.A->Range,
               "where the data of two work-items name one element of " + nameOf(*A.A) +
                   (*Updates ? ", both update it, and not atomically: an update is lost"
                             : ", both write to it, and nothing orders them: one value is lost"),
               {&A})
            .atMost(rules::Severity::Info);
  }

  Context &C;
  const KernelAnalysis &K;
  LaunchSimulator &Simulated;
  std::vector<const AccessSite *> Shared;
  Election Last;
  llvm::iterator_range<pointee_iterator<std::vector<const AccessSite *>::iterator>> Sites;
  std::set<const Var *> Reported;
  unsigned Pairs = 0; ///< pairs compared so far
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
