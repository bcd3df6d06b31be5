//===-- checks/model/ir/Simplify.cpp - Exact simplification ------------------===//
//
// What it does: folds integer constants with C's semantics of their type and removes operations
// without effect:
//
//   before                        after
//   (x * 16) + 0                  x * 16
//   (x + 3) + 4                   x + 7
//   (long)(4 * x) + 3             (long)(4 * x + 3)
//   (uint)(ulong)(uint)x          x
//   1 && (a < b)                  a < b
//   (float4)(v.x, v.x, ..).y      v.x
//
// Joining constants of signed sums is safe: x + c1 and (x + c1) + c2 did not
// overflow, and x + (c1 + c2) is the latter's value.
//
// Limits: floating point is not simplified (x * 1.0f flushes denormals on some devices), except for
// exact conversions of constants. (y + 1) * w is not multiplied out: the written form reads better.
// Volatile and opaque expressions are never dropped.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Simplify.h"
#include "checks/model/ir/Range.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

namespace clmali::model {
namespace {

/// V as an object of kind K holds it, sign- or zero-extended.
int64_t wrapTo(int64_t V, ScalarKind K) {
  if (K == ScalarKind::Bool)
    return V != 0;
  unsigned Bits = sizeInBits(K);
  if (Bits == 64)
    return V;
  return isSigned(K) ? llvm::SignExtend64(uint64_t(V), Bits)
                     : int64_t(uint64_t(V) & llvm::maskTrailingOnes<uint64_t>(Bits));
}

/// V as a result of type K; nullopt if it overflows a signed type.
std::optional<int64_t> fit(__int128 V, ScalarKind K) {
  if (!isSigned(K))
    return wrapTo(int64_t(V), K);
  int64_t Low = wrapTo(int64_t(V), K);
  if (__int128(Low) != V)
    return std::nullopt;
  return Low;
}

/// K is the type of the operands (of A for shifts).
std::optional<int64_t> fold(Op O, int64_t A, int64_t B, ScalarKind K) {
  // ulong values are kept as their bits: compare and divide them as unsigned.
  bool Unsigned = !isSigned(K);
  __int128 WA = Unsigned ? __int128(uint64_t(A)) : __int128(A);
  __int128 WB = Unsigned ? __int128(uint64_t(B)) : __int128(B);
  switch (O) {
  case Op::Add:
    return fit(WA + WB, K);
  case Op::Sub:
    return fit(WA - WB, K);
  case Op::Mul: {
    // Two 64-bit unsigned factors do not fit a signed __int128.
    if (Unsigned)
      return wrapTo(int64_t(uint64_t(A) * uint64_t(B)), K);
    return fit(WA * WB, K);
  }
  case Op::Div:
    if (WB == 0)
      return std::nullopt;
    return fit(WA / WB, K);
  case Op::Rem:
    // MIN % -1 is as undefined as MIN / -1.
    if (WB == 0 || !fit(WA / WB, K))
      return std::nullopt;
    return fit(WA % WB, K);
  case Op::Shl:
  case Op::Shr: {
    // OpenCL takes the count modulo the width.
    unsigned Count = unsigned(uint64_t(B) & (sizeInBits(K) - 1));
    if (O == Op::Shl)
      return wrapTo(int64_t(uint64_t(A) << Count), K);
    return wrapTo(Unsigned ? int64_t(uint64_t(A) >> Count) : A >> Count, K);
  }
  case Op::And:
    return wrapTo(A & B, K);
  case Op::Or:
    return wrapTo(A | B, K);
  case Op::Xor:
    return wrapTo(A ^ B, K);
  case Op::LT:
    return WA < WB;
  case Op::LE:
    return WA <= WB;
  case Op::GT:
    return WA > WB;
  case Op::GE:
    return WA >= WB;
  case Op::EQ:
    return WA == WB;
  case Op::NE:
    return WA != WB;
  case Op::LogicalAnd:
    return A && B;
  case Op::LogicalOr:
    return A || B;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> foldUnary(Op O, int64_t A, ScalarKind K) {
  switch (O) {
  case Op::Neg:
    return isSigned(K) ? fit(-__int128(A), K) : wrapTo(int64_t(-uint64_t(A)), K);
  case Op::BitNot:
    return wrapTo(~A, K);
  case Op::LogicalNot:
    return !A;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> foldCast(const Expr *E, int64_t A) {
  const Expr *From = E->Ops[0];
  if (!E->Ty->isInteger() || !From->Ty->isInteger())
    return std::nullopt;
  bool Saturate = E->C == CastOp::Builtin && llvm::StringRef(E->Text).starts_with("_sat");
  if (E->C == CastOp::Bitcast && sizeInBytes(E->Ty->Scalar) != sizeInBytes(From->Ty->Scalar))
    return std::nullopt;
  if (!Saturate)
    return wrapTo(A, E->Ty->Scalar);
  if (From->Ty->Scalar == ScalarKind::ULong || E->Ty->Scalar == ScalarKind::ULong)
    return std::nullopt;
  Range R = rangeOf(E->Ty->Scalar);
  return std::clamp(A, R.Lo, R.Hi);
}

/// A scalar integer constant, or the one that all lanes of a splat hold.
std::optional<int64_t> laneConstant(const Expr *E) {
  if (E->K == ExprKind::Cast && E->C == CastOp::Splat && E->Ops[0]->Ty->isInteger())
    return constantValue(E->Ops[0]);
  return constantValue(E);
}

bool mayDrop(const Expr *E) {
  bool Pure = true;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Opaque || (X->K == ExprKind::Load && X->Acc.Volatile))
      Pure = false;
    return Pure;
  });
  return Pure;
}

bool isTruth(const Expr *E) {
  return E->Ty->isScalar() &&
         ((E->K == ExprKind::Binary &&
           (isComparison(E->O) || E->O == Op::LogicalAnd || E->O == Op::LogicalOr)) ||
          (E->K == ExprKind::Unary && E->O == Op::LogicalNot));
}

const Expr *binaryAs(Module &M, const Expr *Like, Op O, const Expr *A, const Expr *B) {
  Expr *N = M.newExpr(ExprKind::Binary, Like->Ty, Like->Range);
  N->O = O;
  N->Ops = {A, B};
  return N;
}

/// E as Inner + C, if it is a sum with a constant.
std::optional<std::pair<const Expr *, int64_t>> splitSum(const Expr *E) {
  if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub))
    return std::nullopt;
  if (std::optional<int64_t> C = laneConstant(E->Ops[1])) {
    if (E->O == Op::Add)
      return std::pair(E->Ops[0], *C);
    std::optional<int64_t> Negative = fold(Op::Sub, 0, *C, E->Ty->Scalar);
    if (!Negative)
      return std::nullopt;
    return std::pair(E->Ops[0], *Negative);
  }
  if (E->O == Op::Add)
    if (std::optional<int64_t> C = laneConstant(E->Ops[0]))
      return std::pair(E->Ops[1], *C);
  return std::nullopt;
}

/// Y for X = -Y, or Y * c for X = Y * -c if that does not overflow; else null.
const Expr *negated(Module &M, const Expr *X) {
  if (X->K == ExprKind::Unary && X->O == Op::Neg)
    return X->Ops[0];
  if (X->K != ExprKind::Binary || X->O != Op::Mul || !isSigned(X->Ty->Scalar))
    return nullptr;
  for (unsigned I : {0u, 1u}) {
    std::optional<int64_t> C = laneConstant(X->Ops[I]);
    const Expr *Y = X->Ops[1 - I];
    if (!C || *C >= 0 || *C < INT32_MIN || Y->K != ExprKind::Cast || Y->C != CastOp::Convert ||
        !Y->Ops[0]->Ty->isInteger() || sizeInBits(Y->Ops[0]->Ty->Scalar) > 16)
      continue;
    Range R = rangeOf(Y->Ops[0]->Ty->Scalar);
    if (std::max(-R.Lo, R.Hi) * -*C > rangeOf(X->Ty->Scalar).Hi)
      continue;
    const Expr *Factor = M.intConst(-*C, X->Ops[I]->Ty);
    return I ? binaryAs(M, X, Op::Mul, Y, Factor) : binaryAs(M, X, Op::Mul, Factor, Y);
  }
  return nullptr;
}

/// A number that divides E, a scalar signed integer: sums and products do not overflow.
int64_t divisorOf(const Expr *E) {
  if (std::optional<int64_t> C = constantValue(E))
    return std::abs(*C);
  if (E->K != ExprKind::Binary)
    return 1;
  if (E->O == Op::Mul) {
    int64_t Product = 0;
    bool TooLarge = llvm::MulOverflow(divisorOf(E->Ops[0]), divisorOf(E->Ops[1]), Product);
    return TooLarge ? 1 : Product;
  }
  if (E->O == Op::Add || E->O == Op::Sub)
    return std::gcd(divisorOf(E->Ops[0]), divisorOf(E->Ops[1]));
  return 1;
}

/// (long)x + c as (long)(x + c): x, an int, divides by more than what c adds to it, so that the sum
/// is an int. Null: it may be none.
const Expr *addNarrow(Module &M, const Expr *E, const Expr *X, int64_t C) {
  if (E->Ty->Scalar != ScalarKind::Long || !E->Ty->isScalar() || C <= 0 || X->K != ExprKind::Cast ||
      X->C != CastOp::Convert || !X->Implicit || X->Ops[0]->Ty != M.value(ScalarKind::Int))
    return nullptr;
  const Expr *Narrow = X->Ops[0];
  int64_t By = divisorOf(Narrow);
  if (By == 0 || C > INT32_MAX % By)
    return nullptr;
  const Expr *Sum = M.binary(Op::Add, Narrow, M.intConst(C, Narrow->Ty));
  return M.cast(Sum, E->Ty, true);
}

const Expr *simplifySum(Module &M, const Expr *E) {
  ScalarKind K = E->Ty->Scalar;
  // a + -b and a + b * -2 read better as a - b and a - b * 2.
  if (E->O == Op::Add)
    for (unsigned I : {1u, 0u})
      if (const Expr *Taken = negated(M, E->Ops[I]))
        return binaryAs(M, E, Op::Sub, E->Ops[1 - I], Taken);
  if (E->O == Op::Sub && equal(E->Ops[0], E->Ops[1]) && mayDrop(E->Ops[0]))
    return M.intConst(0, E->Ty);
  auto Outer = splitSum(E);
  if (!Outer)
    return E;
  auto [X, C] = *Outer;
  bool Joined = false;
  if (auto Inner = splitSum(X)) {
    if (std::optional<int64_t> Sum = fold(Op::Add, Inner->second, C, K)) {
      X = Inner->first;
      C = *Sum;
      Joined = true;
    }
  }
  if (C == 0)
    return X;
  if (const Expr *Narrow = addNarrow(M, E, X, C))
    return Narrow;
  // x + -3 reads better as x - 3.
  if (isSigned(K) && C < 0 && C != rangeOf(K).Lo && (Joined || E->O == Op::Add))
    return binaryAs(M, E, Op::Sub, X, M.intConst(-C, E->Ty));
  if (Joined)
    return binaryAs(M, E, Op::Add, X, M.intConst(C, E->Ty));
  return E;
}

const Expr *simplifyProduct(Module &M, const Expr *E) {
  for (unsigned I : {0u, 1u}) {
    std::optional<int64_t> C = laneConstant(E->Ops[I]);
    const Expr *X = E->Ops[1 - I];
    if (!C)
      continue;
    if (*C == 1)
      return X;
    if (*C == -1 && isSigned(E->Ty->Scalar)) {
      Expr *N = M.newExpr(ExprKind::Unary, E->Ty, E->Range);
      N->O = Op::Neg;
      N->Ops = {X};
      return N;
    }
    if (*C == 0 && mayDrop(X))
      return M.intConst(0, E->Ty);
    if (X->K != ExprKind::Binary || X->O != Op::Mul)
      continue;
    for (unsigned J : {0u, 1u})
      if (std::optional<int64_t> D = laneConstant(X->Ops[J]))
        if (std::optional<int64_t> P = fold(Op::Mul, *C, *D, E->Ty->Scalar))
          return binaryAs(M, E, Op::Mul, X->Ops[1 - J], M.intConst(*P, E->Ty));
  }
  return E;
}

const Expr *simplifyLogic(Module &M, const Expr *E) {
  bool IsAnd = E->O == Op::LogicalAnd;
  for (unsigned I : {0u, 1u}) {
    std::optional<int64_t> C = constantValue(E->Ops[I]);
    const Expr *X = E->Ops[1 - I];
    if (!C)
      continue;
    bool Neutral = (*C != 0) == IsAnd;
    if (Neutral && isTruth(X))
      return X;
    // The right operand is not evaluated if the left decides.
    if (!Neutral && (I == 0 || mayDrop(X)))
      return M.intConst(!IsAnd, E->Ty);
  }
  return E;
}

const Expr *simplifyBinary(Module &M, const Expr *E) {
  const Expr *A = E->Ops[0], *B = E->Ops[1];
  if (E->O == Op::LogicalAnd || E->O == Op::LogicalOr)
    return E->Ty->isScalar() && A->Ty->isInteger() && B->Ty->isInteger() ? simplifyLogic(M, E) : E;
  if (!E->Ty->isInteger() || !A->Ty->isInteger() || !B->Ty->isInteger())
    return E;
  std::optional<int64_t> CA = laneConstant(A), CB = laneConstant(B);
  if (CA && CB && E->Ty->isVector() && !isComparison(E->O))
    if (std::optional<int64_t> V = fold(E->O, *CA, *CB, A->Ty->Scalar))
      return M.intConst(*V, E->Ty);
  switch (E->O) {
  case Op::Add:
  case Op::Sub:
    return simplifySum(M, E);
  case Op::Mul:
    return simplifyProduct(M, E);
  case Op::Div:
    return CB == 1 ? A : E;
  case Op::Rem:
    return CB == 1 && mayDrop(A) ? M.intConst(0, E->Ty) : E;
  case Op::Shl:
  case Op::Shr:
    return CB == 0 ? A : E;
  case Op::And:
    if ((CA == 0 && mayDrop(B)) || (CB == 0 && mayDrop(A)))
      return M.intConst(0, E->Ty);
    if (CB == wrapTo(-1, E->Ty->Scalar) || (mayDrop(B) && equal(A, B)))
      return A;
    return CA == wrapTo(-1, E->Ty->Scalar) ? B : E;
  case Op::Or:
    if (CB == 0 || (mayDrop(B) && equal(A, B)))
      return A;
    return CA == 0 ? B : E;
  case Op::Xor:
    if (CB == 0)
      return A;
    return CA == 0 ? B : E;
  default:
    return E;
  }
}

const Expr *simplifyUnary(Module &M, const Expr *E) {
  const Expr *A = E->Ops[0];
  if (E->O == Op::LogicalNot && E->Ty->isScalar() && A->K == ExprKind::Binary &&
      isComparison(A->O)) {
    // !(a < b) is not a >= b for NaN.
    bool Exact = A->Ops[0]->Ty->isInteger() || A->O == Op::EQ || A->O == Op::NE;
    if (Exact)
      return binaryAs(M, A, inverse(A->O), A->Ops[0], A->Ops[1]);
  }
  // !(x >= w || y >= h) is x < w && y < h.
  if (E->O == Op::LogicalNot && E->Ty->isScalar() && A->K == ExprKind::Binary &&
      (A->O == Op::LogicalOr || A->O == Op::LogicalAnd)) {
    const Expr *Sides[2];
    for (unsigned I : {0u, 1u}) {
      Sides[I] = simplifyUnary(M, M.unary(Op::LogicalNot, A->Ops[I]));
      if (Sides[I]->K == ExprKind::Unary)
        return E;
    }
    return binaryAs(M, A, A->O == Op::LogicalOr ? Op::LogicalAnd : Op::LogicalOr, Sides[0],
                    Sides[1]);
  }
  if ((E->O == Op::Neg || E->O == Op::BitNot) && A->K == ExprKind::Unary && A->O == E->O &&
      E->Ty->isInteger())
    return A->Ops[0];
  return E;
}

/// Every value of From is a value of To.
bool preservesValue(ScalarKind From, ScalarKind To) {
  if (!isInteger(From) || !isInteger(To))
    return From == To;
  if (To == ScalarKind::Bool)
    return From == ScalarKind::Bool;
  if (isSigned(From) && !isSigned(To))
    return false;
  unsigned Need = sizeInBits(From) + (isSigned(To) && !isSigned(From) ? 1 : 0);
  return Need <= sizeInBits(To);
}

const Expr *simplifyCast(Module &M, const Expr *E) {
  const Expr *A = E->Ops[0];
  if (E->C != CastOp::Convert)
    return E->Ty == A->Ty ? A : E; // as_T and convert_T of T itself
  if (E->Ty == A->Ty)
    return A;
  if (A->K == ExprKind::FloatConst && E->Ty->isScalar()) {
    double V = A->Float;
    ScalarKind To = E->Ty->Scalar;
    if (To == ScalarKind::Double || (To == ScalarKind::Float && double(float(V)) == V))
      return M.floatConst(V, E->Ty);
    if (isInteger(To) && To != ScalarKind::Bool && std::fabs(V) < 9.0e18) {
      int64_t T = int64_t(V);
      if (wrapTo(T, To) == T && (T >= 0 || isSigned(To)))
        return M.intConst(T, E->Ty);
    }
    return E;
  }
  if (A->K != ExprKind::Cast || A->C != CastOp::Convert || !A->Ops[0]->Ty->isInteger() ||
      !A->Ty->isInteger() || A->Ops[0]->Ty->Lanes != E->Ty->Lanes)
    return E;
  // X -> Mid -> To: Mid changes nothing if it holds all values of X, or if To keeps only bits that
  // Mid has kept.
  const Expr *X = A->Ops[0];
  ScalarKind From = X->Ty->Scalar, Mid = A->Ty->Scalar, To = E->Ty->Scalar;
  bool KeepsBits = isInteger(To) && To != ScalarKind::Bool && Mid != ScalarKind::Bool &&
                   sizeInBits(Mid) >= sizeInBits(To);
  if (!preservesValue(From, Mid) && !KeepsBits)
    return E;
  if (X->Ty == E->Ty)
    return X;
  Expr *N = M.newExpr(ExprKind::Cast, E->Ty, E->Range);
  N->C = CastOp::Convert;
  N->Implicit = E->Implicit;
  N->Ops = {X};
  return N;
}

const Expr *simplifySwizzle(Module &M, const Expr *E) {
  const Expr *A = E->Ops[0];
  bool Identity = E->Ty == A->Ty;
  for (unsigned I = 0; I < E->LaneIdx.size(); ++I)
    Identity &= E->LaneIdx[I] == I;
  if (Identity)
    return A;
  if (A->K == ExprKind::Swizzle) {
    llvm::SmallVector<uint8_t, 8> Lanes;
    for (uint8_t L : E->LaneIdx)
      Lanes.push_back(A->LaneIdx[L]);
    return simplifySwizzle(M, M.swizzle(A->Ops[0], Lanes));
  }
  if (A->K == ExprKind::Cast && A->C == CastOp::Splat && A->Ops[0]->Ty->isScalar())
    return E->Ty->isScalar() ? A->Ops[0] : M.cast(A->Ops[0], E->Ty, true);
  if (A->K == ExprKind::VectorCtor && E->Ty->isScalar()) {
    unsigned Lane = E->LaneIdx[0];
    for (const Expr *Part : A->Ops) {
      unsigned Lanes = Part->Ty->Lanes;
      if (Lane >= Lanes) {
        Lane -= Lanes;
        continue;
      }
      if (!llvm::all_of(A->Ops, mayDrop))
        return E;
      uint8_t L = uint8_t(Lane);
      return Part->Ty->isScalar() ? Part : simplifySwizzle(M, M.swizzle(Part, L));
    }
  }
  return E;
}

const Expr *simplifySelect(Module &M, const Expr *E) {
  if (!E->Ops[0]->Ty->isScalar())
    return E;
  if (E->Ops[0]->Ty->isInteger())
    if (std::optional<int64_t> C = constantValue(E->Ops[0]))
      return *C ? E->Ops[1] : E->Ops[2];
  if (equal(E->Ops[1], E->Ops[2]) && mayDrop(E->Ops[0]))
    return E->Ops[1];
  return E;
}

} // namespace

