//===-- rewriters/normalize/CountedLoops.cpp - Counted loops in one form -----------------===//
//
//   int k = 0;                     for (int k = 0; k < n; k++)
//   while (k < n) {                  s += a[k];
//     s += a[k];
//     k++;
//   }
//
// The counter of a loop is set and moved in the loop's header, where nothing else reads it, so that
// later passes see one form.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite::normalization {

static bool mentions(const Stmt *S, const Var *V) {
  StmtList One = {const_cast<Stmt *>(S)};
  return llvm::any_of(stmts(One), [&](const Stmt *X) { return X->V == V; }) ||
         llvm::any_of(exprs(One), [&](ExprAt E) { return E->K == ExprKind::VarRef && E->V == V; });
}

/// True if a continue in B skips the rest of the loop that B is the body of.
static bool continues(const StmtList &B) {
  return llvm::any_of(B, [](const Stmt *S) {
    return S->K == StmtKind::Continue ||
           (S->K == StmtKind::If && (continues(S->Body) || continues(S->Else)));
  });
}

/// The counter's update at the end of the body goes to the header.
static void moveStep(Stmt *Loop, const Var *V) {
  if (!Loop->Step.empty() || Loop->Body.size() < 2 || continues(Loop->Body))
    return;
  Stmt *Last = Loop->Body.back();
  if (Last->K != StmtKind::Assign || Last->V != V || !Last->LaneIdx.empty())
    return;
  // What the update adds must be known in the header.
  auto Declares = [&](ExprAt E) {
    return E->K == ExprKind::Load ||
           (E->K == ExprKind::VarRef && llvm::any_of(stmts(Loop->Body), [&](const Stmt *S) {
              return S->K == StmtKind::Decl && S->V == E->V;
            }));
  };
  if (llvm::any_of(exprs(Last->E), Declares))
    return;
  Loop->Body.pop_back();
  Loop->Step = {Last};
  Loop->Form = Stmt::For;
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
  for (size_t I = From + 1; I < At; ++I)
    for (ExprAt E : exprs(D->E))
      if (E->K == ExprKind::Load || (E->K == ExprKind::VarRef && mentions(B[I], E->V)))
        return std::nullopt;
  // Nothing outside the loop reads it.
  for (StmtIterator It(K.Body), End; It != End; ++It) {
    if (*It == Loop) {
      It.skipNested();
      continue;
    }
    if (*It == D)
      continue;
    bool Reads = (*It)->V == V;
    forEachExpr(**It, [&](const Expr *Root) {
      for (ExprAt E : exprs(Root))
        Reads |= E->K == ExprKind::VarRef && E->V == V;
    });
    if (Reads)
      return std::nullopt;
  }
  Loop->Init = {D};
  Loop->Form = Stmt::For;
  B.erase(B.begin() + From);
  return From;
}

static void visit(Kernel &K, StmtList &B, const llvm::DenseMap<const Stmt *, Var *> &Counters) {
  for (size_t At = 0; At < B.size(); ++At) {
    Stmt *S = B[At];
    forEachStmtList(*S, [&](StmtList &Inner) { visit(K, Inner, Counters); });
    const Var *V = Counters.lookup(S);
    if (!V)
      continue;
    moveStep(S, V);
    bool InHeader = S->Step.size() == 1 && S->Step[0]->V == V;
    if (InHeader && moveInit(K, B, At, V))
      --At;
  }
}

void countInHeaders(Module &M, Kernel &K) {
  llvm::DenseMap<const Stmt *, Var *> Counters;
  {
    KernelAnalysis A(M, K);
    for (Stmt *S : stmts(K.Body))
      if (S->K == StmtKind::Loop && S->Form != Stmt::DoWhile && S->E)
        if (auto C = A.countedLoop(S); C && C->V->K == Var::Temp)
          Counters[S] = const_cast<Var *>(C->V);
  }
  if (!Counters.empty())
    visit(K, K.Body, Counters);
}

} // namespace clmali::rewrite::normalization
