//===- barrier-in-divergent-flow.cpp
//-----------------------------------------------------------===//
//
// Before: if (g >= n) return; ... barrier(...)
// After:  the guard around the accesses, not around the barrier
// Limits: conditions that depend on ids. One that depends only on data read from memory may well be
//         the same for all, and is left alone; so is a loop over a number that is rounded up to
//         whole groups, which turns alike for all of a group.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <numeric>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Is E about the whole launch, not about the place in a group alone? (group * size + local is a
/// place in it.)
static bool isGlobal(const KernelAnalysis &An, const Expr *Root) {
  bool Local = false, Group = false;
  auto Visit = [&](const Expr *X, unsigned Depth, auto &&Self) -> void {
    walk(X, [&](const Expr *E) {
      if (E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::LocalId)
        Local = true;
      if (E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::GroupId)
        Group = true;
      if (E->K == ExprKind::VarRef && Depth < 8)
        if (const Stmt *Def = An.singleDef(E->V); Def && Def->E)
          Self(Def->E, Depth + 1, Self);
      return true;
    });
  };
  Visit(Root, 0, Visit);
  return !Local || Group;
}

/// `local id >= 128 || ..`, with nothing else about the place in a group: true only for those
/// behind some number.
static bool boundsGroup(const KernelAnalysis &An, const Expr *E) {
  E = stripCasts(E);
  if (E->K == ExprKind::Binary && E->O == Op::LogicalOr)
    return boundsGroup(An, E->Ops[0]) && boundsGroup(An, E->Ops[1]);
  if (isGlobal(An, E))
    return true;
  if (E->K != ExprKind::Binary || (E->O != Op::GE && E->O != Op::GT))
    return false;
  const Expr *Id = origin(An, E->Ops[0]);
  return Id->K == ExprKind::WorkItem && An.varies(E->Ops[1]).uniform();
}

/// memory && id < n: a part that asks for ids, and for nothing in memory, sets work-items apart
/// whenever memory lets them.
static bool hasPartOfIds(const KernelAnalysis &An, const Expr *E, const Stmt *At) {
  const Expr *Plain = stripCasts(E);
  if (Plain->K == ExprKind::Binary && (Plain->O == Op::LogicalAnd || Plain->O == Op::LogicalOr))
    return hasPartOfIds(An, Plain->Ops[0], At) || hasPartOfIds(An, Plain->Ops[1], At);
  if (Plain->K != ExprKind::Binary || !isComparison(Plain->O))
    return false;
  Variation V = An.varies(E, At), Left = An.varies(Plain->Ops[0], At),
            Right = An.varies(Plain->Ops[1], At);
  // x < image->width: one number in memory for all is as good as an argument.
  auto IsId = [](Variation A, Variation B) { return A.Item && !A.Data && !B.Item; };
  Range R = An.range(E, At);
  return V.Item && (!V.Data || IsId(Left, Right) || IsId(Right, Left)) && R.Lo != R.Hi;
}

/// Does Root compare nothing but global ids with arguments as they are (x < width, x >= size0 || y
/// >= size1)?
static bool comparesIdsWithArguments(const KernelAnalysis &An, const Expr *E) {
  E = origin(An, E);
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
    return comparesIdsWithArguments(An, E->Ops[0]);
  if (E->K != ExprKind::Binary)
    return false;
  if (E->O == Op::LogicalOr || E->O == Op::LogicalAnd)
    return all_of(E->Ops, [&](const Expr *X) { return comparesIdsWithArguments(An, X); });
  bool Id = false, Argument = false;
  if (isComparison(E->O))
    for (const Expr *X : E->Ops) {
      Poly P = An.poly(stripCasts(X));
      if (P.Terms.size() != 1 || P.Terms.begin()->first.size() != 1 || P.Terms.begin()->second != 1)
        continue;
      const SymbolInfo &S = An.symbol(P.Terms.begin()->first[0]);
      Id |= S.K == SymbolInfo::WorkItem && S.E->Query == WorkItemQuery::GlobalId;
      Argument |= S.K == SymbolInfo::Param;
    }
  return Id && Argument;
}

