//===- write-race.cpp -------------------------------------------------------------------------===//
//
// Before: if (last) { data[i] = 0; return; }  data[i + 1] = 2 * i;     two work-items, one element
// Limits: reports what is proved, or occurs in each of several small simulated launches. A pair
//         that neither decides is no finding.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/analysis/eval/LaunchSimulator.h"
#include "checks/model/host/Host.h"
#include "checks/query/Barriers.h"
#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "checks/query/Scatter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/iterator.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if both store the same constant: their order does not matter.
static bool sameConstant(const AccessSite &A, const AccessSite &B) {
  if (A.S->K != StmtKind::Store || B.S->K != StmtKind::Store)
    return false;
  const Expr *X = stripCasts(A.S->E);
  if (X->K != ExprKind::IntConst && X->K != ExprKind::FloatConst)
    return false;
  return model::equal(A.S->E, B.S->E);
}

/// True if all work-items that may conflict store the same value.
static bool storesUniform(const KernelAnalysis &K, const AccessSite &A) {
  if (A.S->K != StmtKind::Store || !A.S->E)
    return false;
  Variation V = K.varies(A.S->E, A.S);
  if (V.Data || hasOpaque(A.S->E))
    return false;
  return A.A->Base->space() == AddressSpace::Local ? V.uniform() : V.uniformInLaunch();
}

/// Dimensions whose ids are part of the address, as a bit set.
static uint8_t dimensions(const KernelAnalysis &K, const Access &A) {
  uint8_t Result = 0;
  for (const Expr *Index : A.Index) {
    Variation V = K.varies(Index);
    Result |= V.Item | V.Group;
  }
  return Result;
}

/// Dimensions whose local id is part of some address.
static uint8_t localDimensions(const KernelAnalysis &K) {
  uint8_t Result = 0;
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Base->space() != AddressSpace::Private)
      for (const auto &[M, Coefficient] : Site.Bytes.Terms)
        for (unsigned S : M)
          if (const Expr *Of = K.symbol(S).E)
            walk(Of, [&](const Expr *E) {
              if (E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::LocalId && E->Dim < 3)
                Result |= 1 << E->Dim;
              return true;
            });
  return Result;
}

/// True if the kernel uses a global or local id of dimension Dim.
static bool usesItemIds(const KernelAnalysis &K, unsigned Dim) {
  ExprRange All = exprs(K.kernel().Body);
  for (ExprIterator I = All.begin(); I != All.end(); ++I) {
    const Expr *E = (*I).E;
    if (E->K == ExprKind::WorkItem && E->Dim == Dim &&
        (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId))
      return true;
    if (isUnknownValue(E))
      I.skipOperands();
  }
  return false;
}

/// True if A and B conflict only between work-items of a dimension that the kernel uses in guards
/// at most. The host then launches one work-item along it.
static bool onlyUnusedDimensions(const KernelAnalysis &K, const AccessSite &A,
                                 const AccessSite &B) {
  if (K.distance(A, B) != 0)
    return false;
  // An unknown value may vary along any dimension, but not along one whose id is not used.
  uint8_t Used = 0, WithIds = 0;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    WithIds |= usesItemIds(K, Dim) << Dim;
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Base->space() != AddressSpace::Private)
      Used |= dimensions(K, *Site.A);
  walk(K.kernel().Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        // Image coordinates are addresses, too.
        if (E->K == ExprKind::Opaque)
          for (const Expr *Argument : E->Ops)
            Used |= K.varies(Argument).Item & WithIds;
        return true;
      });
    });
    return true;
  });
  // So is the value that is added to an element.
  if (A.S->K == StmtKind::Store && A.S->E && A.A->Base->space() == AddressSpace::Global)
    Used |= K.varies(A.S->E, A.S).Item & WithIds;
  uint8_t Mine = dimensions(K, *A.A);
  // Local memory belongs to one group. If no local id of a dimension is used, the group has one
  // row.
  uint8_t Rows = 0;
  if (A.A->Base->space() == AddressSpace::Local)
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      const auto &Size = K.kernel().ReqdWorkGroupSize;
      if (!(localDimensions(K) & (1 << Dim)) && (!Size || (*Size)[Dim] == 1))
        Rows |= 1 << Dim;
    }
  // Otherwise such a dimension is the length of a group.
  if (Used & ~Rows)
    Used &= ~Rows;
  if (Used & ~Mine)
    return false; // selects what is read, but not where it is written
  // A many-to-one index (i / 2) is a race along a dimension that the kernel does use.
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (Mine & (1 << Dim)) {
      std::optional<Poly> Stride = K.stride(*A.A, Dim);
      if (!Stride || Stride->isZero())
        return false;
    }
  return true;
}

