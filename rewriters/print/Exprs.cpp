//===-- rewriters/print/Exprs.cpp - Values as text --------------------------===//
//
// What it does: prints an expression so that C computes the model's value:
//
//   before (model)                              after (text)
//   <int>load p[i] * 9                          p[i] * 9        (C promotes)
//   <float>load p[i] + <float>load q[i]         (float)p[i] + q[i]
//   load v[i] + <short16>9                      v[i] + (short)9
//
// How: each text carries the type that Clang computes for it. Operands are printed in their
// shortest form, then checked against C's usual conversions; the first combination for which C
// computes in the model's type is used.
//
// Limits: half is assumed to be an arithmetic type (cl_khr_fp16).
//
//===----------------------------------------------------------------------===//

#include "rewriters/print/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace clmali::model;
using llvm::StringRef;

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// C's types and conversions
//===----------------------------------------------------------------------===//

std::string typeName(CType T) {
  return (name(T.Scalar) + (T.Lanes > 1 ? llvm::Twine(unsigned(T.Lanes)) : llvm::Twine())).str();
}

static bool isSmall(ScalarKind K) { return isInteger(K) && sizeInBytes(K) < 4; }

static ScalarKind promoted(ScalarKind K) { return isSmall(K) ? ScalarKind::Int : K; }

/// The usual arithmetic conversions.
static ScalarKind usual(ScalarKind A, ScalarKind B) {
  if (model::isFloat(A) || model::isFloat(B)) {
    if (!model::isFloat(A))
      return B;
    if (!model::isFloat(B))
      return A;
    return sizeInBytes(A) >= sizeInBytes(B) ? A : B;
  }
  A = promoted(A);
  B = promoted(B);
  if (sizeInBytes(A) != sizeInBytes(B))
    return sizeInBytes(A) > sizeInBytes(B) ? A : B;
  return isSigned(A) ? B : A;
}

bool preserves(ScalarKind From, ScalarKind To) {
  if (From == To || From == ScalarKind::Bool)
    return true;
  if (To == ScalarKind::Bool)
    return false;
  if (model::isFloat(From))
    return model::isFloat(To) && sizeInBytes(From) <= sizeInBytes(To);
  if (model::isFloat(To)) {
    unsigned Digits = To == ScalarKind::Half ? 11 : To == ScalarKind::Float ? 24 : 53;
    return sizeInBits(From) - isSigned(From) <= Digits;
  }
  if (isSigned(From))
    return isSigned(To) && sizeInBits(From) <= sizeInBits(To);
  return sizeInBits(From) < sizeInBits(To) || (sizeInBits(From) == sizeInBits(To) && !isSigned(To));
}

/// True if converting From to To directly gives the same as converting through Mid.
static bool skips(ScalarKind From, ScalarKind Mid, ScalarKind To) {
  if (preserves(From, Mid))
    return true;
  return isInteger(From) && isInteger(Mid) && isInteger(To) && Mid != ScalarKind::Bool &&
         To != ScalarKind::Bool && sizeInBits(To) <= sizeInBits(Mid);
}

/// True if the text's value, not only its conversion, is E's value.
static bool sameValue(const ExprText &T, const Expr *E) {
  return T.Ty == ctype(E->Ty) || E->K == ExprKind::IntConst ||
         (T.Ty.Lanes == E->Ty->Lanes && preserves(T.Ty.Scalar, E->Ty->Scalar));
}

//===----------------------------------------------------------------------===//
// Precedence
//===----------------------------------------------------------------------===//

Precedence precedence(Op O) {
  switch (O) {
  case Op::Mul:
  case Op::Div:
  case Op::Rem:
    return PrecMul;
  case Op::Add:
  case Op::Sub:
    return PrecAdd;
  case Op::Shl:
  case Op::Shr:
    return PrecShift;
  case Op::LT:
  case Op::LE:
  case Op::GT:
  case Op::GE:
    return PrecRelation;
  case Op::EQ:
  case Op::NE:
    return PrecEquality;
  case Op::And:
    return PrecAnd;
  case Op::Xor:
    return PrecXor;
  case Op::Or:
    return PrecOr;
  case Op::LogicalAnd:
    return PrecLogicalAnd;
  case Op::LogicalOr:
    return PrecLogicalOr;
  default:
    return PrecUnary;
  }
}

std::string paren(const ExprText &T, Precedence Min) {
  return T.Prec < Min ? "(" + T.S + ")" : T.S;
}

