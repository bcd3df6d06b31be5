//===-- rewriters/blocking/Arrays.cpp - Private arrays of a whole block -------===//
//
// A private array whose place is not known at compile time (a histogram of the
// item's own, a row held back) is one array for all lanes of a row, its
// elements side by side for the lanes: where all lanes are at one place, that
// is a vector; elsewhere each lane goes to its own.
//
//   before                          after, 4 lanes
//   int bins[8];                    int bins[32];
//   bins[k] = 0;                    vstore4((int4)(0), k, bins);
//   bins[in[i]]++;                  bins[in_v.s0 * 4]++; bins[in_v.s1 * 4 + 1]++; ...
//
// Limits: elements are scalars, accessed one by one; not above MostBytes.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

/// What the arrays of one new work-item may take.
static constexpr uint64_t MostBytes = 16384;

/// Learns the private arrays that become wider. False: one of them cannot (refused).
bool ItemBlocker::findArrays() {
  uint64_t Bytes = 0;
  for (Var *V : Old.Vars) {
    if (V->K != Var::Memory || V->ProgramScope || V->AS != AddressSpace::Private ||
        !V->Ints.empty() || !V->Floats.empty())
      continue;
    const Type *Elem = V->Ty;
    while (Elem->K == Type::Array)
      Elem = Elem->Elem;
    bool Used = false,
         Plain = V->Ty->K == Type::Array && Elem->isScalar() && Elem->Scalar != ScalarKind::Bool;
    for (const AccessSite &X : A.accesses())
      if (X.A->Base == V) {
        Used = true;
        Plain &= X.A->Lanes == 1 && X.A->Elem == Elem->Scalar && !X.A->Disp && X.A->Path.empty() &&
                 !X.A->Volatile && X.A->F == Access::Subscript &&
                 (!X.IsWrite || (X.S->K == StmtKind::Store && X.S->LaneIdx.empty())) &&
                 llvm::all_of(X.A->Stride, [&](uint32_t S) { return S % Elem->Size == 0; });
      }
    walk(Old.Body, [&](Stmt *St) {
      Plain &= St->K != StmtKind::Decl || St->V != V || St->Text.empty();
      return true;
    });
    if (!Used)
      continue;
    Bytes += V->Ty->Size * N * R;
    if (!Plain || (N > 1 && Bytes > MostBytes) || (R > 1 && Bytes > MostBytes)) {
      refuse(Refusal::UnsupportedType, "vectorize", "private array " + V->Name, V->Range);
      return false;
    }
    Arrays[V] = {};
  }
  return true;
}

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

/// The element of Acc, at Index in terms of the new kernel, that belongs to Lane; without
/// a lane, those of all lanes.
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
  bool Same = llvm::all_of(Acc.Index, [&](const Expr *I) { return shape(I).K == VShape::Uniform; });
  if (Same) {
    llvm::SmallVector<const Expr *, 2> Index;
    for (const Expr *I : Acc.Index)
      Index.push_back(eval(I, Row).E);
    if (Failed)
      return {LaneVal::Uniform, E};
    Access All = elementOfArray(Acc, Row, Index, nullptr);
    if (N == 1)
      return {LaneVal::Uniform, M.load(All)};
    return {LaneVal::Vector, loadOnce(All, vecTy(E->Ty), true)};
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
  const Expr *All = M.vectorCtor(vecTy(E->Ty), Lanes);
  return {LaneVal::Vector, Conditional ? All : temp(All, Acc.Base->Name + "_v")};
}

void ItemBlocker::storeArray(Stmt *St, unsigned Row) {
  const Access &Acc = St->Acc;
  const Type *Ty = M.value(Acc.Elem);
  bool Same = llvm::all_of(Acc.Index, [&](const Expr *I) { return shape(I).K == VShape::Uniform; });
  LaneVal V = eval(St->E, Row);
  std::vector<std::pair<Access, const Expr *>> Stores;
  if (Same) {
    llvm::SmallVector<const Expr *, 2> Index;
    for (const Expr *I : Acc.Index)
      Index.push_back(eval(I, Row).E);
    if (!Failed)
      Stores.push_back({elementOfArray(Acc, Row, Index, nullptr), N == 1 ? V.E : vec(V, Ty)});
  } else {
    if (V.K >= LaneVal::Vector)
      V.E = temp(V.E, Acc.Base->Name + "_new");
    for (unsigned L = 0; L < N && !Failed; ++L) {
      llvm::SmallVector<const Expr *, 2> Index;
      for (const Expr *I : Acc.Index)
        Index.push_back(evalLane(I, Row, L));
      Stores.push_back({elementOfArray(Acc, Row, Index, M.intConst(L)), scalarOf(V, L, Ty)});
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
    invalidate(To.Base, address(To), sizeInBytes(To.Elem) * To.Lanes);
  }
}

/// E, in terms of the new kernel but for the arrays, for the item at Lane.
const Expr *ItemBlocker::arraysOf(const Expr *E, unsigned Row, const Expr *Lane) {
  if (Arrays.empty())
    return E;
  E = mapOperands(M, E, [&](const Expr *X) { return arraysOf(X, Row, Lane); });
  return E->K == ExprKind::Load && inArrays(E->Acc)
             ? M.load(elementOfArray(E->Acc, Row, E->Acc.Index, Lane))
             : E;
}

void ItemBlocker::arraysOf(const StmtList &B, unsigned Row, const Expr *Lane) {
  if (Arrays.empty())
    return;
  walk(B, [&](Stmt *X) {
    mapExprs(M, *X, [&](const Expr *E) { return arraysOf(E, Row, Lane); });
    if (X->K == StmtKind::Store && inArrays(X->Acc))
      X->Acc = elementOfArray(X->Acc, Row, X->Acc.Index, Lane);
    return true;
  });
}

} // namespace clmali::rewrite