/// Is E made of local ids, and of what is the same for all work-items: get_local_id(0) / width?
static bool isPlaceInGroup(const KernelAnalysis &An, const Expr *Root, unsigned Depth = 0) {
  bool Local = false, Other = false;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::WorkItem &&
        (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::GroupId))
      Other = true;
    Local |= E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::LocalId;
    if (E->K == ExprKind::Load || E->K == ExprKind::Opaque)
      Other = true;
    if (E->K == ExprKind::VarRef && E->V->K == Var::Temp) {
      const Stmt *Def = An.singleDef(E->V);
      bool Known = Def && Def->E && Depth < 8;
      if (Known && An.varies(E->V).Item)
        (isPlaceInGroup(An, Def->E, Depth + 1) ? Local : Other) = true;
      Other |= !Known;
    }
    return !Other;
  });
  return Local && !Other;
}

/// y = get_local_id(0) / width; for (..) { ..; y += height; }: does S step from a place in the
/// group on, by what is the same for all?
static bool stepsFromPlaceInGroup(const KernelAnalysis &An, const Stmt *S) {
  const Expr *Sum = S->K == StmtKind::Assign && S->LaneIdx.empty() ? stripCasts(S->E) : nullptr;
  if (!Sum || Sum->K != ExprKind::Binary || Sum->O != Op::Add ||
      !An.varies(Sum->Ops[1], S).uniform())
    return false;
  const Expr *Before = stripCasts(Sum->Ops[0]);
  ArrayRef<const Stmt *> Defs = An.defs(S->V);
  return Before->K == ExprKind::VarRef && Before->V == S->V && Defs.size() == 2 &&
         any_of(Defs,
                [&](const Stmt *Def) { return Def != S && Def->E && isPlaceInGroup(An, Def->E); });
}

/// for (i = get_local_id(0); i < n; i += 64): a group goes together over what it has to do, and
/// extends in one dimension. What its ids are compared with, then, is the launch, not the data. So
/// it is where a global id says which element of local memory is a work-item's own: there is one
/// group in that dimension.
static bool walksAsGroup(const KernelAnalysis &An) {
  std::set<unsigned> Dims;
  bool Strides = false;
  for (const AccessSite &Site : An.accesses())
    if (Site.IsWrite && Site.A->Base->space() == AddressSpace::Local && Site.A->Index.size() == 1)
      if (const Expr *Id = origin(An, Site.A->Index[0]);
          Id->K == ExprKind::WorkItem && Id->Query == WorkItemQuery::GlobalId) {
        Dims.insert(Id->Dim);
        Strides = true;
      }
  walk(An.kernel().Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::LocalId)
          Dims.insert(E->Dim);
        return true;
      });
    });
    if (S->K == StmtKind::Loop)
      walk(S->Body, [&](Stmt *Nested) {
        Strides |= stepsFromPlaceInGroup(An, Nested);
        return true;
      });
    if (S->K == StmtKind::Loop)
      if (std::optional<CountedLoop> L = An.countedLoop(S); L && (L->Step > 1 || L->StepExpr)) {
        const Expr *From = origin(An, L->Lower);
        Strides |= From->K == ExprKind::WorkItem && From->Query == WorkItemQuery::LocalId;
      }
    return true;
  });
  return Strides && Dims.size() == 1;
}

/// Do the groups extend in other dimensions than those whose ids a guard compares? Local memory
/// that is written at local ids of dimensions 0 and 1 alone would be written twice otherwise.
static bool liesAcrossGroups(const KernelAnalysis &An, const Expr *Guard) {
  uint8_t Extends = 0;
  for (const AccessSite &Site : An.accesses())
    if (Site.IsWrite && Site.A->Base->space() == AddressSpace::Local && Site.A->Index.size() == 1 &&
        isPlaceInGroup(An, Site.A->Index[0]))
      Extends |= An.varies(Site.A->Index[0], Site.S).Item;
  return Extends && !(An.varies(Guard).Item & Extends);
}

