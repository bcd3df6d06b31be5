//===-- rewriters/loops/LoopLanes.cpp - Iterations as lanes --------------------------===//
//
// What it does: a loop that reduces a value over its iterations (sum, product, minimum ...) does
// several iterations at once, with a partial sum in each lane:
//
//   before                               after, 4 lanes
//   float s = 0;                         float s = 0;
//   for (int k = 0; k < n; ++k)          float4 s_v = (float4)(0);
//     s += a[k] * b[k];                  int k = 0;
//                                        for (; k < (n & -4); k += 4)
//                                          s_v += vload4(0, a + k) * vload4(0, b + k);
//                                        for (; k < n; ++k)
//                                          s += a[k] * b[k];
//                                        s += s_v.s0 + s_v.s1 + s_v.s2 + s_v.s3;
//
// The partial sums live as long as only the reduction touches the variable: also across outer
// loops. Integers wrap, so their sums are exact in any order (computed unsigned, where an overflow
// is defined); floating point is reassociated only where that is allowed.
//
// Limits: the body only computes, and its iterations are independent except for the reductions.
// Nothing is loaded that the iterations do not load. If the index of the best element is kept too,
// the order matters, and nothing is done.
//
//===----------------------------------------------------------------------===//

#include "rewriters/loops/LoopLanes.h"
#include "rewriters/lanes/Exact.h"
#include "rewriters/lanes/Pieces.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

