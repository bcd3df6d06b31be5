//===- SharedElements.cpp - elements that several work-items access ---------------------------===//

#include "checks/query/races/SharedElements.h"
#include "checks/query/Query.h"
#include "checks/query/Scatter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if A stores one value of its statement: to an element, or to a texel.
static bool storesValue(const AccessSite &A) {
  return (A.S->K == StmtKind::Store || A.S->K == StmtKind::ImageWrite) && A.S->E;
}

bool checks::sameConstant(const AccessSite &A, const AccessSite &B) {
  if (!storesValue(A) || !storesValue(B))
    return false;
  const Expr *X = stripCasts(A.S->E);
  if (X->K != ExprKind::IntConst && X->K != ExprKind::FloatConst)
    return false;
  return model::equal(A.S->E, B.S->E);
}

bool checks::storesUniform(const KernelAnalysis &K, const AccessSite &A) {
  if (!storesValue(A))
    return false;
  Variation V = K.varies(A.S->E, A.S);
  if (V.Data || hasOpaque(A.S->E))
    return false;
  return A.A->Base->space() == AddressSpace::Local ? V.uniform() : V.uniformInLaunch();
}

/// True if no work-item may change what Load reads while others execute it.
static bool isUnchanged(const KernelAnalysis &K, const Expr *Load) {
  const AccessSite *Read = nullptr;
  for (const AccessSite &Site : K.accesses())
    if (Site.Load == Load)
      Read = &Site;
  bool Local = Load->Acc.Base->space() == AddressSpace::Local;
  return Read && none_of(K.accesses(), [&](const AccessSite &W) {
           return W.IsWrite && W.A->Base == Load->Acc.Base && !checks::areFields(W, *Read) &&
                  (!Local || W.Interval == Read->Interval);
         });
}

bool checks::storesSameAt(const KernelAnalysis &K, const AccessSite &A,
                          std::array<int, 3> Distance) {
  if (!storesValue(A) || hasOpaque(A.S->E))
    return false;
  uint8_t Item = K.varies(A.S->E, A.S).Item;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (Distance[Dim] && (Item >> Dim & 1))
      return false;
  return all_of(Slice(K, A.S->E, A.S), [&](ExprAt X) {
    bool Shared = X->K == ExprKind::Load && (X->Acc.Base->space() == AddressSpace::Local ||
                                             X->Acc.Base->space() == AddressSpace::Global);
    return X->K != ExprKind::Opaque && (!Shared || isUnchanged(K, X.E));
  });
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

DimensionUse::DimensionUse(const KernelAnalysis &K) : LocalIds(localDimensions(K)) {
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    ItemIds |= usesItemIds(K, Dim) << Dim;
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Base->space() != AddressSpace::Private)
      Addresses |= dimensions(K, *Site.A);
  // Image coordinates are addresses, too.
  for (ExprAt X : exprs(K.kernel().Body))
    if (X->K == ExprKind::Opaque || X->K == ExprKind::ImageRead)
      for (const Expr *Argument : X->Ops)
        Addresses |= K.varies(Argument).Item & ItemIds;
}

