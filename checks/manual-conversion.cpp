//===- manual-conversion.cpp -------------------------------------------------------------------===//
//
// Before: (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w)
// After:  convert_float4(v)
// Before: r | g << 8 | b << 16 | a << 24
// After:  as_uint((uchar4)(r, g, b, a))
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
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

static void parts(const Expr *E, std::vector<const Expr *> &Out) {
  const Expr *X = stripCasts(E);
  if (X->K == ExprKind::Binary && (X->O == Op::Or || X->O == Op::Add)) {
    parts(X->Ops[0], Out);
    parts(X->Ops[1], Out);
    return;
  }
  Out.push_back(X);
}

/// Four bytes, shifted by 0, 8, 16 and 24.
static bool isPack(const KernelAnalysis &K, const Expr *E, const Stmt *S) {
  if (E->K != ExprKind::Binary || (E->O != Op::Or && E->O != Op::Add) || !E->Ty->isScalar() ||
      !E->Ty->isInteger())
    return false;
  std::vector<const Expr *> All;
  parts(E, All);
  if (All.size() != 4)
    return false;
  std::set<int64_t> Shifts;
  for (const Expr *P : All) {
    int64_t By = 0;
    if (P->K == ExprKind::Binary && P->O == Op::Shl) {
      std::optional<int64_t> N = constantValue(P->Ops[1]);
      if (!N)
        return false;
      By = *N;
      P = P->Ops[0];
    }
    Range R = K.range(P, S);
    if (R.Lo < 0 || R.Hi > 255)
      return false;
    Shifts.insert(By);
  }
  return Shifts == std::set<int64_t>{0, 8, 16, 24};
}

static void run(const Kernel &K, Context &C) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        bool Converted = isConvertedVector(E);
        bool Packed = !Converted && isPack(C.analysis(), E, S);
        if (!Converted && !Packed)
          return true;
        if (E->Range.isValid() && Seen.insert({E->Range.File, E->Range.Begin}).second)
          C.report(E->Range, Converted ? "a vector is converted component by component"
                                       : "four bytes are packed with shifts")
              .fix(Applicability::Verify,
                   Converted ? "convert_" + model::name(E->Ty->Scalar).str() + utostr(E->Ty->Lanes)
                             : std::string("as_uint of a uchar4"));
        return false;
      });
    });
    return true;
  });
}

CLMALI_KERNEL_CHECK("manual-conversion", run);
