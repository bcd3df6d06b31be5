//===-- rewriters/blocking/Arrays.cpp - Private arrays of a whole block --------------===//
//
// Part of BlockValues. A private array whose index is not a constant (a histogram of the item, a
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

#include "rewriters/blocking/BlockValues.h"

namespace clmali::rewrite {

Access BlockValues::elementOfArray(const Access &Acc, unsigned Row,
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

std::optional<BlockValues::Indices> BlockValues::commonIndices(const Access &Acc, unsigned Row) {
  Indices Index;
  for (const Expr *I : Acc.Index) {
    if (Block.shape(I).K != VShape::Uniform)
      return std::nullopt;
    Index.push_back(eval(I, Row).E);
  }
  return Index;
}

BlockValues::Indices BlockValues::indicesOfLane(const Access &Acc, unsigned Row, unsigned Lane) {
  Indices Index;
  for (const Expr *I : Acc.Index)
    Index.push_back(evalLane(I, Row, Lane));
  return Index;
}

LaneVal BlockValues::evalArray(const Expr *E, unsigned Row) {
  const Access &Acc = E->Acc;
  std::optional<Indices> Index = commonIndices(Acc, Row);
  llvm::SmallVector<const Expr *, 16> Lanes;
  for (unsigned L = 0; L < N && !Index && !Failed; ++L) {
    Indices Own = indicesOfLane(Acc, Row, L);
    Lanes.push_back(M.load(elementOfArray(Acc, Row, Own, M.intConst(L))));
  }
  if (Failed)
    return {LaneVal::Uniform, E};
  const Type *Ty = Convert.vectorType(E->Ty);
  if (!Index)
    return {LaneVal::Vector, hold(M.vectorCtor(Ty, Lanes), Acc.Base->Name + "_v")};
  Access All = elementOfArray(Acc, Row, *Index, nullptr);
  if (N == 1)
    return {LaneVal::Uniform, M.load(All)};
  return {LaneVal::Vector, loadOnce(All, Ty, true)};
}

} // namespace clmali::rewrite
