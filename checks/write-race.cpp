//===- write-race.cpp
//------------------------------------------------------------------------------===//
//
// Before: if (last) { data[i] = 0; return; }  data[i + 1] = 2 * i;     two work-items, one element
// Limits: only what is proved, or seen in each of several small launches: a pair for which the
// guards
//         leave two work-items that meet. What neither decides is no finding.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/analysis/eval/LaunchSimulator.h"
#include "checks/model/host/Host.h"
#include "checks/query/Barriers.h"
#include "checks/query/Query.h"
#include "checks/query/Scatter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/iterator.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Both store the same constant: the order does not show.
static bool sameConstant(const AccessSite &A, const AccessSite &B) {
  if (A.S->K != StmtKind::Store || B.S->K != StmtKind::Store)
    return false;
  const Expr *X = stripCasts(A.S->E);
  if (X->K != ExprKind::IntConst && X->K != ExprKind::FloatConst)
    return false;
  return model::equal(A.S->E, B.S->E);
}

/// What is stored is the same for all work-items that may meet.
static bool storesUniform(const KernelAnalysis &K, const AccessSite &A) {
  if (A.S->K != StmtKind::Store || !A.S->E)
    return false;
  Variation V = K.varies(A.S->E, A.S);
  if (V.Data || hasOpaque(A.S->E))
    return false;
  return A.A->Base->space() == AddressSpace::Local ? V.uniform() : V.uniformInLaunch();
}

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

/// Does the kernel ask for ids of work-items in that dimension?
static bool asksForItems(const KernelAnalysis &K, unsigned Dim) {
  bool Asks = false;
  walk(K.kernel().Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Asks |= E->K == ExprKind::WorkItem && E->Dim == Dim &&
                (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId);
        return !Asks && !isUnknownValue(E);
      });
    });
    return !Asks;
  });
  return Asks;
}

/// Do two work-items meet only because a dimension has several, of which the kernel makes no use
/// but in its guards (or none at all)? The host then launches one; it is no race of the kernel's.
static bool onlyUnusedDimensions(const KernelAnalysis &K, const AccessSite &A,
                                 const AccessSite &B) {
  if (K.distance(A, B) != 0)
    return false;
  // What is not known might differ along any dimension, but not where the kernel asks for no id.
  uint8_t Used = 0, Asked = 0;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    Asked |= asksForItems(K, Dim) << Dim;
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Base->space() != AddressSpace::Private)
      Used |= dimensions(K, *Site.A);
  walk(K.kernel().Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        // Coordinates of images are addresses, too.
        if (E->K == ExprKind::Opaque)
          for (const Expr *Argument : E->Ops)
            Used |= K.varies(Argument).Item & Asked;
        return true;
      });
    });
    return true;
  });
  // So is what an element is counted up by.
  if (A.S->K == StmtKind::Store && A.S->E && A.A->Base->space() == AddressSpace::Global)
    Used |= K.varies(A.S->E, A.S).Item & Asked;
  uint8_t Mine = dimensions(K, *A.A);
  // Local memory is one group's. Where rows are counted by global ids alone, a group is one row.
  uint8_t Rows = 0;
  if (A.A->Base->space() == AddressSpace::Local)
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      const auto &Size = K.kernel().ReqdWorkGroupSize;
      if (!(localDimensions(K) & (1 << Dim)) && (!Size || (*Size)[Dim] == 1))
        Rows |= 1 << Dim;
    }
  // What all of it is counted by is a group's length.
  if (Used & ~Rows)
    Used &= ~Rows;
  if (Used & ~Mine)
    return false; // a dimension that chooses what is read, and not where it is written
  // A many-to-one index (i / 2) is a race along a dimension that it does use.
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (Mine & (1 << Dim)) {
      std::optional<Poly> Stride = K.stride(*A.A, Dim);
      if (!Stride || Stride->isZero())
        return false;
    }
  return true;
}

/// Does it ask for anything of groups in that dimension?
static bool asksForGroups(const KernelAnalysis &K, unsigned Dim) {
  bool Asks = false;
  walk(K.kernel().Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Asks |= E->K == ExprKind::WorkItem && E->Dim == Dim &&
                (E->Query == WorkItemQuery::LocalId || E->Query == WorkItemQuery::LocalSize ||
                 E->Query == WorkItemQuery::GroupId || E->Query == WorkItemQuery::NumGroups);
        return !Asks;
      });
    });
    return !Asks;
  });
  return Asks;
}

