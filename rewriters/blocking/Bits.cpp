//===-- rewriters/blocking/Bits.cpp - Bits of the ids of a block --------------===//
//
// The first item of a block has a number that the number of lanes divides, so what is
// done to its upper bits is the same for all lanes, and its lower bits are the lanes:
//
//   i >> 5, i & ~31, i / 32        the same for all
//   i & 31, i % 32                 one after the other, from the first's
//   i ^ 32, i | 32                 one after the other
//   i ^ m, i & m, i >> s           so, too, if m is a multiple of the lanes (assumed)
//   i & (m - 1)                    if m is one
//
// Limits: a power of two of lanes, numbers of 32 bits and more.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::rewrite {

/// Is E, for the first lane of any block, a multiple of the lanes?
bool ItemBlocker::aligned(const Expr *E, unsigned Depth) {
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

/// Is E a sum of ids, which are not negative where they are below 2^31?
bool ItemBlocker::countsItems(const Expr *E) const {
  if (!isSigned(E->Ty->Scalar) || A.range(E).Lo >= 0)
    return true;
  return llvm::all_of(A.poly(E).Terms, [&](const auto &Term) {
    return Term.second >= 0 && llvm::all_of(Term.first, [&](unsigned Sym) {
             return A.symbol(Sym).K == SymbolInfo::WorkItem;
           });
  });
}

std::optional<ItemBlocker::BitsOp> ItemBlocker::bitsOp(const Expr *E) {
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
    const int64_t Low = int64_t(N) - 1;
    BitsOp B;
    B.Moving = Moving;
    auto Same = [&] { B.Out = {VShape::Uniform, 0, Sh.Rows}; };
    auto Along = [&](int64_t Stride) { B.Out = {VShape::Linear, Stride, Sh.Rows}; };
    if (auto C = constantValue(Mask)) {
      if (E->O == Op::Shr) {
        if (*C < int64_t(llvm::Log2_32(N)) || *C >= int64_t(sizeInBits(X->Ty->Scalar)))
          return std::nullopt;
        Same();
        return B;
      }
      if (E->O == Op::Div || E->O == Op::Rem) {
        if (*C <= 0 || *C % int64_t(N) || !countsItems(X))
          return std::nullopt;
        B.Counts = isSigned(X->Ty->Scalar) && A.range(X).Lo < 0;
        E->O == Op::Div ? Same() : Along(1);
        return B;
      }
      bool AllSet = (*C & Low) == Low;
      if ((*C & Low) != 0 && !AllSet)
        return std::nullopt;
      if (E->O == Op::And)
        AllSet ? Along(1) : Same();
      else if (E->O == Op::Xor)
        Along(AllSet ? -1 : 1);
      else if (AllSet)
        Same();
      else
        Along(1);
      return B;
    }
    if (!MayAssume || E->O == Op::Div || E->O == Op::Rem || !atEntry(Mask))
      return std::nullopt;
    B.Assumes = true;
    if (E->O == Op::Shr) {
      Same();
      return B;
    }
    // i & (m - 1), i & ~m
    const Expr *Form = Mask;
    while (Form->K == ExprKind::VarRef && Form->V->K == Var::Temp && A.singleDef(Form->V) &&
           A.singleDef(Form->V)->E)
      Form = A.singleDef(Form->V)->E;
    B.AllSet = E->O == Op::And && ((Form->K == ExprKind::Unary && Form->O == Op::BitNot) ||
                                   (Form->K == ExprKind::Binary && Form->O == Op::Sub &&
                                    constantValue(Form->Ops[1]) == std::optional<int64_t>(1)));
    if (Form->K == ExprKind::Unary && Form->O == Op::BitNot &&
        Form->Ops[0]->K == ExprKind::Binary && Form->Ops[0]->O == Op::Sub)
      B.AllSet = false; // ~(m - 1)
    E->O == Op::And && !B.AllSet ? Same() : Along(1);
    return B;
  }
  return std::nullopt;
}

LaneVal ItemBlocker::evalBits(const Expr *E, const BitsOp &B, unsigned Row) {
  const Expr *Mask = E->Ops[1 - B.Moving];
  if (B.Assumes && AssumedOps.insert({E, Around.empty() ? nullptr : Around.back()}).second) {
    bool Was = AtEntry;
    AtEntry = true;
    const Expr *M0 = eval(atEntry(Mask), 0).E;
    AtEntry = Was;
    const Type *Ty = M0->Ty;
    const Expr *Low = M.intConst(int64_t(N) - 1, Ty);
    if (E->O == Op::Shr)
      assume(M.binary(Op::GE, M0, M.intConst(llvm::Log2_32(N), Ty)));
    else
      assume(M.binary(Op::EQ, M.binary(Op::And, M0, Low), B.AllSet ? Low : M.intConst(0, Ty)));
  }
  Out.Needs.IdsBelow2G |= B.Counts;
  LaneVal V[2];
  for (unsigned I : {0u, 1u})
    V[I] = eval(E->Ops[I], Row);
  const Expr *First = simplify(M, M.binary(E->O, V[0].E, V[1].E));
  if (B.Out.K == VShape::Uniform)
    return {LaneVal::Uniform, First};
  return {LaneVal::Linear, First, B.Out.Stride};
}

} // namespace clmali::rewrite