/// for (i = local id; i < size * (n / size + 1); i += size): bound, step and group's start are
/// multiples of the group's size in the one dimension whose local ids tell its work-items apart.
static bool turnsByGroupSize(const KernelAnalysis &An, const Poly &Start, const Poly &Bound,
                             const Poly &Step) {
  std::optional<unsigned> Dim;
  auto WorkItem = [&](unsigned S, WorkItemQuery Query) {
    const SymbolInfo &Info = An.symbol(S);
    return Info.K == SymbolInfo::WorkItem && Info.E->Query == Query
               ? std::optional<unsigned>(Info.E->Dim)
               : std::nullopt;
  };
  for (const auto &[Mono, Coefficient] : Start.Terms)
    if (Mono.size() == 1)
      if (std::optional<unsigned> Local = WorkItem(Mono[0], WorkItemQuery::LocalId)) {
        if (Dim || Coefficient != 1)
          return false;
        Dim = Local;
      }
  auto IsMultiple = [&](const Monomial &Mono) {
    return any_of(Mono, [&](unsigned S) { return WorkItem(S, WorkItemQuery::LocalSize) == Dim; }) &&
           none_of(Mono, [&](unsigned S) {
             return An.symbol(S).Varies.Item != 0 && !WorkItem(S, WorkItemQuery::GroupId);
           });
  };
  auto IsId = [&](const Monomial &Mono) {
    return Mono.size() == 1 && WorkItem(Mono[0], WorkItemQuery::LocalId) == Dim;
  };
  return Dim && all_of(Bound.Terms, [&](const auto &T) { return IsMultiple(T.first); }) &&
         all_of(Step.Terms, [&](const auto &T) { return IsMultiple(T.first); }) &&
         all_of(Start.Terms, [&](const auto &T) { return IsId(T.first) || IsMultiple(T.first); });
}

/// for (i = group * 8 + local id; i < 8 * n; i += 8 * groups), left by its bound alone: bound, step
/// and group's start are multiples of one number, and the group's work-items lie between two of its
/// multiples. All of them run as many rounds.
static bool turnsAlike(const KernelAnalysis &An, Context &C, const Stmt *Loop) {
  std::optional<CountedLoop> L = An.countedLoop(Loop);
  if (!L || L->Compare != Op::LT || leaves(C).count(Loop))
    return false;
  Poly Start = An.poly(L->Lower, Loop), Bound = An.poly(L->Bound, Loop);
  Poly Step = L->StepExpr ? An.poly(L->StepExpr, Loop) : Poly::constant(L->Step);
  if (Step.constantTerm() < 0)
    return false;
  if (turnsByGroupSize(An, Start, Bound, Step))
    return true;
  uint64_t Unit = 0;
  auto Divides = [&](int64_t Coefficient) {
    Unit = std::gcd(Unit, uint64_t(std::abs(Coefficient)));
  };
  auto Varies = [&](const Monomial &Mono) {
    return any_of(Mono, [&](unsigned S) { return An.symbol(S).Varies.Item != 0; });
  };
  for (const Poly *P : {&Bound, &Step})
    for (const auto &[Mono, Coefficient] : P->Terms) {
      if (Varies(Mono))
        return false;
      Divides(Coefficient);
    }
  // The place in the group: at least 0, and at most what its ids are together.
  int64_t Furthest = 0;
  bool Known = true;
  for (const auto &[Mono, Coefficient] : Start.Terms) {
    const SymbolInfo *S = Mono.size() == 1 ? &An.symbol(Mono[0]) : nullptr;
    if (!S || S->K != SymbolInfo::WorkItem || S->E->Query != WorkItemQuery::LocalId) {
      if (Varies(Mono))
        return false;
      Divides(Coefficient);
      continue;
    }
    if (Coefficient < 0)
      return false;
    const auto &Size = An.kernel().ReqdWorkGroupSize;
    Known &= Size.has_value();
    if (Size)
      Furthest += Coefficient * (int64_t((*Size)[S->E->Dim]) - 1);
  }
  // Without a size that is required, groups as large as the step are what the loop was written for.
  return Unit > 1 && (Known ? uint64_t(Furthest) < Unit
                            : Step.isConstant() && uint64_t(Step.constantTerm()) == Unit);
}

