//===- barrier-in-divergent-flow.cpp ------------------------------------------------------===//
//
// Before: if (g >= n) return; ... barrier(...)
// After:  the guard around the accesses, not around the barrier
// Limits: conditions that depend on ids. A condition on loaded data alone may be uniform and is
//         information at most. Silent for loops whose trip count is proved to be the same for all
//         work-items of a group, as over a number that is rounded up to whole groups.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/analysis/Reachable.h"
#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "checks/query/UniformTrips.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// False if E depends on local ids but not on group ids: then it is about the position in a group,
/// not about the launch (which group * size + local is about).
static bool isGlobal(const KernelAnalysis &An, const Expr *Root) {
  bool Local = false, Group = false;
  auto Visit = [&](const Expr *X, unsigned Depth, auto &&Self) -> void {
    walk(X, [&](const Expr *E) {
      if (E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::LocalId)
        Local = true;
      if (E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::GroupId)
        Group = true;
      if (E->K == ExprKind::VarRef && Depth < limits::DefinitionDepth)
        if (const Stmt *Def = An.singleDef(E->V); Def && Def->E)
          Self(Def->E, Depth + 1, Self);
      return true;
    });
  };
  Visit(Root, 0, Visit);
  return !Local || Group;
}

/// True if E holds only for work-items whose local id is at least some number (`local id >= 128 ||
/// ..`), or if E does not depend on the position in a group alone.
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

/// True if a part of E compares ids and no loaded data (memory && id < n): it diverges wherever the
/// data do not decide.
static bool hasPartOfIds(const KernelAnalysis &An, const Expr *E, const Stmt *At) {
  const Expr *Plain = stripCasts(E);
  if (Plain->K == ExprKind::Binary && (Plain->O == Op::LogicalAnd || Plain->O == Op::LogicalOr))
    return hasPartOfIds(An, Plain->Ops[0], At) || hasPartOfIds(An, Plain->Ops[1], At);
  if (Plain->K != ExprKind::Binary || !isComparison(Plain->O))
    return false;
  Variation V = An.varies(E, At), Left = An.varies(Plain->Ops[0], At),
            Right = An.varies(Plain->Ops[1], At);
  // x < image->width: a loaded value that is the same for all counts as an argument.
  auto IsId = [](Variation A, Variation B) { return A.Item && !A.Data && !B.Item; };
  Range R = An.range(E, At);
  return V.Item && (!V.Data || IsId(Left, Right) || IsId(Right, Left)) && R.Lo != R.Hi;
}

/// True if E only compares global ids with unmodified arguments: x < width, x >= size0 || y >=
/// size1.
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

/// True if Side - Other is one global id, or group id * n + local id, and values that are the same
/// in the launch: only a group across the bound differs in what the comparison gives.
static bool boundsLaunch(const KernelAnalysis &An, const Poly &Difference) {
  bool Global = false, Group = false, Local = false;
  for (const auto &[Mono, Coefficient] : Difference.Terms) {
    bool Uniform = all_of(Mono, [&](unsigned S) { return An.symbol(S).Varies.uniformInLaunch(); });
    if (Uniform)
      continue;
    unsigned Ids = 0;
    for (unsigned S : Mono) {
      const SymbolInfo &Info = An.symbol(S);
      if (Info.Varies.uniformInLaunch())
        continue;
      if (Info.K != SymbolInfo::WorkItem || ++Ids > 1)
        return false;
      Global |= Info.E->Query == WorkItemQuery::GlobalId;
      Group |= Info.E->Query == WorkItemQuery::GroupId;
      Local |= Info.E->Query == WorkItemQuery::LocalId;
    }
  }
  return Global || (Group && Local);
}

