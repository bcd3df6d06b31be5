//===-- checks/model/analysis/ConvexSums.cpp - Ranges of mixed values ---------------===//
//
// The interval of x * a + y * (c - a), c a constant, 0 <= a <= c: c times something between x and
// y. The products alone allow for twice as much.
//
//   t * a + b * (255 - a), all of 8 bits    ->  [0, 65025]
//
// Limits: the factors are found through conversions that keep the value, swizzles and variables
// with one reaching definition.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

namespace {

/// An integer, or the lanes Idx of a vector (none: all, in their order).
struct Leaf {
  const Expr *E;
  const Stmt *At;
  llvm::SmallVector<uint8_t, 16> Idx;

  void select(llvm::ArrayRef<uint8_t> Lanes) {
    llvm::SmallVector<uint8_t, 16> New;
    if (Idx.empty())
      New.assign(Lanes.begin(), Lanes.end());
    else
      for (uint8_t L : Idx)
        New.push_back(Lanes[L]);
    Idx = std::move(New);
  }
};

} // namespace

/// L without conversions, swizzles and variables.
static void peel(KernelAnalysis::Impl &I, Leaf &L) {
  constexpr unsigned MaxSteps = 16;
  for (unsigned Step = 0; Step < MaxSteps; ++Step) {
    const Expr *E = L.E;
    if (E->K == ExprKind::VarRef) {
      const Version &V = I.Versions[I.versionAt(E->V, L.At)];
      if (!isWholeDef(V) || V.S->E->Ty != V.V->Ty)
        return;
      L.At = V.S;
      L.E = V.S->E;
    } else if (E->K == ExprKind::Swizzle && E->Ops[0]->Ty->isVector()) {
      L.select(E->LaneIdx);
      L.E = E->Ops[0];
    } else if (E->K == ExprKind::Cast && (E->C == CastOp::Convert || E->C == CastOp::Splat) &&
               E->Ops[0]->Ty->isInteger() && E->Ops[0]->Ty->Scalar != ScalarKind::Bool &&
               rangeOf(E->Ty->Scalar).contains(rangeOf(E->Ops[0]->Ty->Scalar))) {
      if (E->C == CastOp::Splat)
        L.Idx.clear();
      L.E = E->Ops[0];
    } else {
      return;
    }
  }
}

/// The constant c of F = c - a, where a is Of.
static std::optional<int64_t> complement(KernelAnalysis::Impl &I, const Expr *F, const Expr *Of,
                                         const Stmt *At) {
  Leaf L{F, At, {}}, A{Of, At, {}};
  peel(I, L);
  if (L.E->K != ExprKind::Binary || L.E->O != Op::Sub)
    return std::nullopt;
  Leaf C{L.E->Ops[0], L.At, {}};
  peel(I, C);
  std::optional<int64_t> Constant = constantValue(C.E);
  L.E = L.E->Ops[1];
  peel(I, L);
  peel(I, A);
  if (!Constant || L.E->Ty != A.E->Ty || L.Idx != A.Idx ||
      I.valueOf(L.E, L.At) != I.valueOf(A.E, A.At))
    return std::nullopt;
  return Constant;
}

std::optional<Range> convexSum(KernelAnalysis::Impl &I, const Expr *E, const Stmt *At,
                               const GuardLink *G) {
  const Expr *P = E->Ops[0], *Q = E->Ops[1];
  auto IsProduct = [](const Expr *X) { return X->K == ExprKind::Binary && X->O == Op::Mul; };
  if (!IsProduct(P) || !IsProduct(Q))
    return std::nullopt;
  constexpr int64_t Most = 1 << 30;
  const Range Fits = rangeOf(E->Ty->Scalar);
  for (unsigned N : {0u, 1u})
    for (unsigned J : {0u, 1u})
      for (bool Swapped : {false, true}) {
        const Expr *A = P->Ops[N], *B = Q->Ops[J];
        std::optional<int64_t> C = complement(I, Swapped ? A : B, Swapped ? B : A, At);
        if (!C || *C < 0 || *C > Most)
          continue;
        Range Weight = I.eval(Swapped ? B : A, At, G), X = I.eval(P->Ops[1 - N], At, G),
              Y = I.eval(Q->Ops[1 - J], At, G);
        if (!Range{0, *C}.contains(Weight))
          continue;
        Range Between = {std::min(X.Lo, Y.Lo), std::max(X.Hi, Y.Hi)};
        if (Between.Lo < -Most || Between.Hi > Most)
          continue;
        // The products are no larger, so that none wraps.
        Range Sum = {*C * Between.Lo, *C * Between.Hi};
        if (Fits.contains(Range{std::min<int64_t>(Sum.Lo, 0), std::max<int64_t>(Sum.Hi, 0)}))
          return Sum;
      }
  return std::nullopt;
}

} // namespace clmali::model