/// What the number is a multiple of, as far as the source says so: (n + 15) / 16 * 16, (n + 15) &
/// ~15.
static uint64_t unitOf(const KernelAnalysis &An, const Poly &P) {
  uint64_t Unit = 0;
  for (const auto &[Mono, Coefficient] : P.Terms) {
    const Expr *E = Mono.size() == 1 ? An.symbol(Mono[0]).E : nullptr;
    uint64_t Of = std::abs(Coefficient);
    if (E && E->K == ExprKind::VarRef)
      E = origin(An, E);
    if (E && E->K == ExprKind::Binary && E->O == Op::And)
      for (const Expr *Mask : E->Ops)
        if (std::optional<int64_t> Bits = constantValue(Mask); Bits && *Bits)
          Of *= uint64_t(*Bits & -*Bits);
    Unit = std::gcd(Unit, Of);
  }
  return Unit;
}

/// for (i = get_global_id(0); i < whole; i += get_global_size(0)), where whole was rounded up to
/// groups.
static bool coversGroups(const KernelAnalysis &An, Context &C, const Stmt *Loop) {
  std::optional<CountedLoop> L = An.countedLoop(Loop);
  if (!L || L->Compare != Op::LT || !L->StepExpr || leaves(C).count(Loop) ||
      !An.varies(L->Bound, Loop).uniform())
    return false;
  Poly Start = An.poly(L->Lower, Loop), Step = An.poly(L->StepExpr, Loop);
  auto Only = [&](const Poly &P) -> const Expr * {
    bool One =
        P.Terms.size() == 1 && P.Terms.begin()->first.size() == 1 && P.Terms.begin()->second == 1;
    const SymbolInfo *S = One ? &An.symbol(P.Terms.begin()->first[0]) : nullptr;
    return S && S->K == SymbolInfo::WorkItem ? S->E : nullptr;
  };
  const Expr *Id = Only(Start), *Size = Only(Step);
  if (!Id || !Size || Id->Query != WorkItemQuery::GlobalId ||
      Size->Query != WorkItemQuery::GlobalSize || Id->Dim != Size->Dim)
    return false;
  uint64_t Unit = unitOf(An, An.poly(L->Bound, Loop));
  const auto &Groups = An.kernel().ReqdWorkGroupSize;
  return Unit > 1 && (!Groups || Unit % (*Groups)[Id->Dim] == 0);
}

/// The value that V has when Loop, a statement of \p Around, is reached; null: there are several.
static const Stmt *lastBefore(const KernelAnalysis &An, const StmtList &Around, const Stmt *Loop,
                              const Var *V) {
  ArrayRef<const Stmt *> Defs = An.defs(V);
  for (size_t I = size_t(find(Around, Loop) - Around.begin()); I-- > 0;) {
    if (is_contained(Defs, Around[I]))
      return Around[I];
    bool Nested = false;
    walk({Around[I]}, [&](Stmt *S) { return !(Nested |= is_contained(Defs, S)); });
    if (Nested)
      return nullptr;
  }
  const Stmt *Only = An.singleDef(V);
  return Only && !is_contained(Loop->Body, Only) ? Only : nullptr;
}

