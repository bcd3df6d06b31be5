//===-- rewriters/blocking/Steps.cpp - Elements that several lanes share ------------===//
//
// Part of BlockValues: loads whose index is Stepped (x / 2) become vector loads of the elements
// from the lowest to the highest, and swizzles that repeat them:
//
//   before                        after, 16 lanes
//   v = in[x / 2];                uchar8 in_v = vload8(0, in + x / 2);
//                                 v = in_v.s0011223344556677;
//
// Elements between the lowest and the highest lie in the buffer. They are read although no lane
// needs them only where the kernel does not write the buffer.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/BlockValues.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

static bool isVectorLength(int64_t Lanes) { return Lanes >= 1 && pieceLength(Lanes) == Lanes; }

/// Own, the elements that the lanes of the load E access, first and last, extended up to a length
/// that vectors have by those that other loads of the same statement access in any case.
std::pair<int64_t, int64_t> BlockValues::sharedWindow(const Expr *E,
                                                      std::pair<int64_t, int64_t> Own) {
  auto [Lo, Hi] = Own;
  const int64_t Size = sizeInBytes(E->Acc.Elem);
  for (const auto &[Load, Last] : SharedSteps.lookup(E)) {
    std::optional<LaneSteps> Offsets = Block.laneOffsets(Load->Acc);
    if (!Offsets)
      continue;
    int64_t From = (Last + *llvm::min_element(*Offsets)) / Size,
            To = (Last + *llvm::max_element(*Offsets)) / Size;
    if (From <= Hi + 1 && To > Hi && isVectorLength(To - Lo + 1))
      return {Lo, To};
    if (To >= Lo - 1 && From < Lo && isVectorLength(Hi - From + 1))
      return {From, Hi};
  }
  return Own;
}

std::optional<LaneVal> BlockValues::loadSteps(const Expr *E, unsigned Row) {
  const Access &Acc = E->Acc;
  const int64_t Size = sizeInBytes(Acc.Elem);
  if (Conditional || Acc.Volatile || Acc.Lanes > 1 || Acc.Base->space() == AddressSpace::Private)
    return std::nullopt;
  std::optional<LaneSteps> Offsets = Block.laneOffsets(Acc);
  if (!Offsets || llvm::any_of(*Offsets, [&](int64_t O) { return O % Size != 0 || O < 0; }))
    return std::nullopt;
  std::set<int64_t> Elements;
  for (int64_t &O : *Offsets)
    Elements.insert(O /= Size);
  std::pair<int64_t, int64_t> Window = {*Elements.begin(), *Elements.rbegin()};
  if (!isVectorLength(Window.second - Window.first + 1))
    Window = sharedWindow(E, Window);
  const int64_t Length = Window.second - Window.first + 1;
  bool Dense = Length == int64_t(Elements.size());
  bool Written = llvm::any_of(
      A.accesses(), [&](const AccessSite &X) { return X.IsWrite && X.A->Base == Acc.Base; });
  if ((Written && !Dense) || Length > 2 * int64_t(N) || Length > 32)
    return std::nullopt;
  // One element needs no vector; the last vector is moved back to end at the last element.
  const int64_t Lanes = pieceLength(Length);
  const int64_t Loads = (Length + Lanes - 1) / Lanes;
  if (Loads >= int64_t(Elements.size()))
    return std::nullopt;
  Access First = Acc;
  for (unsigned D = 0; D < Acc.Index.size(); ++D)
    First.Index[D] = evalIndex(Acc.Index[D], Row).E;
  if (Failed)
    return std::nullopt;
  const Type *Ty = M.value(Acc.Elem, Lanes);
  llvm::SmallVector<const Expr *, 4> Chunks;
  llvm::SmallVector<int64_t, 4> Starts;
  for (int64_t Done = 0; Done < Length; Done += Lanes) {
    Starts.push_back(Window.first + std::min(Done, Length - Lanes));
    Chunks.push_back(loadOnce(elementsBehind(First, Starts.back(), Lanes), Ty, true));
    ++VectorAccesses;
  }
  llvm::SmallVector<LaneOf, MostLanes> Of;
  for (int64_t O : *Offsets) {
    unsigned Q = std::min<int64_t>((O - Window.first) / Lanes, Chunks.size() - 1);
    Of.push_back({Chunks[Q], uint8_t(O - Starts[Q])});
  }
  const Expr *V = gatherLanes(M, Of);
  return LaneVal{LaneVal::Vector,
                 V->K == ExprKind::VectorCtor ? W.temp(V, Acc.Base->Name + "_v") : V};
}

/// Lanes elements from Elements behind Acc, the access of one element.
Access BlockValues::elementsBehind(const Access &Acc, int64_t Elements, unsigned Lanes) {
  Access Out = Acc;
  if (Lanes > 1) {
    Out.F = Access::VLoad;
    Out.Lanes = Lanes;
  }
  return movedBy(M, Out, Elements);
}

/// Finds for each load of B that is made in any case the others of the same buffer that are a
/// constant distance apart.
void BlockValues::findSharedSteps(const StmtList &B) {
  for (Stmt *St : B)
    forEachStmtList(*St, [&](StmtList &Inner) { findSharedSteps(Inner); });
  if (hasWaysOut(B))
    return;
  std::vector<const Expr *> Found;
  for (Stmt *St : B) {
    if (St->K == StmtKind::Loop || St->K == StmtKind::If)
      continue;
    ExprRange All = exprs(*St);
    for (auto It = All.begin(); It != All.end(); ++It) {
      const Expr *E = (*It).E;
      if (E->K == ExprKind::Load && E->Acc.Lanes == 1 && !E->Acc.Volatile)
        Found.push_back(E);
      if (isLazyOperand(E, 1))
        It.skipOperands();
    }
  }
  constexpr size_t MaxLoads = 256;
  if (Found.size() > MaxLoads)
    return;
  for (const Expr *E : Found)
    for (const Expr *Other : Found)
      if (E != Other && E->Acc.Base == Other->Acc.Base && E->Acc.Elem == Other->Acc.Elem)
        if (std::optional<int64_t> D = A.distance(E->Acc, Other->Acc))
          SharedSteps[E].push_back({Other, *D});
}

} // namespace clmali::rewrite