std::optional<int64_t> constantValue(const Expr *E) {
  if (!E->Ty->isScalar() || !E->Ty->isInteger())
    return std::nullopt;
  switch (E->K) {
  case ExprKind::IntConst:
    return E->Int;
  case ExprKind::Unary: {
    if (!E->Ops[0]->Ty->isInteger())
      return std::nullopt;
    std::optional<int64_t> A = constantValue(E->Ops[0]);
    return A ? foldUnary(E->O, *A, E->Ops[0]->Ty->Scalar) : std::nullopt;
  }
  case ExprKind::Binary: {
    if (!E->Ops[0]->Ty->isInteger() || !E->Ops[1]->Ty->isInteger())
      return std::nullopt;
    std::optional<int64_t> A = constantValue(E->Ops[0]), B = constantValue(E->Ops[1]);
    return A && B ? fold(E->O, *A, *B, E->Ops[0]->Ty->Scalar) : std::nullopt;
  }
  case ExprKind::Cast: {
    std::optional<int64_t> A = constantValue(E->Ops[0]);
    return A ? foldCast(E, *A) : std::nullopt;
  }
  case ExprKind::Select: {
    if (!E->Ops[0]->Ty->isInteger())
      return std::nullopt;
    std::optional<int64_t> C = constantValue(E->Ops[0]);
    return C ? constantValue(E->Ops[*C ? 1 : 2]) : std::nullopt;
  }
  case ExprKind::Call: {
    if (E->Ty->Scalar == ScalarKind::ULong)
      return std::nullopt;
    llvm::SmallVector<int64_t, 3> V;
    for (const Expr *Operand : E->Ops) {
      std::optional<int64_t> C = constantValue(Operand);
      if (!C)
        return std::nullopt;
      V.push_back(*C);
    }
    if (E->Name == "min" && V.size() == 2)
      return std::min(V[0], V[1]);
    if (E->Name == "max" && V.size() == 2)
      return std::max(V[0], V[1]);
    if (E->Name == "clamp" && V.size() == 3 && V[1] <= V[2])
      return std::clamp(V[0], V[1], V[2]);
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

const Expr *simplify(Module &M, const Expr *E) {
  E = mapOperands(M, E, [&](const Expr *Operand) { return simplify(M, Operand); });
  if (E->K != ExprKind::IntConst)
    if (std::optional<int64_t> C = constantValue(E))
      return M.intConst(*C, E->Ty);
  switch (E->K) {
  case ExprKind::Unary:
    return simplifyUnary(M, E);
  case ExprKind::Binary:
    return simplifyBinary(M, E);
  case ExprKind::Cast:
    return simplifyCast(M, E);
  case ExprKind::Swizzle:
    return simplifySwizzle(M, E);
  case ExprKind::Select:
    return simplifySelect(M, E);
  default:
    return E;
  }
}

} // namespace clmali::model
