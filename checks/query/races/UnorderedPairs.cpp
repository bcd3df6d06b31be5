//===- UnorderedPairs.cpp - pairs of accesses that no barrier orders --------------------------===//

#include "checks/query/races/UnorderedPairs.h"
#include "checks/query/Barriers.h"
#include "checks/query/Query.h"
#include "checks/query/Scatter.h"
#include "checks/query/races/SharedElements.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if the kernel uses local ids, local sizes, group ids or group numbers of dimension Dim.
static bool usesGroupQueries(const KernelAnalysis &K, unsigned Dim) {
  return any_of(exprs(K.kernel().Body), [&](const ExprAt &X) {
    return X->K == ExprKind::WorkItem && X->Dim == Dim &&
           (X->Query == WorkItemQuery::LocalId || X->Query == WorkItemQuery::LocalSize ||
            X->Query == WorkItemQuery::GroupId || X->Query == WorkItemQuery::NumGroups);
  });
}

bool checks::readsBeforeInitialized(const KernelAnalysis &K, const AccessSite &Write,
                                    const AccessSite &Read) {
  return Write.IsWrite && !Write.IsAtomic && Read.Load && Write.A->Base == Read.A->Base &&
         Read.S->K == StmtKind::Loop && Write.A->Base->space() == AddressSpace::Local &&
         Write.Loops.empty() && Read.Loops.size() <= 1 && K.distance(Write, Read) == 0 &&
         isOfOneItem(K, Write) && !isOfOneItem(K, Read) &&
         none_of(
             Read.Guards,
             [&](const Guard &G) { return !K.varies(G.Cond).uniform() && G.Cond != Read.S->E; }) &&
         barrierFree(K, Write.S, Read.S);
}

bool checks::initializesUpdatedElement(const KernelAnalysis &K, const AccessSite &Set,
                                       const AccessSite &Update) {
  return Set.IsWrite && !Set.IsAtomic && Set.S->K == StmtKind::Store && Update.IsAtomic &&
         Set.A->Base == Update.A->Base && !isUniform(K, Set.Bytes) && isRegular(K, Set) &&
         !isRegular(K, Update) && barrierFree(K, Set.S, Update.S);
}

bool checks::readsFilledTable(const KernelAnalysis &K, ChosenByOwnData &ByOwnData,
                              const AccessSite &Set, const AccessSite &Read) {
  // A uniform term that is no loop variable may select different tables.
  auto IsWhole = [&](const AccessSite &A, bool ByData) {
    bool Own = false;
    return all_of(A.Bytes.Terms,
                  [&](const auto &Term) {
                    return Term.first.empty() || any_of(Term.first, [&](unsigned S) {
                             const SymbolInfo &Info = K.symbol(S);
                             Own |= Info.Varies.Item && Info.Varies.Data == ByData;
                             return Info.Varies.Item ? Info.Varies.Data == ByData
                                                     : Info.Loop != nullptr;
                           });
                  }) &&
           Own;
  };
  return Set.IsWrite && !Set.IsAtomic && Set.S->K == StmtKind::Store && Read.Load &&
         !Read.IsWrite && Set.A->Base == Read.A->Base &&
         Set.A->Base->space() == AddressSpace::Local && isRegular(K, Set) && IsWhole(Set, false) &&
         ByOwnData.contains(Read) && IsWhole(Read, true) && !exclude(Set, Read) &&
         barrierFree(K, Set.S, Read.S);
}

bool checks::copiesBeforeBarrier(const KernelAnalysis &K, const AccessSite &Write,
                                 const AccessSite &Copied) {
  return Write.IsWrite && Write.S->K == StmtKind::Store && Copied.S->K == StmtKind::AsyncCopy &&
         Copied.IsRead && Write.A->Base == Copied.A->Base &&
         Write.A->Base->space() == AddressSpace::Local && !isAlike(K, Write.Bytes) &&
         barrierFree(K, Write.S, Copied.S);
}

bool checks::overwritesReadTile(const KernelAnalysis &K, const AccessSite &Copy,
                                const AccessSite &Read) {
  if (Copy.S->K != StmtKind::AsyncCopy || !Copy.IsWrite || !Read.Load ||
      Read.A->Base != Copy.A->Base || Copy.A->Base->space() != AddressSpace::Local ||
      Copy.Loops.empty() || !is_contained(Read.Loops, Copy.Loops.back()))
    return false;
  const Stmt *Loop = Copy.Loops.back();
  std::optional<CountedLoop> Counted = K.countedLoop(Loop);
  if (!Counted || (Counted->TripCount && *Counted->TripCount < 2))
    return false;
  // Double buffering uses two halves in alternation.
  for (const auto &[M, Coefficient] : Copy.Bytes.Terms)
    if (!M.empty())
      return false;
  bool Barrier = false, After = false;
  walk(Loop->Body, [&](Stmt *S) {
    Barrier |= S->K == StmtKind::Barrier;
    After |= S == Copy.S;
    return true;
  });
  return !Barrier && barrierFree(K, Copy.S, Read.S);
}

