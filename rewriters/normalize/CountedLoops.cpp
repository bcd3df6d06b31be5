//===-- rewriters/normalize/CountedLoops.cpp - Counted loops in one form -----------------===//
//
//   int k = 0;                     for (int k = 0; k < n; k++)
//   while (k < n) {                  s += a[k];
//     s += a[k];
//     k++;
//   }
//
//   int t = n;                     for (int t = n; t > 0; t--)
//   while (t) {                      s += a[t - 1];
//     t--;
//     s += a[t];
//   }
//
//   k < m && k < n                 k < min(m, n)
//
// The counter of a loop is set and moved in the loop's header, where nothing else reads it, and
// compared by an order, so that later passes see one form.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Operations.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite::normalization {

static bool mentions(const Stmt *S, const Var *V) {
  StmtList One = {const_cast<Stmt *>(S)};
  return llvm::any_of(stmts(One), [&](const Stmt *X) { return X->V == V; }) ||
         llvm::any_of(exprs(One), [&](ExprAt E) { return E->K == ExprKind::VarRef && E->V == V; });
}

/// True if a continue in B goes on with the next iteration of the loop that B is the body of.
static bool continues(const StmtList &B) {
  return llvm::any_of(B, [](const Stmt *S) {
    return S->K == StmtKind::Continue ||
           (S->K == StmtKind::If && (continues(S->Body) || continues(S->Else)));
  });
}

/// True if a statement outside Loop reads V.
static bool readsOutside(const Kernel &K, const Stmt *Loop, const Var *V) {
  for (StmtIterator It(K.Body), End; It != End; ++It) {
    if (*It == Loop) {
      It.skipNested();
      continue;
    }
    bool Reads = false;
    forEachExpr(**It, [&](const Expr *Root) {
      for (ExprAt E : exprs(Root))
        Reads |= E->K == ExprKind::VarRef && E->V == V;
    });
    if (Reads)
      return true;
  }
  return false;
}

/// The counter's update in the body goes to the header: what is read of the counter behind it is
/// the value that it will have. A break behind it would leave the old value.
static void moveStep(Module &M, const Kernel &K, Stmt *Loop, const Var *V) {
  StmtList &B = Loop->Body;
  auto It = llvm::find_if(B, [&](const Stmt *S) { return S->K == StmtKind::Assign && S->V == V; });
  if (!Loop->Step.empty() || B.size() < 2 || It == B.end() || !(*It)->LaneIdx.empty())
    return;
  Stmt *Update = *It;
  StmtList Rest(It + 1, B.end());
  bool Once = llvm::none_of(stmts(Rest), [&](const Stmt *S) { return S->V == V; });
  StmtList Before(B.begin(), It);
  bool Breaks = llvm::any_of(stmts(Rest), [](const Stmt *S) { return S->K == StmtKind::Break; });
  if (!Once || continues(Before) || (Breaks && readsOutside(K, Loop, V)))
    return;
  // What the update adds must be known in the header, and be the same there.
  auto Differs = [&](ExprAt E) {
    return E->K == ExprKind::Load ||
           (E->K == ExprKind::VarRef && E->V != V &&
            llvm::any_of(stmts(B), [&](const Stmt *S) { return S->V == E->V; }));
  };
  if (llvm::any_of(exprs(Update->E), Differs))
    return;
  for (Stmt *S : stmts(Rest))
    mapExprs(M, *S, [&](const Expr *E) {
      return substitute(M, E, [&](const Expr *X) {
        return X->K == ExprKind::VarRef && X->V == V ? Update->E : nullptr;
      });
    });
  B.erase(It);
  Loop->Step = {Update};
  Loop->Form = Stmt::For;
}

/// True if a statement other than D outside Loop sets V.
static bool setsOutside(const Kernel &K, const Stmt *Loop, const Stmt *D, const Var *V) {
  StmtList Inside = {const_cast<Stmt *>(Loop)};
  return llvm::any_of(stmts(K.Body), [&](const Stmt *S) {
    return S->V == V && S != D && !llvm::is_contained(stmts(Inside), S);
  });
}

