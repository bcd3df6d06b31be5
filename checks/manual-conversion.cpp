//===- manual-conversion.cpp -------------------------------------------------------------------===//
//
// Before: (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w)
// After:  convert_float4(v)
// Before: r | g << 8 | b << 16 | a << 24
// After:  as_uint((uchar4)(r, g, b, a))
// Before: p & 255, (p >> 8) & 255, (p >> 16) & 255
// After:  as_uchar4(p).x, .y, .z
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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

/// (x >> 8) & 255: byte 1 of a 32-bit value. Of is what it is taken from.
static std::optional<unsigned> byteOf(const Expr *E, const Expr *&Of) {
  E = stripCasts(E);
  bool Masked = false;
  if (E->K == ExprKind::Binary && E->O == Op::And)
    for (unsigned I : {0u, 1u})
      if (constantValue(E->Ops[I]) == 255) {
        E = stripCasts(E->Ops[1 - I]);
        Masked = true;
        break;
      }
  int64_t By = 0;
  if (E->K == ExprKind::Binary && E->O == Op::Shr) {
    std::optional<int64_t> N = constantValue(E->Ops[1]);
    if (!N)
      return std::nullopt;
    By = *N;
    E = stripCasts(E->Ops[0]);
  }
  if ((!Masked && By != 24) || By % 8 || By < 0 || By > 24 || !E->Ty->isScalar() || !E->Ty->isInteger() ||
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

namespace {
/// The bytes that a kernel takes out of one value.
struct Unpacked {
  const Expr *Of;
  SourceRange First;
  std::set<unsigned> Bytes;
};
} // namespace

static void run(const Kernel &K, Context &C) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  auto Report = [&](SourceRange At, const char *What, std::string Instead) {
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
      forEachBlock(*B[I], [&](Block &Nested) { Self(Nested, Self); });
    }
  };
  Visit(K.Body, Visit);
  std::vector<Unpacked> Values;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        bool Converted = isConvertedVector(E);
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
        At->Bytes.insert(*Byte);
        return false;
      });
    });
    return true;
  });
  for (const Unpacked &U : Values)
    if (U.Bytes.size() >= 3)
      Report(U.First, "the bytes of a 32-bit value are taken out with shifts", "as_uchar4");
}

CLMALI_KERNEL_CHECK("manual-conversion", run);
