//===-- checks/model/ir/Copy.cpp - Copies of trees ---------------------------===//
//
// What it does: copies expressions with their leaves replaced, and statements with their variables
// renamed.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Model.h"

namespace clmali::model {

const Expr *substitute(Module &M, const Expr *E,
                       llvm::function_ref<const Expr *(const Expr *)> Leaf) {
  switch (E->K) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::VarRef:
  case ExprKind::WorkItem: {
    const Expr *New = Leaf(E);
    return New ? New : E;
  }
  default:
    return mapOperands(M, E, [&](const Expr *Operand) { return substitute(M, Operand, Leaf); });
  }
}

/// E with every variable renamed, the bases of loads included.
static const Expr *renamed(Module &M, const Expr *E, llvm::function_ref<Var *(Var *)> Rename) {
  const Expr *New = mapOperands(M, E, [&](const Expr *Op) { return renamed(M, Op, Rename); });
  Var *V = New->V ? Rename(New->V) : nullptr;
  Var *Base = New->Acc.Base ? Rename(New->Acc.Base) : nullptr;
  Var *Image = New->Image ? Rename(New->Image) : nullptr;
  Var *Sampler = New->Sampler ? Rename(New->Sampler) : nullptr;
  if (V == New->V && Base == New->Acc.Base && Image == New->Image && Sampler == New->Sampler)
    return New;
  Expr *Copy = M.newExpr(New->K, New->Ty, New->Range);
  *Copy = *New;
  Copy->V = V;
  Copy->Acc.Base = Base;
  Copy->Image = Image;
  Copy->Sampler = Sampler;
  return Copy;
}

StmtList cloneStmts(Module &M, const StmtList &B, llvm::function_ref<Var *(Var *)> Rename) {
  StmtList Result;
  Result.reserve(B.size());
  for (const Stmt *S : B) {
    Stmt *Copy = M.newStmt(S->K, S->Range);
    *Copy = *S;
    if (Copy->V)
      Copy->V = Rename(Copy->V);
    if (Copy->Acc.Base)
      Copy->Acc.Base = Rename(Copy->Acc.Base);
    if (Copy->Source.Base)
      Copy->Source.Base = Rename(Copy->Source.Base);
    if (Copy->Image)
      Copy->Image = Rename(Copy->Image);
    mapExprs(M, *Copy, [&](const Expr *E) { return renamed(M, E, Rename); });
    forEachStmtList(*Copy, [&](StmtList &Nested) { Nested = cloneStmts(M, Nested, Rename); });
    Result.push_back(Copy);
  }
  return Result;
}

} // namespace clmali::model
