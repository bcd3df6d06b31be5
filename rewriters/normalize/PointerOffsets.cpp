//===-- rewriters/normalize/PointerOffsets.cpp - Pointers that walk become subscripts ---------===//
//
//   before                                after
//   long q = 3 * i;                       long q = 3 * i;
//   dst[q] = a;                           dst[3 * i] = a;
//   long q_2 = q + 1;                     long q_2 = 3 * i + 1;
//   dst[q_2] = b;                         dst[3 * i + 1] = b;
//
// What walks through a loop: InductionVariables.cpp. Cleanup drops the variables.
//
// An index that was added to a pointer into an array of arrays is a subscript if it stays in its
// row: float *p = t[l]; p[q] is t[l][q] where q is below the length of a row.
//
// Limits: offsets with one value, while what they are computed from keeps its values.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/DenseSet.h"

namespace clmali::rewrite::normalization {

/// Longer offsets stay variables: they are used several times.
static constexpr unsigned ShortOffset = 24;

/// The variables that the statements behind position N of B set, in branches and loops as well.
static llvm::DenseSet<const Var *> setBehind(const StmtList &B, size_t N) {
  llvm::DenseSet<const Var *> Set;
  StmtList Rest(B.begin() + N + 1, B.end());
  for (const Stmt *S : stmts(Rest))
    if (S->V)
      Set.insert(S->V);
  return Set;
}

static bool isShort(const Expr *E) {
  unsigned Nodes = 0;
  walk(E, [&](const Expr *) { return ++Nodes <= ShortOffset; });
  return Nodes <= ShortOffset;
}

static void inlineOffsets(Module &M, StmtList &B) {
  for (size_t N = 0; N < B.size(); ++N) {
    Stmt *S = B[N];
    for (StmtList *Inner : {&S->Body, &S->Else})
      inlineOffsets(M, *Inner);
    if (S->K != StmtKind::Decl || !S->E || !S->V->IsPointerOffset || mayFault(S->E) ||
        !isShort(S->E))
      continue;
    llvm::DenseSet<const Var *> Set = setBehind(B, N);
    bool Keeps = !Set.contains(S->V);
    walk(S->E, [&](const Expr *X) {
      Keeps &= X->K != ExprKind::VarRef || !Set.contains(X->V);
      return Keeps;
    });
    if (!Keeps)
      continue;
    StmtList Rest(B.begin() + N + 1, B.end());
    walk(Rest, [&](Stmt *X) {
      mapExprs(M, *X, [&](const Expr *E) {
        const Expr *New = substitute(M, E, [&](const Expr *R) {
          return R->K == ExprKind::VarRef && R->V == S->V ? S->E : nullptr;
        });
        return New == E ? E : simplify(M, New);
      });
      return true;
    });
  }
}

/// The number of elements of the array that A's last index selects from; 0: not known.
static uint64_t rowLength(const Access &A) {
  const Type *T = A.Base->Ty;
  for (size_t D = 0; D + 1 < A.Index.size() && T; ++D)
    T = T->Elem;
  return T && T->K == Type::Array && T->Elem && T->Elem->Size ? T->Size / T->Elem->Size : 0;
}

static void subscriptRows(const EditedKernel &E) {
  Module &M = E.module();
  const EditedKernel::Analysis A = E.analysisNow();
  auto Subscript = [&](Access Acc, const Stmt *At) {
    const uint64_t Length = rowLength(Acc);
    const Range R = Acc.Index.empty() ? Range() : A->range(Acc.Index.back(), At);
    Acc.OverRows = R.Lo < 0 || uint64_t(R.Hi) >= Length;
    return Acc;
  };
  for (Stmt *S : stmts(E.kernel().Body)) {
    std::function<const Expr *(const Expr *)> Load = [&](const Expr *X) -> const Expr * {
      if (X->K == ExprKind::Load && X->Acc.OverRows)
        if (Access Acc = Subscript(X->Acc, S); !Acc.OverRows)
          return mapOperands(M, M.load(Acc), Load);
      return mapOperands(M, X, Load);
    };
    mapExprs(M, *S, Load);
    if (S->Acc.Base && S->Acc.OverRows)
      S->Acc = Subscript(S->Acc, S);
  }
}

void subscriptPointers(const EditedKernel &E) {
  Kernel &K = E.kernel();
  inlineOffsets(E.module(), K.Body);
  auto OverRows = [](const Access &Acc) { return Acc.Base && Acc.OverRows; };
  if (llvm::any_of(stmts(K.Body), [&](const Stmt *S) {
        return OverRows(S->Acc) ||
               llvm::any_of(exprs(*S), [&](ExprAt X) { return OverRows(X->Acc); });
      }))
    subscriptRows(E);
  E.edited();
}

} // namespace clmali::rewrite::normalization
