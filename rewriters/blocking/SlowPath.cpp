//===-- rewriters/blocking/SlowPath.cpp - Blocks that fail the assumptions ----===//
//
// Part of ItemCode: the original's statements after the prologue in loops over the items of the
// block, each with its own ids and variables.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/ItemCode.h"

namespace clmali::rewrite {

/// True if each work-item has its own V.
static bool isOwnArray(const Var *V) {
  return V->K == Var::Memory && !V->ProgramScope && V->space() == AddressSpace::Private;
}

/// The statements of Short, the kernel without unrolled loops, after those that the prologue has
/// computed. Known: Short's variables and the prologue's that equal them. Nothing: Short has
/// local memory, which the items share.
std::optional<StmtList> ItemCode::shortRest(llvm::DenseMap<const Var *, const Var *> &Known) {
  if (!Short || llvm::any_of(Short->Vars, [](const Var *V) {
        return V->K == Var::Memory && !V->ProgramScope && !isOwnArray(V);
      }))
    return std::nullopt;
  for (auto [Theirs, Ours] : llvm::zip_equal(Short->Params, Old.Params))
    Known[Theirs] = Ours;
  for (const Var *Theirs : Short->Vars) {
    if (!Theirs->ProgramScope && Theirs->K != Var::SamplerConst)
      continue;
    auto Ours = llvm::find_if(Old.Vars, [&](const Var *V) {
      return V->K == Theirs->K && V->ProgramScope == Theirs->ProgramScope &&
             V->Name == Theirs->Name && V->Ty == Theirs->Ty;
    });
    if (Ours == Old.Vars.end())
      return std::nullopt;
    Known[Theirs] = *Ours;
  }
  auto AsHere = [&](const Expr *E) -> const Expr * {
    const Var *V = E->K == ExprKind::VarRef ? Known.lookup(E->V) : nullptr;
    return V ? M.ref(const_cast<Var *>(V)) : nullptr;
  };
  llvm::DenseSet<const Var *> Assigned;
  walk(Short->Body, [&](Stmt *X) {
    if (X->K == StmtKind::Assign)
      Assigned.insert(X->V);
    return true;
  });
  StmtList Rest;
  for (Stmt *X : Short->Body) {
    auto Same = llvm::find_if(Block.Prologue, [&](const Stmt *Def) {
      return Rest.empty() && X->K == StmtKind::Decl && X->E && !Assigned.count(X->V) &&
             Def->V->Name == X->V->Name && Def->V->Ty == X->V->Ty &&
             equal(Def->E, substitute(M, X->E, AsHere));
    });
    if (Same == Block.Prologue.end())
      Rest.push_back(X);
    else
      Known[X->V] = (*Same)->V;
  }
  return Rest;
}

/// Loops over the items of a block, the outermost in Top. Item: their counters, by dimension.
/// Returns the innermost body.
StmtList *ItemCode::emitItemLoops(StmtList &Top, ItemVars &Item) {
  StmtList *In = &Top;
  for (int D = 2; D >= 0; --D) {
    unsigned F = S.factor(D);
    if (F == 1)
      continue;
    Item[D] = W.newVar(unsigned(D) == S.LaneDim ? "lane" : "row", M.value(ScalarKind::Int));
    Stmt *L = countingLoop(Item[D], F);
    L->Form = Stmt::For;
    In->push_back(L);
    In = &L->Body;
  }
  return In;
}

/// The first dimension along which the block has several rows.
static unsigned rowDim(const BlockShape &S) {
  for (unsigned D = 0; D < 3; ++D)
    if (S.Rows[D] > 1)
      return D;
  return 0;
}

/// True if the offsets of rows are 0, x, 2 * x, ...
static bool isLinear(llvm::ArrayRef<int64_t> Offsets) {
  for (unsigned I = 0; I < Offsets.size(); ++I)
    if (Offsets[I] != int64_t(I) * Offsets[1])
      return false;
  return true;
}

/// One item's value of the variable that Def, a statement of the prologue, sets: from the block's
/// variable where it is linear in the item, else computed anew. Ids: the item's ids.
const Expr *ItemCode::prologueValue(const Stmt *Def, const ItemVars &Item,
                                    llvm::function_ref<const Expr *(const Expr *)> Ids) {
  VShape Sh = Block.shapeOf(Def->V);
  const VarState &VS = States[Def->V];
  unsigned RowDim = rowDim(S);
  const bool Unsigned = !isSigned(Def->V->Ty->Scalar);
  if (Sh.K == VShape::Linear && !Sh.Rows && (Unsigned || Block.isExact(Def->E)))
    return atLane({LaneVal::Linear, M.ref(VS.New[0]), Sh.Stride}, Item[S.LaneDim]);
  if (Sh.K == VShape::Uniform && VS.Offset.size() > 1 && R == S.Rows[RowDim] &&
      isLinear(VS.Offset) && (Unsigned || !VS.OffsetWraps))
    return atLane({LaneVal::Linear, M.ref(VS.New[0]), VS.Offset[1]}, Item[RowDim]);
  return substitute(M, Def->E, Ids);
}

StmtList ItemCode::slowPath(const StmtList &Long) {
  llvm::DenseMap<const Var *, const Var *> Known;
  std::optional<StmtList> Brief = shortRest(Known);
  const StmtList &Body = Brief ? *Brief : Long;
  OwnVars Own;
  StmtList Top;
  ItemVars Item = {nullptr, nullptr, nullptr};
  StmtList *In = emitItemLoops(Top, Item);
  auto Id = [&](const Expr *E) -> const Expr * {
    if (E->K != ExprKind::WorkItem)
      return nullptr;
    unsigned F = S.factor(E->Dim);
    bool IsId = E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId;
    if (F == 1 || (!IsId && !countsItems(E->Query)))
      return nullptr;
    const Expr *X = M.binary(Op::Mul, E, M.intConst(F, E->Ty));
    return IsId ? M.binary(Op::Add, X, M.cast(M.ref(Item[E->Dim]), E->Ty, true)) : X;
  };
  auto IdOrVar = [&](const Expr *E) -> const Expr * {
    if (E->K != ExprKind::VarRef)
      return Id(E);
    Var *V = Own.lookup(E->V);
    return V ? M.ref(V) : nullptr;
  };
  // Arrays and variables of the prologue: this item's own.
  for (const auto &[V, Rows] : Arrays)
    if (!declares(Body, V))
      In->push_back(W.makeDecl(Own[V] = W.newArray(V->Name, V->Ty, V)));
  for (const Stmt *Def : Block.Prologue) {
    if (!varies(Block.shapeOf(Def->V))) {
      Own[Def->V] = States[Def->V].New[0];
      continue;
    }
    const Expr *Value = prologueValue(Def, Item, IdOrVar);
    Var *NV = W.copyVar(Def->V);
    In->push_back(W.makeDecl(NV, Value));
    Own[Def->V] = NV;
  }
  for (auto [Theirs, Ours] : Known)
    Own[Theirs] = Ours->K == Var::Temp ? Own.lookup(Ours) : const_cast<Var *>(Ours);
  StmtList Copy = cloneStmts(M, Body, [&](Var *V) {
    if (V->K != Var::Temp && !isOwnArray(V))
      return Known.count(V) ? Own[V] : V;
    Var *Made = Own.lookup(V);
    if (!Made)
      Made = Own[V] = V->K == Var::Temp ? W.copyVar(V) : W.newArray(V->Name, V->Ty, V);
    return Made;
  });
  walk(Copy, [&](Stmt *X) {
    mapExprs(M, *X, [&](const Expr *E) { return substitute(M, E, Id); });
    X->Comments.clear();
    X->EarlyReturn = false;
    return true;
  });
  for (Stmt *X : Copy)
    In->push_back(X);
  return Top;
}

} // namespace clmali::rewrite
