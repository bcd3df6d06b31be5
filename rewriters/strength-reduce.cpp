//===-- rewriters/strength-reduce.cpp - Cheaper than division ----------------===//
//
// What it does: divides without dividing, where the range of what is divided
// proves the same result:
//
//   before                         after
//   i / 16, i % 16   (i >= 0)      i >> 4, i & 15
//   v / 3            (v <= 765)    v * 21846 >> 16           (vectors)
//   v / 255          (v <= 65152)  v + 1 + (v >> 8) >> 8      (vectors of 16 bits)
//   y = i / w; x = i % w;          y = i / w; x = i - y * w;
//
// How the multiplier is proved: with m = ceil(2^s / c) and e = m * c - 2^s, the
// product x * m >> s is x / c for every x <= N if N * e < 2^s; and where N is
// small, every x is tried as well.
//
// Limits: divisors are constants, or the very ones of a division that is there
// already (checks/model/pattern/QuotientReuse.h). Scalars are divided by powers of two only: a
// compiler finds the rest, which it does not for vectors.
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/Opaque.h"
#include "checks/model/pattern/QuotientReuse.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

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

class Reducer : KernelEditor {
public:
  explicit Reducer(const EditedKernel &E) : KernelEditor(E), Reuse(K.Body) {}
  unsigned run() {
    block(K.Body);
    return Changes;
  }

private:
  unsigned Changes = 0;
  const Stmt *At = nullptr;
  const pattern::QuotientReuse Reuse;

  const Expr *expression(const Expr *E);
  const Expr *divide(const Expr *Old, const Expr *E);
  const Expr *divideByOnes(const Expr *X, int64_t C, uint64_t Most);
  StmtList Before; ///< declarations that the current statement needs
  void block(StmtList &B);
};

/// X / C for a vector of 16 bits and C = 2^k - 1, in 16 bits. Null: that is not exact up to Most,
/// or X, which is needed twice, cannot be held in a variable.
const Expr *Reducer::divideByOnes(const Expr *X, int64_t C, uint64_t Most) {
  const Type *Ty = X->Ty;
  if (!llvm::isPowerOf2_64(uint64_t(C) + 1) || sizeInBits(Ty->Scalar) != 16)
    return nullptr;
  const unsigned Shift = llvm::Log2_64(uint64_t(C) + 1);
  auto Quotient = [&](uint64_t V) { return (V + 1 + (V >> Shift)) >> Shift; };
  for (uint64_t V = 0; V <= Most; ++V)
    if (Quotient(V) != V / uint64_t(C))
      return nullptr;
  if (Most + 1 + (Most >> Shift) > uint64_t(rangeOf(Ty->Scalar).Hi))
    return nullptr;
  if (X->K != ExprKind::VarRef) {
    bool Holds = At->K == StmtKind::Decl || At->K == StmtKind::Assign || At->K == StmtKind::Store;
    if (!Holds || llvm::any_of(exprs(X), [](ExprAt E) {
          bool Divides = E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem);
          return isRead(E->K) || E->K == ExprKind::Opaque ||
                 (Divides && !pattern::laneConstant(E->Ops[1]));
        }))
      return nullptr;
    Stmt *D = M.newStmt(StmtKind::Decl, At->Range);
    D->V = newTemp(M, K, "dividend", Ty);
    D->E = X;
    Before.push_back(D);
    X = M.ref(D->V);
  }
  const Expr *Count = M.intConst(Shift, Ty);
  return M.binary(
      Op::Shr,
      M.binary(Op::Add, M.binary(Op::Add, X, M.intConst(1, Ty)), M.binary(Op::Shr, X, Count)),
      Count);
}

/// Old is E before its operands were changed: the analysis knows that.
const Expr *Reducer::divide(const Expr *Old, const Expr *E) {
  const Expr *X = E->Ops[0];
  const Type *Ty = E->Ty;
  ScalarKind Kind = Ty->Scalar;
  bool IsRem = E->O == Op::Rem;
  std::optional<int64_t> C = pattern::laneConstant(E->Ops[1]);
  if (!C) {
    auto Quotient = Reuse.QuotientOf.find({At, Old});
    if (Quotient == Reuse.QuotientOf.end())
      return nullptr;
    return M.binary(Op::Sub, X, M.binary(Op::Mul, M.ref(Quotient->second->V), E->Ops[1]));
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
  } else if (const Expr *Sums = IsRem ? nullptr : divideByOnes(X, *C, Most)) {
    return Sums;
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
  // x = i % w; y = i / w: the quotient first.
  for (size_t I = 0; I + 1 < B.size(); ++I)
    if (llvm::is_contained(Reuse.Swapped, std::pair<const Stmt *, const Stmt *>(B[I], B[I + 1])))
      std::swap(B[I], B[I + 1]);
  StmtList Out;
  for (Stmt *S : B) {
    At = S;
    mapExprs(M, *S, [&](const Expr *X) {
      const Expr *New = expression(X);
      return New == X ? X : simplify(M, New);
    });
    llvm::append_range(Out, Before);
    Before.clear();
    Out.push_back(S);
    forEachStmtList(*S, [&](StmtList &N) { block(N); });
  }
  B = std::move(Out);
}

} // namespace

unsigned strengthReduce(const EditedKernel &E) {
  return pattern::hasOpaqueParts(E.kernel()) ? 0 : Reducer(E).run();
}

static unsigned edit(PassState &S) { return strengthReduce(S.editedKernel()); }

CLMALI_PASS(.Id = "strength-reduce", .ShownAs = "strength-reduce",
            .Does = "Integer divisions by constants become shifts, masks and multiplications.",
            .Edit = edit);

} // namespace clmali::rewrite