/// True if the kernel uses local ids, local sizes, group ids or group numbers of dimension Dim.
static bool usesGroupQueries(const KernelAnalysis &K, unsigned Dim) {
  return any_of(exprs(K.kernel().Body), [&](const ExprAt &X) {
    return X->K == ExprKind::WorkItem && X->Dim == Dim &&
           (X->Query == WorkItemQuery::LocalId || X->Query == WorkItemQuery::LocalSize ||
            X->Query == WorkItemQuery::GroupId || X->Query == WorkItemQuery::NumGroups);
  });
}

/// The dimensions of the group ids in an address that has no item ids, such as x[get_group_id(0)],
/// if the kernel uses item ids of one of them; else 0.
static uint8_t groupDimensions(const KernelAnalysis &K, const AccessSite &A) {
  uint8_t Groups = 0;
  for (const auto &[M, Coefficient] : A.Bytes.Terms)
    for (unsigned S : M) {
      const Variation &V = K.symbol(S).Varies;
      if (V.Item)
        return 0;
      Groups |= V.Group;
    }
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if ((Groups >> Dim & 1) && usesItemIds(K, Dim))
      return Groups;
  return 0;
}

/// True if adjacent work-items share a quotient of their id, and the address has nothing else that
/// differs between them: out[id / 2].
static bool isManyToOne(const KernelAnalysis &K, const AccessSite &A) {
  // In local memory an element for several work-items is often intended.
  if (A.A->Base->space() != AddressSpace::Global)
    return false;
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    bool Shared = false, Apart = false;
    for (const auto &[M, Coefficient] : A.Bytes.Terms)
      for (unsigned S : M) {
        const SymbolInfo &Info = K.symbol(S);
        if (!(Info.Varies.Item >> Dim & 1))
          continue;
        const Expr *E = Info.K == SymbolInfo::Atom && Info.E ? stripCasts(Info.E) : nullptr;
        std::optional<int64_t> By;
        if (E && E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Shr))
          By = constantValue(stripCasts(E->Ops[1]));
        if (By && E->O == Op::Shr)
          By = *By > 0 && *By < 16 ? int64_t(1) << *By : 1;
        std::optional<Poly> Moves;
        if (By && *By > 1)
          Moves = K.stride(K.poly(E->Ops[0], K.placeOf(S)), Dim);
        if (Moves && Moves->isConstant() && std::abs(Moves->constantTerm()) < *By)
          Shared = true;
        else
          Apart = true;
      }
    if (Shared && !Apart)
      return true;
  }
  return false;
}

/// True if several work-items, or a data-dependent number of them, may pass the guard.
static bool leavesSeveral(const KernelAnalysis &K, const Guard &G) {
  const Expr *E = stripCasts(G.Cond);
  Variation V = K.varies(G.Cond);
  if (!V.Item || V.Data)
    return true;
  return E->K == ExprKind::Binary && isComparison(E->O) && E->O != (G.Holds ? Op::EQ : Op::NE);
}

/// True if all work-items access the same elements in loops with the same range: for (..) c[k] +=
/// ..
static bool isTraversedByAll(const KernelAnalysis &K, const AccessSite &A) {
  bool Moves = false;
  bool Alike = all_of(A.Bytes.Terms, [&](const auto &Term) {
    return all_of(Term.first, [&](unsigned S) {
      const SymbolInfo &Info = K.symbol(S);
      Moves |= Info.K == SymbolInfo::LoopVar;
      return !Info.Varies.Item && !Info.Varies.Group && !Info.Varies.Data;
    });
  });
  return Alike && Moves;
}

