//===-- rewriters/blocking/Arrays.cpp - Private arrays of a whole block --------------===//
//
// Part of ItemBlocker. A private array whose index is not a constant (a histogram of the item, a
// row that is kept) becomes one array for all lanes of a row, with the lanes' elements next to
// each other. If all lanes access the same index, that is a vector access; else each lane
// accesses its own element.
//
//   before                          after, 4 lanes
//   int bins[8];                    int bins[32];
//   bins[k] = 0;                    vstore4((int4)(0), k, bins);
//   bins[in[i]]++;                  bins[in_v.s0 * 4]++; bins[in_v.s1 * 4 + 1]++; ...
//
// Limits: see Legality.cpp; elements are scalars, accessed one by one.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

void ItemBlocker::declareArrays(const Stmt *Decl) {
  const Var *V = Decl->V;
  const Type *Elem = V->Ty;
  while (Elem->K == Type::Array)
    Elem = Elem->Elem;
  auto &Rows = Arrays[V];
  Rows.clear();
  for (unsigned Row = 0; Row < R; ++Row) {
    Var *W = M.newVar(Var::Memory, unique(R > 1 ? V->Name + std::to_string(Row) : V->Name),
                      M.array(Elem, V->Ty->Size / Elem->Size * N));
    W->Range = V->Range;
    New->Vars.push_back(W);
    Rows.push_back(W);
    Stmt *D = copyStmt(Decl);
    D->V = W;
    if (Row)
      D->Comments.clear();
    add(D);
  }
}

/// An array like V, for items that run one by one.
Var *ItemBlocker::arrayOfItem(const Var *V) {
  Var *W = M.newVar(Var::Memory, unique(V->Name), V->Ty);
  W->Range = V->Range;
  New->Vars.push_back(W);
  return W;
}

/// The element of Acc, at Index in terms of the new kernel, that belongs to Lane; without a lane,
/// those of all lanes.
Access ItemBlocker::elementOfArray(const Access &Acc, unsigned Row,
                                   llvm::ArrayRef<const Expr *> Index, const Expr *Lane) {
  Access One = Acc;
  One.Base = Arrays[Acc.Base][Row];
  uint32_t Size = sizeInBytes(Acc.Elem);
  const Type *Ty = Index[0]->Ty;
  for (const Expr *I : Index)
    if (sizeInBits(I->Ty->Scalar) > sizeInBits(Ty->Scalar))
      Ty = I->Ty;
  if (sizeInBits(Ty->Scalar) < 32)
    Ty = M.value(ScalarKind::Int);
  const Expr *Flat = nullptr;
  for (size_t D = 0; D < Index.size(); ++D) {
    const Expr *X =
        M.binary(Op::Mul, M.cast(Index[D], Ty, true), M.intConst(Acc.Stride[D] / Size * N, Ty));
    Flat = Flat ? M.binary(Op::Add, Flat, X) : X;
  }
  if (Lane)
    Flat = M.binary(Op::Add, Flat, M.cast(Lane, Ty, true));
  One.Index = {simplify(M, Flat)};
  One.Stride = {Size};
  if (!Lane && N > 1) {
    One.F = Access::VLoad;
    One.Lanes = N;
  }
  return One;
}

LaneVal ItemBlocker::evalArray(const Expr *E, unsigned Row) {
  const Access &Acc = E->Acc;
  bool Same =
      llvm::all_of(Acc.Index, [&](const Expr *I) { return Block.shape(I).K == VShape::Uniform; });
  if (Same) {
    llvm::SmallVector<const Expr *, 2> Index;
    for (const Expr *I : Acc.Index)
      Index.push_back(eval(I, Row).E);
    if (Failed)
      return {LaneVal::Uniform, E};
    Access All = elementOfArray(Acc, Row, Index, nullptr);
    if (N == 1)
      return {LaneVal::Uniform, M.load(All)};
    return {LaneVal::Vector, loadOnce(All, Convert.vectorType(E->Ty), true)};
  }
  llvm::SmallVector<const Expr *, 16> Lanes;
  for (unsigned L = 0; L < N; ++L) {
    llvm::SmallVector<const Expr *, 2> Index;
    for (const Expr *I : Acc.Index)
      Index.push_back(evalLane(I, Row, L));
    if (Failed)
      return {LaneVal::Uniform, E};
    Lanes.push_back(M.load(elementOfArray(Acc, Row, Index, M.intConst(L))));
  }
  const Expr *All = M.vectorCtor(Convert.vectorType(E->Ty), Lanes);
  return {LaneVal::Vector, Conditional ? All : temp(All, Acc.Base->Name + "_v")};
}

void ItemBlocker::storeArray(Stmt *St, unsigned Row) {
  const Access &Acc = St->Acc;
  const Type *Ty = M.value(Acc.Elem);
  bool Same =
      llvm::all_of(Acc.Index, [&](const Expr *I) { return Block.shape(I).K == VShape::Uniform; });
  LaneVal V = eval(St->E, Row);
  std::vector<std::pair<Access, const Expr *>> Stores;
  if (Same) {
    llvm::SmallVector<const Expr *, 2> Index;
    for (const Expr *I : Acc.Index)
      Index.push_back(eval(I, Row).E);
    if (!Failed)
      Stores.push_back(
          {elementOfArray(Acc, Row, Index, nullptr), N == 1 ? V.E : Convert.toVector(V, Ty)});
  } else {
    if (V.K >= LaneVal::Vector)
      V.E = temp(V.E, Acc.Base->Name + "_new");
    for (unsigned L = 0; L < N && !Failed; ++L) {
      llvm::SmallVector<const Expr *, 2> Index;
      for (const Expr *I : Acc.Index)
        Index.push_back(evalLane(I, Row, L));
      Stores.push_back(
          {elementOfArray(Acc, Row, Index, M.intConst(L)), Convert.toScalar(V, L, Ty)});
    }
  }
  if (Failed)
    return;
  for (auto &[To, Value] : Stores) {
    Stmt *C = M.newStmt(StmtKind::Store, St->Range);
    C->Acc = To;
    C->E = Value;
    if (&To == &Stores.front().first)
      C->Comments = St->Comments;
    add(C);
    Loads.stored(To.Base, Polys.address(To), sizeInBytes(To.Elem) * To.Lanes);
  }
}

/// E, in terms of the new kernel except for the arrays, for the item at Lane.
const Expr *ItemBlocker::arraysOf(const Expr *E, unsigned Row, const Expr *Lane) {
  if (Arrays.empty())
    return E;
  E = mapOperands(M, E, [&](const Expr *X) { return arraysOf(X, Row, Lane); });
  return E->K == ExprKind::Load && Block.inArrays(E->Acc)
             ? M.load(elementOfArray(E->Acc, Row, E->Acc.Index, Lane))
             : E;
}

void ItemBlocker::arraysOf(const StmtList &B, unsigned Row, const Expr *Lane) {
  if (Arrays.empty())
    return;
  walk(B, [&](Stmt *X) {
    mapExprs(M, *X, [&](const Expr *E) { return arraysOf(E, Row, Lane); });
    if (X->K == StmtKind::Store && Block.inArrays(X->Acc))
      X->Acc = elementOfArray(X->Acc, Row, X->Acc.Index, Lane);
    return true;
  });
}

} // namespace clmali::rewrite