/// True if E diverges only in groups across a bound of the launch: x < width, y >= h || x >= w.
static bool boundsLaunch(const KernelAnalysis &An, const Expr *E, const Stmt *At) {
  E = origin(An, E);
  if (An.varies(E, At).uniform())
    return true;
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
    return boundsLaunch(An, E->Ops[0], At);
  if (E->K != ExprKind::Binary)
    return false;
  if (E->O == Op::LogicalOr || E->O == Op::LogicalAnd)
    return all_of(E->Ops, [&](const Expr *X) { return boundsLaunch(An, X, At); });
  bool Orders = E->O == Op::LT || E->O == Op::LE || E->O == Op::GT || E->O == Op::GE;
  return Orders && E->Ops[0]->Ty->isInteger() && E->Ops[0]->Ty->isScalar() &&
         boundsLaunch(An, An.poly(E->Ops[0], At) - An.poly(E->Ops[1], At));
}

/// for (i = get_global_id(0); i < n; i += get_global_size(0)): the same for a loop that steps
/// alike for all.
static bool stepsToBoundOfLaunch(const KernelAnalysis &An, Context &C, const Stmt *Loop) {
  std::optional<CountedLoop> L = An.countedLoop(Loop);
  return L && !hasDivergentExit(C, Loop) &&
         (!L->StepExpr || An.varies(L->StepExpr, Loop).uniform()) &&
         boundsLaunch(An, An.poly(L->Lower, Loop) - An.poly(L->Bound, Loop));
}

/// True if E is computed of local ids and uniform values only: get_local_id(0) / width.
static bool isPositionInGroup(const KernelAnalysis &An, const Expr *Root, unsigned Depth = 0) {
  bool Local = false, Other = false;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::WorkItem &&
        (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::GroupId))
      Other = true;
    Local |= E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::LocalId;
    if (isRead(E->K) || E->K == ExprKind::Opaque)
      Other = true;
    if (E->K == ExprKind::VarRef && E->V->K == Var::Temp) {
      const Stmt *Def = An.singleDef(E->V);
      bool Known = Def && Def->E && Depth < limits::DefinitionDepth;
      if (Known && An.varies(E->V).Item)
        (isPositionInGroup(An, Def->E, Depth + 1) ? Local : Other) = true;
      Other |= !Known;
    }
    return !Other;
  });
  return Local && !Other;
}

/// y = get_local_id(0) / width; for (..) { ..; y += height; }: true if S adds a uniform value to a
/// variable that starts with a position in the group.
static bool stepsFromPositionInGroup(const KernelAnalysis &An, const Stmt *S) {
  const Expr *Sum = S->K == StmtKind::Assign && S->LaneIdx.empty() ? stripCasts(S->E) : nullptr;
  if (!Sum || Sum->K != ExprKind::Binary || Sum->O != Op::Add ||
      !An.varies(Sum->Ops[1], S).uniform())
    return false;
  const Expr *Before = stripCasts(Sum->Ops[0]);
  ArrayRef<const Stmt *> Defs = An.defs(S->V);
  return Before->K == ExprKind::VarRef && Before->V == S->V && Defs.size() == 2 &&
         any_of(Defs, [&](const Stmt *Def) {
           return Def != S && Def->E && isPositionInGroup(An, Def->E);
         });
}

/// True if a loop strides by the group over its data, and the group extends in one dimension:
/// for (i = get_local_id(0); i < n; i += 64). A comparison of global ids then describes the launch,
/// not the data. The same holds if a global id is an index of local memory: there is one group in
/// that dimension.
static bool stridesByGroup(const KernelAnalysis &An) {
  std::set<unsigned> Dims;
  bool Strides = false;
  for (const AccessSite &Site : An.accesses())
    if (Site.IsWrite && Site.A->Base->space() == AddressSpace::Local && Site.A->Index.size() == 1)
      if (const Expr *Id = origin(An, Site.A->Index[0]);
          Id->K == ExprKind::WorkItem && Id->Query == WorkItemQuery::GlobalId) {
        Dims.insert(Id->Dim);
        Strides = true;
      }
  for (ExprAt X : exprs(An.kernel().Body))
    if (X->K == ExprKind::WorkItem && X->Query == WorkItemQuery::LocalId)
      Dims.insert(X->Dim);
  for (const Stmt *S : stmts(An.kernel().Body)) {
    if (S->K != StmtKind::Loop)
      continue;
    Strides |= any_of(stmts(S->Body),
                      [&](const Stmt *Nested) { return stepsFromPositionInGroup(An, Nested); });
    if (std::optional<CountedLoop> L = An.countedLoop(S); L && (L->Step > 1 || L->StepExpr)) {
      const Expr *From = origin(An, L->Lower);
      Strides |= From->K == ExprKind::WorkItem && From->Query == WorkItemQuery::LocalId;
    }
  }
  return Strides && Dims.size() == 1;
}