/// True if a condition depends on the bitwise mix (xor) of two values computed from an id: several
/// ids may satisfy it, as with a hash.
static bool dependsOnMixedBits(const KernelAnalysis &K, const Expr *Cond) {
  bool Mixed = false;
  std::set<const Var *> Seen;
  auto Look = [&](const Expr *Root, auto &&Self) -> void {
    walk(Root, [&](const Expr *E) {
      Mixed |= E->K == ExprKind::Binary && E->O == Op::Xor && K.varies(E->Ops[0]).Item &&
               K.varies(E->Ops[1]).Item;
      if (E->K == ExprKind::VarRef && E->V->K == Var::Temp && Seen.size() < 64 &&
          Seen.insert(E->V).second)
        for (const Stmt *Def : K.defs(E->V))
          if (Def->E && !Mixed)
            Self(Def->E, Self);
      return !Mixed && E->K != ExprKind::Load;
    });
  };
  Look(Cond, Look);
  return Mixed;
}

/// True for a non-atomic update of one element by several work-items: x[0]++ under a guard on data,
/// or bins[data[i]]++.
static bool isLostUpdate(const KernelAnalysis &K, const AccessSite &A) {
  if (A.S->K != StmtKind::Store || A.IsAtomic || A.A->Base->space() == AddressSpace::Private ||
      isPinned(K, A, 0) || isPinned(K, A, 1) || isPinned(K, A, 2))
    return false;
  const Expr *E = stripCasts(origin(K, A.S->E));
  bool Bits = E->K == ExprKind::Binary && (E->O == Op::Or || E->O == Op::And || E->O == Op::Xor);
  if (E->K != ExprKind::Binary || !(E->O == Op::Add || E->O == Op::Sub || Bits))
    return false;
  // A counter (+ 1) is shared by many work-items; other sums may have an element for each.
  bool Counts =
      any_of(E->Ops, [](const Expr *X) { return stripCasts(X)->K == ExprKind::IntConst; });
  // Conflicts whose guards do not depend on data are decided by K.conflict().
  bool OfData = (isUniform(K, A.Bytes) || groupDimensions(K, A)) &&
                A.A->Base->space() == AddressSpace::Global && any_of(A.Guards, [&](const Guard &G) {
                  return K.varies(G.Cond).Data || (Counts && dependsOnMixedBits(K, G.Cond));
                });
  // words[id / 32]
  // = 1 << id % 32: several work-items update bits of one word.
  bool Shared =
      isManyToOne(K, A) && any_of(A.Guards, [&](const Guard &G) { return K.varies(G.Cond).Data; });
  bool Walked = !Bits && !A.Loops.empty() && A.A->Base->space() == AddressSpace::Global &&
                isTraversedByAll(K, A) && K.varies(A.S->E, A.S).Item &&
                all_of(A.Guards, [&](const Guard &G) { return leavesSeveral(K, G); });
  return (OfData || Shared || Walked || (!Bits && Counts && isChosenByData(K, A))) &&
         any_of(E->Ops, [&](const Expr *X) {
           X = stripCasts(origin(K, X));
           return X->K == ExprKind::Load && X->Acc.Base == A.A->Base &&
                  K.distance(X->Acc, *A.A) == 0;
         });
}

/// True if the guards leave one work-item of a group: if (local id == 0) n = 0;
static bool isOfOneItem(const KernelAnalysis &K, const AccessSite &A) {
  return isPinned(K, A, 0) || isPinned(K, A, 1) || isPinned(K, A, 2);
}

