//===- manual-conversion.cpp -------------------------------------------------------------------===//
//
// Before: (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w)
// After:  convert_float4(v)
// Before: r | g << 8 | b << 16 | a << 24
// After:  as_uint((uchar4)(r, g, b, a))
// Before: p & 255, (p >> 8) & 255, (p >> 16) & 255
// After:  as_uchar4(p).x, .y, .z
// Before: out[i] = (uchar)(c.x * 255.0f), out[i + 1] = (uchar)(c.y * 255.0f), ...
// After:  convert_uchar4(c * 255.0f)
// Limits: three components, or neighbouring elements, at least; only casts that were written.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
static bool isConvertedByParts(const Block &B, size_t At) {
  const Stmt &First = *B[At];
  if (First.K != StmtKind::Assign || First.LaneIdx.size() != 1 || At + First.V->Ty->Lanes > B.size() ||
      (At > 0 && B[At - 1]->K == StmtKind::Assign && B[At - 1]->V == First.V && !B[At - 1]->LaneIdx.empty()))
    return false;
  const Expr *Of = nullptr;
  std::set<unsigned> Lanes;
  for (size_t I = At; I < At + First.V->Ty->Lanes; ++I) {
    const Stmt &S = *B[I];
    if (S.K != StmtKind::Assign || S.V != First.V || S.LaneIdx.size() != 1 || S.E->K != ExprKind::Cast ||
        S.E->C != CastOp::Convert)
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

/// (x >> 8) & 255, or (x & 0xff00) >> 8: byte 1 of a 32-bit value. Of is what it is taken from.
static std::optional<unsigned> byteOf(const Expr *E, const Expr *&Of) {
  E = stripCasts(E);
  int64_t By = 0, Mask = -1;
  for (;;) {
    if (E->K == ExprKind::Binary && E->O == Op::And && Mask == -1) {
      std::optional<int64_t> Left = constantValue(E->Ops[0]), Right = constantValue(E->Ops[1]);
      if (!Left && !Right)
        break;
      Mask = *(Left ? Left : Right);
      E = stripCasts(E->Ops[Left ? 1 : 0]);
    } else if (E->K == ExprKind::Binary && E->O == Op::Shr) {
      std::optional<int64_t> N = constantValue(E->Ops[1]);
      if (!N || *N < 0 || *N > 24 || By + *N > 24)
        break;
      By += *N;
      if (Mask != -1)
        Mask = int64_t(uint64_t(Mask) << *N);
      E = stripCasts(E->Ops[0]);
    } else {
      break;
    }
  }
  // Of a byte that is shifted down behind the mask, the mask is the byte's.
  bool Masked = Mask != -1 && Mask == int64_t(255) << By;
  if ((!Masked && (Mask != -1 || By != 24)) || By % 8 || !E->Ty->isScalar() || !E->Ty->isInteger() ||
      sizeInBits(E->Ty->Scalar) != 32 || (!Masked && isSigned(E->Ty->Scalar)) || constantValue(E))
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

/// A channel of a colour that was computed in floating point: meant to be a byte, though nothing proves it.
static bool isRounded(const KernelAnalysis &K, const Expr *E) {
  return origin(K, E)->Ty->isFloat(); // without its conversions
}

/// Four bytes, shifted by 0, 8, 16 and 24; a constant may stand for the highest.
static bool isPack(const KernelAnalysis &K, const Expr *E, const Stmt *S) {
  if (E->K != ExprKind::Binary || (E->O != Op::Or && E->O != Op::Add && E->O != Op::Xor) ||
      !E->Ty->isScalar() || !E->Ty->isInteger() || sizeInBits(E->Ty->Scalar) != 32)
    return false;
  std::vector<const Expr *> All;
  parts(E, All);
  if (All.size() != 4)
    return false;
  std::set<int64_t> Shifts;
  for (const Expr *P : All) {
    int64_t By = 0;
    if (std::optional<int64_t> Value = constantValue(P)) {
      if (*Value & 0xffffff)
        return false;
      Shifts.insert(24);
      continue;
    }
    if (P->K == ExprKind::Binary && P->O == Op::Shl) {
      std::optional<int64_t> N = constantValue(P->Ops[1]);
      if (!N)
        return false;
      By = *N;
      P = P->Ops[0];
    }
    Range R = K.range(P, S);
    if (By != 24 && (R.Lo < 0 || R.Hi > 255) && !isRounded(K, P))
      return false;
    Shifts.insert(By);
  }
  return Shifts == std::set<int64_t>{0, 8, 16, 24};
}

/// The conversion that the user wrote at the top of E, between whole numbers and fractions or of another width; null if none.
static const Expr *writtenCast(const Expr *E) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Implicit)
    E = E->Ops[0];
  if (E->K != ExprKind::Cast || E->C != CastOp::Convert || !E->Ty->isScalar() || !E->Ops[0]->Ty->isScalar())
    return nullptr;
  const Type *To = E->Ty, *From = E->Ops[0]->Ty;
  return To->isFloat() != From->isFloat() || sizeInBits(To->Scalar) != sizeInBits(From->Scalar) ? E : nullptr;
}

/// (uint4)((uint)r, (uint)g, (uint)b, 255): values of one type, each converted to that of the vector.
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

/// The one vector of which E is computed, by one of its components; null if there are more, or other data.
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

/// The bytes that a kernel takes out of one value.
struct Unpacked {
  const Expr *Of;
  SourceRange First;
  std::set<unsigned> Bytes;
};
} // namespace

