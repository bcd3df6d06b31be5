//===- manual-conversion.cpp
//-------------------------------------------------------------------===//
//
// Before: (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w)
// After:  convert_float4(v)
// Before: r | g << 8 | b << 16 | a << 24
// After:  as_uint((uchar4)(r, g, b, a))
// Before: p & 255, (p >> 8) & 255, (p >> 16) & 255
// After:  as_uchar4(p).x, .y, .z
// Before: (ulong)hi << 32 | lo;           lo = v, hi = v >> 32
// After:  as_ulong((uint2)(lo, hi));     as_uint2(v)
// Before: out[i] = (uchar)(c.x * 255.0f), out[i + 1] = (uchar)(c.y * 255.0f), ...
// After:  convert_uchar4(c * 255.0f)
// Before: out[i] = (uchar)sum;
// After:  convert_uchar_sat(sum)
// Limits: only casts that were written; three components, neighbouring elements or bytes, or a loop
// over them, for what is
//         more than a cast.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// All components of one vector in order, each converted to another type.
static bool isConvertedVector(const Expr *E) {
  if (E->K != ExprKind::VectorCtor || E->Ops.size() != E->Ty->Lanes || E->Ty->Lanes < 2)
    return false;
  const Expr *Of = nullptr;
  for (size_t I = 0; I < E->Ops.size(); ++I) {
    const Expr *X = E->Ops[I];
    if (X->K != ExprKind::Cast || X->C != CastOp::Convert)
      return false;
    X = stripCasts(X);
    if (X->K != ExprKind::Swizzle || X->LaneIdx.size() != 1 || X->LaneIdx[0] != I ||
        X->Ty->Scalar == E->Ty->Scalar)
      return false;
    if (Of && !model::equal(Of, X->Ops[0]))
      return false;
    Of = X->Ops[0];
  }
  return Of->Ty->Lanes == E->Ty->Lanes;
}

/// V.x = (float)v.x; V.y = (float)v.y; ... for all components, from statement B[At] on.
static bool isConvertedByParts(const StmtList &B, size_t At) {
  const Stmt &First = *B[At];
  if (First.K != StmtKind::Assign || First.LaneIdx.size() != 1 ||
      At + First.V->Ty->Lanes > B.size() ||
      (At > 0 && B[At - 1]->K == StmtKind::Assign && B[At - 1]->V == First.V &&
       !B[At - 1]->LaneIdx.empty()))
    return false;
  const Expr *Of = nullptr;
  std::set<unsigned> Lanes;
  for (size_t I = At; I < At + First.V->Ty->Lanes; ++I) {
    const Stmt &S = *B[I];
    if (S.K != StmtKind::Assign || S.V != First.V || S.LaneIdx.size() != 1 ||
        S.E->K != ExprKind::Cast || S.E->C != CastOp::Convert)
      return false;
    const Expr *X = stripCasts(S.E);
    if (X->K != ExprKind::Swizzle || X->LaneIdx.size() != 1 || X->LaneIdx[0] != S.LaneIdx[0] ||
        X->Ty->Scalar == First.V->Ty->Scalar || X->Ops[0]->Ty->Lanes != First.V->Ty->Lanes ||
        (Of && !model::equal(Of, X->Ops[0])))
      return false;
    Of = X->Ops[0];
    Lanes.insert(S.LaneIdx[0]);
  }
  return Lanes.size() == First.V->Ty->Lanes;
}

/// A count of bits that is 8, 16, ... or 8 * i in a loop of a few rounds: what a round of the loop
/// begins with. Not known: neither.
static std::optional<int64_t> bytesShifted(const KernelAnalysis &K, const Expr *Count,
                                           const Stmt *At, bool &InLoop) {
  constexpr unsigned Bytes = 8;
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
    if (!L || !L->TripCount || *L->TripCount < 3 || *L->TripCount > Bytes)
      return std::nullopt;
    InLoop = true;
  }
  return InLoop ? std::optional<int64_t>(0) : std::nullopt;
}

