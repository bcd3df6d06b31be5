//===-- rewriters/lanes/Operations.cpp - Operations on all lanes --------------===//

#include "rewriters/lanes/Operations.h"
#include "checks/model/ir/Simplify.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace clmali::rewrite {

using namespace model;

bool isRelational(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("isnan", "isinf", "isfinite", "isnormal", "signbit", true)
      .Cases("isequal", "isnotequal", "isgreater", "isgreaterequal", true)
      .Cases("isless", "islessequal", "islessgreater", "isordered", "isunordered", true)
      .Default(false);
}

bool isLanewise(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("min", "max", "clamp", "abs", "abs_diff", "add_sat", "sub_sat", true)
      .Cases("hadd", "rhadd", "mad24", "mul24", "mul_hi", "mad_hi", "mad_sat", true)
      .Cases("rotate", "clz", "popcount", "fabs", "fmin", "fmax", "floor", true)
      .Cases("ceil", "trunc", "rint", "round", "sqrt", "fma", "copysign", true)
      .Cases("bitselect", "mad", true)
      .Default(false);
}

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

bool hasLaneForm(const Expr *E) {
  switch (E->K) {
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Select:
    return true;
  case ExprKind::Cast:
    return E->C != CastOp::Splat && E->Ops[0]->Ty->isScalar();
  case ExprKind::Call:
    return isLanewise(E->Name) || isRelational(E->Name);
  default:
    return false;
  }
}

bool isSameOperation(llvm::ArrayRef<const Expr *> Es) {
  const Expr *E0 = *llvm::find_if(Es, [](const Expr *E) { return E; });
  return llvm::all_of(Es, [&](const Expr *E) {
    return !E || (E->K == E0->K && E->Ty == E0->Ty && E->O == E0->O && E->C == E0->C &&
                  E->Name == E0->Name && E->Text == E0->Text &&
                  llvm::equal(E->Ops, E0->Ops,
                              [](const Expr *X, const Expr *Y) { return X->Ty == Y->Ty; }));
  });
}

bool mayDivideByZero(const Expr *E) {
  if (E->K != ExprKind::Binary || (E->O != Op::Div && E->O != Op::Rem) || !E->Ty->isInteger())
    return false;
  auto C = constantValue(E->Ops[1]);
  return !C || *C == 0 || *C == -1;
}

bool mayFault(const Expr *E) {
  return llvm::any_of(exprs(E), [](ExprAt X) {
    return isRead(X->K) || X->K == ExprKind::Opaque || mayDivideByZero(X.E);
  });
}

bool isLazyOperand(const Expr *E, unsigned I) {
  return I > 0 && I < E->Ops.size() && E->Ops[0]->Ty->isScalar() &&
         (E->K == ExprKind::Select || E->O == Op::LogicalAnd || E->O == Op::LogicalOr);
}

bool isFloatSum(const Expr *E) {
  return E->K == ExprKind::Binary && E->Ty->isFloat() && (E->O == Op::Add || E->O == Op::Sub);
}

static bool isScalarForm(const LaneVal &V) { return V.K <= LaneVal::Stepped; }

std::optional<LaneVal> LaneOperations::combine(const Expr *E, llvm::MutableArrayRef<LaneVal> Ops,
                                               const LaneVal &As) {
  bool Uniform = llvm::all_of(Ops, [](const LaneVal &V) { return V.K == LaneVal::Uniform; });
  if (Uniform || (As.K <= LaneVal::Stepped && llvm::all_of(Ops, isScalarForm))) {
    size_t I = 0;
    const Expr *X = mapOperands(M, E, [&](const Expr *) { return Ops[I++].E; });
    LaneVal V = Uniform ? LaneVal{LaneVal::Uniform} : As;
    V.E = X == E ? E : simplify(M, X);
    return V;
  }
  switch (E->K) {
  case ExprKind::Unary:
    return unary(E, Ops[0]);
  case ExprKind::Binary:
    return binary(E, Ops[0], Ops[1]);
  case ExprKind::Cast:
    return cast(E, Ops[0]);
  case ExprKind::Select:
    return select(E, Ops);
  case ExprKind::Call:
    return call(E, Ops);
  default:
    return std::nullopt;
  }
}

LaneVal LaneOperations::unary(const Expr *E, const LaneVal &V) {
  const Type *Ty = E->Ops[0]->Ty;
  if (E->O == Op::LogicalNot)
    return {LaneVal::Mask, M.unary(Op::BitNot, Convert.toMask(V, Convert.maskLike(V, Ty), Ty))};
  return {LaneVal::Vector, M.unary(E->O, Convert.toVector(V, Ty))};
}