const AccessSite *checks::readOfPreviousIteration(const KernelAnalysis &K) {
  auto Changes = [](const Stmt *Loop) {
    bool Barrier = false, Swaps = false;
    walk(Loop->Body, [&](Stmt *S) {
      Barrier |= S->K == StmtKind::Barrier;
      Swaps |= S->K == StmtKind::Opaque && S->Text == "pointer that changes its buffer";
      return true;
    });
    return Barrier && Swaps;
  };
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (usesGroupQueries(K, Dim))
      return nullptr;
  auto MovesWithIds = [&](const AccessSite &Site) {
    return isRegular(K, Site) && !isAlike(K, Site.Bytes) && Site.A->Base->isPointerParam() &&
           Site.A->Base->space() == AddressSpace::Global;
  };
  for (const AccessSite &Read : K.accesses())
    for (const AccessSite &Write : K.accesses())
      if (Read.Load && Write.IsWrite && MovesWithIds(Read) && MovesWithIds(Write) &&
          Read.A->Base->Ty == Write.A->Base->Ty && K.distance(Read, Write) != 0 &&
          !(Read.Bytes - Write.Bytes).isZero() && any_of(Read.Loops, [&](const Stmt *Loop) {
            return is_contained(Write.Loops, Loop) && Changes(Loop);
          }))
        return &Read;
  return nullptr;
}

bool checks::writesWhatGroupsRead(const KernelAnalysis &K, const AccessSite &Write,
                                  const AccessSite &Read) {
  if (!Write.IsWrite || Write.IsAtomic || !Read.Load || Read.A->Base != Write.A->Base ||
      !Write.A->Base->isPointerParam() || Write.A->Base->space() != AddressSpace::Global ||
      !K.hasBarrier())
    return false;
  auto IsOfLaunch = [](const SymbolInfo &Info) {
    return Info.K == SymbolInfo::WorkItem &&
           (Info.E->Query == WorkItemQuery::GlobalId || Info.E->Query == WorkItemQuery::GroupId);
  };
  Poly Apart = Write.Bytes - Read.Bytes;
  bool OfLaunch = false, ForGroup = false, OfGroup = false, Walks = false, Asks = false;
  std::optional<unsigned> Dim;
  for (const auto &[M, Coefficient] : Write.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      if (Info.K == SymbolInfo::WorkItem && Info.E->Query != WorkItemQuery::LocalSize) {
        OfLaunch |= IsOfLaunch(Info);
        ForGroup |= Info.E->Query == WorkItemQuery::GroupId;
        Dim = Info.E->Dim;
      } else if (Info.K != SymbolInfo::Param && Info.K != SymbolInfo::WorkItem)
        return false;
    }
  if (!OfLaunch)
    return false;
  // if (local id == 0) sums[group] = ..: one work-item writes for its group. Atomics and volatile
  // flags may order the groups.
  bool OneWrites = isPinned(K, Write, *Dim);
  if (OneWrites && (Write.A->Volatile || Read.A->Volatile ||
                    any_of(K.accesses(), [](const AccessSite &A) { return A.IsAtomic; })))
    return false;
  for (const auto &[M, Coefficient] : Read.Bytes.Terms) {
    bool Kept = true;
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      if (IsOfLaunch(Info) || Info.Varies.Group || Info.Varies.Data)
        return false;
      OfGroup |= Info.Varies.Item != 0;
      Kept &= !Info.Varies.Item;
      if ((Info.K != SymbolInfo::LoopVar && Info.K != SymbolInfo::Iteration) || !Info.Loop)
        continue;
      Kept = false;
      std::optional<CountedLoop> L = K.countedLoop(Info.Loop);
      Walks |= L && !(L->TripCount && *L->TripCount < 2) && is_contained(Read.Loops, Info.Loop) &&
               !is_contained(Write.Loops, Info.Loop) &&
               any_of(Info.Loop->Body, [](const Stmt *S) { return S->K == StmtKind::Barrier; });
      if (L && L->Bound)
        walk(origin(K, L->Bound), [&](const Expr *E) {
          Asks |= E->K == ExprKind::WorkItem &&
                  (E->Query == WorkItemQuery::GlobalSize || E->Query == WorkItemQuery::NumGroups ||
                   (OneWrites && E->Query == WorkItemQuery::GroupId));
          return !Asks;
        });
    }
    // A term without item ids and loop variables must be in both addresses.
    if (Kept) {
      auto Theirs = Write.Bytes.Terms.find(M);
      if (Theirs == Write.Bytes.Terms.end() || Theirs->second != Coefficient)
        return false;
    }
  }
  for (const auto &[M, Coefficient] : Apart.Terms)
    if (all_of(M, [&](unsigned S) { return K.symbol(S).K == SymbolInfo::Param; }))
      return false; // another part of the buffer
  if (OneWrites && (OfGroup || !ForGroup))
    return false;
  if (!OfGroup)
    return Asks && !barrierFree(K, Write.S, Read.S);
  std::optional<Poly> Pace = K.stride(Write.Bytes, *Dim), Theirs = K.stride(Read.Bytes, *Dim);
  return Walks && Pace && Theirs && *Pace == *Theirs && !Pace->isZero();
}