/// True if groups extend only in dimensions whose ids the guard does not compare. They extend in
/// the dimensions whose local ids index writes to local memory: in others, work-items would write
/// the same elements.
static bool comparesOtherDimensions(const KernelAnalysis &An, const Expr *Guard) {
  uint8_t Extends = 0;
  for (const AccessSite &Site : An.accesses())
    if (Site.IsWrite && Site.A->Base->space() == AddressSpace::Local && Site.A->Index.size() == 1 &&
        isPositionInGroup(An, Site.A->Index[0]))
      Extends |= An.varies(Site.A->Index[0], Site.S).Item;
  return Extends && !(An.varies(Guard).Item & Extends);
}

/// True if E depends on data that each work-item loads at its own index.
static bool dependsOnOwnData(const KernelAnalysis &An, const Expr *Root, unsigned Depth = 0) {
  bool Own = false;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::Load)
      Own |= E->Acc.Base->space() == AddressSpace::Global &&
             any_of(E->Acc.Index, [&](const Expr *Index) {
               return An.varies(Index).Item != 0 && !An.varies(Index).Data;
             });
    if (E->K == ExprKind::VarRef && Depth < 4)
      if (const Stmt *Def = An.singleDef(E->V); Def && Def->E)
        Own |= dependsOnOwnData(An, Def->E, Depth + 1);
    return !Own;
  });
  return Own;
}

/// True if E depends on the result of a global atomic, which may differ between work-items:
/// if (atomic_or(found, 0)) return;
static bool dependsOnAtomic(const KernelAnalysis &An, const Expr *Root, unsigned Depth = 0) {
  bool Depends = false;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::VarRef && Depth < 4)
      for (const Stmt *Def : An.defs(E->V))
        Depends |=
            Def->K == StmtKind::Atomic
                ? Def->Acc.Base->space() == AddressSpace::Global && Def->V == E->V
                : Def == An.singleDef(E->V) && Def->E && dependsOnAtomic(An, Def->E, Depth + 1);
    return !Depends;
  });
  return Depends;
}

namespace {
/// The control flow around a statement list. Which barriers diverge, and how severe that is,
/// depends on it.
struct Flow {
  const Stmt *Early = nullptr; ///< outermost condition that excludes work-items beyond the data
  bool Other = false;          ///< another divergent condition
  bool Last = true;            ///< the list ends the kernel: nothing follows it
  bool ComparesIds = false;    ///< a divergent condition compares ids without loaded data
  bool SameForGroup = false;   ///< a condition that varies, but not within a group
  bool Diverges = false;       ///< a divergent condition, or a loop that work-items leave
  bool ByGuess = false;        ///< a loop diverges with the guessed numbers in its bounds
  bool Surely = false;         ///< a divergent condition that is no such loop
  /// A condition around the list, or an exit of a loop around it, that depends on data of each
  /// work-item.
  const Stmt *OwnData = nullptr;
};

/// Reports the barriers that not all work-items of a group reach.
class Finder {
public:
  explicit Finder(const Kernel &K, Context &C) : K(K), C(C), An(C.analysis()) {}
  void visit(const StmtList &B, const Flow &Around) {
    for (Stmt *S : B) {
      if (S->K == StmtKind::Barrier && S->Range.isValid() && !isDead(An, S))
        check(S, Around);
      if (S->K == StmtKind::Continue && exitDiverges(C, S, An.loopsOf(S).back()))
        Continued.insert(An.loopsOf(S).back());
      Flow Inner = flowIn(B, S, Around);
      forEachStmtList(*S, [&](StmtList &Nested) { visit(Nested, Inner); });
    }
  }

private:
  void check(const Stmt *Barrier, const Flow &Around);
  void reportOwnData(const Stmt *Barrier, const Stmt *Condition);
  void reportEarly(const Stmt *Barrier, const Stmt *Condition);
  const Stmt *barrierOfOtherArm(const Stmt *Barrier, const Stmt *Condition) const;
  bool splitsFirstGroup(const Expr *E, bool Value, const Stmt *At) const;
  const Stmt *exitAtBoundOfLaunch(const Stmt *Barrier) const;
  Flow flowIn(const StmtList &B, const Stmt *S, const Flow &Around);
  const Stmt *ownDataIn(const Stmt *S, bool Diverges);