/// (x >> 8) & 255, (x & 0xff00) >> 8 or (uchar)(x >> 8): byte 1 of a value of 32 or 64 bits. Of is
/// what it is taken from.
static std::optional<unsigned> byteOf(const KernelAnalysis &K, const Expr *E, const Stmt *At,
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
  // Of a byte that is shifted down behind the mask, the mask is the byte's.
  bool Masked = Mask != -1 && uint64_t(Mask) >> By == 255;
  if (Bits < 32 || By % 8 || (!Masked && (Mask != -1 || unsigned(By) != Bits - 8)) ||
      (!Masked && isSigned(E->Ty->Scalar)) || constantValue(E))
    return std::nullopt;
  Of = E;
  return By / 8;
}

static void parts(const Expr *E, std::vector<const Expr *> &Out) {
  const Expr *X = stripCasts(E);
  if (X->K == ExprKind::Binary && (X->O == Op::Or || X->O == Op::Add || X->O == Op::Xor)) {
    parts(X->Ops[0], Out);
    parts(X->Ops[1], Out);
    return;
  }
  Out.push_back(X);
}

/// A channel of a colour that was computed in floating point: meant to be a byte, though nothing
/// proves it.
static bool isRounded(const KernelAnalysis &K, const Expr *E) {
  return origin(K, E)->Ty->isFloat(); // without its conversions
}

/// The bits of E that may be set.
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
  // r * 65536; of what is a byte, not of what is meant to be one.
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

/// Which byte of a longer value P is; none if it is more or less.
static std::optional<unsigned> placeOfByte(const KernelAnalysis &K, const Expr *P, const Stmt *S,
                                           bool &InLoop) {
  uint64_t Bits = bitsOf(K, P, S, InLoop);
  for (unsigned I = 0; I < 8; ++I)
    if (Bits && !(Bits & ~(uint64_t(255) << 8 * I)))
      return I;
  return std::nullopt;
}

/// The places of the bytes that E puts together, those of From apart; empty if it is not of bytes
/// at different places.
static std::set<unsigned> packedBytes(const KernelAnalysis &K, const Expr *E, const Stmt *S,
                                      function_ref<bool(const Expr *)> IsFrom, bool &InLoop) {
  if (!E->Ty->isScalar() || !E->Ty->isInteger() || sizeInBits(E->Ty->Scalar) < 32)
    return {};
  std::vector<const Expr *> All;
  parts(E, All);
  std::set<unsigned> Places;
  for (const Expr *P : All) {
    if (IsFrom(P) || constantValue(P) == 0)
      continue;
    std::optional<unsigned> At = placeOfByte(K, P, S, InLoop);
    if (!At || !Places.insert(*At).second)
      return {};
  }
  return Places;
}

constexpr unsigned Enough = 3; ///< bytes of which one says that they are packed

static bool isPack(const KernelAnalysis &K, const Expr *E, const Stmt *S, unsigned &Bytes) {
  if (E->K != ExprKind::Binary || (E->O != Op::Or && E->O != Op::Add && E->O != Op::Xor))
    return false;
  bool InLoop = false;
  Bytes = packedBytes(K, E, S, [](const Expr *) { return false; }, InLoop).size();
  return Bytes >= Enough && !InLoop;
}

/// Which half of a value of 32 or 64 bits E is: v >> 32, (uint)v, v & 0xffff. Of is the value.
static std::optional<unsigned> halfOf(const Expr *E, const Expr *&Of) {
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

/// (ulong)hi << 32 | lo, of two values.
static bool isPackOfHalves(const KernelAnalysis &K, const Expr *E, const Stmt *S) {
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
    // Who shifts what is shorter pads it; what turns in a circle comes from one value.
    if (!constantValue(H) && !constantValue(L) && HighBits && !(HighBits & ~High) &&
        LowBits == Low && H->K == ExprKind::Binary && (H->O == Op::Shl || H->O == Op::Mul) &&
        !InLoop && !model::equal(Source(H), Source(L)))
      return true;
  }
  return false;
}

/// v = v << 8 | byte
static bool isByteAppended(const KernelAnalysis &K, const Stmt *S) {
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
        !constantValue(Byte) && placeOfByte(K, Byte, S, InLoop) == 0u)
      return true;
  }
  return false;
}

