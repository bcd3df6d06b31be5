//===- UnknownIndex.cpp - indices that are not compile-time constants -------------------------===//

#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if each iteration of Loop assigns V before it uses V.
static bool beginsAnew(const Stmt *Loop, const Var *V) {
  // A variable that is declared in the loop carries no value to the next iteration.
  bool Declared = false;
  walk(Loop->Body, [&](Stmt *S) {
    Declared |= S->K == StmtKind::Decl && S->V == V;
    return !Declared;
  });
  if (Declared)
    return true;
  for (const Stmt *S : Loop->Body) {
    bool Uses = false;
    auto Look = [&](const Stmt &X) {
      Uses |= any_of(exprs(X),
                     [&](const ExprAt &At) { return At->K == ExprKind::VarRef && At->V == V; });
    };
    auto Gives = [&](const Stmt &X) {
      Look(X);
      return !Uses && X.K == StmtKind::Assign && X.V == V && X.LaneIdx.empty();
    };
    if (any_of(S->Init, [&](const Stmt *X) { return Gives(*X); }) || Gives(*S))
      return true;
    bool Assigns = false;
    forEachStmtList(*const_cast<Stmt *>(S), [&](StmtList &B) {
      walk(B, [&](Stmt *X) {
        Look(*X);
        Assigns |= X->K == StmtKind::Assign && X->V == V;
        return true;
      });
    });
    if (Uses || Assigns)
      return false;
  }
  return false;
}

/// The conditions under which a loop goes on: its own condition, or, for `do .. while (++i < 4)`
/// and `while (i--)`, those of its breaks.
static SmallVector<const Expr *, 2> testsOf(const Stmt *Loop) {
  if (Loop->E)
    return {Loop->E};
  SmallVector<const Expr *, 2> Tests;
  for (const Stmt *S : Loop->Body)
    if (S->K == StmtKind::If && S->Body.size() == 1 && S->Body[0]->K == StmtKind::Break &&
        S->Else.empty())
      Tests.push_back(S->E);
  return Tests;
}

/// True if Root is computed from constants only. (A loop that is not a counted loop then still has
/// a constant trip count.)
static bool fromConstants(const KernelAnalysis &K, const AccessSite &Site, const Expr *Root,
                          std::set<const Var *> &Seen) {
  bool Constant = true;
  walk(Root, [&](const Expr *E) {
    if (isRead(E->K) || E->K == ExprKind::Opaque || E->K == ExprKind::WorkItem ||
        (E->K == ExprKind::VarRef && E->V->K != Var::Temp))
      Constant = false;
    if (E->K != ExprKind::VarRef || E->V->K != Var::Temp || !Seen.insert(E->V).second)
      return Constant;
    for (const Stmt *Def : K.defs(E->V))
      Constant = Constant && (!Def->E || fromConstants(K, Site, Def->E, Seen));
    // If a loop changes the variable, its trip count must be constant, too.
    for (const Stmt *Loop : Site.Loops) {
      bool Changed = false;
      for (const StmtList *B : {&Loop->Body, &Loop->Step})
        walk(*B, [&](Stmt *S) {
          Changed |= S->K == StmtKind::Assign && S->V == E->V;
          return !Changed;
        });
      if (Changed && !beginsAnew(Loop, E->V))
        Constant = Constant && any_of(testsOf(Loop), [&](const Expr *Test) {
                     std::set<const Var *> SeenHere = Seen;
                     return fromConstants(K, Site, Test, SeenHere);
                   });
    }
    return Constant;
  });
  return Constant;
}

static bool comesFromMemory(const KernelAnalysis &K, const Expr *Root,
                            std::set<const Var *> &Seen) {
  bool Found = false;
  walk(Root, [&](const Expr *E) {
    Found |= isRead(E->K) || E->K == ExprKind::Opaque || E->K == ExprKind::Call;
    if (E->K == ExprKind::VarRef && Seen.insert(E->V).second)
      for (const Stmt *Def : K.defs(E->V))
        Found |= !Def->E || Def->K == StmtKind::Atomic || comesFromMemory(K, Def->E, Seen);
    return !Found;
  });
  return Found;
}

/// True if a loop has at most a few iterations, whatever its bound is: i < min(4, n), i < 4 && i <
/// n. A compiler unrolls it with an exit after each iteration.
static bool hasFewRounds(const KernelAnalysis &K, const Stmt *Loop) {
  std::optional<CountedLoop> L = K.countedLoop(Loop);
  if (!L || !L->Step || !L->V)
    return false;
  // The range of get_work_dim() is no bound that a compiler uses.
  if (const Expr *Bound = origin(K, L->Bound);
      Bound->K == ExprKind::WorkItem && Bound->Query == WorkItemQuery::WorkDim)
    return false;
  Range From = K.range(L->Lower, Loop), To = K.range(L->Bound, Loop);
  auto IsSmall = [](int64_t X) { return X > -(int64_t(1) << 31) && X < int64_t(1) << 31; };
  int64_t First = L->Step > 0 ? From.Lo : To.Lo, Last = L->Step > 0 ? To.Hi : From.Hi;
  return From.isConstant() && IsSmall(First) && IsSmall(Last) &&
         Last - First <= limits::ShortLoop * std::abs(L->Step);
}