/// True where parentheses are printed although precedence does not need them: compilers warn, or
/// the text is hard to read.
static bool wantsParens(Precedence Outer, Precedence Inner) {
  if (Inner >= PrecUnary || Inner == Outer)
    return false;
  switch (Outer) {
  case PrecShift:
    return Inner == PrecAdd;
  case PrecAnd:
  case PrecXor:
  case PrecOr:
    return true;
  case PrecLogicalOr:
    return Inner == PrecLogicalAnd;
  case PrecRelation:
  case PrecEquality:
    return Inner == PrecRelation || Inner == PrecEquality;
  default:
    return false;
  }
}

std::string binaryText(Op O, const ExprText &A, const ExprText &B) {
  Precedence P = precedence(O);
  bool Chain = P == PrecRelation || P == PrecEquality;
  std::string Left =
      wantsParens(P, A.Prec) || (Chain && A.Prec == P) ? "(" + A.S + ")" : paren(A, P);
  bool Sign = (P == PrecAdd && B.S[0] == '-') || (O == Op::And && B.S[0] == '&');
  std::string Right =
      wantsParens(P, B.Prec) || Sign ? "(" + B.S + ")" : paren(B, Precedence(P + 1));
  return (Left + " " + spelling(O) + " " + Right).str();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

ExprText ExprPrinter::convertTo(ExprText T, const Expr *E) const {
  CType To = ctype(E->Ty);
  if (T.Ty == To)
    return T;
  if (E->K == ExprKind::IntConst)
    return typedConstant(E);
  if (To.Lanes > 1 && T.Ty.Lanes == 1)
    return {"(" + typeName(To) + ")(" + T.S + ")", PrecUnary, To};
  if (To.Lanes > 1)
    return {"convert_" + typeName(To) + "(" + T.S + ")", PrecPostfix, To};
  return {"(" + typeName(To) + ")" + paren(T, PrecUnary), PrecUnary, To};
}

ExprText ExprPrinter::exact(const Expr *E) const { return convertTo(raw(E), E); }

std::string ExprPrinter::initialiser(const Expr *E) const {
  ExprText T = raw(E);
  // Clang warns when a literal loses its fraction.
  bool Loses = E->Ty->isInteger() && model::isFloat(T.Ty.Scalar) && !T.S.empty() &&
               (llvm::isDigit(T.S[0]) || T.S[0] == '.' || T.S[0] == '-');
  return Loses ? convertTo(T, E).S : T.S;
}

ExprText ExprPrinter::cast(const Expr *E) const {
  const Expr *Inner = E->Ops[0];
  CType To = ctype(E->Ty);
  switch (E->C) {
  case CastOp::Builtin:
    return {"convert_" + typeName(To) + E->Text + "(" + argument(Inner) + ")", PrecPostfix, To};
  case CastOp::Bitcast:
    return {"as_" + typeName(To) + "(" + argument(Inner) + ")", PrecPostfix, To};
  case CastOp::Splat:
  case CastOp::Convert:
    break;
  }
  if (To.Lanes > 1 && Inner->Ty->isVector() && !isHalfInMemory(E)) {
    if (ctype(Inner->Ty) == To)
      return exact(Inner);
    return {"convert_" + typeName(To) + "(" + argument(Inner) + ")", PrecPostfix, To};
  }
  if (isHalfInMemory(E) && Inner->K == ExprKind::Load)
    return halfLoad(Inner->Acc);
  ExprText T = raw(Inner);
  bool Skips =
      T.Ty.Lanes == 1 && (T.Ty.Scalar == Inner->Ty->Scalar || Inner->K == ExprKind::IntConst ||
                          skips(T.Ty.Scalar, Inner->Ty->Scalar, To.Scalar));
  if (!Skips)
    T = convertTo(T, Inner);
  if (E->Implicit)
    return T;
  // (T)(value): scalars bind like a prefix, vectors are always in parentheses.
  if (To.Lanes > 1)
    return {"(" + typeName(To) + ")(" + T.S + ")", PrecUnary, To};
  return {"(" + typeName(To) + ")" + paren(T, PrecUnary), PrecUnary, To};
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// The scalar that E repeats in every lane, if vector operators convert it implicitly.
const Expr *ExprPrinter::splatted(const Expr *E) const {
  if (E->K != ExprKind::Cast || E->C != CastOp::Splat || !E->Ops[0]->Ty->isScalar())
    return nullptr;
  return E->Implicit || !Faithful ? E->Ops[0] : nullptr;
}

ExprPrinter::Operands ExprPrinter::vectorOperands(const Expr *EA, const Expr *EB) const {
  const Expr *SA = splatted(EA), *SB = splatted(EB);
  CType T = ctype(EA->Ty);
  if (SA && SB)
    SA = nullptr;
  auto Scalar = [&](const Expr *S, const Expr *Vector) {
    // A scalar operand may not rank above the element.
    ExprText X = raw(S);
    if (ctype(Vector->Ty) != T)
      return exact(Vector);
    bool Fits = X.Ty.Scalar == T.Scalar;
    if (!Fits && X.Ty.Scalar != ScalarKind::Bool && S->Ty->Scalar == T.Scalar)
      Fits = model::isFloat(T.Scalar)
                 ? isInteger(X.Ty.Scalar) || sizeInBytes(X.Ty.Scalar) < sizeInBytes(T.Scalar)
                 : isInteger(X.Ty.Scalar) && sizeInBytes(X.Ty.Scalar) < sizeInBytes(T.Scalar);
    return Fits ? X : exact(S);
  };
  return {SA ? Scalar(SA, EA) : exact(EA), SB ? Scalar(SB, EB) : exact(EB), T};
}

ExprPrinter::Operands ExprPrinter::operands(const Expr *EA, const Expr *EB, bool Promote) const {
  if (EA->Ty->isVector())
    return vectorOperands(EA, EB);
  ScalarKind T = EA->Ty->Scalar;
  ExprText RawA = raw(EA), RawB = raw(EB);
  auto Common = [&](const ExprText &A, const ExprText &B) {
    return !Promote && A.Ty == B.Ty ? A.Ty.Scalar : usual(A.Ty.Scalar, B.Ty.Scalar);
  };
  if (Common(RawA, RawB) == T)
    return {RawA, RawB, {T, 1}};
  ExprText A = convertTo(RawA, EA), B = convertTo(RawB, EB);
  // A constant of the right type reads better than a cast of the other side.
  bool RightFirst = EB->K == ExprKind::IntConst;
  for (bool Right : {RightFirst, !RightFirst})
    if (ScalarKind C = Right ? Common(RawA, B) : Common(A, RawB); C == T)
      return Right ? Operands{RawA, B, {T, 1}} : Operands{A, RawB, {T, 1}};
  return {A, B, {Common(A, B), 1}};
}

ExprPrinter::Operands ExprPrinter::binaryOperands(const Expr *E) const {
  const Expr *EA = E->Ops[0], *EB = E->Ops[1];
  if (E->O != Op::Shl && E->O != Op::Shr)
    return operands(EA, EB);
  // The sides of a shift are promoted separately.
  if (EA->Ty->isVector()) {
    ExprText A = exact(EA);
    const Expr *Count = splatted(EB);
    if (!Count)
      return {A, exact(EB), A.Ty};
    bool Small = Count->K == ExprKind::IntConst && Count->Int >= 0 &&
                 Count->Int < sizeInBits(EA->Ty->Scalar) &&
                 (!Faithful || Count->Ty->Scalar == ScalarKind::Int);
    ExprText B = Small ? constant(Count) : raw(Count);
    return {A, Small || (!Faithful && sameValue(B, Count)) ? B : exact(Count), A.Ty};
  }
  ScalarKind T = EA->Ty->Scalar;
  ExprText A = raw(EA), B = raw(EB);
  if (promoted(A.Ty.Scalar) != T)
    A = convertTo(A, EA);
  if (!sameValue(B, EB))
    B = convertTo(B, EB);
  return {A, B, {promoted(A.Ty.Scalar), 1}};
}

ExprText ExprPrinter::condition(const Expr *E) const {
  ExprText T = raw(E);
  if (E->Ty->isScalar() && E->Ty->Scalar != ScalarKind::Bool && !sameValue(T, E))
    T = convertTo(T, E);
  return T;
}

ExprText ExprPrinter::negated(const Expr *E) const {
  CType Int;
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot && E->Ty->isScalar())
    return condition(E->Ops[0]);
  if (E->K == ExprKind::Binary && isComparison(E->O) && E->Ty->isScalar()) {
    bool IsFloat = E->Ops[0]->Ty->isFloat();
    Op O = E->O;
    switch (E->O) {
    case Op::EQ:
      O = Op::NE;
      break;
    case Op::NE:
      O = Op::EQ;
      break;
    case Op::LT:
      O = IsFloat ? O : Op::GE;
      break;
    case Op::GE:
      O = IsFloat ? O : Op::LT;
      break;
    case Op::GT:
      O = IsFloat ? O : Op::LE;
      break;
    case Op::LE:
      O = IsFloat ? O : Op::GT;
      break;
    default:
      break;
    }
    if (O != E->O) {
      Operands Ops = operands(E->Ops[0], E->Ops[1]);
      return {binaryText(O, Ops.A, Ops.B), precedence(O), Int};
    }
  }
  return {"!" + paren(condition(E), PrecUnary), PrecUnary, Int};
}

ExprText ExprPrinter::binary(const Expr *E) const {
  const Expr *EA = E->Ops[0], *EB = E->Ops[1];
  if ((E->O == Op::LogicalAnd || E->O == Op::LogicalOr) && EA->Ty->isScalar() && EB->Ty->isScalar())
    return {binaryText(E->O, condition(EA), condition(EB)), precedence(E->O), {}};
  // x + 4294967295u is x - 1.
  if (!Faithful && E->O == Op::Add && E->Ty->isScalar() && isInteger(E->Ty->Scalar) &&
      !isSigned(E->Ty->Scalar) && sizeInBytes(E->Ty->Scalar) >= 4 && EB->K == ExprKind::IntConst &&
      EB->Text.empty()) {
    int64_t V = sizeInBytes(E->Ty->Scalar) == 4 ? int32_t(EB->Int) : EB->Int;
    if (V < 0 && V > INT32_MIN) {
      Expr Less = *E, Constant = *EB;
      Constant.Int = -V;
      Less.O = Op::Sub;
      Less.Ops[1] = &Constant;
      return binary(&Less);
    }
  }
  Operands Ops = binaryOperands(E);
  CType Ty = Ops.Common;
  if (isComparison(E->O) || E->O == Op::LogicalAnd || E->O == Op::LogicalOr)
    Ty = E->Ty->isVector() ? ctype(E->Ty) : CType{};
  return {binaryText(E->O, Ops.A, Ops.B), precedence(E->O), Ty};
}

std::optional<std::string> ExprPrinter::compound(const std::string &LValue, CType Ty, const Expr *E,
                                                 std::string &OpText) const {
  llvm::SmallVector<ScalarKind, 4> Steps; // outermost first
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Implicit && E->Ty->isScalar() &&
         E->Ops[0]->Ty->isScalar()) {
    Steps.push_back(E->Ty->Scalar);
    E = E->Ops[0];
  }
  if (E->K != ExprKind::Binary || isComparison(E->O) || E->O == Op::LogicalAnd ||
      E->O == Op::LogicalOr)
    return std::nullopt;
  Steps.push_back(E->Ty->Scalar);
  Operands Ops = binaryOperands(E);
  if (Ops.A.S != LValue || Ops.A.Ty != Ty)
    return std::nullopt;
  // C converts its result directly to the object's type.
  for (size_t I = 1; I < Steps.size(); ++I)
    if (Ty.Lanes != 1 ||
        !(Ops.Common.Scalar == Steps[I] || skips(Ops.Common.Scalar, Steps[I], Ty.Scalar)))
      return std::nullopt;
  if (Ops.Common.Lanes != Ty.Lanes || (Ty.Lanes > 1 && Ops.Common.Scalar != Ty.Scalar))
    return std::nullopt;
  OpText = (spelling(E->O) + "=").str();
  const Expr *Right = E->Ops[1];
  while (Right->K == ExprKind::Cast && Right->Implicit && Right->C == CastOp::Convert)
    Right = Right->Ops[0];
  bool One = Right->K == ExprKind::IntConst && Right->Int == 1 && llvm::isDigit(Ops.B.S[0]);
  if (One && Ty.Lanes == 1 && isInteger(Ty.Scalar) && Ty.Scalar != ScalarKind::Bool &&
      (E->O == Op::Add || E->O == Op::Sub)) {
    OpText = E->O == Op::Add ? "++" : "--";
    return std::string();
  }
  return Ops.B.S;
}

