//===-- rewriters/strength-reduce.cpp - Cheaper than division ----------------===//
//
// What it does: divides without dividing, where the range of what is divided
// proves the same result:
//
//   before                         after
//   i / 16, i % 16   (i >= 0)      i >> 4, i & 15
//   v / 3            (v <= 765)    v * 21846 >> 16           (vectors)
//   y = i / w; x = i % w;          y = i / w; x = i - y * w;
//
// How the multiplier is proved: with m = ceil(2^s / c) and e = m * c - 2^s, the
// product x * m >> s is x / c for every x <= N if N * e < 2^s; and where N is
// small, every x is tried as well.
//
// Limits: divisors are constants, or the very ones of a division that is there
// already. Scalars are divided by powers of two only: a compiler finds the rest,
// which it does not for vectors.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

std::optional<int64_t> laneConstant(const Expr *E) {
  if (E->K == ExprKind::Cast && E->C == CastOp::Splat && E->Ops[0]->Ty->isInteger())
    return constantValue(E->Ops[0]);
  return constantValue(E);
}

unsigned size(const Expr *E) {
  unsigned N = 0;
  walk(E, [&](const Expr *) {
    ++N;
    return true;
  });
  return N;
}

struct Multiplier {
  uint64_t M;
  unsigned Shift;
};

/// x / C == x * M >> Shift for all x in [0, Most], with products up to Limit.
std::optional<Multiplier> multiplier(uint64_t C, uint64_t Most, uint64_t Limit, unsigned MinShift,
                                     unsigned MaxShift) {
  for (unsigned S = MinShift; S <= MaxShift; ++S) {
    __int128 Two = __int128(1) << S;
    __int128 M = (Two + C - 1) / C, E = M * C - Two;
    if (M * Most > Limit)
      return std::nullopt;
    if (E * Most >= Two)
      continue;
    if (Most < (1u << 20))
      for (uint64_t X = 0; X <= Most; ++X)
        if (uint64_t((X * M) >> S) != X / C)
          return std::nullopt;
    return Multiplier{uint64_t(M), S};
  }
  return std::nullopt;
}

class Reducer {
public:
  Reducer(Module &M, Kernel &K) : M(M), K(K), A(M, K) {}
  unsigned run() {
    walk(K.Body, [&](Stmt *S) {
      if (S->V && (S->K != StmtKind::Decl || S->E))
        ++Defs[S->V];
      return true;
    });
    block(K.Body);
    return Changes;
  }

private:
  Module &M;
  Kernel &K;
  KernelAnalysis A;
  unsigned Changes = 0;
  const Stmt *At = nullptr;
  llvm::DenseMap<const Var *, unsigned> Defs;
  struct Quotient {
    const Expr *X, *Y;
    Var *V;
  };
  std::vector<Quotient> Quotients; ///< in sight

  bool isFixed(const Expr *E) const;
  const Expr *expression(const Expr *E);
  const Expr *divide(const Expr *Old, const Expr *E);
  void block(StmtList &B);
};

/// Does E mean the same wherever its variables are in sight?
bool Reducer::isFixed(const Expr *E) const {
  bool Fixed = true;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Load || X->K == ExprKind::Opaque)
      Fixed = false;
    if (X->K == ExprKind::VarRef)
      Fixed &= Defs.lookup(X->V) == (X->V->K == Var::Param ? 0u : 1u);
    return Fixed;
  });
  return Fixed;
}

