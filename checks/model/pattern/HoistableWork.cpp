//===-- checks/model/pattern/HoistableWork.cpp - Work for before a barrier ---===//

#include "checks/model/pattern/HoistableWork.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model::pattern {

static bool isAssignment(const Stmt &S) { return S.K == StmtKind::Assign || S.K == StmtKind::Decl; }

/// True if S assigns to a variable and touches no memory. Computes: set if it does any work.
static bool canMove(const Stmt &S, bool &Computes) {
  if (!isAssignment(S) || !S.V || !S.V->Ty->isValue() || S.V->K == Var::Memory)
    return false;
  for (ExprAt X : exprs(S)) {
    if (isRead(X->K) || X->K == ExprKind::Opaque)
      return false;
    Computes |= X->K == ExprKind::Binary || X->K == ExprKind::Call || X->K == ExprKind::Unary ||
                X->K == ExprKind::Select;
  }
  return true;
}

bool readsCommonStore(const Stmt &S) {
  return llvm::any_of(exprs(S), [](ExprAt X) {
    if (X->K != ExprKind::Load)
      return false;
    const Var *Base = X->Acc.Base;
    return Base->space() == AddressSpace::Local ||
           (Base->space() == AddressSpace::Constant && !Base->isPointerParam());
  });
}

std::optional<size_t> endOfHoistableWork(const StmtList &B, size_t Barrier) {
  if (B[Barrier]->K != StmtKind::Barrier || Barrier == 0 || !isAssignment(*B[Barrier - 1]) ||
      !readsCommonStore(*B[Barrier - 1]))
    return std::nullopt;
  size_t End = Barrier + 1;
  bool Pays = false;
  for (bool Computes = false; End < B.size() && canMove(*B[End], Computes); ++End)
    Pays |= Computes;
  return Pays ? std::optional(End) : std::nullopt;
}

} // namespace clmali::model::pattern
