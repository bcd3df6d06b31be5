//===-- rewriters/blocking/analysis/Bits.cpp - Bits of the ids of a block --------------===//
//
// Part of BlockAnalysis. The id of a block's first work-item is a multiple of the lane count. So
// the upper bits of an id are the same for all lanes, and its lower bits are the lane:
//
//   i >> 5, i & ~31, i / 32        uniform
//   i & 31, i % 32                 linear, stride 1
//   i ^ 32, i | 32                 linear, stride 1
//   i ^ m, i & m, i >> s           likewise if m is a multiple of the lane count (assumed)
//   i & (m - 1)                    likewise
//
// Limits: the lane count is a power of two; integers of at least 32 bits.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/analysis/BlockAnalysis.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::rewrite {

/// True if E, for the first lane of any block, is a multiple of the lane count.
bool BlockAnalysis::aligned(const Expr *E, unsigned Depth) {
  if (Depth > 16 || !E->Ty->isScalar() || !E->Ty->isInteger() || sizeInBits(E->Ty->Scalar) < 32)
    return false;
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ops[0]->Ty->isInteger())
    return aligned(E->Ops[0], Depth + 1);
  if (E->K == ExprKind::VarRef && E->V->K == Var::Temp)
    if (const Stmt *D = A.singleDef(E->V);
        D && D->E && D->LaneIdx.empty() && aligned(D->E, Depth + 1))
      return true;
  if (std::optional<BitsOp> B = bitsOp(E))
    return B->Out.K == VShape::Linear && B->Out.Stride == 1;
  const Poly P = A.poly(E);
  return llvm::all_of(P.Terms, [&](const auto &Term) {
    return Term.second % int64_t(N) == 0 || llvm::any_of(Term.first, [&](unsigned Sym) {
             const SymbolInfo &Info = A.symbol(Sym);
             if (Info.K != SymbolInfo::WorkItem || Info.E->Dim != S.LaneDim)
               return false;
             WorkItemQuery Q = Info.E->Query;
             return Q == WorkItemQuery::GlobalId || Q == WorkItemQuery::LocalId ||
                    Q == WorkItemQuery::GlobalSize || Q == WorkItemQuery::LocalSize;
           });
  });
}

/// What E, an operation on bits with C, gives for ids: operand Moving is linear and aligned.
/// Sh: its shape.
std::optional<BlockAnalysis::BitsOp> BlockAnalysis::bitsOfConstant(const Expr *E, unsigned Moving,
                                                                   int64_t C, VShape Sh) {
  const Expr *X = E->Ops[Moving];
  const int64_t Low = int64_t(N) - 1;
  BitsOp B;
  B.Moving = Moving;
  const VShape Same{VShape::Uniform, 0, Sh.Rows}, Up{VShape::Linear, 1, Sh.Rows},
      Down{VShape::Linear, -1, Sh.Rows};
  switch (E->O) {
  case Op::Shr:
    if (C < int64_t(llvm::Log2_32(N)) || C >= int64_t(sizeInBits(X->Ty->Scalar)))
      return std::nullopt;
    B.Out = Same;
    return B;
  case Op::Div:
  case Op::Rem:
    if (C <= 0 || C % int64_t(N) || !Ints.isNotNegative(X))
      return std::nullopt;
    B.Out = E->O == Op::Div ? Same : Up;
    return B;
  default:
    break;
  }
  bool AllSet = (C & Low) == Low;
  if ((C & Low) != 0 && !AllSet)
    return std::nullopt;
  if (E->O == Op::And)
    B.Out = AllSet ? Up : Same;
  else if (E->O == Op::Xor)
    B.Out = AllSet ? Down : Up;
  else
    B.Out = AllSet ? Same : Up;
  return B;
}

/// As bitsOfConstant, for a mask that is known at entry only: it is assumed to be a multiple of
/// the lane count, or one less.
std::optional<BlockAnalysis::BitsOp> BlockAnalysis::bitsOfArgument(const Expr *E, unsigned Moving,
                                                                   VShape Sh) {
  const Expr *Mask = E->Ops[1 - Moving];
  if (!MayAssume || E->O == Op::Div || E->O == Op::Rem || !atEntry(Mask))
    return std::nullopt;
  const VShape Same{VShape::Uniform, 0, Sh.Rows}, Up{VShape::Linear, 1, Sh.Rows};
  BitsOp B;
  B.Moving = Moving;
  B.Assumes = true;
  if (E->O == Op::Shr) {
    B.Out = Same;
    return B;
  }
  // i & (m - 1), i & ~m
  const Expr *Form = Mask;
  while (Form->K == ExprKind::VarRef && Form->V->K == Var::Temp && A.singleDef(Form->V) &&
         A.singleDef(Form->V)->E)
    Form = A.singleDef(Form->V)->E;
  auto IsNot = [](const Expr *X) { return X->K == ExprKind::Unary && X->O == Op::BitNot; };
  B.AllSet = E->O == Op::And &&
             (IsNot(Form) || (Form->K == ExprKind::Binary && Form->O == Op::Sub &&
                              constantValue(Form->Ops[1]) == std::optional<int64_t>(1)));
  if (IsNot(Form) && Form->Ops[0]->K == ExprKind::Binary && Form->Ops[0]->O == Op::Sub)
    B.AllSet = false; // ~(m - 1)
  B.Out = E->O == Op::And && !B.AllSet ? Same : Up;
  return B;
}

/// E as an operation on the bits of ids. Nothing: it is not one.
std::optional<BlockAnalysis::BitsOp> BlockAnalysis::bitsOp(const Expr *E) {
  if (E->K != ExprKind::Binary || N < 2 || !llvm::isPowerOf2_32(N) || !E->Ty->isScalar() ||
      !E->Ty->isInteger() || sizeInBits(E->Ty->Scalar) < 32)
    return std::nullopt;
  bool Commutes = E->O == Op::And || E->O == Op::Or || E->O == Op::Xor;
  if (!Commutes && E->O != Op::Shr && E->O != Op::Div && E->O != Op::Rem)
    return std::nullopt;
  for (unsigned Moving : {0u, 1u}) {
    const Expr *X = E->Ops[Moving], *Mask = E->Ops[1 - Moving];
    if (Moving && !Commutes)
      break;
    VShape Sh = shape(X), Other = shape(Mask);
    if (Sh.K != VShape::Linear || Sh.Stride != 1 || Other.K != VShape::Uniform || Other.Rows ||
        !aligned(X, 0))
      continue;
    if (auto C = constantValue(Mask))
      return bitsOfConstant(E, Moving, *C, Sh);
    return bitsOfArgument(E, Moving, Sh);
  }
  return std::nullopt;
}

} // namespace clmali::rewrite
