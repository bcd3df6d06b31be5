//===-- checks/model/analysis/eval/Interpreter.cpp - Integers of one work-item ------------===//
//
// See Interpreter.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/eval/Interpreter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<int64_t> workItemValue(const Expr *E, const WorkItemPosition &P) {
  unsigned D = E->Dim;
  if (D > 2)
    return std::nullopt;
  switch (E->Query) {
  case WorkItemQuery::GlobalId:
    return P.Global[D];
  case WorkItemQuery::LocalId:
    return P.Global[D] % P.LocalSize[D];
  case WorkItemQuery::GroupId:
    return P.Global[D] / P.LocalSize[D];
  case WorkItemQuery::GlobalSize:
    return P.GlobalSize[D];
  case WorkItemQuery::LocalSize:
    return P.LocalSize[D];
  case WorkItemQuery::NumGroups:
    return P.GlobalSize[D] / P.LocalSize[D];
  case WorkItemQuery::GlobalOffset:
    return 0;
  case WorkItemQuery::WorkDim:
    return std::nullopt;
  }
  return std::nullopt;
}

/// V if it fits K.
static std::optional<int64_t> fitting(__int128 V, ScalarKind K) {
  Range R = rangeOf(K);
  if (V < R.Lo || V > R.Hi)
    return std::nullopt;
  return int64_t(V);
}

std::optional<int64_t> converted(__int128 V, ScalarKind K) {
  switch (K) {
  case ScalarKind::Char:
    return int8_t(V);
  case ScalarKind::UChar:
    return uint8_t(V);
  case ScalarKind::Short:
    return int16_t(V);
  case ScalarKind::UShort:
    return uint16_t(V);
  case ScalarKind::Int:
    return int32_t(V);
  case ScalarKind::UInt:
    return uint32_t(V);
  default:
    return fitting(V, K);
  }
}

std::optional<int64_t> arithmeticResult(__int128 V, const Type &T) {
  return T.isScalar() && isSigned(T.Scalar) ? fitting(V, T.Scalar) : converted(V, T.Scalar);
}

bool compare(Op O, __int128 X, __int128 Y) {
  switch (O) {
  case Op::LT:
    return X < Y;
  case Op::LE:
    return X <= Y;
  case Op::GT:
    return X > Y;
  case Op::GE:
    return X >= Y;
  case Op::EQ:
    return X == Y;
  default:
    return X != Y;
  }
}