/// The declaration of the counter, which stands before B[At], goes to the header. Returns its
/// index.
static std::optional<size_t> moveInit(const Kernel &K, StmtList &B, size_t At, const Var *V) {
  Stmt *Loop = B[At];
  if (!Loop->Init.empty())
    return std::nullopt;
  size_t From = At;
  while (From > 0 && !mentions(B[From - 1], V))
    --From;
  if (!From--)
    return std::nullopt;
  Stmt *D = B[From];
  if (D->K != StmtKind::Decl || !D->E || !D->Comments.empty())
    return std::nullopt;
  StmtList Between(B.begin() + From + 1, B.begin() + At);
  for (ExprAt E : exprs(D->E))
    if (!Between.empty() && (E->K == ExprKind::Load ||
                             (E->K == ExprKind::VarRef &&
                              llvm::any_of(stmts(Between), [&](Stmt *S) { return S->V == E->V; }))))
      return std::nullopt;
  if (setsOutside(K, Loop, D, V) || readsOutside(K, Loop, V))
    return std::nullopt;
  Loop->Init = {D};
  Loop->Form = Stmt::For;
  B.erase(B.begin() + From);
  return From;
}

/// The test of a loop that counts upwards or downwards by one until its counter equals the bound,
/// as a comparison by order; null: it is none.
static const Expr *orderedTest(Module &M, const Stmt &Loop, const CountedLoop &C) {
  bool Orders = Loop.E->K == ExprKind::Binary && isComparison(Loop.E->O) && Loop.E->O != Op::NE;
  if (Orders || C.Compare == Op::NE)
    return nullptr;
  return M.binary(C.Compare, M.ref(C.V), C.Bound);
}

using Counters = llvm::DenseMap<const Stmt *, CountedLoop>;

static void visit(Module &M, Kernel &K, StmtList &B, const Counters &Known) {
  for (size_t At = 0; At < B.size(); ++At) {
    Stmt *S = B[At];
    forEachStmtList(*S, [&](StmtList &Inner) { visit(M, K, Inner, Known); });
    auto It = Known.find(S);
    if (It == Known.end())
      continue;
    const Var *V = It->second.V;
    if (const Expr *Ordered = orderedTest(M, *S, It->second))
      S->E = Ordered;
    moveStep(M, K, S, V);
    bool InHeader = S->Step.size() == 1 && S->Step[0]->V == V;
    if (InHeader && moveInit(K, B, At, V))
      --At;
  }
}

/// True if E, the bound in a test of Loop, is computed from what the loop does not change.
static bool isFixedBound(const Stmt *Loop, const Expr *E) {
  return E->Ty->isScalar() && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) >= 32 &&
         !constantValue(E) && llvm::none_of(exprs(E), [&](ExprAt X) {
           return isRead(X->K) || X->K == ExprKind::Opaque || mayDivideByZero(X.E) ||
                  (X->K == ExprKind::VarRef &&
                   llvm::any_of(stmts(Loop->Body), [&](const Stmt *S) { return S->V == X->V; })) ||
                  (X->K == ExprKind::VarRef &&
                   llvm::any_of(Loop->Step, [&](const Stmt *S) { return S->V == X->V; }));
         });
}

/// E with tests of one counter against several bounds joined: k < m && k < n is k < min(m, n).
static const Expr *joinedTests(Module &M, const Stmt *Loop, const Expr *E) {
  if (E->K != ExprKind::Binary || E->O != Op::LogicalAnd)
    return E;
  const Expr *X = joinedTests(M, Loop, E->Ops[0]), *Y = joinedTests(M, Loop, E->Ops[1]);
  auto Tests = [&](const Expr *T) {
    return T->K == ExprKind::Binary && (T->O == Op::LT || T->O == Op::LE) &&
           stripCasts(T->Ops[0])->K == ExprKind::VarRef && isFixedBound(Loop, T->Ops[1]);
  };
  if (Tests(X) && Tests(Y) && X->O == Y->O && equal(X->Ops[0], Y->Ops[0]) &&
      X->Ops[1]->Ty == Y->Ops[1]->Ty)
    return M.binary(X->O, X->Ops[0], M.call("min", X->Ops[1]->Ty, {X->Ops[1], Y->Ops[1]}));
  return X == E->Ops[0] && Y == E->Ops[1] ? E : M.binary(Op::LogicalAnd, X, Y);
}

void countInHeaders(const EditedKernel &E) {
  Counters Known;
  Kernel &K = E.kernel();
  bool Joined = false;
  for (Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Loop && S->E)
      if (const Expr *Test = joinedTests(E.module(), S, S->E); Test != S->E) {
        S->E = Test;
        Joined = true;
      }
  if (Joined)
    E.edited();
  for (Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Loop && S->Form != Stmt::DoWhile && S->E)
      if (auto C = E.analysis()->countedLoop(S); C && C->V->K == Var::Temp)
        Known[S] = *C;
  if (Known.empty())
    return;
  visit(E.module(), K, K.Body, Known);
  E.edited();
}

} // namespace clmali::rewrite::normalization
