//===-- rewriters/blocking/Agree.cpp - Conditions of all items at once --------===//
//
// Part of BlockValues: scalar tests that hold only if a condition has the same value for every
// item of a block. What is linear in the lanes is tested at the first or the last lane:
//
//   x < w                      x + 3 < w
//   x == 0 ? 0 : x - 1   ->    x - 1, and the test that the block's first lane is not at x == 0
//
// Limits: comparisons of integers that are linear in the lanes, and what is made of them.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/BlockValues.h"
#include "llvm/ADT/Sequence.h"

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// Operations on coordinates
//===----------------------------------------------------------------------===//

/// V, a value that is linear in the lane, does not wrap up to Lane.
const Expr *BlockValues::noWrapUpTo(unsigned Lane, const LaneVal &V, const Type *Ty) {
  const ScalarKind K = Ty->Scalar;
  const int64_t Apart = V.offset(Lane);
  const Op O = Apart > 0 ? Op::LE : Op::GE;
  // size_t may have 32 bits, so what its greatest value is cannot be written.
  if (K == ScalarKind::ULong)
    return M.binary(O, V.E, Convert.toScalar(V, Lane, Ty));
  const int64_t End = Apart > 0 ? rangeOf(K).Hi : rangeOf(K).Lo;
  return M.binary(O, V.E, M.intConst(End - Apart, Ty));
}

/// w, where E divides ids by it in 64 bits although 32 are enough: (ulong)w with an int w. The fast
/// path then assumes that w is positive. Null: it does not.
const Expr *BlockValues::narrowDivisor(const Expr *E, const Expr *W) {
  if (sizeInBits(E->Ty->Scalar) != 64 || W->K != ExprKind::Cast || W->C != CastOp::Convert ||
      !W->Ops[0]->Ty->isInteger() || sizeInBits(W->Ops[0]->Ty->Scalar) != 32 ||
      !Block.fits(E->Ops[0], ScalarKind::UInt))
    return nullptr;
  return W->Ops[0];
}

/// X / W or X % W, as E says.
const Expr *BlockValues::divided(const Expr *E, const Expr *X, const Expr *W) {
  const Expr *Narrow = narrowDivisor(E, W);
  const Type *UInt = M.value(ScalarKind::UInt);
  return simplify(M, Narrow ? M.cast(M.binary(E->O, M.cast(X, UInt), M.cast(Narrow, UInt)), E->Ty)
                            : M.binary(E->O, X, W));
}

/// i / w and i % w: assumes that the lanes are in one row, i0 % w + (N - 1) * stride < w, and that
/// nothing is negative or wraps.
void BlockValues::assumeNoRowEnd(const Expr *E) {
  const Type *Ty = E->Ty;
  bool Was = std::exchange(Block.AtEntry, true);
  LaneVal I = eval(Block.atEntry(E->Ops[0]), 0), W = eval(Block.atEntry(E->Ops[1]), 0);
  Block.AtEntry = Was;
  if (const Expr *Narrow = narrowDivisor(E, W.E); Narrow && isSigned(Narrow->Ty->Scalar))
    Assumed.add(M.binary(Op::GT, Narrow, M.intConst(0, Narrow->Ty)));
  if (isSigned(Ty->Scalar)) {
    Assumed.add(M.binary(Op::GE, I.E, M.intConst(0, Ty)));
    if (!constantValue(W.E))
      Assumed.add(M.binary(Op::GT, W.E, M.intConst(0, Ty)));
  } else if (!constantValue(W.E)) {
    Assumed.add(M.binary(Op::NE, W.E, M.intConst(0, Ty)));
  }
  if (!Block.isExact(E->Ops[0]))
    Assumed.add(noWrapUpTo(N - 1, I, Ty));
  const Expr *Rem = divided(M.binary(Op::Rem, E->Ops[0], E->Ops[1]), I.E, W.E);
  Assumed.add(
      M.binary(Op::LT, M.binary(Op::Add, Rem, M.intConst(int64_t(N - 1) * I.Stride, Ty)), W.E));
}

/// Assumes that E, an operation of coordinateOp, returns operand Winner for all items.
void BlockValues::assumeWinner(const Expr *E, unsigned Winner) {
  auto Assume = [&](const Expr *Cond, bool Holds) {
    if (const Expr *C = allAgree(Cond, Holds))
      Assumed.add(C);
    else
      refuse(Refusal::OpaqueConstruct, "vectorize", "coordinate arithmetic", E->Range);
  };
  auto Compare = [&](Op O, const Expr *X, const Expr *Y) { Assume(M.binary(O, X, Y), true); };
  if (E->K == ExprKind::Select) {
    Assume(E->Ops[0], Winner == 1);
  } else if (E->K == ExprKind::Call && E->Name == "abs") {
    Compare(Op::GE, E->Ops[0], M.intConst(0, E->Ops[0]->Ty));
  } else if (E->K == ExprKind::Call && E->Name == "clamp") {
    Compare(Op::GE, E->Ops[0], E->Ops[1]);
    Compare(Op::LE, E->Ops[0], E->Ops[2]);
  } else if (E->K == ExprKind::Call) {
    Compare(E->Name == "max" ? Op::GE : Op::LE, E->Ops[Winner], E->Ops[1 - Winner]);
  } else {
    assumeNoRowEnd(E);
  }
}

