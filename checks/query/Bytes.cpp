//===- Bytes.cpp - bytes and halves of integers -----------------------------------------------===//

#include "checks/query/Bytes.h"
#include "checks/query/Query.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

bool checks::isLoopOverBytes(const CountedLoop &L) {
  return L.TripCount && *L.TripCount >= 3 && *L.TripCount <= 8;
}

/// The number of bits that Count shifts by: a constant, or the constant part of 8 * i in a loop
/// over bytes. None: neither. Sets \p InLoop for the latter.
static std::optional<int64_t> bytesShifted(const KernelAnalysis &K, const Expr *Count,
                                           const Stmt *At, bool &InLoop) {
  if (std::optional<int64_t> N = constantValue(Count))
    return N;
  if (!Count->Ty->isScalar() || !Count->Ty->isInteger())
    return std::nullopt;
  Poly P = K.poly(Count, At);
  for (auto &[Symbols, Factor] : P.Terms) {
    if (Symbols.empty() && Factor % 8 == 0)
      continue;
    const SymbolInfo *I = Symbols.size() == 1 ? &K.symbol(Symbols[0]) : nullptr;
    if (!I || !I->Loop || std::abs(Factor) != 8)
      return std::nullopt;
    std::optional<CountedLoop> L = K.countedLoop(I->Loop);
    if (!L || !isLoopOverBytes(*L))
      return std::nullopt;
    InLoop = true;
  }
  return InLoop ? std::optional<int64_t>(0) : std::nullopt;
}

std::optional<unsigned> checks::byteOf(const KernelAnalysis &K, const Expr *E, const Stmt *At,
                                       const Expr *&Of, bool &InLoop) {
  int64_t By = 0, Mask = -1;
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ty->isInteger() &&
      sizeInBits(E->Ty->Scalar) == 8 && E->Ty->isScalar())
    Mask = 255;
  E = stripCasts(E);
  for (;;) {
    if (E->K == ExprKind::Binary && E->O == Op::And && (Mask == -1 || Mask == int64_t(255) << By)) {
      std::optional<int64_t> Left = constantValue(E->Ops[0]), Right = constantValue(E->Ops[1]);
      if (!Left && !Right)
        break;
      int64_t Inner = *(Left ? Left : Right);
      if (Mask != -1 && (Inner & Mask) != Mask)
        break;
      Mask = Mask == -1 ? Inner : Mask;
      E = stripCasts(E->Ops[Left ? 1 : 0]);
    } else if (E->K == ExprKind::Binary && E->O == Op::Shr) {
      std::optional<int64_t> N = bytesShifted(K, E->Ops[1], At, InLoop);
      if (!N || *N < 0 || *N > 56 || By + *N > 56)
        break;
      By += *N;
      if (Mask != -1)
        Mask = int64_t(uint64_t(Mask) << *N);
      E = stripCasts(E->Ops[0]);
    } else {
      break;
    }
  }
  unsigned Bits = E->Ty->isScalar() && E->Ty->isInteger() ? sizeInBits(E->Ty->Scalar) : 0;
  // The mask, shifted with the value, must select one byte.
  bool Masked = Mask != -1 && uint64_t(Mask) >> By == 255;
  if (Bits < 32 || By % 8 || (!Masked && (Mask != -1 || unsigned(By) != Bits - 8)) ||
      (!Masked && isSigned(E->Ty->Scalar)) || constantValue(E))
    return std::nullopt;
  Of = E;
  return By / 8;
}

/// The operands of a chain of |, + or ^.
static void parts(const Expr *E, std::vector<const Expr *> &Out) {
  const Expr *X = stripCasts(E);
  if (X->K == ExprKind::Binary && (X->O == Op::Or || X->O == Op::Add || X->O == Op::Xor)) {
    parts(X->Ops[0], Out);
    parts(X->Ops[1], Out);
    return;
  }
  Out.push_back(X);
}

/// True if E is a rounded floating-point value, as a colour channel is. It counts as a byte, though
/// its range is not proved.
static bool isRounded(const KernelAnalysis &K, const Expr *E) {
  return origin(K, E)->Ty->isFloat();
}

/// The bits of E that may be set (may: an over-approximation, but for rounded colour channels).
static uint64_t bitsOf(const KernelAnalysis &K, const Expr *E, const Stmt *S, bool &InLoop) {
  E = stripCasts(E);
  if (!E->Ty->isScalar())
    return ~uint64_t(0);
  if (std::optional<int64_t> Value = constantValue(E))
    return *Value;
  uint64_t All = E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) < 64
                     ? (uint64_t(1) << sizeInBits(E->Ty->Scalar)) - 1
                     : ~uint64_t(0);
  if (E->K == ExprKind::Binary && E->O == Op::And)
    return bitsOf(K, E->Ops[0], S, InLoop) & bitsOf(K, E->Ops[1], S, InLoop);
  // r * 65536, but not of rounded values: that may be arithmetic.
  if (E->K == ExprKind::Binary && E->O == Op::Mul)
    for (unsigned I : {0u, 1u})
      if (std::optional<int64_t> By = constantValue(E->Ops[I]);
          By && *By > 1 && isPowerOf2_64(*By) && Log2_64(*By) % 8 == 0 &&
          !isRounded(K, E->Ops[1 - I]))
        return bitsOf(K, E->Ops[1 - I], S, InLoop) << Log2_64(*By) & All;
  if (E->K == ExprKind::Binary && (E->O == Op::Shl || E->O == Op::Shr)) {
    std::optional<int64_t> N = bytesShifted(K, E->Ops[1], S, InLoop);
    uint64_t Inner = bitsOf(K, E->Ops[0], S, InLoop);
    if (!N || *N < 0 || *N > 63)
      return All;
    return E->O == Op::Shl                          ? Inner << *N & All
           : isSigned(E->Ty->Scalar) && Inner >> 31 ? All
                                                    : Inner >> *N;
  }
  Range R = K.range(E, S);
  bool IsByte = (E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) == 8) ||
                (R.Lo >= 0 && R.Hi <= 255) || isRounded(K, E);
  return IsByte ? 255 : All;
}