namespace clmali::rewrite {

using namespace model;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Var *LoopLanes::newVar(llvm::StringRef Name, const Type *Ty) {
  Var *V = newTemp(M, K, Name, Ty);
  return V;
}

/// E in a variable, so that it can be used repeatedly.
const Expr *LoopLanes::hold(const Expr *E, llvm::StringRef Name) {
  if (E->K == ExprKind::VarRef || E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst)
    return E;
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = newVar(Name, E->Ty);
  D->E = E;
  Cur->push_back(D);
  return M.ref(D->V);
}

const Expr *LoopLanes::splat(const Expr *E, const Type *Lanes) {
  if (E->Ty->Scalar != Lanes->Scalar)
    E = M.cast(E, M.value(Lanes->Scalar), true);
  Expr *S = M.newExpr(ExprKind::Cast, Lanes, E->Range);
  S->C = CastOp::Splat;
  S->Ops = {E};
  return S;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// How E differs from iteration to iteration; nothing is evaluated.
LoopLanes::Value LoopLanes::shape(const Expr *E) {
  switch (E->K) {
  case ExprKind::VarRef: {
    auto It = Now.find(E->V);
    return It == Now.end() ? Value{Value::Uniform, E} : It->second;
  }
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::WorkItem:
    return {Value::Uniform, E};
  default:
    break;
  }
  unsigned Was = std::exchange(BitsUsed, bitsUsedOfOperands(E, BitsUsed));
  auto Restore = llvm::make_scope_exit([&] { BitsUsed = Was; });
  return shapeOfOperation(E);
}

/// As shape, for an operation. BitsUsed is that of its operands.
LoopLanes::Value LoopLanes::shapeOfOperation(const Expr *E) {
  llvm::SmallVector<int64_t, 3> Strides;
  bool Uniform = true, Vector = false, Wraps = false;
  forEachOperand(*E, [&](const Expr *X) {
    Value V = shape(X);
    Uniform &= V.K == Value::Uniform;
    Vector |= V.K >= Value::Vector;
    Wraps |= V.Wraps;
    Strides.push_back(V.Stride);
  });
  const Value Varies{Value::Vector, E};
  if (Uniform)
    return {Value::Uniform, E};
  if (Vector || !keepsLowBits(E))
    return Varies;
  std::optional<int64_t> Stride = strideOf(E, Strides);
  if (isLinearConversion(E) && !(Wraps && extends(E, BitsUsed)))
    Stride = Strides[0];
  if (!Stride.value_or(0))
    return Varies;
  Value Linear{Value::Linear, E, *Stride};
  // Limits on ids cannot be demanded here.
  int64_t IdsBelow = 0;
  ExactInts Ints({}, [](const Var *) { return nullptr; }, nullptr, IdsBelow);
  Linear.Wraps = Wraps || !Ints.isExact(E) || IdsBelow;
  return Linear;
}

/// E for one lane, as a scalar.
const Expr *LoopLanes::lane(const Expr *E, unsigned L) {
  if (E->K == ExprKind::VarRef) {
    auto It = Now.find(E->V);
    return It == Now.end() ? E : convert().toScalar(It->second, L, E->Ty);
  }
  Value Sh = shape(E);
  if (Sh.K == Value::Uniform || Sh.K == Value::Linear || E->K == ExprKind::Load ||
      E->K == ExprKind::Call) {
    Value V = eval(E);
    if (Failed)
      return E;
    if (V.K == Value::Vector && V.E->K != ExprKind::VarRef) {
      if (Lazy)
        return fail(E);
      V.E = hold(V.E, "lanes");
    }
    return convert().toScalar(V, L, E->Ty);
  }
  return simplify(M, mapOperands(M, E, [&](const Expr *X) { return lane(X, L); }));
}

const Expr *LoopLanes::fail(const Expr *E) {
  Failed = true;
  return E;
}

/// The vector that starts at First; Down: that ends there, in reverse.
LoopLanes::Value LoopLanes::vectorAt(const Access &First, bool Down) {
  Access Acc = First;
  Acc.F = Access::VLoad;
  Acc.Lanes = N;
  if (!Down)
    return {Value::Vector, M.load(Acc)};
  Acc = movedBy(M, Acc, 1 - int64_t(N));
  llvm::SmallVector<uint8_t, 16> Reversed;
  for (unsigned L = N; L-- > 0;)
    Reversed.push_back(uint8_t(L));
  return {Value::Vector, M.swizzle(M.load(Acc), Reversed)};
}

LoopLanes::Value LoopLanes::evalLoad(const Expr *E) {
  const Access &Acc = E->Acc;
  Access First = Acc;
  int64_t Stride = 0;
  bool Linear = true;
  unsigned Was = std::exchange(BitsUsed, IndexBits);
  for (size_t D = 0; D < Acc.Index.size() && !Failed; ++D) {
    if (shape(Acc.Index[D]).K >= Value::Vector) {
      Linear = false;
      break;
    }
    Value V = eval(Acc.Index[D]);
    First.Index[D] = V.E;
    Stride += V.K == Value::Linear ? V.Stride * int64_t(Acc.Stride[D]) : 0;
  }
  auto Restore = llvm::make_scope_exit([&] { BitsUsed = Was; });
  if (Failed || Acc.Volatile)
    return {Value::Uniform, fail(E)};
  if (Linear) {
    // Lanes that would not load it may do so only if all of them have loaded the element before.
    bool Known = llvm::any_of(Loaded, [&](const Access &X) { return equal(X, First); });
    if (Masked && !Known)
      return {Value::Uniform, fail(E)};
    if (!Masked && !Lazy && !Known)
      Loaded.push_back(First);
  } else if (Masked) {
    return {Value::Uniform, fail(E)};
  }
  if (Linear && !Stride)
    return {Value::Uniform, M.load(First)};
  if (Acc.Lanes > 1)
    return {Value::Uniform, fail(E)};
  const Type *Ty = lanesOf(E->Ty);
  int64_t Size = sizeInBytes(Acc.Elem);
  bool Whole = Acc.Base->space() != AddressSpace::Private && !Acc.Base->ProgramScope &&
               Acc.Elem != ScalarKind::Bool && Acc.Path.empty() && !Acc.Disp &&
               !Acc.Index.empty() && Acc.Stride.back() == Size;
  bool Down = Linear && Stride == -Size;
  // Only the last index may vary, so that the vector starts N - 1 elements below it.
  if (Down)
    for (size_t D = 0; D + 1 < Acc.Index.size(); ++D)
      Down &= shape(Acc.Index[D]).K == Value::Uniform;
  if (Linear && Whole && (Stride == Size || Down))
    return vectorAt(First, Down);
  if (Lazy)
    return {Value::Uniform, fail(E)};
  llvm::SmallVector<const Expr *, 16> Lanes;
  for (unsigned L = 0; L < N && !Failed; ++L) {
    Access One = Acc;
    for (const Expr *&Ix : One.Index)
      Ix = lane(Ix, L);
    Lanes.push_back(M.load(One));
  }
  if (Failed)
    return {Value::Uniform, E};
  return {Value::Vector, hold(M.vectorCtor(Ty, Lanes), Acc.Base->Name + "_v")};
}

/// Evaluates E's operands. False: failed.
bool LoopLanes::evalOperands(const Expr *E, llvm::SmallVectorImpl<Value> &Ops) {
  for (size_t I = 0; I < E->Ops.size() && !Failed; ++I) {
    bool IsLazy = isLazyOperand(E, I);
    // Vectors are combined without short circuit.
    bool Diverges = IsLazy && (E->K != ExprKind::Select || Ops[0].K != Value::Uniform);
    Lazy += IsLazy;
    Masked += Diverges;
    Ops.push_back(eval(E->Ops[I]));
    Lazy -= IsLazy;
    Masked -= Diverges;
  }
  return !Failed;
}

LoopLanes::Value LoopLanes::eval(const Expr *E) {
  if (Failed)
    return {Value::Uniform, E};
  Value Sh = shape(E);
  switch (E->K) {
  case ExprKind::VarRef:
    if (Joined.count(E->V) || Unset.count(E->V))
      return {Value::Uniform, fail(E)};
    return Sh;
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::WorkItem:
    return Sh;
  case ExprKind::Load:
    return evalLoad(E);
  case ExprKind::Opaque:
    return {Value::Uniform, fail(E)};
  default:
    break;
  }
  llvm::SmallVector<Value, 3> Ops;
  unsigned Was = std::exchange(BitsUsed, bitsUsedOfOperands(E, BitsUsed));
  bool Done = evalOperands(E, Ops);
  BitsUsed = Was;
  if (!Done)
    return {Value::Uniform, E};
  if (Masked && mayDivideByZero(E))
    return {Value::Uniform, fail(E)};
  const bool Same = llvm::all_of(Ops, [](const Value &V) { return V.K == Value::Uniform; });
  auto IsVector = [](const Expr *X) { return !X->Ty->isScalar(); };
  if (!Same && Sh.K != Value::Linear && (IsVector(E) || llvm::any_of(E->Ops, IsVector)))
    return {Value::Uniform, fail(E)};
  LaneOperations Lanes(
      M, N, [this](const Expr *X, llvm::StringRef Hint) { return Lazy ? nullptr : hold(X, Hint); },
      Reassociate);
  std::optional<Value> V = Lanes.combine(E, Ops, Sh);
  return V ? *V : Value{Value::Uniform, fail(E)};
}

} // namespace clmali::rewrite