/// True if work-items read in a loop condition what one of them initialises before it, with no
/// barrier between: if (local id == 0) n = 0; while (n < end) ..
static bool readsBeforeInitialized(const KernelAnalysis &K, const AccessSite &Write,
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

/// True if each work-item initialises its own element and then, with no barrier between, updates
/// one that data select: result[id] = 0; atomic_inc(&result[data[id]]). The owner of that element
/// may not have initialised it yet.
static bool initializesUpdatedElement(const KernelAnalysis &K, const AccessSite &Set,
                                      const AccessSite &Update) {
  return Set.IsWrite && !Set.IsAtomic && Set.S->K == StmtKind::Store && Update.IsAtomic &&
         Set.A->Base == Update.A->Base && !isUniform(K, Set.Bytes) && isRegular(K, Set) &&
         !isRegular(K, Update) && barrierFree(K, Set.S, Update.S);
}

/// True if each work-item fills a part of a table and then reads an element that data select, with
/// no barrier between: table[lid] = constants[lid]; .. table[x & 255].
static bool readsFilledTable(const KernelAnalysis &K, const AccessSite &Set,
                             const AccessSite &Read) {
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
         isChosenByOwnData(K, Read) && IsWhole(Read, true) && !exclude(Set, Read) &&
         barrierFree(K, Set.S, Read.S);
}

/// True if all work-items that may conflict store the same value, data that they loaded included.
static bool storesGroupUniform(const KernelAnalysis &K, const AccessSite &A) {
  if (A.S->K != StmtKind::Store || !A.S->E || hasOpaque(A.S->E))
    return false;
  Variation V = K.varies(A.S->E, A.S);
  return V.uniform() &&
         (A.A->Base->space() == AddressSpace::Local || !(V.Group & ~groupDimensions(K, A)));
}

/// True if several work-items store one value to one element: local[0] = 0, or found[0] = 1 under a
/// guard on data.
static bool allWriteOneElement(const KernelAnalysis &K, const AccessSite &A) {
  if (A.IsAtomic || A.A->Base->space() == AddressSpace::Private || !storesGroupUniform(K, A))
    return false;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (isPinned(K, A, Dim))
      return false;
  bool OfGroups = A.A->Base->space() == AddressSpace::Local || groupDimensions(K, A);
  for (const auto &[M, Coefficient] : A.Bytes.Terms)
    for (unsigned S : M)
      if (const Variation &V = K.symbol(S).Varies; V.Item || (!OfGroups && V.Group))
        return false;
  return all_of(A.Guards, [&](const Guard &G) { return leavesSeveral(K, G); });
}

/// The last definition of V before At in source order.
static const Stmt *definitionAt(const KernelAnalysis &K, const Var *V, const Stmt *At) {
  const Stmt *Last = K.singleDef(V);
  if (!Last)
    for (const Stmt *Def : K.defs(V))
      if (Def->Range.File == At->Range.File && Def->Range.Begin < At->Range.Begin &&
          (!Last || Last->Range.Begin < Def->Range.Begin))
        Last = Def;
  return Last;
}

/// True if the value differs between work-items that share a quotient of their ids; false if it
/// depends on such quotients only.
static bool dependsBeyondQuotients(const KernelAnalysis &K, const Expr *Root, const Stmt *At,
                                   unsigned Depth = 0) {
  bool Asks = false;
  walk(Root, [&](const Expr *E) {
    const Expr *By = E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Shr)
                         ? stripCasts(E->Ops[1])
                         : nullptr;
    if (By && By->K == ExprKind::Cast && By->C == CastOp::Splat)
      By = stripCasts(By->Ops[0]);
    // A scaled-down value of loaded data still differs.
    if (By && constantValue(By) && !K.varies(E->Ops[0], At).Data)
      return false;
    Asks |= E->K == ExprKind::WorkItem &&
            (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId);
    // The coordinates of an image read are arguments of a statement of their own.
    if (E->K == ExprKind::Opaque && Depth < 8)
      walk(K.kernel().Body, [&](Stmt *S) {
        if (S->K == StmtKind::Opaque && S->Range.File == E->Range.File &&
            S->Range.Begin == E->Range.Begin)
          for (const Expr *Coordinate : S->Args)
            Asks |= dependsBeyondQuotients(K, Coordinate, S, Depth + 1);
        return !Asks;
      });
    if (const Stmt *Def =
            E->K == ExprKind::VarRef && Depth < 8 ? definitionAt(K, E->V, At) : nullptr;
        Def && Def->E)
      Asks |= dependsBeyondQuotients(K, Def->E, Def, Depth + 1);
    return !Asks;
  });
  return Asks;
}