//===----------------------------------------------------------------------===//
// ?: and vectors
//===----------------------------------------------------------------------===//

/// True if every lane of E is 0 or -1.
static bool isMask(const Expr *E) {
  if (!E->Ty->isVector())
    return false;
  if (E->K == ExprKind::Unary)
    return E->O == Op::LogicalNot || (E->O == Op::BitNot && isMask(E->Ops[0]));
  if (E->K == ExprKind::Swizzle || (E->K == ExprKind::Cast && E->C == CastOp::Convert))
    return E->Ops[0]->Ty->isInteger() && isSigned(E->Ops[0]->Ty->Scalar) && isMask(E->Ops[0]);
  if (E->K != ExprKind::Binary)
    return false;
  if (isComparison(E->O) || E->O == Op::LogicalAnd || E->O == Op::LogicalOr)
    return true;
  return (E->O == Op::And || E->O == Op::Or || E->O == Op::Xor) && isMask(E->Ops[0]) &&
         isMask(E->Ops[1]);
}

ExprText ExprPrinter::vectorSelect(const Expr *E) const {
  const Expr *C = E->Ops[0];
  CType T = ctype(E->Ty);
  ExprText Cond = exact(C);
  // The condition's elements must be as wide as the result's, and signed.
  unsigned Width = sizeInBytes(T.Scalar);
  ScalarKind Wanted = Width == 1   ? ScalarKind::Char
                      : Width == 2 ? ScalarKind::Short
                      : Width == 4 ? ScalarKind::Int
                                   : ScalarKind::Long;
  CType CondTy = ctype(C->Ty);
  if (!isSigned(CondTy.Scalar)) {
    unsigned W = sizeInBytes(CondTy.Scalar);
    CondTy.Scalar = W == 1   ? ScalarKind::Char
                    : W == 2 ? ScalarKind::Short
                    : W == 4 ? ScalarKind::Int
                             : ScalarKind::Long;
    Cond = {"as_" + typeName(CondTy) + "(" + Cond.S + ")", PrecPostfix, CondTy};
  }
  if (CondTy.Scalar != Wanted) {
    // A narrower number might lose its sign, a mask does not.
    if (sizeInBytes(CondTy.Scalar) > Width && !isMask(C)) {
      ExprText Zero{"(" + name(CondTy.Scalar).str() + ")0", PrecUnary, {CondTy.Scalar, 1}};
      Cond = {binaryText(Op::LT, Cond, Zero), PrecRelation, CondTy};
    }
    CType To{Wanted, T.Lanes};
    Cond = {"convert_" + typeName(To) + "(" + Cond.S + ")", PrecPostfix, To};
  }
  ExprText A = exact(E->Ops[1]), B = exact(E->Ops[2]);
  // Clang warns about `a & b ? x : y`.
  bool Bits = Cond.Prec == PrecOr || Cond.Prec == PrecXor || Cond.Prec == PrecAnd;
  return {paren(Cond, Bits ? PrecUnary : PrecLogicalOr) + " ? " + paren(A, PrecConditional) +
              " : " + paren(B, PrecConditional),
          PrecConditional, T};
}