/// The conversion that the user wrote at the top of E, between whole numbers and fractions or of
/// another width; null if none.
static const Expr *writtenCast(const Expr *E) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Implicit)
    E = E->Ops[0];
  if (E->K != ExprKind::Cast || E->C != CastOp::Convert || !E->Ty->isScalar() ||
      !E->Ops[0]->Ty->isScalar())
    return nullptr;
  const Type *To = E->Ty, *From = E->Ops[0]->Ty;
  return To->isFloat() != From->isFloat() || sizeInBits(To->Scalar) != sizeInBits(From->Scalar)
             ? E
             : nullptr;
}

/// (uint4)((uint)r, (uint)g, (uint)b, 255): values of one type, each converted to that of the
/// vector.
static bool isOfConverted(const Expr *E) {
  if (E->K != ExprKind::VectorCtor || E->Ops.size() != E->Ty->Lanes || E->Ty->Lanes < 3)
    return false;
  std::optional<ScalarKind> From;
  unsigned Converted = 0;
  for (const Expr *X : E->Ops) {
    const Expr *Cast = writtenCast(X);
    if (!Cast) {
      if (stripCasts(X)->K != ExprKind::IntConst && stripCasts(X)->K != ExprKind::FloatConst)
        return false;
      continue;
    }
    if (stripCasts(Cast)->K == ExprKind::WorkItem)
      return false; // a place, and no data
    ScalarKind Kind = stripCasts(Cast)->Ty->Scalar;
    if (From && *From != Kind)
      return false;
    From = Kind;
    ++Converted;
  }
  return Converted >= 3;
}

/// The one vector of which E is computed, by one of its components; null if there are more, or
/// other data.
static const Expr *componentBelow(const Expr *E) {
  const Expr *Found = nullptr;
  bool One = true;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Swizzle && X->LaneIdx.size() == 1 && X->Ops[0]->Ty->isVector()) {
      One &= !Found || (model::equal(Found, X));
      Found = X;
      return false;
    }
    One &= X->K != ExprKind::Load && X->K != ExprKind::Opaque;
    return One;
  });
  return One ? Found : nullptr;
}

namespace {
/// Components of one vector that are converted to one type, each by a cast of its own.
struct ConvertedParts {
  const Expr *Of;
  const Type *To;
  SourceRange First;
  std::set<unsigned> Lanes;
};

/// The bytes that a kernel takes out of one value, or of the elements of one buffer.
struct Unpacked {
  const Expr *Of;
  SourceRange First;
  std::set<unsigned> Bytes;
  bool InLoop;
};

/// The bytes that a kernel puts into one value, in one statement after another.
struct Packed {
  const Stmt *Target; ///< assigns or stores the value
  SourceRange First;
  std::set<unsigned> Bytes;
  bool InLoop, Ended;
};

/// The halves that a kernel takes out of one value.
struct Halved {
  const Expr *Of;
  SourceRange First;
  std::set<unsigned> Halves;
};

/// Single values that are converted to one type by casts.
struct CastValues {
  const Type *To;
  bool ToFloat;
  SourceRange First;
};
} // namespace

/// out[i] = (uchar)r; out[i + 1] = (uchar)g; ...: neighbouring elements in statements that follow
/// one another, each converted from floating point to a whole number, from statement B[At] on. At
/// then is the last.
static bool isStoredByParts(const KernelAnalysis &K, const StmtList &B, size_t &At) {
  auto Converted = [](const Stmt &S) {
    if (S.K != StmtKind::Store || S.Acc.Lanes != 1 || S.Acc.Base->space() != AddressSpace::Global ||
        !S.E)
      return false;
    const Expr *Cast = writtenCast(S.E) ? writtenCast(S.E) : S.E;
    return Cast->K == ExprKind::Cast && Cast->C == CastOp::Convert && Cast->Ty->isInteger() &&
           Cast->Ops[0]->Ty->isFloat() && Cast->Ty->isScalar();
  };
  size_t Begin = At, End = At;
  while (End < B.size() && Converted(*B[End]) && B[End]->Acc.Base == B[Begin]->Acc.Base &&
         (End == Begin ||
          K.distance(B[End - 1]->Acc, B[End]->Acc) == int64_t(sizeInBytes(B[End]->Acc.Elem))))
    ++End;
  if (End - Begin < 3)
    return false;
  At = End - 1;
  return true;
}