  const Kernel &K;
  Context &C;
  const KernelAnalysis &An;
  std::set<const Stmt *> Continued; ///< loops with a divergent `continue` before this statement
  std::set<const Stmt *> Reported;  ///< conditions: only the first barrier after each is reported
};
} // namespace

void Finder::check(const Stmt *Barrier, const Flow &Around) {
  Variation Control = An.controlOf(Barrier);
  // A group of one work-item in a dimension does not diverge by its ids there.
  if (const auto &Size = An.kernel().ReqdWorkGroupSize)
    for (unsigned Dim = 0; Dim < 3; ++Dim)
      if ((*Size)[Dim] == 1)
        Control.Item &= ~(1u << Dim);
  bool ByAtomic = Around.OwnData && !K.hasGroupsOfOne() && dependsOnAtomic(An, Around.OwnData->E);
  bool Skipped = any_of(An.loopsOf(Barrier), [&](const Stmt *L) { return Continued.count(L); });
  if ((Around.SameForGroup && !Around.Diverges && !Skipped) || (Control.uniform() && !ByAtomic))
    return;
  if (Control.Data && !Around.ComparesIds) {
    if (Around.OwnData && Reported.insert(Around.OwnData).second)
      reportOwnData(Barrier, Around.OwnData);
  } else if (Around.Early && !Around.Other) {
    if (Reported.insert(Around.Early).second)
      reportEarly(Barrier, Around.Early);
  } else if (const Stmt *Exit = !Around.Other ? exitAtBoundOfLaunch(Barrier) : nullptr) {
    if (Reported.insert(Exit).second)
      reportEarly(Barrier, Exit);
  } else {
    C.report(Barrier->Range, "not all work-items of a group reach this barrier")
        .restsOnGuess(Around.ByGuess && !Around.Surely)
        .cost("the behaviour is undefined");
  }
}

void Finder::reportOwnData(const Stmt *Barrier, const Stmt *Condition) {
  C.report(Barrier->Range, "where the data of a group's work-items differ, not all of them reach "
                           "this barrier")
      .cost("the behaviour is undefined then")
      .atMost(rules::Severity::Info)
      .note(Condition->E->Range.isValid() ? Condition->E->Range : Condition->Range,
            dependsOnAtomic(An, Condition->E)
                ? "the atomic may return another value to each work-item"
                : "this condition depends on data of each work-item");
}

/// The barrier that the work-items reach which do not reach Barrier; null if there is none.
const Stmt *Finder::barrierOfOtherArm(const Stmt *Barrier, const Stmt *Condition) const {
  auto FirstOf = [&](const StmtList &Arm) -> const Stmt * {
    for (const Stmt *S : stmts(Arm))
      if (S->K == StmtKind::Barrier && S->Range.isValid() && !isDead(An, S))
        return S;
    return nullptr;
  };
  bool InBody = is_contained(stmts(Condition->Body), Barrier);
  return Condition->K == StmtKind::If ? FirstOf(InBody ? Condition->Else : Condition->Body)
                                      : nullptr;
}

