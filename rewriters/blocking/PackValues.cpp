//===-- rewriters/blocking/PackValues.cpp - Values of channels -----------------===//
//
// Part of BlockValues: the values of packed statements (Pack.cpp).
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/BlockValues.h"

namespace clmali::rewrite {

Access BlockValues::elementsFrom(const Access &Acc, unsigned Row, int64_t Elements) {
  Access Lane0;
  if (!laneStride(Acc, Row, Lane0)) {
    refuse(Refusal::OpaqueConstruct, "vectorize", "address of interleaved channels", Acc.Range);
    return Acc;
  }
  Lane0.F = Access::VLoad;
  Lane0.Lanes = N;
  Lane0.Path.clear();
  const int64_t Size = sizeInBytes(Acc.Elem);
  // A vector of an array of vectors is loaded as what it is.
  const Type *Whole = Acc.Base->Ty;
  while (Whole->K == Type::Array || Whole->K == Type::Pointer)
    Whole = Whole->Elem;
  if (Whole->isVector() && Whole->Lanes == N && N != 3 && Lane0.Stride.back() == Whole->Size) {
    const int64_t Bytes = int64_t(Lane0.Disp) + Elements * Size, Each = Whole->Size;
    if (Bytes % Each == 0) {
      Lane0.F = Access::Subscript;
      Lane0.Disp = 0;
      if (Bytes)
        Lane0.Index.back() =
            simplify(M, M.binary(Op::Add, Lane0.Index.back(),
                                 M.intConst(Bytes / Each, Lane0.Index.back()->Ty)));
      return Lane0;
    }
  }
  return movedBy(M, Lane0, Elements);
}

/// The constant that E, a variable with one definition, holds; else E.
const Expr *BlockValues::constantOf(const Expr *E) const {
  constexpr unsigned MaxDepth = 8;
  for (unsigned Depth = 0; Depth < MaxDepth && E->K == ExprKind::VarRef; ++Depth) {
    const Stmt *D = A.singleDef(E->V);
    if (!D || !D->E ||
        (D->E->K != ExprKind::VarRef && D->E->K != ExprKind::IntConst &&
         D->E->K != ExprKind::FloatConst) ||
        (D->E->K == ExprKind::VarRef && !A.singleDef(D->E->V)))
      return E;
    E = D->E;
  }
  return E;
}

/// A chunk of E, which is the same for all channels.
LaneVal BlockValues::evalShared(const Expr *E, unsigned Row, unsigned Chunk, unsigned Channels) {
  LaneVal V = eval(E, Row);
  if (V.K == LaneVal::Uniform)
    return V;
  bool IsMask = V.K == LaneVal::Mask;
  const Expr *X = W.temp(IsMask ? V.E : Convert.toVector(V, E->Ty), "shared");
  llvm::SmallVector<LaneOf, MostLanes> Lanes;
  for (unsigned T = 0; T < N; ++T)
    Lanes.push_back({X, uint8_t((Chunk * N + T) / Channels)});
  return {IsMask ? LaneVal::Mask : LaneVal::Vector, gatherLanes(M, Lanes)};
}

LaneVal BlockValues::evalPack(llvm::ArrayRef<const Expr *> Given, unsigned Row, unsigned Chunk) {
  llvm::SmallVector<const Expr *, 4> Es;
  for (const Expr *E : Given)
    Es.push_back(!E || P.OfVar.count(E->V) ? E : constantOf(E));
  const Expr *E0 = Es[0];
  unsigned K = Es.size();
  bool AllEqual = true, AllUniform = true;
  for (const Expr *E : Es) {
    if (!E)
      continue;
    AllEqual &= equal(E, E0);
    AllUniform &= Block.shape(E).K == VShape::Uniform;
  }
  // A shared product that is added may be contracted with the addition: share its factors.
  if (AllEqual && !(isProduct(E0) && Block.shape(E0).K != VShape::Uniform))
    return evalShared(E0, Row, Chunk, K);
  if (AllUniform) {
    llvm::SmallVector<const Expr *, 16> Lanes, Each;
    for (const Expr *E : Es)
      Each.push_back(eval(E ? E : E0, Row).E);
    for (unsigned T = 0; T < N; ++T)
      Lanes.push_back(Each[(Chunk * N + T) % K]);
    return {LaneVal::Vector, M.vectorCtor(Convert.vectorType(E0->Ty), Lanes)};
  }
  if (E0->K == ExprKind::VarRef) {
    unsigned Pack = P.OfVar[E0->V].first;
    const Expr *Ref = M.ref(P.Vars[Pack].New[Row][Chunk]);
    return {E0->Ty->Scalar == ScalarKind::Bool ? LaneVal::Mask : LaneVal::Vector, Ref};
  }
  if (E0->K == ExprKind::Load) {
    Access Acc = elementsFrom(E0->Acc, Row, Chunk * N);
    if (Failed)
      return {LaneVal::Uniform, E0};
    ++VectorAccesses;
    return {LaneVal::Vector, loadOnce(Acc, Convert.vectorType(E0->Ty), true)};
  }
  llvm::SmallVector<LaneVal, 3> Ops;
  for (unsigned I = 0; I < E0->Ops.size(); ++I) {
    llvm::SmallVector<const Expr *, 4> Operands;
    for (const Expr *E : Es)
      Operands.push_back(E ? E->Ops[I] : nullptr);
    Ops.push_back(evalPack(Operands, Row, Chunk));
    if (Failed)
      return {LaneVal::Uniform, E0};
  }
  return combine(E0, Ops);
}

/// One channel of interleaved elements: vector loads from the first element accessed to the last,
/// and the lanes of this channel selected from them. The last load is moved back so that it ends
/// where the items' own accesses end.
LaneVal BlockValues::deinterleave(const Expr *E, const ChannelLoad &C, unsigned Row) {
  unsigned Total = (N - 1) * C.Channels + C.Accessed;
  llvm::SmallVector<const Expr *, 4> Chunks;
  llvm::SmallVector<unsigned, 4> Starts;
  for (unsigned Start = 0; Start < Total; Start += N) {
    Starts.push_back(std::min(Start, Total - N));
    Access Acc = elementsFrom(C.First, Row, int64_t(Starts.back()) - C.Back);
    if (Failed)
      return {LaneVal::Uniform, E};
    ++VectorAccesses;
    Chunks.push_back(loadOnce(Acc, Convert.vectorType(E->Ty), true));
  }
  llvm::SmallVector<LaneOf, MostLanes> Lanes;
  for (unsigned T = 0; T < N; ++T) {
    unsigned At = T * C.Channels + C.Channel, Q = std::min<unsigned>(At / N, Chunks.size() - 1);
    Lanes.push_back({Chunks[Q], uint8_t(At - Starts[Q])});
  }
  return {LaneVal::Vector, gatherLanes(M, Lanes)};
}

} // namespace clmali::rewrite
