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
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

namespace clmali::rewrite {

using namespace model;

/// Values of larger strides are vectors.
static constexpr int64_t MaxStride = 65536, MaxShift = 16;

/// True for functions of one value for each lane. Their vector form may round differently.
static bool hasVectorForm(llvm::StringRef Name) {
  for (llvm::StringRef Prefix : {"native_", "half_"})
    if (Name.consume_front(Prefix))
      break;
  return llvm::StringSwitch<bool>(Name)
      .Cases("exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", true)
      .Cases("pow", "powr", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", true)
      .Cases("sinh", "cosh", "tanh", "sinpi", "cospi", "hypot", "cbrt", "rsqrt", true)
      .Cases("erf", "erfc", "fmod", "mix", "step", "smoothstep", "sign", "fdim", true)
      .Cases("recip", "divide", true)
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

const Type *LoopLanes::lanesOf(const Type *T) {
  return M.value(T->Scalar == ScalarKind::Bool ? ScalarKind::Int : T->Scalar, N);
}

Var *LoopLanes::newVar(llvm::StringRef Name, const Type *Ty) {
  Var *V = M.newVar(Var::Temp, uniqueName(K, Name), Ty);
  K.Vars.push_back(V);
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

/// V, of scalar type Ty, as a vector.
const Expr *LoopLanes::vec(const Value &V, const Type *Ty) {
  const Type *Lanes = lanesOf(Ty);
  switch (V.K) {
  case Value::Vector:
    return V.E;
  case Value::Mask: {
    const Type *Ones = Ty->isFloat() ? M.value(ScalarKind::Int, N) : Lanes;
    const Expr *E = mask(V, Ones);
    if (E->Ty != Ones)
      E = M.cast(E, Ones);
    E = M.binary(Op::And, E, splat(M.intConst(1, Ones->Scalar), Ones));
    return Ones == Lanes ? E : M.cast(E, Lanes);
  }
  case Value::Uniform:
    return splat(V.E, Lanes);
  case Value::Linear:
    break;
  }
  llvm::SmallVector<const Expr *, 16> Steps;
  for (unsigned L = 0; L < N; ++L)
    Steps.push_back(M.intConst(int64_t(L) * V.Stride, M.value(Lanes->Scalar)));
  return M.binary(Op::Add, splat(V.E, Lanes), M.vectorCtor(Lanes, Steps));
}

/// V, a truth value, as a mask whose lanes are as wide as Like's.
const Expr *LoopLanes::mask(const Value &V, const Type *Like) {
  const Type *MT = M.comparisonType(lanesOf(Like)->isVector() ? lanesOf(Like) : Like);
  const Expr *E = V.E;
  if (V.K != Value::Mask) {
    const Type *Own = M.value(V.E->Ty->Scalar);
    E = vec(V, Own);
    const Type *Elem = M.value(E->Ty->Scalar);
    E = M.binary(Op::NE, E,
                 splat(Own->isFloat() ? M.floatConst(0, Elem) : M.intConst(0, Elem), E->Ty));
  }
  return E->Ty == MT ? E : M.cast(E, MT);
}

const Expr *LoopLanes::laneOf(const Value &V, unsigned L, const Type *Ty) {
  switch (V.K) {
  case Value::Uniform:
    return V.E;
  case Value::Linear:
    return L ? simplify(M, M.binary(Op::Add, V.E, M.intConst(int64_t(L) * V.Stride, V.E->Ty)))
             : V.E;
  case Value::Vector:
    return M.swizzle(V.E, {uint8_t(L)});
  case Value::Mask: {
    const Expr *Bit = M.swizzle(V.E, {uint8_t(L)});
    const Expr *Set = M.binary(Op::NE, Bit, M.intConst(0, Bit->Ty));
    return Set->Ty == Ty ? Set : M.cast(Set, Ty, true);
  }
  }
  return V.E;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// How E differs from iteration to iteration; nothing is evaluated.
LoopLanes::Value LoopLanes::shape(const Expr *E) const {
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
  llvm::SmallVector<Value, 3> Ops;
  bool Same = true;
  forEachOperand(*E, [&](const Expr *X) {
    Ops.push_back(shape(X));
    Same &= Ops.back().K == Value::Uniform;
  });
  if (Same)
    return {Value::Uniform, E};
  Value Varies{Value::Vector, E};
  if (!isIntScalar(E->Ty) || sizeInBits(E->Ty->Scalar) < 32 ||
      llvm::any_of(Ops, [](const Value &V) { return V.K >= Value::Vector; }))
    return Varies;
  int64_t Stride = 0;
  if (E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub))
    Stride = E->O == Op::Add ? Ops[0].Stride + Ops[1].Stride : Ops[0].Stride - Ops[1].Stride;
  else if (E->K == ExprKind::Binary && E->O == Op::Mul && constantValue(E->Ops[1]))
    Stride = Ops[0].Stride * *constantValue(E->Ops[1]);
  else if (E->K == ExprKind::Binary && E->O == Op::Mul && constantValue(E->Ops[0]))
    Stride = Ops[1].Stride * *constantValue(E->Ops[0]);
  else if (E->K == ExprKind::Binary && E->O == Op::Shl && Ops[1].K == Value::Uniform &&
           constantValue(E->Ops[1]) && *constantValue(E->Ops[1]) >= 0 &&
           *constantValue(E->Ops[1]) < MaxShift)
    Stride = Ops[0].Stride << *constantValue(E->Ops[1]);
  else if (E->K == ExprKind::Unary && E->O == Op::Neg)
    Stride = -Ops[0].Stride;
  else if (E->K == ExprKind::Cast && E->C == CastOp::Convert && isIntScalar(E->Ops[0]->Ty) &&
           // A value that wraps at 32 bits is not linear at 64; an index in bounds does not wrap.
           (InIndex || isSigned(E->Ops[0]->Ty->Scalar) ||
            sizeInBits(E->Ty->Scalar) <= sizeInBits(E->Ops[0]->Ty->Scalar)))
    Stride = Ops[0].Stride;
  else
    return Varies;
  if (!Stride || Stride > MaxStride || Stride < -MaxStride)
    return Varies;
  return {Value::Linear, E, Stride};
}

/// E for one lane, as a scalar.
const Expr *LoopLanes::lane(const Expr *E, unsigned L) {
  if (E->K == ExprKind::VarRef) {
    auto It = Now.find(E->V);
    return It == Now.end() ? E : laneOf(It->second, L, E->Ty);
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
    return laneOf(V, L, E->Ty);
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
  const Expr *&Last = Acc.Index.back();
  Last = simplify(M, M.binary(Op::Sub, Last, M.intConst(N - 1, Last->Ty)));
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
  bool WasIndex = std::exchange(InIndex, true);
  for (size_t D = 0; D < Acc.Index.size() && !Failed; ++D) {
    if (shape(Acc.Index[D]).K >= Value::Vector) {
      Linear = false;
      break;
    }
    Value V = eval(Acc.Index[D]);
    First.Index[D] = V.E;
    Stride += V.K == Value::Linear ? V.Stride * int64_t(Acc.Stride[D]) : 0;
  }
  auto Restore = llvm::make_scope_exit([&] { InIndex = WasIndex; });
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
  bool Logical = E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr);
  for (size_t I = 0; I < E->Ops.size() && !Failed; ++I) {
    bool IsLazy = I > 0 && (Logical || (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar()));
    // Vectors are combined without short circuit.
    bool Diverges = IsLazy && (Logical || Ops[0].K != Value::Uniform);
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
  if (!evalOperands(E, Ops))
    return {Value::Uniform, E};
  bool Faults =
      E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem) && E->Ty->isInteger();
  if (auto C = Faults ? constantValue(E->Ops[1]) : std::nullopt; C && *C != 0 && *C != -1)
    Faults = false;
  if (Faults && Masked)
    return {Value::Uniform, fail(E)};
  auto OfScalars = [&] {
    size_t I = 0;
    return mapOperands(M, E, [&](const Expr *) { return Ops[I++].E; });
  };
  if (llvm::all_of(Ops, [](const Value &V) { return V.K == Value::Uniform; })) {
    const Expr *X = OfScalars();
    return {Value::Uniform, X == E ? E : simplify(M, X)};
  }
  if (Sh.K == Value::Linear)
    return {Value::Linear, simplify(M, OfScalars()), Sh.Stride};
  if (!E->Ty->isScalar() || llvm::any_of(E->Ops, [](const Expr *X) { return !X->Ty->isScalar(); }))
    return {Value::Uniform, fail(E)};
  return combine(E, Ops);
}

//===----------------------------------------------------------------------===//
// Operations on vectors
//===----------------------------------------------------------------------===//

/// E, one of whose operands Ops is a vector.
LoopLanes::Value LoopLanes::combine(const Expr *E, llvm::MutableArrayRef<Value> Ops) {
  auto vector = [&](unsigned I) { return vec(Ops[I], E->Ops[I]->Ty); };
  switch (E->K) {
  case ExprKind::Unary:
    if (E->O == Op::LogicalNot) {
      const Type *Like = Ops[0].K == Value::Mask ? M.value(Ops[0].E->Ty->Scalar) : E->Ops[0]->Ty;
      return {Value::Mask, M.unary(Op::BitNot, mask(Ops[0], Like))};
    }
    return {Value::Vector, M.unary(E->O, vector(0))};
  case ExprKind::Binary:
    if (E->O == Op::LogicalAnd || E->O == Op::LogicalOr)
      return combineLogical(E, Ops);
    return {isComparison(E->O) ? Value::Mask : Value::Vector, M.binary(E->O, vector(0), vector(1))};
  case ExprKind::Cast:
    return combineCast(E, Ops[0]);
  case ExprKind::Select: {
    const Expr *X = vec(Ops[1], E->Ty), *Y = vec(Ops[2], E->Ty);
    return {Value::Vector,
            M.select(Ops[0].K == Value::Uniform ? Ops[0].E : mask(Ops[0], E->Ty), X, Y)};
  }
  case ExprKind::Call:
    return combineCall(E, Ops);
  default:
    return {Value::Uniform, fail(E)};
  }
}

/// && and || as operations on masks.
LoopLanes::Value LoopLanes::combineLogical(const Expr *E, llvm::ArrayRef<Value> Ops) {
  const Type *Like = M.value(ScalarKind::Int);
  for (unsigned I : {1u, 0u})
    if (Ops[I].K == Value::Mask)
      Like = M.value(Ops[I].E->Ty->Scalar);
  return {Value::Mask, M.binary(E->O == Op::LogicalAnd ? Op::And : Op::Or, mask(Ops[0], Like),
                                mask(Ops[1], Like))};
}

LoopLanes::Value LoopLanes::combineCast(const Expr *E, const Value &V) {
  const Type *From = E->Ops[0]->Ty, *To = lanesOf(E->Ty);
  if (E->C == CastOp::Convert) {
    if (E->Ty->Scalar == ScalarKind::Bool)
      return {Value::Mask, mask(V, From)};
    if (V.K == Value::Mask)
      return {Value::Vector, vec(V, E->Ty)};
    const Expr *X = vec(V, From);
    // Through int, as the scalar conversion goes.
    if (From->isFloat() && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) < 32)
      X = M.cast(X, M.value(ScalarKind::Int, N));
    return {Value::Vector, X->Ty == To ? X : M.cast(X, To)};
  }
  if (E->C == CastOp::Splat)
    return {Value::Uniform, fail(E)};
  Expr *C = M.newExpr(ExprKind::Cast, To, E->Range);
  C->C = E->C;
  C->Text = E->Text;
  C->Ops = {vec(V, From)};
  return {Value::Vector, C};
}

LoopLanes::Value LoopLanes::combineCall(const Expr *E, llvm::MutableArrayRef<Value> Ops) {
  auto vector = [&](unsigned I) { return vec(Ops[I], E->Ops[I]->Ty); };
  if (E->Name == "select" && Ops.size() == 3)
    return {Value::Vector, M.select(mask(Ops[2], E->Ty), vector(1), vector(0))};
  llvm::SmallVector<const Expr *, 3> Args;
  for (unsigned I = 0; I < Ops.size(); ++I)
    Args.push_back(vector(I));
  if (isRelational(E->Name))
    return {Value::Mask, M.call(E->Name, M.comparisonType(Args[0]->Ty), Args)};
  if (isLanewise(E->Name) || (Reassociate && hasVectorForm(E->Name)))
    return {Value::Vector, M.call(E->Name, lanesOf(E->Ty), Args)};
  // Lane by lane.
  if (Lazy)
    return {Value::Uniform, fail(E)};
  for (Value &V : Ops)
    if (V.K >= Value::Vector)
      V.E = hold(V.E, "arg");
  llvm::SmallVector<const Expr *, 16> Lanes;
  for (unsigned L = 0; L < N; ++L) {
    llvm::SmallVector<const Expr *, 3> One;
    for (unsigned I = 0; I < Ops.size(); ++I)
      One.push_back(laneOf(Ops[I], L, E->Ops[I]->Ty));
    Lanes.push_back(M.call(E->Name, E->Ty, One));
  }
  return {Value::Vector, M.vectorCtor(lanesOf(E->Ty), Lanes)};
}

} // namespace clmali::rewrite