/// True if the first group is divergent on E even where all groups are whole: E is Value for its
/// first work-items and not for others, as g < 1 is for groups of several work-items along g.
bool Finder::splitsFirstGroup(const Expr *E, bool Value, const Stmt *At) const {
  E = origin(An, E);
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
    return splitsFirstGroup(E->Ops[0], !Value, At);
  if (E->K != ExprKind::Binary)
    return false;
  if (E->O == (Value ? Op::LogicalOr : Op::LogicalAnd))
    return any_of(E->Ops, [&](const Expr *X) { return splitsFirstGroup(X, Value, At); });
  if (!isComparison(E->O) || !E->Ops[0]->Ty->isInteger() || !E->Ops[0]->Ty->isScalar())
    return false;
  Poly Difference = An.poly(E->Ops[0], At) - An.poly(E->Ops[1], At);
  Op O = Value ? E->O : inverse(E->O);
  if (O == Op::GT || O == Op::GE) {
    Difference = Poly() - Difference;
    O = O == Op::GT ? Op::LT : Op::LE;
  }
  Poly Id = Difference - Poly::constant(Difference.constantTerm());
  if ((O != Op::LT && O != Op::LE) || Id.Terms.size() != 1 || Id.Terms.begin()->second != 1 ||
      Id.Terms.begin()->first.size() != 1)
    return false;
  const SymbolInfo &S = An.symbol(Id.Terms.begin()->first[0]);
  if (S.K != SymbolInfo::WorkItem || S.E->Query != WorkItemQuery::GlobalId)
    return false;
  int64_t Items = (O == Op::LE ? 1 : 0) - Difference.constantTerm();
  if (const auto &Size = K.ReqdWorkGroupSize)
    return Items > 0 && Items % (*Size)[S.E->Dim] != 0;
  // Groups of an even number of work-items; they extend where a local id is asked for.
  return Items > 0 && Items % 2 != 0 && any_of(exprs(K.Body), [&](ExprAt X) {
           return X->K == ExprKind::WorkItem && X->Query == WorkItemQuery::LocalId &&
                  X->Dim == S.E->Dim;
         });
}

/// Only the host knows whether the last group is whole: an early return of work-items beyond the
/// data is a warning. It is an error where whole groups do not agree either.
void Finder::reportEarly(const Stmt *Barrier, const Stmt *Condition) {
  bool OfLaunch = comparesIdsWithArguments(An, Condition->E) &&
                  (stridesByGroup(An) || comparesOtherDimensions(An, Condition->E));
  bool InElse = any_of(stmts(Condition->Else), [&](const Stmt *S) { return S == Barrier; });
  bool Around =
      InElse || any_of(stmts(Condition->Body), [&](const Stmt *S) { return S == Barrier; });
  const char *Who =
      Condition->K == StmtKind::Loop ? "work-items leave this loop in different iterations"
      : !Around && !Condition->EarlyReturn
          ? "work-items for which this holds leave before the barrier"
      : Condition->EarlyReturn ? "work-items for which this holds return before the barrier"
      : InElse                 ? "work-items for which this holds skip the barrier"
                               : "work-items for which this does not hold skip the barrier";
  SourceRange At = Condition->E->Range.isValid() ? Condition->E->Range : Condition->Range;
  const Stmt *Other = barrierOfOtherArm(Barrier, Condition);
  bool InBody = is_contained(stmts(Condition->Body), Barrier);
  bool First = Condition->K == StmtKind::If && (InBody || InElse) && !OfLaunch &&
               splitsFirstGroup(Condition->E, !InBody, Condition);
  if (Other || First) {
    Finding &F = C.report(Barrier->Range, "not all work-items of a group reach this barrier")
                     .cost("the behaviour is undefined")
                     .note(At, Who);
    if (Other)
      F.note(Other->Range, "they wait at this one");
    return;
  }
  C.report(Barrier->Range, "not all work-items of a group reach this barrier")
      .cost(isGlobal(An, Condition->E)
                ? "the behaviour is undefined, unless every group is whole"
                : "the behaviour is undefined, unless no group is that large")
      .atMost(OfLaunch ? rules::Severity::Info : rules::Severity::Warning)
      .note(At, Who);
}