std::optional<int64_t> applyBinary(Op O, int64_t A, int64_t B, const Type &T) {
  if (isComparison(O))
    return compare(O, A, B);
  // Wider shifts of what has 64 bits would not fit anyway.
  constexpr int64_t MaxLeftShift = 31, MaxRightShift = 63;
  __int128 X = A, Y = B;
  switch (O) {
  case Op::Add:
    return arithmeticResult(X + Y, T);
  case Op::Sub:
    return arithmeticResult(X - Y, T);
  case Op::Mul:
    return arithmeticResult(X * Y, T);
  case Op::Div:
    return Y ? arithmeticResult(X / Y, T) : std::nullopt;
  case Op::Rem:
    return Y ? arithmeticResult(X % Y, T) : std::nullopt;
  case Op::And:
    return A & B;
  case Op::Or:
    return A | B;
  case Op::Xor:
    return A ^ B;
  case Op::Shl:
    return X >= 0 && B >= 0 && B < MaxLeftShift ? converted(X << int(B), T.Scalar) : std::nullopt;
  case Op::Shr:
    return A >= 0 && B >= 0 && B < MaxRightShift ? std::optional(A >> B) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> evaluate(const Poly &P,
                                llvm::function_ref<std::optional<int64_t>(unsigned Symbol)> Value) {
  int64_t Sum = 0;
  for (const auto &[Mono, C] : P.Terms) {
    int64_t Term = C;
    for (unsigned S : Mono) {
      std::optional<int64_t> V = Value(S);
      if (!V || llvm::MulOverflow(Term, *V, Term))
        return std::nullopt;
    }
    if (llvm::AddOverflow(Sum, Term, Sum))
      return std::nullopt;
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Interpreter::~Interpreter() = default;

std::optional<int64_t> Interpreter::bitAnd(const Expr *, int64_t X, int64_t Y) { return X & Y; }

LaneValues Interpreter::eval(const Expr *E, const Stmt *At) {
  if (!mayContinue())
    return {};
  switch (E->K) {
  case ExprKind::IntConst: {
    LaneValues R;
    bool Fits = E->Ty->Scalar != ScalarKind::ULong || E->Int >= 0;
    R.Lanes.push_back(Fits ? std::optional(E->Int) : std::nullopt);
    return R;
  }
  case ExprKind::FloatConst:
    return {};
  case ExprKind::VarRef:
  case ExprKind::WorkItem:
  case ExprKind::Load:
  case ExprKind::ImageRead:
  case ExprKind::ImageQuery:
  case ExprKind::Opaque:
    return leaf(E, At);
  case ExprKind::Unary:
    return unary(E, At);
  case ExprKind::Binary:
    return E->O == Op::LogicalAnd || E->O == Op::LogicalOr ? logic(E, At) : binary(E, At);
  case ExprKind::Cast:
    return cast(E, At);
  case ExprKind::Select:
    return select(E, At);
  case ExprKind::Swizzle: {
    LaneValues X = eval(E->Ops[0], At), R;
    R.Tags = X.Tags;
    for (unsigned Lane : E->LaneIdx)
      R.Lanes.push_back(Lane < X.Lanes.size() ? X.Lanes[Lane] : std::nullopt);
    return R;
  }
  case ExprKind::VectorCtor:
    return vectorCtor(E, At);
  case ExprKind::Call:
    return call(E, At);
  }
  return {};
}

LaneValues Interpreter::unary(const Expr *E, const Stmt *At) {
  auto Apply = [&](int64_t V) -> std::optional<int64_t> {
    switch (E->O) {
    case Op::Neg:
      return arithmeticResult(-__int128(V), *E->Ty);
    case Op::LogicalNot:
      return E->Ty->Lanes > 1 ? -!V : !V; // true is -1 in a vector
    case Op::BitNot:
      return converted(~V, E->Ty->Scalar);
    default:
      return std::nullopt;
    }
  };
  LaneValues R = eval(E->Ops[0], At);
  for (auto &Lane : R.Lanes)
    if (Lane)
      Lane = Apply(*Lane);
  return R;
}

LaneValues Interpreter::logic(const Expr *E, const Stmt *At) {
  std::optional<int64_t> X = eval(E->Ops[0], At).scalar();
  if (!X)
    return {}; // whether the right side is evaluated is not known, either
  bool Decides = E->O == Op::LogicalOr;
  if ((*X != 0) == Decides)
    return LaneValues::known(Decides);
  std::optional<int64_t> Y = eval(E->Ops[1], At).scalar();
  return Y ? LaneValues::known(*Y != 0) : LaneValues();
}

LaneValues Interpreter::binary(const Expr *E, const Stmt *At) {
  LaneValues X = eval(E->Ops[0], At), Y = eval(E->Ops[1], At), R;
  R.Tags = X.Tags | Y.Tags;
  if (!E->Ty->isValue() || !E->Ops[0]->Ty->isInteger() || X.Lanes.size() != Y.Lanes.size())
    return R;
  for (auto [A, B] : llvm::zip_equal(X.Lanes, Y.Lanes)) {
    std::optional<int64_t> Result;
    if (A && B)
      Result = E->O == Op::And ? bitAnd(E, *A, *B) : applyBinary(E->O, *A, *B, *E->Ty);
    if (Result && isComparison(E->O) && E->Ty->Lanes > 1)
      Result = -*Result; // true is -1 in a vector
    R.Lanes.push_back(Result);
  }
  return R;
}

LaneValues Interpreter::cast(const Expr *E, const Stmt *At) {
  LaneValues R = eval(E->Ops[0], At);
  if (!E->Ty->isInteger() || !E->Ops[0]->Ty->isInteger() || E->C == CastOp::Bitcast)
    return {};
  if (E->C == CastOp::Splat && R.Lanes.size() == 1)
    R.Lanes.resize(E->Ty->Lanes, R.Lanes[0]);
  for (auto &Lane : R.Lanes)
    if (Lane)
      Lane = E->Ty->Scalar == ScalarKind::Bool ? std::optional<int64_t>(*Lane != 0)
                                               : converted(*Lane, E->Ty->Scalar);
  return R;
}

LaneValues Interpreter::select(const Expr *E, const Stmt *At) {
  LaneValues Condition = eval(E->Ops[0], At);
  std::optional<int64_t> C = Condition.scalar();
  if (!C)
    return {};
  LaneValues R = eval(E->Ops[*C ? 1 : 2], At);
  R.Tags |= Condition.Tags;
  return R;
}

LaneValues Interpreter::vectorCtor(const Expr *E, const Stmt *At) {
  LaneValues R;
  for (const Expr *X : E->Ops) {
    LaneValues V = eval(X, At);
    R.Tags |= V.Tags;
    if (V.Lanes.size() != X->Ty->Lanes)
      V.Lanes.assign(X->Ty->Lanes, std::nullopt);
    R.Lanes.append(V.Lanes.begin(), V.Lanes.end());
  }
  return R;
}

/// all(v) or any(v) by the sign bits of the lanes, as far as the known ones decide.
static std::optional<int64_t> allOrAny(const LaneValues &V, bool All) {
  auto Decides = [&](const auto &Lane) { return Lane && (*Lane < 0) != All; };
  bool Decided = llvm::any_of(V.Lanes, Decides);
  bool Complete =
      !V.Lanes.empty() && llvm::all_of(V.Lanes, [](const auto &Lane) { return Lane.has_value(); });
  if (!Decided && !Complete)
    return std::nullopt;
  return Decided != All;
}

/// An integer built-in of one lane's operands.
static std::optional<int64_t> applyCall(llvm::StringRef Name, llvm::ArrayRef<int64_t> V,
                                        ScalarKind K) {
  if (V.size() == 1 && Name == "abs")
    return converted(V[0] < 0 ? -__int128(V[0]) : V[0], ScalarKind::Long);
  if (V.size() == 2) {
    if (Name == "min")
      return std::min(V[0], V[1]);
    if (Name == "max")
      return std::max(V[0], V[1]);
    if (Name == "mul24")
      return converted(__int128(V[0]) * V[1], K);
  }
  if (V.size() == 3) {
    if (Name == "clamp")
      return std::min(std::max(V[0], V[1]), V[2]);
    if (Name == "mad24")
      return converted(__int128(V[0]) * V[1] + V[2], K);
  }
  return std::nullopt;
}

LaneValues Interpreter::call(const Expr *E, const Stmt *At) {
  llvm::SmallVector<LaneValues, 3> In;
  LaneValues R;
  for (const Expr *X : E->Ops) {
    In.push_back(eval(X, At));
    R.Tags |= In.back().Tags;
  }
  if (!E->Ty->isInteger() || In.empty())
    return R;
  if (E->Name == "all" || E->Name == "any") {
    if (std::optional<int64_t> V = allOrAny(In[0], E->Name == "all"))
      R.Lanes.push_back(*V);
    return R;
  }
  for (unsigned Lane = 0; Lane < In[0].Lanes.size(); ++Lane) {
    llvm::SmallVector<int64_t, 3> V;
    for (const LaneValues &X : In) {
      unsigned Of = X.Lanes.size() == 1 ? 0 : Lane;
      if (Of < X.Lanes.size() && X.Lanes[Of])
        V.push_back(*X.Lanes[Of]);
    }
    R.Lanes.push_back(V.size() == In.size() ? applyCall(E->Name, V, E->Ty->Scalar) : std::nullopt);
  }
  return R;
}

} // namespace clmali::model