/// Is it data that Cast converts: between whole numbers and fractions, from double to float, or to
/// 8 or 16 bits?
static bool isOfData(const KernelAnalysis &K, const Expr *Cast) {
  const Type *To = Cast->Ty, *From = Cast->Ops[0]->Ty;
  bool Narrower =
      From->isFloat() && To->isFloat() && sizeInBits(To->Scalar) < sizeInBits(From->Scalar);
  if (!Narrower && From->isFloat() == To->isFloat() &&
      !(To->isInteger() && sizeInBits(To->Scalar) <= 16 &&
        sizeInBits(From->Scalar) > sizeInBits(To->Scalar)))
    return false;
  const Expr *E = origin(K, Cast->Ops[0]);
  return E->K != ExprKind::IntConst && E->K != ExprKind::FloatConst && !constantValue(E) &&
         To->Scalar != ScalarKind::Bool && From->Scalar != ScalarKind::Bool;
}

/// Are A and B one value, or elements of one array?
static bool isSameSource(const Expr *A, const Expr *B) {
  if (A->K == ExprKind::Load && B->K == ExprKind::Load)
    return A->Acc.Base == B->Acc.Base && A->Acc.Path == B->Acc.Path && A->Ty == B->Ty;
  return model::equal(A, B);
}

static std::string number(size_t N) {
  static const char *const Words[] = {"no",   "one", "two",   "three", "four",
                                      "five", "six", "seven", "eight"};
  return N < std::size(Words) ? Words[N] : utostr(N);
}

/// w = a << 24; w |= b << 16; w |= c << 8; ...: what S adds to what was packed before.
static void packStep(const KernelAnalysis &K, const Stmt *S, std::vector<Packed> &Packs) {
  bool Sets = (S->K == StmtKind::Assign || S->K == StmtKind::Decl) && S->V && S->LaneIdx.empty();
  if (!S->E || !(Sets || (S->K == StmtKind::Store && S->Acc.Lanes == 1)))
    return;
  bool Again = false;
  auto IsOld = [&](const Expr *E) {
    bool Is = Sets ? E->K == ExprKind::VarRef && E->V == S->V
                   : E->K == ExprKind::Load && model::equal(E->Acc, S->Acc);
    Again |= Is;
    return Is;
  };
  bool InLoop = false;
  std::set<unsigned> Places = packedBytes(K, S->E, S, IsOld, InLoop);
  auto At = find_if(Packs, [&](const Packed &P) {
    return !P.Ended &&
           (Sets ? P.Target->V == S->V
                 : P.Target->K == StmtKind::Store && model::equal(P.Target->Acc, S->Acc));
  });
  if (At != Packs.end() && (!Again || Places.empty() ||
                            any_of(Places, [&](unsigned P) { return At->Bytes.count(P); }))) {
    At->Ended = true;
    At = Packs.end();
  }
  if (Places.empty())
    return;
  if (At == Packs.end())
    At = Packs.insert(At, {S, S->E->Range.isValid() ? S->E->Range : S->Range, {}, false, false});
  At->Bytes.insert(Places.begin(), Places.end());
  At->InLoop |= InLoop && Again;
}

/// *(uint *)&f, or one field of a union that another one filled: the loads of values of the
/// work-item's own that take bits for something else.
static std::vector<const AccessSite *> reinterpreted(const KernelAnalysis &K) {
  std::map<const Var *, std::set<ScalarKind>> Written;
  auto IsOwn = [](const AccessSite &A) {
    return A.A->Base->K == Var::Memory && A.A->Base->space() == AddressSpace::Private;
  };
  for (const AccessSite &A : K.accesses())
    if (A.IsWrite && IsOwn(A))
      Written[A.A->Base].insert(A.A->Elem);
  std::vector<const AccessSite *> Found;
  for (const AccessSite &A : K.accesses()) {
    const Type *Of = A.A->Base->Ty;
    if (!A.Load || !IsOwn(A) || !(Of->isValue() || Of->isUnion()))
      continue;
    const std::set<ScalarKind> &Kinds = Written[A.A->Base];
    if (Kinds.size() == 1 && !Kinds.count(A.A->Elem) && sizeInBits(*Kinds.begin()) >= 16 &&
        sizeInBits(A.A->Elem) >= 16 && model::isFloat(*Kinds.begin()) != model::isFloat(A.A->Elem))
      Found.push_back(&A);
  }
  return Found;
}