/// The same for a variable with constant start and step, if a constant limits it in the loop's
/// condition: i < 4 && i < n.
static bool countsFew(const KernelAnalysis &K, const AccessSite &Site, const Expr *E) {
  E = E ? stripCasts(E) : nullptr;
  if (!E || E->K != ExprKind::VarRef || E->V->K != Var::Temp)
    return false;
  auto IsIt = [&](const Expr *X) {
    return stripCasts(X)->K == ExprKind::VarRef && stripCasts(X)->V == E->V;
  };
  std::optional<int64_t> First, Step;
  for (const Stmt *Def : K.defs(E->V)) {
    if (!Def->E)
      continue;
    const Expr *X = stripCasts(Def->E);
    std::optional<int64_t> *Into = &First;
    if (X->K == ExprKind::Binary && X->O == Op::Add && IsIt(X->Ops[0]))
      Into = &Step, X = X->Ops[1];
    std::optional<int64_t> Value = constantValue(X);
    if (!Value || *Into || *Value < 0)
      return false;
    *Into = Value;
  }
  if (!First || !Step || !*Step)
    return false;
  auto IsLimit = [&](const Expr *X, auto &&Self) -> bool {
    X = stripCasts(X);
    if (X->K == ExprKind::Binary && X->O == Op::LogicalAnd)
      return Self(X->Ops[0], Self) || Self(X->Ops[1], Self);
    std::optional<int64_t> Last = X->K == ExprKind::Binary && X->O == Op::LT && IsIt(X->Ops[0])
                                      ? constantValue(X->Ops[1])
                                      : std::nullopt;
    return Last && *Last - *First <= limits::ShortLoop * *Step;
  };
  return any_of(Site.Loops, [&](const Stmt *Loop) { return Loop->E && IsLimit(Loop->E, IsLimit); });
}

/// True if a loaded value decides whether V is assigned: if (in[i] > t) k++;
static bool dataDecide(const KernelAnalysis &K, const Var *V) {
  bool Found = false;
  auto Visit = [&](const StmtList &B, bool ByData, auto &&Self) -> void {
    for (Stmt *S : B) {
      Found |= ByData && S->K == StmtKind::Assign && S->V == V;
      std::set<const Var *> Seen;
      bool Decides = ByData || (S->K == StmtKind::If && comesFromMemory(K, S->E, Seen));
      forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Decides, Self); });
    }
  };
  Visit(K.kernel().Body, false, Visit);
  return Found;
}

/// True if Loop contains a loop of unknown trip count.
static bool hasOpenLoop(const KernelAnalysis &K, const Stmt *Loop) {
  bool Found = false;
  walk(Loop->Body, [&](Stmt *S) {
    if (S->K == StmtKind::Loop)
      if (std::optional<CountedLoop> L = K.countedLoop(S); !L || !L->TripCount)
        Found = true;
    return !Found;
  });
  return Found;
}

std::string checks::whyUnknown(const KernelAnalysis &K, const AccessSite &Site) {
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      switch (Info.K) {
      case SymbolInfo::WorkItem:
        return "a work-item's id";
      case SymbolInfo::Param:
        return "an argument";
      case SymbolInfo::LoopVar: {
        std::optional<CountedLoop> L = K.countedLoop(Info.Loop);
        // A loop with an early exit can still be unrolled.
        std::set<const Var *> Seen;
        if ((!L || !L->TripCount) && !hasFewRounds(K, Info.Loop) && !countsFew(K, Site, Info.E) &&
            !(Info.E && fromConstants(K, Site, Info.E, Seen)))
          return "a loop whose length is not known";
        if (L && L->TripCount && *L->TripCount > limits::UnrolledOuter && hasOpenLoop(K, Info.Loop))
          return "a loop of " + itostr(*L->TripCount) + " rounds around another one";
        break;
      }
      default:
        if (std::set<const Var *> Seen; Info.E && Info.Varies.uniformInLaunch() &&
                                        !Info.Varies.Data && fromConstants(K, Site, Info.E, Seen))
          break;
        if (countsFew(K, Site, Info.E))
          break;
        if (Info.Varies.Data) {
          // A value that an opaque statement may have changed is unknown, but it is not data.
          std::set<const Var *> Found;
          if (!K.kernel().Opaques.empty() && Info.E && Info.E->K == ExprKind::VarRef &&
              !comesFromMemory(K, Info.E, Found) && !dataDecide(K, Info.E->V))
            break;
          return "data";
        }
        return "a value that is not known at compile time";
      }
    }
  return "";
}