/// The value of E, an operation of coordinateOp, under an assumption for every row and lane, which
/// is recorded once.
LaneVal BlockValues::evalAssumed(const Expr *E, unsigned Winner, unsigned Row) {
  if (AssumedOps.insert({E, Block.Around.empty() ? nullptr : Block.Around.back()}).second) {
    // Also for the rows that are not being emitted now.
    llvm::SmallVector<unsigned, 16> All = llvm::to_vector<16>(llvm::seq(0u, R));
    std::swap(All, ActiveRows);
    assumeWinner(E, Winner);
    std::swap(All, ActiveRows);
  }
  LaneVal V = eval(E->Ops[Winner], Row);
  if (E->Ops[Winner]->Ty != E->Ty) // abs is unsigned
    V.E = simplify(M, M.cast(V.E, E->Ty));
  if (E->K == ExprKind::Call || E->K == ExprKind::Select)
    return V;
  LaneVal W = eval(E->Ops[1], Row);
  const Expr *Base = divided(E, V.E, W.E);
  if (E->O == Op::Div)
    return {LaneVal::Uniform, Base};
  return {LaneVal::Linear, Base, V.Stride};
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

const Expr *BlockValues::allAgree(const Expr *Cond, bool Holds) {
  if (Cond->K == ExprKind::Cast && Cond->Implicit)
    return allAgree(Cond->Ops[0], Holds);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return allAgree(Cond->Ops[0], !Holds);
  bool Was = std::exchange(Block.AtEntry, !AgreeHere);
  auto Restore = llvm::make_scope_exit([&] { Block.AtEntry = Was; });
  bool Compound =
      Cond->K == ExprKind::Binary &&
      (Cond->O == Op::LogicalAnd || Cond->O == Op::LogicalOr ||
       (isComparison(Cond->O) && Cond->Ops[0]->Ty->isScalar() && Cond->Ops[0]->Ty->isInteger()));
  if (!varies(Block.shape(Cond)) && (Holds || !Compound))
    if (const Expr *C = availableForm(Cond)) {
      const Expr *V = eval(C, 0).E;
      return Holds ? V : simplify(M, M.unary(Op::LogicalNot, V));
    }
  if (Cond->K == ExprKind::VarRef && !AgreeHere) {
    const Stmt *D = A.singleDef(Cond->V);
    return D && D->E && D->LaneIdx.empty() ? allAgree(D->E, Holds) : nullptr;
  }
  // l < 4 ? x >= 4 : x - 4 < w: both, whichever is selected.
  if (Cond->K == ExprKind::Select && Cond->Ty->isScalar()) {
    const Expr *X = allAgree(Cond->Ops[1], Holds), *Y = allAgree(Cond->Ops[2], Holds);
    return X && Y ? M.binary(Op::LogicalAnd, X, Y) : nullptr;
  }
  if (Cond->K != ExprKind::Binary)
    return nullptr;
  Op O = Cond->O;
  if (O == Op::LogicalAnd || O == Op::LogicalOr || O == Op::And || O == Op::Or) {
    const Expr *X = allAgree(Cond->Ops[0], Holds), *Y = allAgree(Cond->Ops[1], Holds);
    if (!X || !Y)
      return nullptr;
    bool IsAnd = O == Op::LogicalAnd || O == Op::And;
    return M.binary(IsAnd == Holds ? Op::LogicalAnd : Op::LogicalOr, X, Y);
  }
  return isComparison(O) && Cond->Ops[0]->Ty->isInteger() ? allCompare(Cond, Holds) : nullptr;
}

const Expr *BlockValues::allAgreeHere(const Expr *Cond, bool Holds) {
  AgreeHere = true;
  ++Conditional;
  const Expr *All = allAgree(Cond, Holds);
  --Conditional;
  AgreeHere = false;
  return All;
}

/// Cond, whose lanes are in vectors, by all() of the lanes.
const Expr *BlockValues::allLanesOf(const Expr *Cond, bool Holds) {
  if (!AgreeHere || N == 1 || ActiveRows.size() > 1 || !Block.speculable(Cond))
    return nullptr;
  const Expr *Mask = condition(Cond, ActiveRows[0], M.value(ScalarKind::Int));
  return M.call("all", M.value(ScalarKind::Int), {Holds ? Mask : M.unary(Op::BitNot, Mask)});
}

/// Cond, a comparison, as O, holds in every iteration of a loop.
const Expr *BlockValues::allCompareInLoop(const Expr *Cond, Op O) {
  llvm::SmallVector<const Expr *, 2> Tests;
  if (AgreeHere || !Block.atLoopEnds(M.binary(O, Cond->Ops[0], Cond->Ops[1]), Tests))
    return nullptr;
  const Expr *Every = nullptr;
  for (const Expr *T : Tests) {
    const Expr *C = allAgree(T, true);
    if (!C)
      return nullptr;
    Every = Every ? M.binary(Op::LogicalAnd, Every, C) : C;
  }
  return Every;
}

namespace {
/// Both sides of a comparison.
struct Sides {
  const Expr *L, *R;
};
} // namespace

/// All without those that another one implies: comparisons by O that differ by a constant.
static std::vector<Sides> strictest(llvm::ArrayRef<Sides> All, Op O, bool Signed,
                                    Polynomials &Polys) {
  bool Less = O == Op::LT || O == Op::LE;
  std::vector<Sides> Kept;
  for (const Sides &New : All) {
    bool Implied = false;
    for (Sides &Old : Kept) {
      if (!Signed) {
        Implied = Polys.of(New.L) == Polys.of(Old.L) && Polys.of(New.R) == Polys.of(Old.R);
        if (Implied)
          break;
        continue;
      }
      Poly D =
          (Polys.exact(New.L) - Polys.exact(New.R)) - (Polys.exact(Old.L) - Polys.exact(Old.R));
      if (!D.isConstant())
        continue;
      int64_t C = D.constantTerm();
      Implied = C == 0 || O != Op::EQ;
      if (C != 0 && O != Op::EQ && (C < 0) != Less)
        Old = New;
      if (Implied)
        break;
    }
    if (!Implied)
      Kept.push_back(New);
  }
  return Kept;
}

/// allAgree for Cond, a comparison of integers.
const Expr *BlockValues::allCompare(const Expr *Cond, bool Holds) {
  Op O = Holds ? Cond->O : inverse(Cond->O);
  const Expr *X = availableForm(Cond->Ops[0]), *Y = availableForm(Cond->Ops[1]);
  if ((!X || !Y) && O != Op::NE)
    return allCompareInLoop(Cond, O);
  if (O == Op::NE && !varies(Block.shape(Cond)) && X && Y)
    return simplify(M, M.binary(O, eval(X, 0).E, eval(Y, 0).E));
  if (O == Op::NE) {
    // All below or all above.
    const Expr *Below = allAgree(M.binary(Op::LT, Cond->Ops[0], Cond->Ops[1]), true);
    const Expr *Above = allAgree(M.binary(Op::GT, Cond->Ops[0], Cond->Ops[1]), true);
    return Below && Above ? M.binary(Op::LogicalOr, Below, Above) : nullptr;
  }
  const Type *Ty = Cond->Ops[0]->Ty;
  bool Signed = isSigned(Ty->Scalar), Less = O == Op::LT || O == Op::LE;
  std::vector<Sides> All;
  std::vector<const Expr *> NoWrap;
  const unsigned Tested = N + P.NeedsNext;
  // What is converted to a wider type is linear, too, if it does not wrap: tested as well.
  llvm::SmallVector<const Expr *, 2> Widened;
  for (const Expr *E : {X, Y})
    Block.findWidened(E, Widened);
  Block.assumeExact(Widened);
  auto Restore = llvm::make_scope_exit([&] { Block.assumeExact({}); });
  for (unsigned Row : ActiveRows) {
    LaneVal VX = eval(X, Row), VY = eval(Y, Row);
    for (const Expr *E : Widened)
      NoWrap.push_back(noWrapUpTo(Tested - 1, eval(E, Row), E->Ty));
    if (VX.K >= LaneVal::Vector || VY.K >= LaneVal::Vector)
      return allLanesOf(Cond, Holds);
    auto Delta = [&](unsigned L) { return VX.offset(L) - VY.offset(L); };
    unsigned Lane = 0; // the one for which the comparison holds last
    for (unsigned L = 1; L < Tested; ++L) {
      if (L == N && (VX.K == LaneVal::Stepped || VY.K == LaneVal::Stepped))
        return nullptr;
      if (O == Op::EQ && Delta(L))
        return nullptr;
      if (Less ? Delta(L) > Delta(Lane) : Delta(L) < Delta(Lane))
        Lane = L;
    }
    for (auto [V, Of] : {std::pair(&VX, X), std::pair(&VY, Y)}) {
      if (V->K == LaneVal::Uniform || Block.isExact(Of))
        continue;
      unsigned Last = Tested - 1;
      if (V->K == LaneVal::Stepped) // offsets are not negative
        Last = std::distance(V->Steps->begin(), llvm::max_element(*V->Steps));
      NoWrap.push_back(noWrapUpTo(Last, *V, Ty));
      V->Wraps = false;
    }
    All.push_back({Convert.toScalar(VX, Lane, Ty), Convert.toScalar(VY, Lane, Ty)});
  }
  const Expr *Result = nullptr;
  auto And = [&](const Expr *C) {
    if (auto V = constantValue(C); V && *V)
      return;
    Result = Result ? M.binary(Op::LogicalAnd, Result, C) : C;
  };
  // First: sums of signed values may be computed only where they do not overflow.
  for (const Expr *C : NoWrap)
    And(C);
  for (const Sides &Sd : strictest(All, O, Signed, Polys))
    And(simplify(M, M.binary(O, Sd.L, Sd.R)));
  return Result ? Result : M.intConst(1);
}

} // namespace clmali::rewrite