ExprText ExprPrinter::select(const Expr *E) const {
  if (E->Ops[0]->Ty->isVector())
    return vectorSelect(E);
  ExprText C = condition(E->Ops[0]);
  Operands Ops;
  if (E->Ty->isVector())
    Ops = {exact(E->Ops[1]), exact(E->Ops[2]), ctype(E->Ty)};
  else
    Ops = operands(E->Ops[1], E->Ops[2]);
  // Clang warns about `a + b ? x : y`.
  bool Arithmetic =
      C.Prec >= PrecOr && C.Prec < PrecUnary && C.Prec != PrecRelation && C.Prec != PrecEquality;
  std::string Cond = Arithmetic ? "(" + C.S + ")" : paren(C, PrecLogicalOr);
  return {Cond + " ? " + paren(Ops.A, PrecLogicalOr) + " : " + paren(Ops.B, PrecConditional),
          PrecConditional, Ops.Common};
}

//===----------------------------------------------------------------------===//
// Calls and other expressions
//===----------------------------------------------------------------------===//

ExprText ExprPrinter::call(const Expr *E) const {
  // Built-ins that take a vector first and may take scalars after it.
  bool Mixed = E->Ty->isVector() && !E->Ops.empty() && !splatted(E->Ops[0]) &&
               llvm::is_contained({"clamp", "min", "max", "fmin", "fmax"}, E->Name);
  for (const Expr *Op : llvm::drop_begin(E->Ops, Mixed ? 1 : 0))
    Mixed = Mixed && (Op->Ty->isScalar() || splatted(Op));
  std::string S = (hasTwoResults(functionOf(E->Name)) ? helper(E) : E->Name) + "(";
  llvm::StringRef Separator;
  for (const Expr *Op : E->Ops) {
    S += Separator;
    Separator = ", ";
    const Expr *Scalar = Mixed ? splatted(Op) : nullptr;
    S += argument(Scalar ? Scalar : Op);
  }
  return {S + ")", PrecPostfix, ctype(E->Ty)};
}