bool checks::onlyUnusedDimensions(const KernelAnalysis &K, const DimensionUse &Use,
                                  const AccessSite &A, const AccessSite &B) {
  if (K.distance(A, B) != 0)
    return false;
  uint8_t Used = Use.Addresses;
  // So is the value that is added to an element.
  if (storesValue(A) && A.A->Base->space() == AddressSpace::Global)
    Used |= K.varies(A.S->E, A.S).Item & Use.ItemIds;
  uint8_t Mine = dimensions(K, *A.A);
  // Local memory belongs to one group. If no local id of a dimension is used, the group has one
  // row.
  uint8_t Rows = 0;
  if (A.A->Base->space() == AddressSpace::Local)
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      const auto &Size = K.kernel().ReqdWorkGroupSize;
      if (!(Use.LocalIds & (1 << Dim)) && (!Size || (*Size)[Dim] == 1))
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

/// The dimensions of the group ids in an address that has no item ids, such as x[get_group_id(0)],
/// if the kernel uses item ids of one of them; else 0.
static uint8_t groupDimensions(const KernelAnalysis &K, const AccessSite &A) {
  uint8_t Groups = 0;
  if (K.kernel().hasGroupsOfOne())
    return 0;
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

bool checks::isManyToOne(const KernelAnalysis &K, const AccessSite &A) {
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

bool checks::dependsOnMixedBits(const KernelAnalysis &K, const Expr *Cond) {
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

bool checks::isLostUpdate(const KernelAnalysis &K, const AccessSite &A) {
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

bool checks::isOfOneItem(const KernelAnalysis &K, const AccessSite &A) {
  return isPinned(K, A, 0) || isPinned(K, A, 1) || isPinned(K, A, 2);
}

/// True if all work-items that may conflict store the same value, data that they loaded included.
static bool storesGroupUniform(const KernelAnalysis &K, const AccessSite &A) {
  if (A.S->K != StmtKind::Store || !A.S->E || hasOpaque(A.S->E))
    return false;
  Variation V = K.varies(A.S->E, A.S);
  return V.uniform() &&
         (A.A->Base->space() == AddressSpace::Local || !(V.Group & ~groupDimensions(K, A)));
}

bool checks::allWriteOneElement(const KernelAnalysis &K, const AccessSite &A) {
  bool Local = A.A->Base->space() == AddressSpace::Local;
  if (A.IsAtomic || A.A->Base->space() == AddressSpace::Private || !storesGroupUniform(K, A) ||
      (Local && K.kernel().hasGroupsOfOne()))
    return false;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (isPinned(K, A, Dim))
      return false;
  bool OfGroups = Local || groupDimensions(K, A);
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

bool checks::dependsBeyondQuotients(const KernelAnalysis &K, const Expr *Root, const Stmt *At,
                                    unsigned Depth) {
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
    if (const Stmt *Def =
            E->K == ExprKind::VarRef && Depth < 8 ? definitionAt(K, E->V, At) : nullptr;
        Def && Def->E)
      Asks |= dependsBeyondQuotients(K, Def->E, Def, Depth + 1);
    return !Asks;
  });
  return Asks;
}

/// True if an id is multiplied by what is computed at run time, as a stride that a loop doubles:
/// how far the address goes is not known.
static bool hasComputedStride(const KernelAnalysis &K, const Poly &P) {
  auto IsOfLaunch = [&](unsigned S) {
    return K.symbol(S).K == SymbolInfo::Param || K.symbol(S).K == SymbolInfo::WorkItem;
  };
  return any_of(P.Terms, [&](const auto &Term) {
    return any_of(Term.first, [&](unsigned S) { return K.symbol(S).Varies.Item != 0; }) &&
           !all_of(Term.first, IsOfLaunch);
  });
}

bool checks::differByArgument(const KernelAnalysis &K, const AccessSite &A, const AccessSite &B) {
  auto DependsOnIds = [&](const Poly &P) {
    return any_of(P.Terms, [&](const auto &Term) {
      return any_of(Term.first, [&](unsigned S) { return K.symbol(S).Varies.Item != 0; });
    });
  };
  auto IsOfArguments = [&](const auto &Term) {
    return !Term.first.empty() &&
           all_of(Term.first, [&](unsigned S) { return K.symbol(S).K == SymbolInfo::Param; });
  };
  Poly Apart = A.Bytes - B.Bytes;
  // Two regions of local memory that begin at multiples of an argument, with one index.
  bool Regions = A.A->Base->space() == AddressSpace::Local && hasComputedStride(K, A.Bytes) &&
                 all_of(Apart.Terms, IsOfArguments);
  return (Regions || !DependsOnIds(A.Bytes) || !DependsOnIds(B.Bytes)) &&
         any_of(Apart.Terms, IsOfArguments);
}

bool checks::assumesGroupSize(const KernelAnalysis &K, const AccessSite &A) {
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

std::set<const Var *> checks::resultsOfAtomics(const KernelAnalysis &K) {
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

bool checks::isRunningExtremum(const KernelAnalysis &K, const AccessSite &A) {
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

bool checks::storesDifferentValues(const KernelAnalysis &K, const AccessSite &A,
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

bool checks::areFields(const AccessSite &A, const AccessSite &B) {
  auto First = [](const AccessSite &S) {
    return StringRef(S.A->Path).ltrim('.').take_until([](char C) { return C == '.' || C == '['; });
  };
  const Type *Of = A.A->Base->Ty->Elem;
  return Of && Of->K == Type::Struct && !Of->isUnion() && !First(A).empty() && !First(B).empty() &&
         First(A) != First(B);
}

bool checks::isByteBuffer(const Access &A) {
  const Type *Element = A.Base->isPointerParam() ? A.Base->Ty->Elem : nullptr;
  return Element && Element->isValue() && sizeInBytes(Element->Scalar) != sizeInBytes(A.Elem);
}