/// Old is E before its operands were changed: the analysis knows that.
const Expr *Reducer::divide(const Expr *Old, const Expr *E) {
  const Expr *X = E->Ops[0];
  const Type *Ty = E->Ty;
  ScalarKind Kind = Ty->Scalar;
  bool IsRem = E->O == Op::Rem;
  std::optional<int64_t> C = laneConstant(E->Ops[1]);
  if (!C) {
    if (!IsRem)
      return nullptr;
    for (const Quotient &Q : Quotients)
      if (equal(Q.X, Old->Ops[0]) && equal(Q.Y, Old->Ops[1]) && Q.V->Ty == Ty)
        return M.binary(Op::Sub, X, M.binary(Op::Mul, M.ref(Q.V), E->Ops[1]));
    return nullptr;
  }
  if (*C < 2)
    return nullptr;
  Range R = A.range(Old->Ops[0], At);
  bool Natural = !isSigned(Kind) || R.Lo >= 0;
  if (!Natural)
    return nullptr;
  if (llvm::isPowerOf2_64(uint64_t(*C))) {
    if (IsRem)
      return M.binary(Op::And, X, M.intConst(*C - 1, Ty));
    return M.binary(Op::Shr, X, M.intConst(llvm::Log2_64(uint64_t(*C)), Ty));
  }
  unsigned Bits = sizeInBits(Kind);
  if (!Ty->isVector() || Bits > 32 || Bits < 16 || (IsRem && size(X) > 3))
    return nullptr;
  uint64_t Most = uint64_t(R.Hi), Limit = uint64_t(rangeOf(Kind).Hi);
  const Expr *Q = nullptr;
  if (auto F = multiplier(uint64_t(*C), Most, Limit, 1, Bits - 1)) {
    Q = M.binary(Op::Shr, M.binary(Op::Mul, X, M.intConst(int64_t(F->M), Ty)),
                 M.intConst(F->Shift, Ty));
  } else if (auto H = multiplier(uint64_t(*C), Most, UINT64_MAX, Bits, 2 * Bits - 1);
             H && H->M < (uint64_t(1) << Bits)) {
    const Type *U = M.value(Bits == 16 ? ScalarKind::UShort : ScalarKind::UInt, Ty->Lanes);
    Q = M.call("mul_hi", U, {M.cast(X, U), M.intConst(int64_t(H->M), U)});
    if (H->Shift > Bits)
      Q = M.binary(Op::Shr, Q, M.intConst(H->Shift - Bits, U));
    Q = M.cast(Q, Ty);
  }
  if (!Q || !IsRem)
    return Q;
  return M.binary(Op::Sub, X, M.binary(Op::Mul, Q, E->Ops[1]));
}

const Expr *Reducer::expression(const Expr *E) {
  const Expr *New = mapOperands(M, E, [&](const Expr *Op) { return expression(Op); });
  if (New->K != ExprKind::Binary || (New->O != Op::Div && New->O != Op::Rem) ||
      !New->Ty->isInteger())
    return New;
  if (const Expr *Cheap = divide(E, New)) {
    ++Changes;
    return Cheap;
  }
  return New;
}

void Reducer::block(StmtList &B) {
  size_t Before = Quotients.size();
  // x = i % w; y = i / w: the quotient first.
  auto isDecl = [](const Stmt *S, Op O) {
    return S->K == StmtKind::Decl && S->E && S->E->K == ExprKind::Binary && S->E->O == O &&
           S->E->Ty->isInteger() && !laneConstant(S->E->Ops[1]);
  };
  for (size_t I = 0; I + 1 < B.size(); ++I)
    if (isDecl(B[I], Op::Rem) && isDecl(B[I + 1], Op::Div) && isFixed(B[I]->E) &&
        equal(B[I]->E->Ops[0], B[I + 1]->E->Ops[0]) && equal(B[I]->E->Ops[1], B[I + 1]->E->Ops[1]))
      std::swap(B[I], B[I + 1]);
  for (Stmt *S : B) {
    // y = x / w, with y, x and w the same from here on.
    const Expr *E = S->K == StmtKind::Decl ? S->E : nullptr;
    bool IsQuotient = E && E->K == ExprKind::Binary && E->O == Op::Div && E->Ty == S->V->Ty &&
                      E->Ty->isInteger() && Defs.lookup(S->V) == 1 && isFixed(E) &&
                      !laneConstant(E->Ops[1]);
    At = S;
    mapExprs(M, *S, [&](const Expr *X) {
      const Expr *New = expression(X);
      return New == X ? X : simplify(M, New);
    });
    if (IsQuotient)
      Quotients.push_back({E->Ops[0], E->Ops[1], S->V});
    forEachStmtList(*S, [&](StmtList &N) { block(N); });
  }
  Quotients.resize(Before);
}

} // namespace

unsigned strengthReduce(Module &M, Kernel &K) {
  bool HasOpaque = !K.Opaques.empty();
  walk(K.Body, [&](Stmt *S) { return !(HasOpaque |= S->K == StmtKind::Opaque); });
  return HasOpaque ? 0 : Reducer(M, K).run();
}

static unsigned edit(PassState &S) { return strengthReduce(S.module(), S.kernel()); }

CLMALI_PASS(.Id = "strength-reduce", .ShownAs = "strength-reduce",
            .Does = "Integer divisions by constants become shifts, masks and multiplications.",
            .Edit = edit);

} // namespace clmali::rewrite