/// The first condition under which work-items leave a loop around the barrier, or return in a loop,
/// if all such conditions only bound the launch; null: they do not, or there is none.
const Stmt *Finder::exitAtBoundOfLaunch(const Stmt *Barrier) const {
  std::vector<const Stmt *> Exits;
  auto Add = [&](const Stmt *Leave, const Stmt *Outermost) {
    for (const Stmt *P = An.parentOf(Leave); P && P != Outermost; P = An.parentOf(P))
      if (P->K == StmtKind::If && !An.varies(P->E, P).uniform() && !isDecided(An, P))
        Exits.push_back(P);
  };
  for (const Stmt *S : stmts(K.Body)) {
    std::vector<const Stmt *> Loops = An.loopsOf(S);
    if (S->K == StmtKind::Return)
      Add(S, nullptr);
    else if ((S->K == StmtKind::Break || S->K == StmtKind::Continue) && !Loops.empty() &&
             is_contained(An.loopsOf(Barrier), Loops.back()))
      Add(S, Loops.back());
  }
  bool All = all_of(Exits, [&](const Stmt *If) { return boundsLaunch(An, If->E, If); });
  return All && !Exits.empty() ? Exits.front() : nullptr;
}

/// The flow around the statement lists of S, a statement of B.
Flow Finder::flowIn(const StmtList &B, const Stmt *S, const Flow &Around) {
  bool Varies = (S->K == StmtKind::If || S->K == StmtKind::Loop) && S->E &&
                !An.varies(S->E).uniform() && !isDecided(An, S);
  bool Same = Varies && (S->K == StmtKind::If ? isSameForGroup(C, S) : hasEqualTrips(C, B, S));
  bool Diverges = Varies && !Same;
  bool AroundRest = Around.Last && S == B.back() && S->K == StmtKind::If && S->Else.empty();
  bool AtEnd = Diverges && (S->EarlyReturn || AroundRest) &&
               (isGlobal(An, S->E) || (S->EarlyReturn && boundsGroup(An, S->E)));
  bool Leaves = AtEnd || (Diverges && (S->K == StmtKind::If ? boundsLaunch(An, S->E, S)
                                                            : stepsToBoundOfLaunch(An, C, S)));
  std::optional<CountedLoop> Counted =
      Diverges && S->K == StmtKind::Loop ? An.countedLoop(S) : std::nullopt;
  bool Guessed = Counted && guessed(C).isGuessed(*Counted);
  Flow Inner;
  Inner.Early = Leaves && !Around.Early ? S : Around.Early;
  Inner.Other = Around.Other || (Diverges && !Leaves);
  Inner.Last = Around.Last && S == B.back() && S->K == StmtKind::If;
  Inner.ComparesIds = Around.ComparesIds ||
                      (Diverges && (!AtEnd || An.varies(S->E).Data) && hasPartOfIds(An, S->E, S));
  Inner.SameForGroup = Around.SameForGroup || Same;
  Inner.ByGuess = Around.ByGuess || Guessed;
  Inner.Surely = Around.Surely || (Diverges && !Guessed);
  Inner.Diverges =
      Around.Diverges || Diverges || (S->K == StmtKind::Loop && hasDivergentExit(C, S));
  Inner.OwnData = Around.OwnData ? Around.OwnData : ownDataIn(S, Diverges);
  return Inner;
}

/// S, if its condition depends on data of each work-item, or an exit of the loop S that does; null:
/// neither.
const Stmt *Finder::ownDataIn(const Stmt *S, bool Diverges) {
  if ((S->K == StmtKind::If || S->K == StmtKind::Loop) && S->E &&
      ((Diverges && dependsOnOwnData(An, S->E)) || dependsOnAtomic(An, S->E)))
    return S;
  const Stmt *Exit = nullptr;
  if (auto It = leaves(C).find(S); It != leaves(C).end())
    for (const Stmt *Leave : It->second)
      if (Leave->E && (dependsOnOwnData(An, Leave->E) || dependsOnAtomic(An, Leave->E)))
        Exit = Leave;
  return Exit;
}

static void run(const Kernel &K, Context &C) { Finder(K, C).visit(K.Body, Flow()); }

CLMALI_KERNEL_CHECK("barrier-in-divergent-flow", run);