/// Where does a side of Loop's condition begin? Null: a round moves it by what is not the same for
/// all of a group.
static std::optional<Poly> beginOf(const KernelAnalysis &An, const StmtList &Around,
                                   const Stmt *Loop, const Expr *Side) {
  Side = stripCasts(Side);
  if (Side->K != ExprKind::VarRef || Side->V->K != Var::Temp)
    return An.poly(Side, Loop);
  const Stmt *Begin = lastBefore(An, Around, Loop, Side->V);
  if (!Begin || !Begin->E || !Begin->LaneIdx.empty())
    return std::nullopt;
  bool Alike = true;
  walk({const_cast<Stmt *>(Loop)}, [&](Stmt *Def) {
    if (Def->V != Side->V)
      return Alike;
    const Expr *Sum =
        Def->K == StmtKind::Assign && Def->LaneIdx.empty() ? stripCasts(Def->E) : nullptr;
    const Expr *Old = Sum && Sum->K == ExprKind::Binary && (Sum->O == Op::Add || Sum->O == Op::Sub)
                          ? stripCasts(Sum->Ops[0])
                          : nullptr;
    Alike &= Old && Old->K == ExprKind::VarRef && Old->V == Side->V &&
             An.varies(Sum->Ops[1], Def).uniform() &&
             (is_contained(Loop->Body, Def) || is_contained(Loop->Step, Def));
    return Alike;
  });
  return Alike ? std::optional(An.poly(Begin->E, Begin)) : std::nullopt;
}

/// last = p + n; while (p < last) { ..; p += 16; }: each work-item of a group begins as far from
/// its end as the others do.
static bool runsAlike(const KernelAnalysis &An, Context &C, const StmtList &Around,
                      const Stmt *Loop) {
  const Expr *E = Loop->E ? stripCasts(Loop->E) : nullptr;
  if (!E || E->K != ExprKind::Binary || !isComparison(E->O) || leaves(C).count(Loop))
    return false;
  std::optional<Poly> Left = beginOf(An, Around, Loop, E->Ops[0]),
                      Right = beginOf(An, Around, Loop, E->Ops[1]);
  return Left && Right && all_of((*Left - *Right).Terms, [&](const auto &Term) {
           return all_of(Term.first, [&](unsigned S) { return An.symbol(S).Varies.uniform(); });
         });
}

/// Does each work-item load something of its own for a condition?
static bool asksOwnData(const KernelAnalysis &An, const Expr *Root, unsigned Depth = 0) {
  bool Own = false;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::Load)
      Own |= E->Acc.Base->space() == AddressSpace::Global &&
             any_of(E->Acc.Index, [&](const Expr *Index) {
               return An.varies(Index).Item != 0 && !An.varies(Index).Data;
             });
    if (E->K == ExprKind::VarRef && Depth < 4)
      if (const Stmt *Def = An.singleDef(E->V); Def && Def->E)
        Own |= asksOwnData(An, Def->E, Depth + 1);
    return !Own;
  });
  return Own;
}

