//===- Election.cpp - the last work-group, chosen by a counter --------------------------------===//

#include "checks/query/races/Election.h"
#include "checks/query/Query.h"
#include "checks/query/races/SharedElements.h"
#include <map>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The atomic whose result X compares with a number of groups or work-items; null: none.
static const Stmt *counterOf(const KernelAnalysis &K, const Expr &X, const Stmt *At) {
  if (X.K != ExprKind::Binary || (X.O != Op::EQ && X.O != Op::NE && X.O != Op::GE))
    return nullptr;
  for (unsigned I : {0, 1}) {
    const Expr *Result = stripCasts(X.Ops[I]), *Last = X.Ops[1 - I];
    const Stmt *Counter = nullptr;
    for (ExprAt Y : Slice(K, Result, At))
      if (Y->K == ExprKind::VarRef)
        for (const Stmt *Def : K.defs(Y->V))
          if (Def->K == StmtKind::Atomic &&
              (StringRef(Def->Name).contains("inc") || StringRef(Def->Name).contains("add")))
            Counter = Def;
    Variation V = K.varies(Last, At);
    bool IsNumber = any_of(Slice(K, Last, At), [](ExprAt Y) {
      return (Y->K == ExprKind::WorkItem &&
              (Y->Query == WorkItemQuery::NumGroups || Y->Query == WorkItemQuery::GlobalSize)) ||
             (Y->K == ExprKind::VarRef && Y->V->K == Var::Param);
    });
    if (Counter && IsNumber && V.uniformInLaunch() && !V.Data)
      return Counter;
  }
  return nullptr;
}

Election checks::electionOf(const KernelAnalysis &K) {
  Election Result;
  if (none_of(stmts(K.kernel().Body), [](const Stmt *S) { return S->K == StmtKind::Atomic; }))
    return Result;
  SliceOptions Through;
  Through.Arrays = true;
  for (const Stmt *S : stmts(K.kernel().Body)) {
    if (S->K != StmtKind::If || !S->E)
      continue;
    const Stmt *Counter = nullptr;
    bool Negated = false, InMemory = false;
    for (ExprAt X : Slice(K, S->E, S, Through)) {
      InMemory |= X->K == ExprKind::Load;
      if (const Stmt *C = counterOf(K, *X.E, X.S ? X.S : S)) {
        Counter = C;
        Negated = X->O == Op::NE;
      }
      Negated ^= X->K == ExprKind::Unary && X->O == Op::LogicalNot;
    }
    auto Holds = [&](const StmtList &B) {
      return any_of(stmts(B), [&](const Stmt *X) { return X == Counter; });
    };
    // A branch that increments the counter itself does not depend on its result.
    if (!Counter || Holds(S->Body) || Holds(S->Else))
      continue;
    Result.Counter = Counter;
    Result.OneItem = !InMemory;
    for (const Stmt *X : stmts(Negated ? S->Else : S->Body))
      Result.Elected.insert(X);
  }
  return Result;
}

/// Positions of all statements in the text of the kernel.
static std::map<const Stmt *, unsigned> orderOf(const KernelAnalysis &K) {
  std::map<const Stmt *, unsigned> Order;
  for (const Stmt *S : stmts(K.kernel().Body))
    Order.emplace(S, Order.size());
  return Order;
}

/// True if a statement for which Is holds lies between A and B.
static bool hasBetween(const KernelAnalysis &K, const Stmt *A, const Stmt *B,
                       function_ref<bool(const Stmt *)> Is) {
  std::map<const Stmt *, unsigned> Order = orderOf(K);
  return any_of(Order, [&](const auto &Entry) {
    return Entry.second > Order[A] && Entry.second < Order[B] && Is(Entry.first);
  });
}

bool checks::readsWhileElected(const KernelAnalysis &K, const Election &E, const AccessSite &Read) {
  if (E.isElected(Read) || Read.IsAtomic || !Read.IsRead)
    return false;
  std::map<const Stmt *, unsigned> Order = orderOf(K);
  if (Order[Read.S] > Order[E.Counter])
    return true;
  // The work-item that raises the counter has read before.
  if (isOfOneItem(K, Read))
    return false;
  return !hasBetween(K, Read.S, E.Counter, [](const Stmt *S) { return S->K == StmtKind::Barrier; });
}

bool checks::lacksFence(const KernelAnalysis &K, const Election &E, const AccessSite &Write) {
  if (E.isElected(Write) || Write.IsAtomic || !Write.IsWrite)
    return false;
  std::map<const Stmt *, unsigned> Order = orderOf(K);
  if (Order[Write.S] > Order[E.Counter])
    return false;
  return !hasBetween(K, Write.S, E.Counter, [](const Stmt *S) {
    return (S->K == StmtKind::Barrier && S->GlobalFence) ||
           (S->K != StmtKind::Barrier && StringRef(S->Name).contains("fence"));
  });
}