//===----------------------------------------------------------------------===//
// Binary operations
//===----------------------------------------------------------------------===//

LaneVal LaneOperations::comparison(const Expr *E, const LaneVal &X, const LaneVal &Y) {
  const Type *TX = E->Ops[0]->Ty, *TY = E->Ops[1]->Ty;
  const Expr *Mask = M.binary(E->O, Convert.toVector(X, TX), Convert.toVector(Y, TY));
  std::optional<LaneSteps> A0 = Convert.constants(X), A1 = Convert.constants(Y);
  if (A0 && A1 && (E->O == Op::EQ || E->O == Op::NE)) {
    llvm::SmallVector<const Expr *, 16> Lanes;
    for (unsigned L = 0; L < N; ++L)
      Lanes.push_back(M.intConst(((*A0)[L] == (*A1)[L]) == (E->O == Op::EQ) ? -1 : 0,
                                 M.value(Mask->Ty->Scalar)));
    Mask = M.vectorCtor(Mask->Ty, Lanes);
  }
  return {LaneVal::Mask, Mask};
}

/// 0 + y, 0 - y, x + 0, x - 0, 1 * y, x * 1, x * 0 of integers.
std::optional<LaneVal> LaneOperations::withoutEffect(const Expr *E, const LaneVal &X,
                                                     const LaneVal &Y) {
  const Type *TX = E->Ops[0]->Ty, *TY = E->Ops[1]->Ty;
  auto Is = [](const LaneVal &V, int64_t C) {
    return V.K == LaneVal::Uniform && constantValue(V.E) == std::optional<int64_t>(C);
  };
  if (!E->Ty->isInteger())
    return std::nullopt;
  if (E->O == Op::Mul && (Is(X, 0) || Is(Y, 0)))
    return LaneVal{LaneVal::Uniform, M.intConst(0, E->Ty)};
  if ((E->O == Op::Add && Is(X, 0)) || (E->O == Op::Mul && Is(X, 1)))
    return LaneVal{LaneVal::Vector, Convert.toVector(Y, TY)};
  if (((E->O == Op::Add || E->O == Op::Sub) && Is(Y, 0)) || (E->O == Op::Mul && Is(Y, 1)))
    return LaneVal{LaneVal::Vector, Convert.toVector(X, TX)};
  if (E->O == Op::Sub && Is(X, 0))
    return LaneVal{LaneVal::Vector, M.unary(Op::Neg, Convert.toVector(Y, TY))};
  return std::nullopt;
}

std::optional<LaneVal> LaneOperations::binary(const Expr *E, const LaneVal &X, const LaneVal &Y) {
  const Type *TX = E->Ops[0]->Ty, *TY = E->Ops[1]->Ty;
  if (E->O == Op::LogicalAnd || E->O == Op::LogicalOr) {
    const Type *Like = X.K == LaneVal::Mask ? Convert.maskLike(X, TX) : Convert.maskLike(Y, TY);
    return LaneVal{LaneVal::Mask,
                   M.binary(E->O == Op::LogicalAnd ? Op::And : Op::Or, Convert.toMask(X, Like, TX),
                            Convert.toMask(Y, Like, TY))};
  }
  if (isComparison(E->O))
    return comparison(E, X, Y);
  // Truth values joined with & and | stay masks.
  if ((E->O == Op::And || E->O == Op::Or) && X.K == LaneVal::Mask && Y.K == LaneVal::Mask)
    return LaneVal{LaneVal::Mask,
                   M.binary(E->O, X.E, Convert.toMask(Y, Convert.maskLike(X, TX), TY))};
  // A compiler may contract x * y + z into one operation, if the product stands in the sum. It must
  // still stand there when the product is the same for all lanes: splat its factors, not the
  // product.
  if (isFloatSum(E)) {
    const Expr *VX = Convert.toSummand(X, TX), *VY = Convert.toSummand(Y, TY);
    return VX && VY ? std::optional(LaneVal{LaneVal::Vector, M.binary(E->O, VX, VY)})
                    : std::nullopt;
  }
  if (std::optional<LaneVal> V = withoutEffect(E, X, Y))
    return *V;
  const Expr *VX = Convert.toVector(X, TX), *VY = Convert.toVector(Y, TY);
  // The low bits of an amount tell: it is taken modulo the width of what is shifted.
  if ((E->O == Op::Shl || E->O == Op::Shr) && Y.K != LaneVal::Uniform)
    VY = M.cast(VY, VX->Ty);
  return LaneVal{LaneVal::Vector, M.binary(E->O, VX, VY)};
}