static void run(const Kernel &K, Context &C) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  std::vector<SourceRange> Reported;
  auto Report = [&](SourceRange At, std::string What, std::string Instead) {
    if (any_of(Reported, [&](SourceRange R) {
          return R.File == At.File && R.Begin <= At.Begin && At.End <= R.End;
        }))
      return; // said of the whole
    Reported.push_back(At);
    if (At.isValid() && Seen.insert({At.File, At.Begin}).second)
      C.report(At, What).fix(Applicability::Verify, std::move(Instead));
  };
  auto Convert = [](const Type *Ty) {
    return "convert_" + model::name(Ty->Scalar).str() + utostr(Ty->Lanes);
  };
  auto Visit = [&](const StmtList &B, auto &&Self) -> void {
    for (size_t I = 0; I < B.size(); ++I) {
      if (isConvertedByParts(B, I))
        Report(B[I]->Range, "a vector is converted component by component", Convert(B[I]->V->Ty));
      size_t First = I;
      if (isStoredByParts(C.analysis(), B, I))
        Report(B[First]->Range, "neighbouring elements are converted one by one",
               "convert_" + model::name(B[First]->Acc.Elem).str() + "4 of a vector");
      forEachStmtList(*B[I], [&](StmtList &Nested) { Self(Nested, Self); });
    }
  };
  Visit(K.Body, Visit);
  std::vector<Unpacked> Values;
  std::vector<Packed> Packs;
  std::vector<ConvertedParts> Parts;
  std::vector<CastValues> Casts;
  std::vector<Halved> Halves;
  std::map<const Var *, std::pair<unsigned, SourceRange>>
      Appended;                            ///< how often a byte is appended
  std::map<const Var *, unsigned> Shifted; ///< bytes by which a variable was shifted down
  const KernelAnalysis &An = C.analysis();
  // A loop over the bytes of one value.
  auto InLoopOfBytes = [&](const Stmt *S) {
    auto Around = conditions(C).find(S);
    const Stmt *Loop = nullptr;
    if (Around != conditions(C).end())
      for (const Stmt *X : Around->second)
        Loop = X->K == StmtKind::Loop ? X : Loop;
    std::optional<CountedLoop> L = Loop ? An.countedLoop(Loop) : std::nullopt;
    return L && L->TripCount && *L->TripCount >= 3 && *L->TripCount <= 8;
  };
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (const Expr *Cast = E->K == ExprKind::Cast && !E->Implicit ? writtenCast(E) : nullptr) {
          if (const Expr *Lane = componentBelow(Cast->Ops[0])) {
            auto At = find_if(Parts, [&](const ConvertedParts &P) {
              return P.To == Cast->Ty && model::equal(P.Of, Lane->Ops[0]);
            });
            if (At == Parts.end())
              At = Parts.insert(At, {Lane->Ops[0], Cast->Ty, E->Range, {}});
            At->Lanes.insert(Lane->LaneIdx[0]);
          }
          // convert_float is the same to the model.
          if (isOfData(An, Cast) && C.text(Cast->Range).ltrim().starts_with("(")) {
            auto At = find_if(Casts, [&](const CastValues &V) { return V.To == Cast->Ty; });
            if (At == Casts.end())
              Casts.push_back({Cast->Ty, Cast->Ty->isFloat(), E->Range});
            else if (isEarlier(K, E->Range, At->First))
              At->First = E->Range;
          }
        }
        bool Converted = isConvertedVector(E) || isOfConverted(E);
        unsigned Bytes = 0;
        if (Converted || isPack(An, E, S, Bytes)) {
          Report(E->Range,
                 Converted ? "a vector is converted component by component"
                           : number(Bytes) + " bytes are packed with shifts",
                 Converted ? Convert(E->Ty)
                           : "as_" + model::name(E->Ty->Scalar).str() + " of a vector of uchar");
          return false;
        }
        if (isPackOfHalves(An, E, S))
          Report(E->Range, "two halves are packed with shifts",
                 "as_" + model::name(E->Ty->Scalar).str() + " of a vector of both");
        const Expr *Whole = nullptr;
        if (std::optional<unsigned> Half = halfOf(E, Whole)) {
          auto At = find_if(Halves, [&](const Halved &H) { return model::equal(H.Of, Whole); });
          if (At == Halves.end())
            At = Halves.insert(At, {Whole, E->Range, {}});
          At->Halves.insert(*Half);
        }
        const Expr *Of = nullptr;
        bool InLoop = false;
        std::optional<unsigned> Byte = byteOf(An, E, S, Of, InLoop);
        if (!Byte)
          return true;
        auto At = find_if(Values, [&](const Unpacked &U) { return isSameSource(U.Of, Of); });
        if (At == Values.end())
          At = Values.insert(At, {Of, E->Range, {}, false});
        auto Before = Of->K == ExprKind::VarRef ? Shifted.find(Of->V) : Shifted.end();
        At->Bytes.insert(*Byte + (Before == Shifted.end() ? 0 : Before->second));
        At->InLoop |= InLoop;
        return false;
      });
    });
    // u >>= 8: what is byte 0 from here on was byte 1.
    if (S->K == StmtKind::Assign && S->V && S->LaneIdx.empty()) {
      const Expr *E = stripCasts(S->E);
      bool Shifts = E->K == ExprKind::Binary && E->O == Op::Shr &&
                    stripCasts(E->Ops[0])->K == ExprKind::VarRef &&
                    stripCasts(E->Ops[0])->V == S->V && constantValue(E->Ops[1]) == 8;
      if (Shifts)
        ++Shifted[S->V];
      else
        Shifted.erase(S->V);
      if (Shifts && InLoopOfBytes(S))
        for (Unpacked &U : Values)
          U.InLoop |= U.Of->K == ExprKind::VarRef && U.Of->V == S->V;
    }
    if (isByteAppended(An, S)) {
      auto &[Times, First] = Appended[S->V];
      First = First.isValid() ? First : S->E->Range;
      Times += InLoopOfBytes(S) ? Enough : 1;
    }
    packStep(An, S, Packs);
    return true;
  });
  for (const Packed &P : Packs)
    if (P.Bytes.size() >= Enough || P.InLoop)
      Report(P.First,
             P.InLoop ? "bytes are packed with shifts"
                      : number(P.Bytes.size()) + " bytes are packed with shifts",
             "as_T of a vector of uchar");
  for (const auto &[V, A] : Appended)
    if (A.first + 1 >= Enough)
      Report(A.second, "bytes are packed with shifts", "as_T of a vector of uchar");
  for (const Halved &H : Halves)
    if (H.Halves.size() == 2)
      Report(H.First,
             "the halves of a " + utostr(sizeInBits(H.Of->Ty->Scalar)) +
                 "-bit value are taken out with shifts",
             "as_" + std::string(sizeInBits(H.Of->Ty->Scalar) == 64 ? "uint2" : "ushort2"));
  for (const ConvertedParts &P : Parts)
    if (P.Lanes.size() >= 3)
      Report(P.First, "a vector is converted component by component",
             "convert_" + model::name(P.To->Scalar).str() + "4");
  for (const Unpacked &U : Values)
    if (U.Bytes.size() >= Enough || U.InLoop)
      Report(U.First,
             "the bytes of a " + utostr(sizeInBits(U.Of->Ty->Scalar)) +
                 "-bit value are taken out with shifts",
             "as_uchar" + utostr(sizeInBytes(U.Of->Ty->Scalar)));
  for (const AccessSite *A : reinterpreted(An))
    Report(A->A->Range.isValid() ? A->A->Range : A->Load->Range,
           "the bits of '" + A->A->Base->Name + "' are taken for another type through memory",
           "as_" + model::name(A->A->Elem).str());
  for (const CastValues &V : Casts)
    Report(V.First, "a value is converted to " + model::name(V.To->Scalar).str() + " by a cast",
           "convert_" + model::name(V.To->Scalar).str());
}

CLMALI_KERNEL_CHECK("manual-conversion", run);
