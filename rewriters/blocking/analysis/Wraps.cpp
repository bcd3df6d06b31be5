//===-- rewriters/blocking/analysis/Wraps.cpp - Values that may wrap between lanes -----===//
//
// Part of BlockAnalysis. The lanes of a linear value differ by its stride modulo the width of its
// type. Whether they do so as integers, too, decides what may be done with it:
//
//   int x = get_global_id(0) - 1;        exact: signed overflow is undefined
//   uint i; i - 5001u                    may wrap: lane 0 is 4294967295 where lane 1 is 0
//   (int)(i * 1000003u)                  may change its sign between two lanes
//   (i - 16u), (int)(i * 16u)            exact: multiples of the lane count, plus the lane
//   if (i & 8) 2147483640 - i            may wrap in lanes that do not execute it
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/analysis/BlockAnalysis.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

/// True if E cannot wrap because lane 0 is a multiple of a power of two that is larger than what
/// the other lanes add.
bool BlockAnalysis::staysAligned(const Expr *E, const VShape &Sh) {
  LaneSteps Offsets = offsets(Sh);
  return *llvm::min_element(Offsets) >= 0 && *llvm::max_element(Offsets) < alignment(E, false);
}

/// As isExact, for a variable: all its definitions are exact, those by its own value included.
bool BlockAnalysis::isExactVar(const Var *V, bool AlsoRows) {
  if (V->K != Var::Temp || !Asked.insert(V).second)
    return true;
  bool Exact = llvm::all_of(A.defs(V), [&](const Stmt *D) {
    bool Was = setMasked(MaskedDefs.contains(D));
    auto Restore = llvm::make_scope_exit([&] { setMasked(Was); });
    return (D->K == StmtKind::Decl && !D->E) ||
           (D->E && D->LaneIdx.empty() && D->E->Ty == V->Ty && isExact(D->E, AlsoRows));
  });
  Asked.erase(V);
  return Exact;
}

/// As isExact, for a sum of products whose value as an integer fits its type.
bool BlockAnalysis::isExactSum(const Expr *E, bool AlsoRows) {
  Poly P = Olds.of(E);
  llvm::SmallVector<const Expr *, 4> Symbols;
  for (const auto &[Mono, Factor] : P.Terms)
    for (unsigned S : Mono)
      Symbols.push_back(Olds.symbol(S));
  if (llvm::is_contained(Symbols, E) || !Olds.fits(P, E))
    return false;
  return llvm::all_of(Symbols, [&](const Expr *X) { return isExact(X, AlsoRows); });
}

void BlockAnalysis::findWidened(const Expr *E, llvm::SmallVectorImpl<const Expr *> &Parts) {
  if (!keepsLowBits(E))
    return;
  for (const Expr *X : E->Ops) {
    bool Widens = sizeInBits(E->Ty->Scalar) > sizeInBits(X->Ty->Scalar);
    VShape Sh = shape(X);
    bool MayWrap = (Sh.K == VShape::Linear || Sh.K == VShape::Stepped) && !isExact(X);
    if (Widens && MayWrap)
      Parts.push_back(X);
    else
      findWidened(X, Parts);
  }
}

VShape BlockAnalysis::comparedShape(const Expr *E) {
  llvm::SmallVector<const Expr *, 2> Parts;
  findWidened(E, Parts);
  assumeExact(Parts);
  VShape Sh = shape(E);
  assumeExact({});
  return Sh;
}

bool BlockAnalysis::isExact(const Expr *E, bool AlsoRows) {
  if (!AlsoRows && AssumedExact.contains(E))
    return true;
  unsigned Was = std::exchange(BitsUsed, AllBits);
  auto Restore = llvm::make_scope_exit([&] { BitsUsed = Was; });
  VShape Sh = shape(E);
  if (AlsoRows ? !varies(Sh) : Sh.K == VShape::Uniform)
    return true;
  if (Sh.K == VShape::Vector || !E->Ty->isScalar() || !E->Ty->isInteger())
    return false;
  if (E->K == ExprKind::WorkItem)
    return true;
  if (!AlsoRows && (staysAligned(E, Sh) || bitsOp(E) || quotient(E)))
    return true;
  if (isExactSum(E, AlsoRows))
    return true;
  if (E->K == ExprKind::VarRef)
    return isExactVar(E->V, AlsoRows);
  unsigned Winner = 0;
  if (coordinateOp(E, Winner)) // a remainder is that of a dividend within one row
    return (E->K == ExprKind::Binary && E->O == Op::Rem && !AlsoRows) ||
           isExact(E->Ops[Winner], AlsoRows);
  // What rows add to a quotient by a constant is a quotient, too.
  if (AlsoRows && constantOp(E))
    return isExact(E->Ops[0], true);
  auto OperandIsExact = [&](const Expr *X) { return isExact(X, AlsoRows); };
  if (E->K == ExprKind::Select)
    return llvm::all_of(llvm::drop_begin(E->Ops), OperandIsExact);
  return llvm::all_of(E->Ops, OperandIsExact) && Ints.isExact(E);
}

} // namespace clmali::rewrite