/// True if one address does not depend on ids and the two differ by an argument: x[to + id] = ..
/// x[from + k].
static bool differByArgument(const KernelAnalysis &K, const AccessSite &A, const AccessSite &B) {
  auto DependsOnIds = [&](const Poly &P) {
    return any_of(P.Terms, [&](const auto &Term) {
      return any_of(Term.first, [&](unsigned S) { return K.symbol(S).Varies.Item != 0; });
    });
  };
  return (!DependsOnIds(A.Bytes) || !DependsOnIds(B.Bytes)) &&
         any_of((A.Bytes - B.Bytes).Terms, [&](const auto &Term) {
           return !Term.first.empty() && all_of(Term.first, [&](unsigned S) {
             return K.symbol(S).K == SymbolInfo::Param;
           });
         });
}

/// True if the address assumes a work-group size, x[id / 512 * 1024 + local id]: it is unique only
/// for groups of that size.
static bool assumesGroupSize(const KernelAnalysis &K, const AccessSite &A) {
  bool UsesLocalId = false, Divides = false;
  for (const auto &[M, Coefficient] : A.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      UsesLocalId |= Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::LocalId;
      if (Info.K != SymbolInfo::Atom || !Info.E)
        continue;
      walk(Info.E, [&](const Expr *E) {
        if (E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Shr) &&
            constantValue(stripCasts(E->Ops[1])))
          if (const Expr *Id = origin(K, E->Ops[0]); Id->K == ExprKind::WorkItem)
            Divides |= Id->Query == WorkItemQuery::GlobalId;
        return !Divides;
      });
    }
  return UsesLocalId && Divides && !K.kernel().ReqdWorkGroupSize &&
         A.A->Base->space() == AddressSpace::Global;
}

/// Variables that hold the result of an atomic, or a value computed from one.
static std::set<const Var *> resultsOfAtomics(const KernelAnalysis &K) {
  std::set<const Var *> AtomicResults;
  for (size_t Before = ~size_t(0); Before != AtomicResults.size();) {
    Before = AtomicResults.size();
    walk(K.kernel().Body, [&](Stmt *S) {
      bool Of = S->K == StmtKind::Atomic || S->K == StmtKind::Opaque;
      if (S->V && S->E)
        walk(S->E, [&](const Expr *E) {
          Of |= E->K == ExprKind::VarRef && AtomicResults.count(E->V);
          return !Of;
        });
      if (Of && S->V)
        AtomicResults.insert(S->V);
      return true;
    });
  }
  return AtomicResults;
}

/// True if a comparison depends on a value that loops or private arrays compute from an id of
/// dimension Dim, such as a hash: ids with equal values are not known.
static bool comparesDerivedId(const KernelAnalysis &K, const Expr *Root, unsigned Dim) {
  const Expr *Cond = stripCasts(Root);
  if (Cond->K != ExprKind::Binary)
    return false;
  if (Cond->O == Op::LogicalAnd || Cond->O == Op::LogicalOr)
    return comparesDerivedId(K, Cond->Ops[0], Dim) || comparesDerivedId(K, Cond->Ops[1], Dim);
  return isComparison(Cond->O) && any_of(Cond->Ops, [&](const Expr *E) {
           return E->Ty->isScalar() && E->Ty->isInteger() &&
                  any_of(K.poly(E).Terms, [&](const auto &Term) {
                    return any_of(Term.first, [&](unsigned S) {
                      const SymbolInfo &Info = K.symbol(S);
                      bool Made =
                          Info.K == SymbolInfo::Atom && (Info.Varies.Item >> Dim & 1) && !Info.E;
                      if (Info.K == SymbolInfo::Atom && (Info.Varies.Item >> Dim & 1) && Info.E)
                        walk(Info.E, [&](const Expr *X) {
                          Made |= (X->K == ExprKind::VarRef && X->V->K != Var::Param &&
                                   !K.singleDef(X->V)) ||
                                  (X->K == ExprKind::Load &&
                                   X->Acc.Base->space() == AddressSpace::Private);
                          return !Made;
                        });
                      return Made;
                    });
                  });
         });
}