/// out[i] = (uchar)r; out[i + 1] = (uchar)g; ...: neighbouring elements in statements that follow one another, each converted
/// from floating point to a whole number, from statement B[At] on. At then is the last.
static bool isStoredByParts(const KernelAnalysis &K, const Block &B, size_t &At) {
  auto Converted = [](const Stmt &S) {
    const Expr *Cast = S.K == StmtKind::Store && S.Acc.Lanes == 1 && S.Acc.Base->space() == AddressSpace::Global ? writtenCast(S.E) : nullptr;
    return Cast && Cast->Ty->isInteger() && Cast->Ops[0]->Ty->isFloat();
  };
  size_t Begin = At, End = At;
  while (End < B.size() && Converted(*B[End]) && B[End]->Acc.Base == B[Begin]->Acc.Base &&
         (End == Begin || K.distance(B[End - 1]->Acc, B[End]->Acc) == int64_t(sizeInBytes(B[End]->Acc.Elem))))
    ++End;
  if (End - Begin < 3)
    return false;
  At = End - 1;
  return true;
}

static void run(const Kernel &K, Context &C) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  std::vector<SourceRange> Reported;
  auto Report = [&](SourceRange At, const char *What, std::string Instead) {
    if (any_of(Reported, [&](SourceRange R) { return R.File == At.File && R.Begin <= At.Begin && At.End <= R.End; }))
      return; // said of the whole
    Reported.push_back(At);
    if (At.isValid() && Seen.insert({At.File, At.Begin}).second)
      C.report(At, What).fix(Applicability::Verify, std::move(Instead));
  };
  auto Convert = [](const Type *Ty) {
    return "convert_" + model::name(Ty->Scalar).str() + utostr(Ty->Lanes);
  };
  auto Visit = [&](const Block &B, auto &&Self) -> void {
    for (size_t I = 0; I < B.size(); ++I) {
      if (isConvertedByParts(B, I))
        Report(B[I]->Range, "a vector is converted component by component", Convert(B[I]->V->Ty));
      size_t First = I;
      if (isStoredByParts(C.analysis(), B, I))
        Report(B[First]->Range, "neighbouring elements are converted one by one",
               "convert_" + model::name(B[First]->Acc.Elem).str() + "4 of a vector");
      forEachBlock(*B[I], [&](Block &Nested) { Self(Nested, Self); });
    }
  };
  Visit(K.Body, Visit);
  std::vector<Unpacked> Values;
  std::vector<ConvertedParts> Parts;
  std::map<const Var *, unsigned> Shifted; ///< bytes by which a variable was shifted down
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (const Expr *Cast = E->K == ExprKind::Cast && !E->Implicit ? writtenCast(E) : nullptr)
          if (const Expr *Lane = componentBelow(Cast->Ops[0])) {
            auto At = find_if(Parts, [&](const ConvertedParts &P) { return P.To == Cast->Ty && model::equal(P.Of, Lane->Ops[0]); });
            if (At == Parts.end())
              At = Parts.insert(At, {Lane->Ops[0], Cast->Ty, E->Range, {}});
            At->Lanes.insert(Lane->LaneIdx[0]);
          }
        bool Converted = isConvertedVector(E) || isOfConverted(E);
        if (Converted || isPack(C.analysis(), E, S)) {
          Report(E->Range, Converted ? "a vector is converted component by component" : "four bytes are packed with shifts",
                 Converted ? Convert(E->Ty) : "as_uint of a uchar4");
          return false;
        }
        const Expr *Of = nullptr;
        std::optional<unsigned> Byte = byteOf(E, Of);
        if (!Byte)
          return true;
        auto At = find_if(Values, [&](const Unpacked &U) { return model::equal(U.Of, Of); });
        if (At == Values.end())
          At = Values.insert(At, {Of, E->Range, {}});
        auto Before = Of->K == ExprKind::VarRef ? Shifted.find(Of->V) : Shifted.end();
        At->Bytes.insert(*Byte + (Before == Shifted.end() ? 0 : Before->second));
        return false;
      });
    });
    // u >>= 8: what is byte 0 from here on was byte 1.
    if (S->K == StmtKind::Assign && S->V && S->LaneIdx.empty()) {
      const Expr *E = stripCasts(S->E);
      bool Shifts = E->K == ExprKind::Binary && E->O == Op::Shr && stripCasts(E->Ops[0])->K == ExprKind::VarRef &&
                    stripCasts(E->Ops[0])->V == S->V && constantValue(E->Ops[1]) == 8;
      if (Shifts)
        ++Shifted[S->V];
      else
        Shifted.erase(S->V);
    }
    return true;
  });
  for (const ConvertedParts &P : Parts)
    if (P.Lanes.size() >= 3)
      Report(P.First, "a vector is converted component by component", "convert_" + model::name(P.To->Scalar).str() + "4");
  for (const Unpacked &U : Values)
    if (U.Bytes.size() >= 3)
      Report(U.First, "the bytes of a 32-bit value are taken out with shifts", "as_uchar4");
}

CLMALI_KERNEL_CHECK("manual-conversion", run);