/// if (atomic_or(found, 0)) return; what an atomic answers each work-item, may have changed since
/// it answered another one.
static bool asksAtomic(const KernelAnalysis &An, const Expr *Root, unsigned Depth = 0) {
  bool Asks = false;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::VarRef && Depth < 4)
      for (const Stmt *Def : An.defs(E->V))
        Asks |= Def->K == StmtKind::Atomic
                    ? Def->Acc.Base->space() == AddressSpace::Global && Def->V == E->V
                    : Def == An.singleDef(E->V) && Def->E && asksAtomic(An, Def->E, Depth + 1);
    return !Asks;
  });
  return Asks;
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &An = C.analysis();
  // Whether the last group is whole is the host's business: an early return of what lies beyond the
  // data is a warning, for the first barrier behind it; and so is a condition around all the rest.
  std::set<const Stmt *> Told;
  // Alike: a loop around it turns alike for all, Apart: something else around it sets them apart.
  // Own: what leads there, or leaves a loop before, asks data of each work-item's own.
  auto Visit = [&](const StmtList &B, const Stmt *Early, bool Other, bool Last, bool Ids,
                   bool Alike, bool Apart, const Stmt *Own, auto &&Self) -> void {
    for (Stmt *S : B) {
      if (S->K == StmtKind::Barrier && S->Range.isValid()) {
        Variation Control = An.controlOf(S);
        // A group of one work-item in a dimension is not set apart by its ids there.
        if (K.ReqdWorkGroupSize)
          for (unsigned Dim = 0; Dim < 3; ++Dim)
            if ((*K.ReqdWorkGroupSize)[Dim] == 1)
              Control.Item &= ~(1u << Dim);
        bool Answers = Own && asksAtomic(An, Own->E);
        if ((Alike && !Apart) || (Control.uniform() && !Answers))
          continue;
        if (Control.Data && !Ids) {
          if (Own && Told.insert(Own).second)
            C.report(S->Range, "where the data of a group's work-items differ, not all of them "
                               "reach this barrier")
                .cost("the behaviour is undefined then")
                .atMost(rules::Severity::Info)
                .note(Own->E->Range.isValid() ? Own->E->Range : Own->Range,
                      Answers ? "each work-item is given an answer of its own here"
                              : "each work-item asks data of its own here");
          continue;
        }
        if (Early && !Other) {
          if (Told.insert(Early).second)
            C.report(S->Range, "not all work-items of a group reach this barrier")
                .cost(isGlobal(An, Early->E)
                          ? "the behaviour is undefined, unless every group is whole"
                          : "the behaviour is undefined, unless no group is that large")
                .atMost(comparesIdsWithArguments(An, Early->E) &&
                                (walksAsGroup(An) || liesAcrossGroups(An, Early->E))
                            ? rules::Severity::Info
                            : rules::Severity::Warning)
                .note(Early->E->Range.isValid() ? Early->E->Range : Early->Range,
                      Early->EarlyReturn ? "those for which this holds return before it"
                                         : "those for which this does not hold pass it by");
          continue;
        }
        C.report(S->Range, "not all work-items of a group reach this barrier")
            .cost("the behaviour is undefined");
      }
      bool Diverges =
          (S->K == StmtKind::If || S->K == StmtKind::Loop) && S->E && !An.varies(S->E).uniform();
      bool Rest = Last && S == B.back() && S->K == StmtKind::If && S->Else.empty();
      bool Leaves = Diverges && (S->EarlyReturn || Rest) &&
                    (isGlobal(An, S->E) || (S->EarlyReturn && boundsGroup(An, S->E)));
      bool Turns = Diverges && S->K == StmtKind::Loop &&
                   (turnsAlike(An, C, S) || coversGroups(An, C, S) || runsAlike(An, C, B, S));
      bool Parts = (Diverges && !Turns) || (S->K == StmtKind::Loop && leaves(C).count(S));
      const Stmt *Asks = Own;
      if (!Asks && (S->K == StmtKind::If || S->K == StmtKind::Loop) && S->E &&
          ((Diverges && asksOwnData(An, S->E)) || asksAtomic(An, S->E)))
        Asks = S;
      if (auto It = leaves(C).find(S); !Asks && It != leaves(C).end())
        for (const Stmt *Leave : It->second)
          if (Leave->E && (asksOwnData(An, Leave->E) || asksAtomic(An, Leave->E)))
            Asks = Leave;
      forEachStmtList(*S, [&](StmtList &Nested) {
        Self(Nested, Leaves && !Early ? S : Early, Other || (Diverges && !Leaves),
             Last && S == B.back() && S->K == StmtKind::If,
             Ids || (Diverges && (!Leaves || An.varies(S->E).Data) && hasPartOfIds(An, S->E, S)),
             Alike || Turns, Apart || Parts, Asks, Self);
      });
    }
  };
  Visit(K.Body, nullptr, false, true, false, false, false, nullptr, Visit);
}

CLMALI_KERNEL_CHECK("barrier-in-divergent-flow", run);