//===----------------------------------------------------------------------===//
// Other operations
//===----------------------------------------------------------------------===//

LaneVal LaneOperations::select(const Expr *E, llvm::ArrayRef<LaneVal> Ops) {
  const LaneVal &C = Ops[0], &X = Ops[1], &Y = Ops[2];
  if (C.K == LaneVal::Uniform)
    return {LaneVal::Vector, M.select(C.E, Convert.toVector(X, E->Ty), Convert.toVector(Y, E->Ty))};
  std::optional<LaneSteps> Known = Convert.constants(C), OfX = Convert.constants(X),
                           OfY = Convert.constants(Y);
  if (Known && OfX && OfY && E->Ty->isInteger()) {
    llvm::SmallVector<const Expr *, 16> Lanes;
    for (unsigned L = 0; L < N; ++L)
      Lanes.push_back(M.intConst(((*Known)[L] ? *OfX : *OfY)[L], E->Ty));
    return {LaneVal::Vector, M.vectorCtor(Convert.vectorType(E->Ty), Lanes)};
  }
  return {LaneVal::Vector, M.select(Convert.toMask(C, E->Ty, E->Ops[0]->Ty),
                                    Convert.toVector(X, E->Ty), Convert.toVector(Y, E->Ty))};
}

std::optional<LaneVal> LaneOperations::cast(const Expr *E, const LaneVal &V) {
  const Type *From = E->Ops[0]->Ty, *To = Convert.vectorType(E->Ty);
  if (E->C == CastOp::Splat)
    return std::nullopt;
  if (E->C != CastOp::Convert) {
    Expr *C = M.newExpr(ExprKind::Cast, To, E->Range);
    C->C = E->C;
    C->Text = E->Text;
    C->Ops = {Convert.toVector(V, From)};
    return LaneVal{LaneVal::Vector, C};
  }
  if (E->Ty->Scalar == ScalarKind::Bool)
    return LaneVal{LaneVal::Mask, Convert.toMask(V, Convert.maskLike(V, From), From)};
  if (V.K == LaneVal::Mask)
    return LaneVal{LaneVal::Vector, Convert.toVector(V, E->Ty)};
  const Expr *X = Convert.toVector(V, From);
  // A scalar conversion of floating point to 8 or 16 bits goes through int on the devices that were
  // looked at; do the same for the lanes.
  if (From->isFloat() && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) < 32)
    X = M.cast(X, M.value(ScalarKind::Int, N));
  return LaneVal{LaneVal::Vector, X->Ty == To ? X : M.cast(X, To)};
}

std::optional<LaneVal> LaneOperations::call(const Expr *E, llvm::MutableArrayRef<LaneVal> Args) {
  if (E->Name == "select" && Args.size() == 3) {
    const Expr *X = Convert.toVector(Args[0], E->Ops[0]->Ty),
               *Y = Convert.toVector(Args[1], E->Ops[1]->Ty);
    return LaneVal{LaneVal::Vector, M.select(Convert.toMask(Args[2], E->Ty, E->Ops[2]->Ty), Y, X)};
  }
  if (isLanewise(E->Name) || isRelational(E->Name) || (Reassociate && hasVectorForm(E->Name))) {
    llvm::SmallVector<const Expr *, 3> Ops;
    for (unsigned I = 0; I < Args.size(); ++I)
      Ops.push_back(Convert.toVector(Args[I], E->Ops[I]->Ty));
    if (isRelational(E->Name))
      return LaneVal{LaneVal::Mask, M.call(E->Name, M.comparisonType(Ops[0]->Ty), Ops)};
    return LaneVal{LaneVal::Vector, M.call(E->Name, Convert.vectorType(E->Ty), Ops)};
  }
  for (LaneVal &V : Args) {
    if (V.K >= LaneVal::Vector)
      V.E = Hold(V.E, "arg");
    if (!V.E)
      return std::nullopt;
  }
  llvm::SmallVector<const Expr *, 16> Lanes;
  for (unsigned L = 0; L < N; ++L) {
    llvm::SmallVector<const Expr *, 3> Ops;
    for (unsigned I = 0; I < Args.size(); ++I)
      Ops.push_back(Convert.toScalar(Args[I], L, E->Ops[I]->Ty));
    Lanes.push_back(M.call(E->Name, E->Ty, Ops));
  }
  ++ScalarCalls;
  return LaneVal{LaneVal::Vector, M.vectorCtor(Convert.vectorType(E->Ty), Lanes)};
}

} // namespace clmali::rewrite