/// Compare-and-store of a running minimum, if (mine < best[0]) best[0] = mine: several work-items
/// can pass the test, so the store races.
static bool isRunningExtremum(const KernelAnalysis &K, const AccessSite &A) {
  bool Found = false;
  auto IsThere = [&](const Expr *E) {
    E = stripCasts(origin(K, E));
    return E->K == ExprKind::Load && E->Acc.Base == A.A->Base && K.distance(E->Acc, *A.A) == 0;
  };
  for (const Guard &G : A.Guards)
    walk(G.Cond, [&](const Expr *E) {
      if (E->K == ExprKind::Binary && isComparison(E->O) && E->O != Op::EQ && E->O != Op::NE)
        for (unsigned Side : {0, 1})
          Found |= IsThere(E->Ops[Side]) && K.varies(E->Ops[1 - Side]).Item;
      return !Found;
    });
  return Found;
}

/// True if work-items that pass a guard on data store different values to one element: if (hash(id)
/// == wanted) result[0] = id.
static bool storesDifferentValues(const KernelAnalysis &K, const AccessSite &A,
                                  const std::set<const Var *> &AtomicResults) {
  if (A.S->K != StmtKind::Store || !A.S->E || A.IsAtomic ||
      A.A->Base->space() != AddressSpace::Global)
    return false;
  Variation Value = K.varies(A.S->E, A.S);
  uint8_t Own = 0;
  for (const auto &[M, Coefficient] : A.Bytes.Terms)
    for (unsigned S : M) {
      const Variation &V = K.symbol(S).Varies;
      if (V.Data)
        return false;
      Own |= V.Item | V.Group;
    }
  // Any of the results in a single element may be wanted, unless others read it or another result
  // is stored with it.
  if (!Own && A.Loops.empty() && none_of(K.accesses(), [&](const AccessSite &Site) {
        return Site.A->Base == A.A->Base && Site.S != A.S;
      }))
    return false;
  bool Extremum = isRunningExtremum(K, A);
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    if ((Own >> Dim & 1) || !(Value.Item >> Dim & 1) || isPinned(K, A, Dim))
      continue;
    bool Data = false, Several = true;
    for (const Guard &G : A.Guards) {
      Variation V = K.varies(G.Cond);
      Data |= (V.Item >> Dim & 1) && (V.Data || comparesDerivedId(K, G.Cond, Dim));
      Several &= leavesSeveral(K, G);
      walk(G.Cond, [&](const Expr *E) {
        Several &=
            E->K != ExprKind::Opaque && !(E->K == ExprKind::VarRef && AtomicResults.count(E->V));
        // parent[id] == -1 may hold for one work-item only, depending on the data.
        if (E->K == ExprKind::Binary && E->O == (G.Holds ? Op::EQ : Op::NE))
          Several &= Extremum || comparesDerivedId(K, E, Dim);
        return Several;
      });
    }
    if (Data && Several && usesItemIds(K, Dim))
      return true;
  }
  return false;
}

/// True if the group copies an element that a work-item may not have written yet: part[l] = ..;
/// async_work_group_copy(out, part, ..)
static bool copiesBeforeBarrier(const KernelAnalysis &K, const AccessSite &Write,
                                const AccessSite &Copied) {
  return Write.IsWrite && Write.S->K == StmtKind::Store && Copied.S->K == StmtKind::AsyncCopy &&
         Copied.IsRead && Write.A->Base == Copied.A->Base &&
         Write.A->Base->space() == AddressSpace::Local && !isAlike(K, Write.Bytes) &&
         barrierFree(K, Write.S, Copied.S);
}

/// True if the copy of the next iteration begins while others still read the tile: for (..) { copy
/// to tile; wait; .. tile[k] ..; }
static bool overwritesReadTile(const KernelAnalysis &K, const AccessSite &Copy,
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
  bool Barrier = false, Behind = false;
  walk(Loop->Body, [&](Stmt *S) {
    Barrier |= S->K == StmtKind::Barrier;
    Behind |= S == Copy.S;
    return true;
  });
  return !Barrier && barrierFree(K, Copy.S, Read.S);
}

