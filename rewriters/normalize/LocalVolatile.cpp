//===-- rewriters/normalize/LocalVolatile.cpp - Volatile that orders nothing ----------===//
//
// What it does: accesses to volatile local memory become ordinary where no work-item accesses what
// another one writes between the same barriers:
//
//   before                                   after
//   volatile local int t[64];                local int t[64];
//   t[l] = x; barrier(..); y = t[63 - l];    t[l] = x; barrier(..); y = t[63 - l];
//
// Legal if: only the work-items of the group see local memory, and barriers order them. Floats:
// where the options keep the order of operations, for a compiler may contract what is not volatile.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/LockstepItems.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>

namespace clmali::rewrite {

using namespace model;

/// The declaration of V without volatile: accesses that stay volatile say so themselves.
static void declarePlain(Module &M, Var &V) {
  if (V.isPointerParam())
    V.Ty = M.pointer(V.Ty->Elem, V.Ty->AS, V.Ty->Const, /*Volatile=*/false, V.Ty->Restrict);
  constexpr llvm::StringLiteral Word = "volatile";
  if (size_t At = V.Spelling.find(Word); At != std::string::npos)
    V.Spelling = llvm::StringRef(V.Spelling.erase(At, Word.size())).trim().str();
}

unsigned dropLocalVolatile(const EditedKernel &Edited, bool FloatsKeepOrder) {
  Module &M = Edited.module();
  Kernel &K = Edited.kernel();
  auto IsCandidate = [&](const Access &A) {
    return A.Volatile && A.Base && A.Base->space() == AddressSpace::Local &&
           spells(M, *A.Base, "volatile") && (FloatsKeepOrder || isInteger(A.Elem));
  };
  llvm::SmallPtrSet<Var *, 4> Volatile;
  for (const Stmt *S : stmts(K.Body)) {
    if (IsCandidate(S->Acc))
      Volatile.insert(S->Acc.Base);
    for (ExprAt E : exprs(*S))
      if (E->K == ExprKind::Load && IsCandidate(E->Acc))
        Volatile.insert(E->Acc.Base);
  }
  if (Volatile.empty())
    return 0;
  {
    const EditedKernel::Analysis A = Edited.analysis();
    for (Var *V : llvm::SmallVector<Var *>(Volatile.begin(), Volatile.end()))
      if (pattern::unorderedAccess(*A, *V))
        Volatile.erase(V);
  }
  if (Volatile.empty())
    return 0;
  for (Var *V : Volatile)
    declarePlain(M, *V);
  std::function<const Expr *(const Expr *)> Plain = [&](const Expr *E) -> const Expr * {
    E = mapOperands(M, E, Plain);
    if (E->K != ExprKind::Load || !E->Acc.Volatile || !Volatile.contains(E->Acc.Base))
      return E;
    Access Acc = E->Acc;
    Acc.Volatile = false;
    return M.load(Acc);
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, Plain);
    if (Volatile.contains(S->Acc.Base))
      S->Acc.Volatile = false;
    return true;
  });
  Edited.edited();
  return Volatile.size();
}

} // namespace clmali::rewrite