/// x[get_group_id(0)]: the same for a group, in a kernel that knows of several work-items in it.
/// The dimensions by which groups are told apart are returned; 0: it is no such place.
static uint8_t groupsPlace(const KernelAnalysis &K, const AccessSite &A) {
  uint8_t Groups = 0;
  for (const auto &[M, Coefficient] : A.Bytes.Terms)
    for (unsigned S : M) {
      const Variation &V = K.symbol(S).Varies;
      if (V.Item)
        return 0;
      Groups |= V.Group;
    }
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if ((Groups >> Dim & 1) && asksForItems(K, Dim))
      return Groups;
  return 0;
}

/// out[id / 2]: a quotient that neighbours share, and nothing else in the address that tells them
/// apart.
static bool isManyToOne(const KernelAnalysis &K, const AccessSite &A) {
  // In local memory, a place for several may be one that they agree upon.
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

/// Does a condition leave several work-items, or as many as the data say?
static bool leavesSeveral(const KernelAnalysis &K, const Guard &G) {
  const Expr *E = stripCasts(G.Cond);
  Variation V = K.varies(G.Cond);
  if (!V.Item || V.Data)
    return true;
  return E->K == ExprKind::Binary && isComparison(E->O) && E->O != (G.Holds ? Op::EQ : Op::NE);
}

/// for (..) c[k] += ..: do all work-items walk the same elements, in the rounds of loops that are
/// alike for all?
static bool isWalkedAlike(const KernelAnalysis &K, const AccessSite &A) {
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

/// Does a condition ask for two numbers that were made of an id and are mixed, bit by bit, so that
/// several ids may fit?
static bool asksForMixed(const KernelAnalysis &K, const Expr *Cond) {
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

/// x[0]++, where the data say, or bins[data[i]]++: an update of one element by several work-items
/// that is no atomic.
static bool updatesForData(const KernelAnalysis &K, const AccessSite &A) {
  if (A.S->K != StmtKind::Store || A.IsAtomic || A.A->Base->space() == AddressSpace::Private ||
      isPinned(K, A, 0) || isPinned(K, A, 1) || isPinned(K, A, 2))
    return false;
  const Expr *E = stripCasts(origin(K, A.S->E));
  bool Bits = E->K == ExprKind::Binary && (E->O == Op::Or || E->O == Op::And || E->O == Op::Xor);
  if (E->K != ExprKind::Binary || !(E->O == Op::Add || E->O == Op::Sub || Bits))
    return false;
  // What is counted is counted by many; what is added may have a place of its own each.
  bool Counts =
      any_of(E->Ops, [](const Expr *X) { return stripCasts(X)->K == ExprKind::IntConst; });
  // Without data in a guard, the conflict is proved, or not, elsewhere. Who counts those whose hash
  // fits reckons with several.
  bool OfData = (isUniform(K, A.Bytes) || groupsPlace(K, A)) &&
                A.A->Base->space() == AddressSpace::Global && any_of(A.Guards, [&](const Guard &G) {
                  return K.varies(G.Cond).Data || (Counts && asksForMixed(K, G.Cond));
                });
  // words[id / 32] |= 1 << id % 32: each a bit of one word; and what a loop walks alike for all.
  bool Shared =
      isManyToOne(K, A) && any_of(A.Guards, [&](const Guard &G) { return K.varies(G.Cond).Data; });
  bool Walked = !Bits && !A.Loops.empty() && A.A->Base->space() == AddressSpace::Global &&
                isWalkedAlike(K, A) && K.varies(A.S->E, A.S).Item &&
                all_of(A.Guards, [&](const Guard &G) { return leavesSeveral(K, G); });
  return (OfData || Shared || Walked || (!Bits && Counts && isChosenByData(K, A))) &&
         any_of(E->Ops, [&](const Expr *X) {
           X = stripCasts(origin(K, X));
           return X->K == ExprKind::Load && X->Acc.Base == A.A->Base &&
                  K.distance(X->Acc, *A.A) == 0;
         });
}

/// if (local id == 0) n = 0;
static bool isOneItems(const KernelAnalysis &K, const AccessSite &A) {
  return isPinned(K, A, 0) || isPinned(K, A, 1) || isPinned(K, A, 2);
}

/// if (local id == 0) n = 0; while (n < end) ..: all others ask for it, and no barrier has let them
/// wait.
static bool asksTooEarly(const KernelAnalysis &K, const AccessSite &Write, const AccessSite &Read) {
  return Write.IsWrite && !Write.IsAtomic && Read.Load && Write.A->Base == Read.A->Base &&
         Read.S->K == StmtKind::Loop && Write.A->Base->space() == AddressSpace::Local &&
         Write.Loops.empty() && Read.Loops.size() <= 1 && K.distance(Write, Read) == 0 &&
         isOneItems(K, Write) && !isOneItems(K, Read) &&
         none_of(
             Read.Guards,
             [&](const Guard &G) { return !K.varies(G.Cond).uniform() && G.Cond != Read.S->E; }) &&
         barrierFree(K, Write.S, Read.S);
}

/// result[id] = 0; atomic_inc(&result[data[id]]): each work-item sets an element of its own, and
/// then, with nothing between, updates one that the data choose. Another one may not have set it
/// yet, or sets it afterwards.
static bool setsWhatIsUpdated(const KernelAnalysis &K, const AccessSite &Set,
                              const AccessSite &Update) {
  return Set.IsWrite && !Set.IsAtomic && Set.S->K == StmtKind::Store && Update.IsAtomic &&
         Set.A->Base == Update.A->Base && !isUniform(K, Set.Bytes) && isRegular(K, Set) &&
         !isRegular(K, Update) && barrierFree(K, Set.S, Update.S);
}

/// table[lid] = constants[lid]; .. table[x & 255]: each fills a part of one and the same table, and
/// data choose what is read, with no barrier between.
static bool readsWhatIsFilled(const KernelAnalysis &K, const AccessSite &Set,
                              const AccessSite &Read) {
  // What is added for all alike, but in rounds of a loop, may lead to different tables.
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

/// The same for all that may meet, in what they have loaded, too.
static bool storesAlike(const KernelAnalysis &K, const AccessSite &A) {
  if (A.S->K != StmtKind::Store || !A.S->E || hasOpaque(A.S->E))
    return false;
  Variation V = K.varies(A.S->E, A.S);
  return V.uniform() &&
         (A.A->Base->space() == AddressSpace::Local || !(V.Group & ~groupsPlace(K, A)));
}

/// local[0] = 0, or found[0] = 1 where the data say: one value, by all that get there.
static bool writesOneForAll(const KernelAnalysis &K, const AccessSite &A) {
  if (A.IsAtomic || A.A->Base->space() == AddressSpace::Private || !storesAlike(K, A))
    return false;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (isPinned(K, A, Dim))
      return false;
  bool OfGroups = A.A->Base->space() == AddressSpace::Local || groupsPlace(K, A);
  for (const auto &[M, Coefficient] : A.Bytes.Terms)
    for (unsigned S : M)
      if (const Variation &V = K.symbol(S).Varies; V.Item || (!OfGroups && V.Group))
        return false;
  return all_of(A.Guards, [&](const Guard &G) { return leavesSeveral(K, G); });
}

/// The definition of V that holds at At, as far as the source's order says it.
static const Stmt *definitionAt(const KernelAnalysis &K, const Var *V, const Stmt *At) {
  const Stmt *Last = K.singleDef(V);
  if (!Last)
    for (const Stmt *Def : K.defs(V))
      if (Def->Range.File == At->Range.File && Def->Range.Begin < At->Range.Begin &&
          (!Last || Last->Range.Begin < Def->Range.Begin))
        Last = Def;
  return Last;
}

/// Does what is computed differ for those that share a quotient of their ids? Not where it rests on
/// quotients alone.
static bool asksBeyondQuotients(const KernelAnalysis &K, const Expr *Root, const Stmt *At,
                                unsigned Depth = 0) {
  bool Asks = false;
  walk(Root, [&](const Expr *E) {
    const Expr *By = E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Shr)
                         ? stripCasts(E->Ops[1])
                         : nullptr;
    if (By && By->K == ExprKind::Cast && By->C == CastOp::Splat)
      By = stripCasts(By->Ops[0]);
    // What was computed of data, and is scaled down, is another matter.
    if (By && constantValue(By) && !K.varies(E->Ops[0], At).Data)
      return false;
    Asks |= E->K == ExprKind::WorkItem &&
            (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId);
    // A pixel is read where the coordinates say, which stand in a statement of their own.
    if (E->K == ExprKind::Opaque && Depth < 8)
      walk(K.kernel().Body, [&](Stmt *S) {
        if (S->K == StmtKind::Opaque && S->Range.File == E->Range.File &&
            S->Range.Begin == E->Range.Begin)
          for (const Expr *Coordinate : S->Args)
            Asks |= asksBeyondQuotients(K, Coordinate, S, Depth + 1);
        return !Asks;
      });
    if (const Stmt *Def =
            E->K == ExprKind::VarRef && Depth < 8 ? definitionAt(K, E->V, At) : nullptr;
        Def && Def->E)
      Asks |= asksBeyondQuotients(K, Def->E, Def, Depth + 1);
    return !Asks;
  });
  return Asks;
}

/// x[to + id] = .. x[from + k]: what all read begins elsewhere, by an argument.
static bool beginsElsewhere(const KernelAnalysis &K, const AccessSite &A, const AccessSite &B) {
  auto AsksForIds = [&](const Poly &P) {
    return any_of(P.Terms, [&](const auto &Term) {
      return any_of(Term.first, [&](unsigned S) { return K.symbol(S).Varies.Item != 0; });
    });
  };
  return (!AsksForIds(A.Bytes) || !AsksForIds(B.Bytes)) &&
         any_of((A.Bytes - B.Bytes).Terms, [&](const auto &Term) {
           return !Term.first.empty() && all_of(Term.first, [&](unsigned S) {
             return K.symbol(S).K == SymbolInfo::Param;
           });
         });
}

/// x[id / 512 * 1024 + local id]: the place says how large the groups are meant to be; in smaller
/// ones all would meet.
static bool assumesGroupSize(const KernelAnalysis &K, const AccessSite &A) {
  bool AsksLocal = false, Divides = false;
  for (const auto &[M, Coefficient] : A.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      AsksLocal |= Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::LocalId;
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
  return AsksLocal && Divides && !K.kernel().ReqdWorkGroupSize &&
         A.A->Base->space() == AddressSpace::Global;
}

/// Variables that hold what an atomic has answered, or what was computed of it.
static std::set<const Var *> answersOfAtomics(const KernelAnalysis &K) {
  std::set<const Var *> Answers;
  for (size_t Before = ~size_t(0); Before != Answers.size();) {
    Before = Answers.size();
    walk(K.kernel().Body, [&](Stmt *S) {
      bool Of = S->K == StmtKind::Atomic || S->K == StmtKind::Opaque;
      if (S->V && S->E)
        walk(S->E, [&](const Expr *E) {
          Of |= E->K == ExprKind::VarRef && Answers.count(E->V);
          return !Of;
        });
      if (Of && S->V)
        Answers.insert(S->V);
      return true;
    });
  }
  return Answers;
}

/// Does it rest on what loops or arrays have made of an id, of which nobody can say where it is the
/// same?
static bool isHash(const KernelAnalysis &K, const Expr *Root, unsigned Dim) {
  const Expr *Cond = stripCasts(Root);
  if (Cond->K != ExprKind::Binary)
    return false;
  if (Cond->O == Op::LogicalAnd || Cond->O == Op::LogicalOr)
    return isHash(K, Cond->Ops[0], Dim) || isHash(K, Cond->Ops[1], Dim);
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

/// if (mine < best[0]) best[0] = mine: who asks for more than what is there reckons with several
/// who have it.
static bool isBettered(const KernelAnalysis &K, const AccessSite &A) {
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

/// if (hash(id) == wanted) result[0] = id: who gets there is for data to say, and each brings a
/// value of its own.
static bool lastOneWins(const KernelAnalysis &K, const AccessSite &A,
                        const std::set<const Var *> &Answers) {
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
  // One element for a result: any of them will do, unless others read it, or other results are
  // stored with it.
  if (!Own && A.Loops.empty() && none_of(K.accesses(), [&](const AccessSite &Site) {
        return Site.A->Base == A.A->Base && Site.S != A.S;
      }))
    return false;
  bool Bettered = isBettered(K, A);
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    if ((Own >> Dim & 1) || !(Value.Item >> Dim & 1) || isPinned(K, A, Dim))
      continue;
    bool Data = false, Several = true;
    for (const Guard &G : A.Guards) {
      Variation V = K.varies(G.Cond);
      Data |= (V.Item >> Dim & 1) && (V.Data || isHash(K, G.Cond, Dim));
      Several &= leavesSeveral(K, G);
      walk(G.Cond, [&](const Expr *E) {
        Several &= E->K != ExprKind::Opaque && !(E->K == ExprKind::VarRef && Answers.count(E->V));
        // parent[id] == -1 may hold for one alone, as the data are made.
        if (E->K == ExprKind::Binary && E->O == (G.Holds ? Op::EQ : Op::NE))
          Several &= Bettered || isHash(K, E, Dim);
        return Several;
      });
    }
    if (Data && Several && asksForItems(K, Dim))
      return true;
  }
  return false;
}

/// part[l] = ..; async_work_group_copy(out, part, ..): the group copies what its work-items may not
/// have written yet.
static bool copiesUnfinished(const KernelAnalysis &K, const AccessSite &Write,
                             const AccessSite &Copied) {
  return Write.IsWrite && Write.S->K == StmtKind::Store && Copied.S->K == StmtKind::AsyncCopy &&
         Copied.IsRead && Write.A->Base == Copied.A->Base &&
         Write.A->Base->space() == AddressSpace::Local && !isAlike(K, Write.Bytes) &&
         barrierFree(K, Write.S, Copied.S);
}

/// for (..) { copy to tile; wait; .. tile[k] ..; }: the next round's copy begins while others still
/// read.
static bool copiesOverWhatIsRead(const KernelAnalysis &K, const AccessSite &Copy,
                                 const AccessSite &Read) {
  if (Copy.S->K != StmtKind::AsyncCopy || !Copy.IsWrite || !Read.Load ||
      Read.A->Base != Copy.A->Base || Copy.A->Base->space() != AddressSpace::Local ||
      Copy.Loops.empty() || !is_contained(Read.Loops, Copy.Loops.back()))
    return false;
  const Stmt *Loop = Copy.Loops.back();
  std::optional<CountedLoop> Counted = K.countedLoop(Loop);
  if (!Counted || (Counted->TripCount && *Counted->TripCount < 2))
    return false;
  // Two halves that take turns are another matter.
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

/// for (..) { next[id] = now[id - s]; barrier(..); swap them }: what is read was written by other
/// groups in the round before, and a barrier orders one. The read, in a kernel that counts by
/// global ids alone.
static const AccessSite *readsOtherGroupsRound(const KernelAnalysis &K) {
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
    if (asksForGroups(K, Dim))
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

/// The dimensions that anything but a variable rests on: places, what is stored, conditions,
/// coordinates of images.
static uint8_t usedDimensions(const KernelAnalysis &K) {
  uint8_t Used = 0;
  walk(K.kernel().Body, [&](Stmt *S) {
    if (S->K == StmtKind::Atomic)
      Used = 7;
    if (S->K == StmtKind::Decl || S->K == StmtKind::Assign)
      forEachExpr(*S, [&](const Expr *Root) {
        walk(Root, [&](const Expr *E) {
          if (E->K == ExprKind::Load || E->K == ExprKind::Opaque)
            forEachOperand(
                *E, [&](const Expr *X) { Used |= K.varies(X, S).Item | K.varies(X, S).Group; });
          return true;
        });
      });
    else
      forEachExpr(
          *S, [&](const Expr *Root) { Used |= K.varies(Root, S).Item | K.varies(Root, S).Group; });
    return true;
  });
  return Used;
}

/// The host launches several work-items along a dimension that the kernel makes no use of: all of
/// them do the same.
static void repeatedByLaunch(Context &C) {
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

/// p[i].x and p[j].y.
static bool areFields(const AccessSite &A, const AccessSite &B) {
  auto First = [](const AccessSite &S) {
    return StringRef(S.A->Path).ltrim('.').take_until([](char C) { return C == '.' || C == '['; });
  };
  const Type *Of = A.A->Base->Ty->Elem;
  return Of && Of->K == Type::Struct && !Of->isUnion() && !First(A).empty() && !First(B).empty() &&
         First(A) != First(B);
}

/// Is the buffer one of bytes that holds wider elements? Small launches would try pitches in which
/// no row fits.
static bool countsBytes(const Access &A) {
  const Type *Element = A.Base->isPointerParam() ? A.Base->Ty->Elem : nullptr;
  return Element && Element->isValue() && sizeInBytes(Element->Scalar) != sizeInBytes(A.Elem);
}

/// for (all groups) { tile[l] = x[group * size + l]; barrier(..); .. } x[id] = ..: other groups
/// still read what one writes.
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
  // if (local id == 0) sums[group] = ..: one work-item speaks for its group. Atomics and volatile
  // flags may order the groups.
  bool Speaks = isPinned(K, Write, *Dim);
  if (Speaks && (Write.A->Volatile || Read.A->Volatile ||
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
                   (Speaks && E->Query == WorkItemQuery::GroupId));
          return !Asks;
        });
    }
    // What both begin with is the same.
    if (Kept) {
      auto Theirs = Write.Bytes.Terms.find(M);
      if (Theirs == Write.Bytes.Terms.end() || Theirs->second != Coefficient)
        return false;
    }
  }
  for (const auto &[M, Coefficient] : Apart.Terms)
    if (all_of(M, [&](unsigned S) { return K.symbol(S).K == SymbolInfo::Param; }))
      return false; // another part of the buffer
  if (Speaks && (OfGroup || !ForGroup))
    return false;
  if (!OfGroup)
    return Asks && !barrierFree(K, Write.S, Read.S);
  std::optional<Poly> Pace = K.stride(Write.Bytes, *Dim), Theirs = K.stride(Read.Bytes, *Dim);
  return Walks && Pace && Theirs && *Pace == *Theirs && !Pace->isZero();
}

/// if (x[i] > x[i + 1]) { x[i + 1] = ..: the condition that leads to a write reads what another
/// work-item writes. Taken by itself, without what data say, the pair meets.
static bool comparesWhatIsWritten(const KernelAnalysis &K, const AccessSite &Write,
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

/// if (kind[i] == 1 && kind[i + 1] == 0) x[i] = x[i + 1]: the condition asks one buffer about two
/// elements, that which is written, and that which is read: none is both.
static bool asksAboutBoth(const KernelAnalysis &K, const AccessSite &Write,
                          const AccessSite &Read) {
  auto Asked = [&](const AccessSite &Site) {
    SmallVector<const Access *> Result;
    for (const Guard &G : Site.Guards)
      walk(G.Cond, [&](const Expr *E) {
        if (E->K == ExprKind::Load && E->Acc.Base->space() != AddressSpace::Private)
          Result.push_back(&E->Acc);
        return true;
      });
    return Result;
  };
  SmallVector<const Access *> Of = Asked(Write);
  return any_of(Asked(Read), [&](const Access *A) {
    return any_of(Of,
                  [&](const Access *B) { return A->Base == B->Base && K.distance(*A, *B) != 0; });
  });
}

/// color[i] == now: where Cond is Holds, has the launch said whose turn it is?
static bool isTurn(const KernelAnalysis &K, const Expr *Cond, bool Holds) {
  Cond = stripCasts(Cond);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return isTurn(K, Cond->Ops[0], !Holds);
  if (Cond->K != ExprKind::Binary)
    return false;
  if (Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr))
    return isTurn(K, Cond->Ops[0], Holds) || isTurn(K, Cond->Ops[1], Holds);
  auto IsOfLaunch = [&](const Expr *E) {
    Variation V = K.varies(E);
    return !V.Data && V.uniformInLaunch() && !constantValue(stripCasts(E)) &&
           stripCasts(E)->K != ExprKind::FloatConst;
  };
  return Cond->O == (Holds ? Op::EQ : Op::NE) &&
         ((K.varies(Cond->Ops[0]).Data && IsOfLaunch(Cond->Ops[1])) ||
          (K.varies(Cond->Ops[1]).Data && IsOfLaunch(Cond->Ops[0])));
}

/// if (color[i] == now) x[i] = x[i - 1] + x[i + 1]: those of one turn are chosen not to meet.
static bool takesTurns(const KernelAnalysis &K, const AccessSite &Write) {
  return any_of(Write.Guards, [&](const Guard &G) { return isTurn(K, G.Cond, G.Holds); });
}

/// if (flag[i]) x[i] = x[i - 1] + x[i + 1]: two work-items meet wherever data let both run; nothing
/// but data keeps them apart.
static bool meetsWhereDataLetIt(const KernelAnalysis &K, LaunchSimulator &Simulated,
                                const AccessSite &Write, const AccessSite &Read) {
  if (!Write.IsWrite || Write.IsAtomic || !Read.Load || Read.IsWrite ||
      Read.A->Base != Write.A->Base || Write.A->Base->space() != AddressSpace::Global ||
      !isRegular(K, Write) || !isRegular(K, Read) || K.distance(Write, Read) == 0)
    return false;
  AccessSite Bare = Write, Other = Read;
  for (AccessSite *Site : {&Bare, &Other})
    llvm::erase_if(Site->Guards, [&](const Guard &G) { return K.varies(G.Cond).Data; });
  if ((Bare.Guards.size() == Write.Guards.size() && Other.Guards.size() == Read.Guards.size()) ||
      asksAboutBoth(K, Write, Read) || takesTurns(K, Write))
    return false;
  Conflict Known = K.conflict(Bare, Other);
  return Known == Conflict::Must || (Known == Conflict::May && !beginsElsewhere(K, Write, Read) &&
                                     Simulated.meet(Write, Read, /*MaybeToo=*/true));
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  // What is private meets nobody: a kernel that has been inlined a lot has little else.
  std::vector<const AccessSite *> Shared;
  for (const AccessSite &Site : K.accesses())
    if (AddressSpace Space = Site.A->Base->space();
        Space == AddressSpace::Global || Space == AddressSpace::Local)
      Shared.push_back(&Site);
  auto Sites = make_pointee_range(Shared);
  std::set<const Var *> Reported;
  if (swapsPointers(K.kernel())) {
    // Which buffer it is, only a round tells.
    if (const AccessSite *Read = readsOtherGroupsRound(K))
      C.report(Read->A->Range, "what is read through " + nameOf(*Read->A) +
                                   " was written by work-items of other groups in the round "
                                   "before, and a barrier orders one group only")
          .atMost(rules::Severity::Warning);
    return;
  }
  LaunchSimulator &Simulated = C.cached<LaunchSimulator>();
  for (const AccessSite &A : Sites)
    if (A.IsWrite && updatesForData(K, A) && !restsOnGuess(C.module(), K, A) &&
        (!onlyUnusedDimensions(K, A, A) ||
         any_of(A.Guards, [&](const Guard &G) { return asksForMixed(K, G.Cond); })) &&
        Reported.insert(A.A->Base).second)
      C.report(A.A->Range, "two work-items that get here update one element of " + nameOf(*A.A) +
                               ", and not atomically: an update is lost where two do it at once")
          .atMost(rules::Severity::Warning);
  for (const AccessSite &A : Sites)
    for (const AccessSite &B : Sites)
      if (setsWhatIsUpdated(K, A, B) && Reported.insert(A.A->Base).second)
        C.report(
             A.A->Range,
             "an element of " + nameOf(*A.A) +
                 " is set by one work-item while others already update it, and nothing orders them")
            .note(B.A->Range, "the update");
  for (const AccessSite &A : Sites)
    for (const AccessSite &B : Sites)
      if (readsWhatIsFilled(K, A, B) && !leavesBarrierOut(C, A, B) &&
          Reported.insert(A.A->Base).second)
        C.report(
             A.A->Range,
             "work-items fill " + nameOf(*A.A) +
                 " together, and data choose what each reads of it: there is no barrier between")
            .atMost(rules::Severity::Warning)
            .note(B.A->Range, "the read");
  // Thousands of accesses of one buffer make millions of pairs.
  constexpr unsigned MaxPairs = 50000;
  unsigned Pairs = 0;
  for (const AccessSite &A : Sites) {
    if (!A.IsWrite)
      continue;
    for (const AccessSite &B : Sites) {
      if (B.A->Base != A.A->Base || Reported.count(A.A->Base))
        continue;
      // Each pair of writes once.
      if (B.IsWrite && &B < &A)
        continue;
      if (assumesGroupSize(K, A) && assumesGroupSize(K, B))
        continue;
      if (++Pairs == MaxPairs)
        C.note("kernel " + K.kernel().Name +
               " has too many accesses for write-race: not each pair of them is compared");
      if (Pairs >= MaxPairs)
        break;
      Conflict Known = areFields(A, B) ? Conflict::No : K.conflict(A, B);
      if (Known == Conflict::No)
        continue;
      bool Shares = &A == &B && A.S->E && isManyToOne(K, A) && asksBeyondQuotients(K, A.S->E, A.S);
      if (Known == Conflict::May && ((B.IsWrite && !Shares) || beginsElsewhere(K, A, B) ||
                                     countsBytes(*A.A) || !Simulated.meet(A, B)))
        continue;
      // A window that each moves along: the rounds of two work-items meet, which were launched
      // along dimensions in use.
      bool ByRounds =
          Known == Conflict::May && !B.IsWrite && any_of(A.Bytes.Terms, [&](const auto &Term) {
            return any_of(Term.first,
                          [&](unsigned S) { return K.symbol(S).K == SymbolInfo::LoopVar; });
          });
      if ((A.A->Base->space() == AddressSpace::Local && leavesBarrierOut(C, A, B)) ||
          (!ByRounds && onlyUnusedDimensions(K, A, B)) || restsOnGuess(C.module(), K, A) ||
          restsOnGuess(C.module(), K, B))
        continue;
      // What all write, and then read, does not show; what one wrote, others may read before.
      bool Same =
          sameConstant(A, B) || (storesUniform(K, A) &&
                                 (B.IsWrite ? &A == &B && storesUniform(K, B) : !isOneItems(K, A)));
      std::string Verb = Same ? " write the same value to " : " write to ";
      if (!B.IsWrite)
        Verb = Same ? " write the same value to, and read, " : " write and read ";
      Reported.insert(A.A->Base);
      Finding &F = C.report(A.A->Range, "two work-items" + Verb + "one element of " + nameOf(*A.A) +
                                            ", and nothing orders them");
      if (Same)
        F.atMost(rules::Severity::Info);
      if (&A != &B && (B.A->Range.Begin != A.A->Range.Begin || B.A->Range.File != A.A->Range.File))
        F.note(B.A->Range, B.IsWrite ? "the other write" : "the read");
    }
  }
  for (const AccessSite &A : Sites)
    if (A.IsWrite && !Reported.count(A.A->Base) && writesOneForAll(K, A) &&
        !onlyUnusedDimensions(K, A, A) && !restsOnGuess(C.module(), K, A) &&
        Reported.insert(A.A->Base).second)
      C.report(A.A->Range, "all work-items that get here write " +
                               std::string(storesUniform(K, A) ? "the same value to " : "") +
                               "one element of " + nameOf(*A.A) + ", and nothing orders them")
          .atMost(rules::Severity::Info);
  for (const AccessSite &A : Sites)
    for (const AccessSite &B : Sites) {
      if (copiesUnfinished(K, A, B) && Reported.insert(A.A->Base).second)
        C.report(B.A->Range,
                 "the group copies " + nameOf(*B.A) +
                     " while its work-items may still write to it: there is no barrier between")
            .note(A.A->Range, "the write");
      if (copiesOverWhatIsRead(K, A, B) && Reported.insert(A.A->Base).second)
        C.report(A.A->Range, "the next round's copy to " + nameOf(*A.A) +
                                 " begins while other work-items still read it: there is no "
                                 "barrier at the end of the loop")
            .note(B.A->Range, "the read");
    }
  if (Reported.empty())
    repeatedByLaunch(C);
  std::set<const Var *> Answers = answersOfAtomics(K);
  for (const AccessSite &A : Sites)
    if (A.IsWrite && !Reported.count(A.A->Base) && lastOneWins(K, A, Answers) &&
        !restsOnGuess(C.module(), K, A) && Reported.insert(A.A->Base).second)
      C.report(A.A->Range, "work-items that get here write different values to one element of " +
                               nameOf(*A.A) +
                               ", and nothing orders them: where two do, one value is lost")
          .atMost(isBettered(K, A) ? rules::Severity::Warning : rules::Severity::Info);
  for (const AccessSite &A : Sites)
    for (const AccessSite &B : Sites) {
      if (!A.IsWrite || B.A->Base != A.A->Base || Reported.count(A.A->Base))
        continue;
      bool Groups = writesWhatGroupsRead(K, A, B);
      if (!Groups && !asksTooEarly(K, A, B) &&
          (!comparesWhatIsWritten(K, A, B) || onlyUnusedDimensions(K, A, B)))
        continue;
      if (restsOnGuess(C.module(), K, A) || !Reported.insert(A.A->Base).second)
        continue;
      C.report(A.A->Range,
               Groups ? "work-items write elements of " + nameOf(*A.A) +
                            " that those of other groups read, and a barrier orders one group only"
                      : "two work-items write and read one element of " + nameOf(*A.A) +
                            ", and nothing orders them")
          .note(B.A->Range, "the read");
    }
  // Flags may let one wait for the other.
  bool Flags =
      any_of(K.accesses(), [](const AccessSite &A) { return A.IsAtomic || A.A->Volatile; });
  for (const AccessSite &A : Sites)
    for (const AccessSite &B : Sites)
      if (!Flags && A.IsWrite && A.A->Base == B.A->Base && !Reported.count(A.A->Base) &&
          ++Pairs < MaxPairs && meetsWhereDataLetIt(K, Simulated, A, B) &&
          !onlyUnusedDimensions(K, A, B) && !restsOnGuess(C.module(), K, A) &&
          !restsOnGuess(C.module(), K, B) && Reported.insert(A.A->Base).second)
        C.report(A.A->Range,
                 "where data let two work-items get here, one writes what the other reads of " +
                     nameOf(*A.A) + ", and nothing orders them")
            .atMost(rules::Severity::Warning)
            .note(B.A->Range, "the read");
  // What takes part in a queue or a lock is for its atomics to keep apart.
  for (const AccessSite &A : Sites)
    if (std::optional<bool> Updates =
            Answers.empty() && !Reported.count(A.A->Base) ? isScattered(K, A) : std::nullopt;
        Updates && !restsOnGuess(C.module(), K, A) && Reported.insert(A.A->Base).second)
      C.report(A.A->Range,
               "where the data of two work-items name one element of " + nameOf(*A.A) +
                   (*Updates ? ", both update it, and not atomically: an update is lost"
                             : ", both write to it, and nothing orders them: one value is lost"))
          .atMost(rules::Severity::Info);
}

CLMALI_KERNEL_CHECK("write-race", run);