/// Arguments are converted to the types of the parameters, as by an assignment.
ExprText ExprPrinter::helperCall(const Expr *E) const {
  std::string Arguments;
  for (const Expr *Op : E->Ops)
    Arguments += (Arguments.empty() ? "" : ", ") + initialiser(Op);
  return {E->Name + "(" + Arguments + ")", PrecPostfix, ctype(E->Ty)};
}

ExprText ExprPrinter::image(const Expr *E) const {
  std::string S = E->Name + "(" + Name(E->Image);
  if (E->Sampler)
    S += ", " + Name(E->Sampler);
  for (const Expr *Op : E->Ops)
    S += ", " + argument(Op);
  return {S + ")", PrecPostfix, ctype(E->Ty)};
}

ExprText ExprPrinter::opaque(const Expr *E) const {
  CType Ty = E->Ty && E->Ty->isValue() ? ctype(E->Ty) : CType{};
  if (M && E->Range.isValid() && E->Range.File < M->Files.size()) {
    StringRef Text = M->Files[E->Range.File].Text;
    return {"(" + Text.slice(E->Range.Begin, E->Range.End).str() + ")", PrecPostfix, Ty};
  }
  return {"/* " + E->Text + " */", PrecPostfix, Ty};
}

ExprText ExprPrinter::raw(const Expr *E) const {
  switch (E->K) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
    return constant(E);
  case ExprKind::VarRef:
    if (const Expr *Value = shown(E); Value != E)
      return raw(Value);
    return {Name(E->V), PrecPostfix, ctype(E->V->Ty)};
  case ExprKind::WorkItem: {
    std::string Arg = E->Query == WorkItemQuery::WorkDim ? "" : std::to_string(E->Dim);
    return {(builtinName(E->Query) + "(" + Arg + ")").str(), PrecPostfix, ctype(E->Ty)};
  }
  case ExprKind::Unary: {
    const Expr *A = E->Ops[0];
    if (E->O == Op::LogicalNot && A->Ty->isScalar())
      return {"!" + paren(condition(A), PrecUnary), PrecUnary, {}};
    ExprText T = A->Ty->isVector() ? exact(A) : raw(A);
    CType Ty = ctype(E->Ty);
    if (A->Ty->isScalar()) {
      if (promoted(T.Ty.Scalar) != A->Ty->Scalar)
        T = convertTo(T, A);
      Ty = {promoted(T.Ty.Scalar), 1};
    }
    bool Sign = E->O == Op::Neg && T.S[0] == '-';
    return {(spelling(E->O) + (Sign ? "(" + T.S + ")" : paren(T, PrecUnary))).str(), PrecUnary, Ty};
  }
  case ExprKind::Binary:
    return binary(E);
  case ExprKind::Cast:
    return cast(E);
  case ExprKind::Select:
    return select(E);
  case ExprKind::Load:
    return E->Acc.F == Access::VLoad && E->Acc.Lanes > 1 ? vectorLoad(E->Acc) : lvalue(E->Acc);
  case ExprKind::Swizzle: {
    auto [Of, Lanes] = components(E);
    ExprText T = exact(Of);
    if (Of->Ty->isScalar())
      return T;
    return {paren(T, PrecPostfix) + swizzleText(Lanes, Of->Ty->Lanes), PrecPostfix, ctype(E->Ty)};
  }
  case ExprKind::VectorCtor:
    return vectorCtor(E);
  case ExprKind::Call:
    return call(E);
  case ExprKind::HelperCall:
    return helperCall(E);
  case ExprKind::ImageRead:
  case ExprKind::ImageQuery:
    return image(E);
  case ExprKind::Opaque:
    return opaque(E);
  }
  return {};
}

std::string printExpr(const Expr *E) {
  ExprPrinter P(nullptr, nullptr, [](const Var *V) { return V->Name; }, /*Faithful=*/false);
  return P.initialiser(E);
}

} // namespace clmali::rewrite
