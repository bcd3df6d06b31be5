//===-- rewriters/lanes/Pieces.cpp - Runs of lanes as vectors ------------------===//

#include "rewriters/lanes/Pieces.h"
#include "checks/model/ir/Simplify.h"
#include <bit>

namespace clmali::rewrite {

using namespace model;

unsigned pieceLength(uint64_t Run, uint64_t Most) {
  return std::bit_floor(std::min<uint64_t>({Run, Most, MostLanes}));
}

unsigned accessLength(uint64_t Run, uint64_t Most) {
  return Run == 3 && Most > 3 ? 3 : pieceLength(Run, Most);
}

Access movedBy(Module &M, Access Acc, int64_t Elements) {
  const int64_t Size = sizeInBytes(Acc.Elem);
  if (Acc.Stride.empty() || int64_t(Acc.Stride.back()) != Size) {
    Acc.Disp += Elements * Size;
  } else if (Elements) {
    const Expr *&Index = Acc.Index.back();
    const Expr *Distance = M.intConst(std::abs(Elements), Index->Ty);
    Index = simplify(M, M.binary(Elements > 0 ? Op::Add : Op::Sub, Index, Distance));
  }
  return Acc;
}

/// From, lanes of one vector.
static const Expr *lanesOf(Module &M, llvm::ArrayRef<LaneOf> From) {
  const Expr *Vector = From[0].Vector;
  bool Whole = Vector->Ty->Lanes == From.size();
  llvm::SmallVector<uint8_t, MostLanes> Idx;
  for (unsigned I = 0; I < From.size(); ++I) {
    Idx.push_back(From[I].Lane);
    Whole &= Idx.back() == I;
  }
  return Whole ? Vector : M.swizzle(Vector, Idx);
}

const Expr *gatherLanes(Module &M, llvm::ArrayRef<LaneOf> From) {
  llvm::SmallVector<const Expr *, MostLanes> Pieces;
  for (size_t At = 0; At < From.size();) {
    size_t Run = 1;
    while (At + Run < From.size() && From[At].Vector->Ty->isVector() &&
           equal(From[At + Run].Vector, From[At].Vector))
      ++Run;
    size_t Take = Run == From.size() ? Run : pieceLength(Run);
    Pieces.push_back(lanesOf(M, From.slice(At, Take)));
    At += Take;
  }
  if (Pieces.size() == 1)
    return Pieces[0];
  return M.vectorCtor(M.value(From[0].Vector->Ty->Scalar, From.size()), Pieces);
}

const Expr *putTogether(Module &M, llvm::ArrayRef<const Expr *> Parts) {
  llvm::SmallVector<LaneOf, MostLanes> Lanes;
  for (const Expr *E : Parts)
    for (unsigned L = 0; L < E->Ty->Lanes; ++L)
      Lanes.push_back(E->K == ExprKind::Swizzle ? LaneOf{E->Ops[0], E->LaneIdx[L]}
                                                : LaneOf{E, uint8_t(L)});
  return gatherLanes(M, Lanes);
}

} // namespace clmali::rewrite