bool checks::guardReadsWrittenElement(const KernelAnalysis &K, const AccessSite &Write,
                                      const AccessSite &Read) {
  if (!Write.IsWrite || Write.IsAtomic || !Read.Load || Read.A->Base != Write.A->Base ||
      isChosenByData(K, Write))
    return false;
  bool Asks = false;
  AccessSite Bare = Write;
  llvm::erase_if(Bare.Guards, [&](const Guard &G) {
    walk(G.Cond, [&](const Expr *E) {
      Asks |= E == Read.Load;
      return !Asks;
    });
    return K.varies(G.Cond).Data;
  });
  return Asks && Bare.Guards.size() != Write.Guards.size() &&
         K.conflict(Bare, Read) == Conflict::Must;
}

/// True if the guards test a flag array at the written and at the read index, if (kind[i] == 1 &&
/// kind[i + 1] == 0) x[i] = x[i + 1]. No element has both flags (red-black scheme), so there is no
/// conflict.
static bool guardsTestBothElements(const KernelAnalysis &K, const AccessSite &Write,
                                   const AccessSite &Read) {
  auto TestedBy = [&](const AccessSite &Site) {
    SmallVector<const Access *> Result;
    for (const Guard &G : Site.Guards)
      walk(G.Cond, [&](const Expr *E) {
        if (E->K == ExprKind::Load && E->Acc.Base->space() != AddressSpace::Private)
          Result.push_back(&E->Acc);
        return true;
      });
    return Result;
  };
  SmallVector<const Access *> Of = TestedBy(Write);
  return any_of(TestedBy(Read), [&](const Access *A) {
    return any_of(Of,
                  [&](const Access *B) { return A->Base == B->Base && K.distance(*A, *B) != 0; });
  });
}

/// True if Cond compares data with a value of the launch: color[i] == now.
static bool isPhaseTest(const KernelAnalysis &K, const Expr *Cond, bool Holds) {
  Cond = stripCasts(Cond);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return isPhaseTest(K, Cond->Ops[0], !Holds);
  if (Cond->K != ExprKind::Binary)
    return false;
  if (Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr))
    return isPhaseTest(K, Cond->Ops[0], Holds) || isPhaseTest(K, Cond->Ops[1], Holds);
  auto IsOfLaunch = [&](const Expr *E) {
    Variation V = K.varies(E);
    return !V.Data && V.uniformInLaunch() && !constantValue(stripCasts(E)) &&
           stripCasts(E)->K != ExprKind::FloatConst;
  };
  return Cond->O == (Holds ? Op::EQ : Op::NE) &&
         ((K.varies(Cond->Ops[0]).Data && IsOfLaunch(Cond->Ops[1])) ||
          (K.varies(Cond->Ops[1]).Data && IsOfLaunch(Cond->Ops[0])));
}

/// True if the write belongs to a phase that the launch selects, if (color[i] == now) x[i] = x[i -
/// 1] + x[i + 1]: elements of one phase do not conflict.
static bool runsInPhases(const KernelAnalysis &K, const AccessSite &Write) {
  return any_of(Write.Guards, [&](const Guard &G) { return isPhaseTest(K, G.Cond, G.Holds); });
}

bool checks::conflictsForSomeData(const KernelAnalysis &K, LaunchSimulator &Simulated,
                                  const AccessSite &Write, const AccessSite &Read) {
  if (!Write.IsWrite || Write.IsAtomic || !Read.Load || Read.IsWrite ||
      Read.A->Base != Write.A->Base || Write.A->Base->space() != AddressSpace::Global ||
      !isRegular(K, Write) || !isRegular(K, Read) || K.distance(Write, Read) == 0)
    return false;
  AccessSite Bare = Write, Other = Read;
  for (AccessSite *Site : {&Bare, &Other})
    llvm::erase_if(Site->Guards, [&](const Guard &G) { return K.varies(G.Cond).Data; });
  if ((Bare.Guards.size() == Write.Guards.size() && Other.Guards.size() == Read.Guards.size()) ||
      guardsTestBothElements(K, Write, Read) || runsInPhases(K, Write))
    return false;
  Conflict Known = K.conflict(Bare, Other);
  return Known == Conflict::Must || (Known == Conflict::May && !differByArgument(K, Write, Read) &&
                                     Simulated.meet(Write, Read, /*MaybeToo=*/true));
}
