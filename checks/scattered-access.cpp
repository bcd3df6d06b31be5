//===- scattered-access.cpp -------------------------------------------------------------------===//
//
// Before: b[i] = a[i]; b[i + 1] = a[i + 1]; ...      for (..) sums[i] += a[k];
// After:  all loads, then all stores                 a variable for the sum, stored after the loop
// Limits: up to the next barrier, and one iteration of a loop; an iteration counts as one of a
//         work-item if the loop is a grid-stride loop. Stores to restrict pointers can be reordered
//         by
//         the compiler, as can the fields of a copied structure. Elements narrower than those of a
//         burst do not count.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if A can be part of a burst: global memory, elements wide enough.
static bool joinsBurst(const Access &A, const Context &C) {
  return A.Base->space() == AddressSpace::Global && widthInBytes(A) * 8 >= C.device().MinBurstBits;
}

/// The first load of global memory in S itself.
static const Access *globalLoad(const Stmt &S, const Context &C) {
  const Access *Found = nullptr;
  forEachExpr(S, [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      if (!Found && E->K == ExprKind::Load && joinsBurst(E->Acc, C))
        Found = &E->Acc;
      return !Found;
    });
  });
  return Found;
}

static bool isRestrict(const Var *V) { return V->isPointerParam() && V->Ty->Restrict; }

namespace {
/// A sequence of accesses with nothing between them that orders them.
struct Sequence {
  int64_t Alternations = 0;          ///< loads that follow a store
  const Access *Load = nullptr;      ///< the first load
  const Access *LoadAfter = nullptr; ///< the first load that follows a store
  const Access *First = nullptr;     ///< the store before LoadAfter
  const Access *Store = nullptr;     ///< the last store, if no load follows it
  bool Rare = false;                 ///< Store is under a guard on data
  const Stmt *Copied = nullptr;      ///< the statement of Store if it copies a field
};
} // namespace

/// Reports the sequence and starts a new one. In Loop the first load of an iteration follows the
/// last store of the previous one, unless that store is rare.
static void flush(Sequence &S, const Stmt *Loop, Context &C) {
  if (Loop && S.Store && S.Load && !S.Rare) {
    ++S.Alternations;
    if (!S.First) {
      S.First = S.Store;
      S.LoadAfter = S.Load;
    }
  }
  if (S.Alternations && S.Alternations >= C.option("MinTurns"))
    C.report(S.First->Range,
             (S.Alternations > 1 ? "loads follow stores of global memory " +
                                       itostr(S.Alternations) + " times in a row"
                                 : std::string("a load follows a store of global memory")) +
                 (Loop ? ", in each round of the loop" : ""))
        .cost("loads that stand together, and stores, join into bursts")
        .note(S.LoadAfter->Range, "loaded behind it");
  S = Sequence();
}

/// True if B ends with a break, continue or return.
static bool leaves(const StmtList &B) {
  return !B.empty() &&
         is_contained({StmtKind::Break, StmtKind::Continue, StmtKind::Return}, B.back()->K);
}

static bool endsSequence(StmtKind K) {
  return !is_contained({StmtKind::Decl, StmtKind::Assign, StmtKind::Store, StmtKind::If,
                        StmtKind::Break, StmtKind::Continue, StmtKind::Return},
                       K);
}

/// True if Before and X copy two fields of one structure assignment a[i] = b[k].
static bool isOneCopy(const Stmt *Before, const Stmt *X) {
  return Before && X->K == StmtKind::Store && X->E->K == ExprKind::Load &&
         Before->Range.Begin == X->Range.Begin && Before->Range.File == X->Range.File &&
         Before->Acc.Base == X->Acc.Base && Before->Acc.Path != X->Acc.Path;
}

static void visit(const StmtList &B, Sequence &S, Context &C) {
  for (Stmt *X : B) {
    bool Copy = isOneCopy(S.Copied, X);
    S.Copied = X->K == StmtKind::Store && X->E->K == ExprKind::Load ? X : nullptr;
    if (Copy)
      continue;
    if (X->K != StmtKind::Loop)
      if (const Access *L = globalLoad(*X, C)) {
        if (!S.Load)
          S.Load = L;
        if (S.Store) {
          ++S.Alternations;
          if (!S.First) {
            S.First = S.Store;
            S.LoadAfter = L;
          }
          S.Store = nullptr;
        }
      }
    switch (X->K) {
    case StmtKind::Store:
      if (joinsBurst(X->Acc, C) && !isRestrict(X->Acc.Base)) {
        S.Store = &X->Acc;
        S.Rare = false;
      }
      break;
    case StmtKind::If: {
      // A statement that ends the sequence in one branch ends it for both, once.
      bool Ends = false;
      for (const StmtList *Way : {&X->Body, &X->Else})
        walk(*Way, [&](const Stmt *Y) {
          Ends |= endsSequence(Y->K);
          return !Ends;
        });
      if (Ends)
        flush(S, nullptr, C);
      Sequence Then = S, Else = S;
      visit(X->Body, Then, C);
      visit(X->Else, Else, C);
      // A branch that leaves the loop has no effect on the code after it.
      bool ThenLeaves = leaves(X->Body), ElseLeaves = leaves(X->Else);
      const Access *Before = S.Store;
      bool WasRare = S.Rare;
      S = ThenLeaves || (Else.Alternations > Then.Alternations && !ElseLeaves) ? Else : Then;
      if (!S.Store && !ThenLeaves && !ElseLeaves)
        S.Store = Then.Store ? Then.Store : Else.Store;
      S.Rare = S.Store == Before ? WasRare
                                 : C.analysis().varies(X->E, X).Data &&
                                       !(Then.Store != Before && Else.Store != Before);
      break;
    }
    case StmtKind::Loop: {
      flush(S, nullptr, C);
      visit(X->Init, S, C);
      flush(S, nullptr, C);
      Sequence Iteration;
      visit(X->Body, Iteration, C);
      visit(X->Step, Iteration, C);
      std::optional<CountedLoop> Counted = C.analysis().countedLoop(X);
      bool Once = (Counted && Counted->TripCount == 1) || goesThroughLaunch(C.analysis(), X);
      flush(Iteration, Once ? nullptr : X, C);
      break;
    }
    default:
      if (endsSequence(X->K))
        flush(S, nullptr, C);
    }
  }
}

static void run(const Kernel &K, Context &C) {
  if (!C.device().MaxBurstBytes)
    return;
  Sequence S;
  visit(K.Body, S, C);
  flush(S, nullptr, C);
}

CLMALI_KERNEL_CHECK("scattered-access", run);