/// The number of the one byte in which P may have bits set; none: there is not exactly one.
static std::optional<unsigned> positionOfByte(const KernelAnalysis &K, const Expr *P, const Stmt *S,
                                              bool &InLoop) {
  uint64_t Bits = bitsOf(K, P, S, InLoop);
  for (unsigned I = 0; I < 8; ++I)
    if (Bits && !(Bits & ~(uint64_t(255) << 8 * I)))
      return I;
  return std::nullopt;
}

std::set<unsigned> checks::packedBytes(const KernelAnalysis &K, const Expr *E, const Stmt *S,
                                       function_ref<bool(const Expr *)> IsOld, bool &InLoop) {
  if (!E->Ty->isScalar() || !E->Ty->isInteger() || sizeInBits(E->Ty->Scalar) < 32)
    return {};
  std::vector<const Expr *> All;
  parts(E, All);
  std::set<unsigned> Positions;
  for (const Expr *P : All) {
    if (IsOld(P) || constantValue(P) == 0)
      continue;
    std::optional<unsigned> At = positionOfByte(K, P, S, InLoop);
    if (!At || !Positions.insert(*At).second)
      return {};
  }
  return Positions;
}

std::optional<unsigned> checks::halfOf(const Expr *E, const Expr *&Of) {
  unsigned Half = 0;
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ty->isInteger() && E->Ty->isScalar())
    Half = sizeInBits(E->Ty->Scalar);
  const Expr *X = stripCasts(E);
  auto IsWhole = [](const Expr *V, unsigned Bits) {
    return V->Ty->isScalar() && V->Ty->isInteger() && sizeInBits(V->Ty->Scalar) == Bits &&
           !constantValue(V);
  };
  if (X->K == ExprKind::Binary && X->O == Op::And)
    for (unsigned I : {0u, 1u})
      if (std::optional<int64_t> Mask = constantValue(X->Ops[I]);
          Mask == 0xffff || Mask == 0xffffffff) {
        Half = Mask == 0xffff ? 16 : 32;
        X = stripCasts(X->Ops[1 - I]);
        break;
      }
  if (X->K == ExprKind::Binary && X->O == Op::Shr) {
    std::optional<int64_t> By = constantValue(X->Ops[1]);
    const Expr *V = stripCasts(X->Ops[0]);
    if (!By || (*By != 16 && *By != 32) || !IsWhole(V, 2 * *By) ||
        (Half != *By && isSigned(V->Ty->Scalar)))
      return std::nullopt;
    Of = V;
    return 1;
  }
  if ((Half != 16 && Half != 32) || !IsWhole(X, 2 * Half))
    return std::nullopt;
  Of = X;
  return 0;
}

bool checks::isPackOfHalves(const KernelAnalysis &K, const Expr *E, const Stmt *S) {
  if (E->K != ExprKind::Binary || (E->O != Op::Or && E->O != Op::Add && E->O != Op::Xor) ||
      !E->Ty->isScalar() || !E->Ty->isInteger())
    return false;
  unsigned Bits = sizeInBits(E->Ty->Scalar);
  std::vector<const Expr *> Both;
  parts(E, Both);
  if (Both.size() != 2 || Bits < 32)
    return false;
  bool InLoop = false;
  uint64_t Low = (uint64_t(1) << Bits / 2) - 1, High = Low << Bits / 2;
  auto Source = [&](const Expr *X) {
    while (X->K == ExprKind::Binary && (X->O == Op::Shl || X->O == Op::Shr || X->O == Op::And) &&
           constantValue(X->Ops[1]))
      X = stripCasts(X->Ops[0]);
    return origin(K, X);
  };
  for (bool Swap : {false, true}) {
    const Expr *H = Both[Swap], *L = Both[!Swap];
    uint64_t HighBits = bitsOf(K, H, S, InLoop), LowBits = bitsOf(K, L, S, InLoop);
    // A shorter low part is padding, not a half; two halves of one value are a rotation.
    if (!constantValue(H) && !constantValue(L) && HighBits && !(HighBits & ~High) &&
        LowBits == Low && H->K == ExprKind::Binary && (H->O == Op::Shl || H->O == Op::Mul) &&
        !InLoop && !model::equal(Source(H), Source(L)))
      return true;
  }
  return false;
}

bool checks::isByteAppended(const KernelAnalysis &K, const Stmt *S) {
  if (S->K != StmtKind::Assign || !S->V || !S->LaneIdx.empty() || !S->E->Ty->isScalar() ||
      !S->E->Ty->isInteger())
    return false;
  std::vector<const Expr *> Both;
  parts(S->E, Both);
  if (Both.size() != 2)
    return false;
  bool InLoop = false;
  for (bool Swap : {false, true}) {
    const Expr *Old = Both[Swap], *Byte = Both[!Swap];
    if (Old->K == ExprKind::Binary &&
        ((Old->O == Op::Shl && constantValue(Old->Ops[1]) == 8) ||
         (Old->O == Op::Mul && constantValue(Old->Ops[1]) == 256)) &&
        stripCasts(Old->Ops[0])->K == ExprKind::VarRef && stripCasts(Old->Ops[0])->V == S->V &&
        !constantValue(Byte) && positionOfByte(K, Byte, S, InLoop) == 0u)
      return true;
  }
  return false;
}