/// In a kernel that uses global ids only, the first read of an element that another group wrote in
/// the previous iteration: for (..) { next[id] = now[id - s]; barrier(..); swap them }. A barrier
/// orders one group only.
static const AccessSite *readOfPreviousIteration(const KernelAnalysis &K) {
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

/// True for different fields of a structure: p[i].x and p[j].y.
static bool areFields(const AccessSite &A, const AccessSite &B) {
  auto First = [](const AccessSite &S) {
    return StringRef(S.A->Path).ltrim('.').take_until([](char C) { return C == '.' || C == '['; });
  };
  const Type *Of = A.A->Base->Ty->Elem;
  return Of && Of->K == Type::Struct && !Of->isUnion() && !First(A).empty() && !First(B).empty() &&
         First(A) != First(B);
}

/// True if a buffer of bytes holds wider elements. Small simulated launches would use row pitches
/// that are shorter than a row.
static bool isByteBuffer(const Access &A) {
  const Type *Element = A.Base->isPointerParam() ? A.Base->Ty->Elem : nullptr;
  return Element && Element->isValue() && sizeInBytes(Element->Scalar) != sizeInBytes(A.Elem);
}

/// True if other groups may still read the element that a work-item writes: for (all groups) {
/// tile[l] = x[group * size + l]; barrier(..); .. } x[id] = ..
static bool writesWhatGroupsRead(const KernelAnalysis &K, const AccessSite &Write,
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

/// True if the guard of the write reads an element that another work-item writes, if (x[i] > x[i +
/// 1]) { x[i + 1] = .., and the pair conflicts without the guards on data.
static bool guardReadsWrittenElement(const KernelAnalysis &K, const AccessSite &Write,
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

/// True if the write and the read conflict for some data, if (flag[i]) x[i] = x[i - 1] + x[i + 1]:
/// only guards on data separate the two work-items.
static bool conflictsForSomeData(const KernelAnalysis &K, LaunchSimulator &Simulated,
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

/// The kernel swaps pointers, so the buffer of an access changes from iteration to iteration.
static void reportSwappedBuffers(const KernelAnalysis &K, Context &C) {
  if (const AccessSite *Read = readOfPreviousIteration(K))
    C.report(Read->A->Range, "what is read through " + nameOf(*Read->A) +
                                 " was written by work-items of other groups in the round "
                                 "before, and a barrier orders one group only")
        .atMost(rules::Severity::Warning);
}

namespace {
/// Looks for races in the order of their certainty. Each buffer is reported once.
class RaceFinder {
public:
  explicit RaceFinder(Context &C)
      : C(C), K(C.analysis()), Simulated(C.cached<LaunchSimulator>()), Shared(sharedSites(K)),
        Sites(make_pointee_range(Shared)) {}

  void run() {
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
  /// True for the first call for the buffer of A.
  bool setReported(const AccessSite &A) { return Reported.insert(A.A->Base).second; }
  bool isGuess(const AccessSite &A) const { return restsOnGuess(C.module(), K, A); }

  /// x[0]++ without an atomic.
  void reportLostUpdates() {
    for (const AccessSite &A : Sites)
      if (A.IsWrite && isLostUpdate(K, A) && !isGuess(A) &&
          (!onlyUnusedDimensions(K, A, A) ||
           any_of(A.Guards, [&](const Guard &G) { return dependsOnMixedBits(K, G.Cond); })) &&
          setReported(A))
        C.report(A.A->Range, "two work-items that get here update one element of " + nameOf(*A.A) +
                                 ", and not atomically: an update is lost where two do it at once")
            .atMost(rules::Severity::Warning);
  }

  /// A buffer is initialised and then used at data-dependent elements without a barrier between.
  void reportUnorderedPhases() {
    for (const AccessSite &A : Sites)
      for (const AccessSite &B : Sites)
        if (initializesUpdatedElement(K, A, B) && setReported(A))
          C.report(A.A->Range, "an element of " + nameOf(*A.A) +
                                   " is set by one work-item while others already update it, and "
                                   "nothing orders them")
              .note(B.A->Range, "the update");
    for (const AccessSite &A : Sites)
      for (const AccessSite &B : Sites)
        if (readsFilledTable(K, A, B) && !leavesBarrierOut(C, A, B) && setReported(A))
          C.report(
               A.A->Range,
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
           (ByIterations || !onlyUnusedDimensions(K, A, B)) && !isGuess(A) && !isGuess(B);
  }

  void reportConflict(const AccessSite &A, const AccessSite &B) {
    // The order of equal values does not matter, unless one work-item alone writes: then others may
    // read before.
    bool Same =
        sameConstant(A, B) ||
        (storesUniform(K, A) && (B.IsWrite ? &A == &B && storesUniform(K, B) : !isOfOneItem(K, A)));
    std::string Verb = Same ? " write the same value to " : " write to ";
    if (!B.IsWrite)
      Verb = Same ? " write the same value to, and read, " : " write and read ";
    setReported(A);
    Finding &F = C.report(A.A->Range, "two work-items" + Verb + "one element of " + nameOf(*A.A) +
                                          ", and nothing orders them");
    if (Same)
      F.atMost(rules::Severity::Info);
    if (&A != &B && (B.A->Range.Begin != A.A->Range.Begin || B.A->Range.File != A.A->Range.File))
      F.note(B.A->Range, B.IsWrite ? "the other write" : "the read");
  }

  /// local[0] = 0 by all work-items.
  void reportCommonElement() {
    for (const AccessSite &A : Sites)
      if (A.IsWrite && !isReported(A) && allWriteOneElement(K, A) &&
          !onlyUnusedDimensions(K, A, A) && !isGuess(A) && setReported(A))
        C.report(A.A->Range, "all work-items that get here write " +
                                 std::string(storesUniform(K, A) ? "the same value to " : "") +
                                 "one element of " + nameOf(*A.A) + ", and nothing orders them")
            .atMost(rules::Severity::Info);
  }

  /// async_work_group_copy without the barriers that it needs.
  void reportAsyncCopies() {
    for (const AccessSite &A : Sites)
      for (const AccessSite &B : Sites) {
        if (copiesBeforeBarrier(K, A, B) && setReported(A))
          C.report(B.A->Range,
                   "the group copies " + nameOf(*B.A) +
                       " while its work-items may still write to it: there is no barrier between")
              .note(A.A->Range, "the write");
        if (overwritesReadTile(K, A, B) && setReported(A))
          C.report(A.A->Range, "the next round's copy to " + nameOf(*A.A) +
                                   " begins while other work-items still read it: there is no "
                                   "barrier at the end of the loop")
              .note(B.A->Range, "the read");
      }
  }

  /// result[0] = id under a guard that several work-items may pass.
  void reportLostValues(const std::set<const Var *> &AtomicResults) {
    for (const AccessSite &A : Sites)
      if (A.IsWrite && !isReported(A) && storesDifferentValues(K, A, AtomicResults) &&
          !isGuess(A) && setReported(A))
        C.report(A.A->Range, "work-items that get here write different values to one element of " +
                                 nameOf(*A.A) +
                                 ", and nothing orders them: where two do, one value is lost")
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
            (!guardReadsWrittenElement(K, A, B) || onlyUnusedDimensions(K, A, B)))
          continue;
        if (isGuess(A) || !setReported(A))
          continue;
        C.report(A.A->Range, Groups ? "work-items write elements of " + nameOf(*A.A) +
                                          " that those of other groups read, and a barrier orders "
                                          "one group only"
                                    : "two work-items write and read one element of " +
                                          nameOf(*A.A) + ", and nothing orders them")
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
            !onlyUnusedDimensions(K, A, B) && !isGuess(A) && !isGuess(B) && setReported(A))
          C.report(A.A->Range,
                   "where data let two work-items get here, one writes what the other reads of " +
                       nameOf(*A.A) + ", and nothing orders them")
              .atMost(rules::Severity::Warning)
              .note(B.A->Range, "the read");
  }

  /// grid[cell] += q[id]: the data of two work-items may select the same element.
  void reportScattered() {
    for (const AccessSite &A : Sites)
      if (std::optional<bool> Updates = !isReported(A) ? isScattered(K, A) : std::nullopt;
          Updates && !isGuess(A) && setReported(A))
        C.report(A.A->Range,
                 "where the data of two work-items name one element of " + nameOf(*A.A) +
                     (*Updates ? ", both update it, and not atomically: an update is lost"
                               : ", both write to it, and nothing orders them: one value is lost"))
            .atMost(rules::Severity::Info);
  }

  Context &C;
  const KernelAnalysis &K;
  LaunchSimulator &Simulated;
  std::vector<const AccessSite *> Shared;
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
