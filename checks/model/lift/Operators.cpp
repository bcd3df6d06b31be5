//===-- checks/model/lift/Operators.cpp - Casts and operators --------------===//
//
// What it does: lifts casts, unary, binary and conditional operators. Operands with side effects
// under a condition become an if:
//
//   before: a && f(b)          after: c = (a != 0); if (c) { ...; c = (f.r != 0) }
//
// Limits: casts between pointers and numbers, and `a ?: b`, are opaque.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"

using llvm::StringRef;

namespace clmali::model {

const Expr *Lifter::castExpr(const clang::CastExpr *E) {
  const ClangExpr *Sub = E->getSubExpr();
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  bool Implicit = llvm::isa<clang::ImplicitCastExpr>(E);
  switch (E->getCastKind()) {
  case clang::CK_LValueToRValue:
    return read(place(Sub), R);
  case clang::CK_NoOp:
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion: {
    const Expr *V = expr(Sub);
    return V->Ty == Ty || !V->Ty->isValue() || !Ty->isValue() ? V : M.cast(V, Ty, Implicit);
  }
  case clang::CK_FloatingCast:
    // -cl-single-precision-constant: the literal is a float to begin with.
    if (const auto *L = llvm::dyn_cast<clang::FloatingLiteral>(Sub);
        L && Implicit && Ctx.getLangOpts().SinglePrecisionConstants && Ty->isScalar())
      if (const Expr *V = evaluated(E)) {
        const_cast<Expr *>(V)->Text = literalText(L->getBeginLoc());
        return V;
      }
    [[fallthrough]];
  case clang::CK_IntegralCast:
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingToIntegral:
  case clang::CK_IntegralToBoolean:
  case clang::CK_FloatingToBoolean:
  case clang::CK_BooleanToSignedIntegral:
  case clang::CK_VectorSplat: {
    const Expr *V = expr(Sub);
    if (!V->Ty->isValue() || !Ty->isValue())
      return V->K == ExprKind::Opaque ? V : opaque("cast", Ty, R);
    return M.cast(V, Ty, Implicit);
  }
  case clang::CK_BitCast: {
    // Between vectors of one size: the bits stay.
    const Expr *V = expr(Sub);
    if (!Ty->isValue() || !V->Ty->isValue())
      return opaque("cast", Ty, R);
    if (V->Ty == Ty)
      return V;
    Expr *X = M.newExpr(ExprKind::Cast, Ty, R);
    X->C = CastOp::Bitcast;
    X->Implicit = Implicit;
    X->Ops = {V};
    return X;
  }
  case clang::CK_PointerToBoolean:
  case clang::CK_PointerToIntegral:
    return opaque("pointer as a number", Ty, R);
  case clang::CK_ZeroToOCLOpaqueType:
    return opaque("null value", Ty, R);
  case clang::CK_IntToOCLSampler:
    return opaque("sampler", Ty, R);
  default:
    return opaque(std::string("cast (") + E->getCastKindName() + ")", Ty, R);
  }
}

const Expr *Lifter::unaryExpr(const clang::UnaryOperator *E) {
  SourceRange R = range(E);
  switch (E->getOpcode()) {
  case clang::UO_Plus:
  case clang::UO_Extension:
    return expr(E->getSubExpr());
  case clang::UO_Minus:
    return M.unary(Op::Neg, expr(E->getSubExpr()));
  case clang::UO_Not:
    return M.unary(Op::BitNot, expr(E->getSubExpr()));
  case clang::UO_LNot: {
    if (E->getSubExpr()->getType()->isPointerType()) {
      const Expr *V = pointerTruth(E->getSubExpr());
      return V->K == ExprKind::IntConst ? M.intConst(!V->Int) : M.unary(Op::LogicalNot, V);
    }
    if (const auto *Logic =
            llvm::dyn_cast<clang::BinaryOperator>(E->getSubExpr()->IgnoreParenImpCasts());
        Logic && Logic->isLogicalOp())
      return logicExpr(Logic, /*Negated=*/true);
    return M.unary(Op::LogicalNot, expr(E->getSubExpr()));
  }
  case clang::UO_Deref:
    return read(place(E), R);
  case clang::UO_PreInc:
  case clang::UO_PreDec:
  case clang::UO_PostInc:
  case clang::UO_PostDec:
    return increment(E, /*Want=*/true);
  default:
    return opaque("operator " + clang::UnaryOperator::getOpcodeStr(E->getOpcode()).str(),
                  type(E->getType()), R);
  }
}

Op Lifter::binaryOp(clang::BinaryOperatorKind K) {
  switch (K) {
  case clang::BO_Mul:
  case clang::BO_MulAssign:
    return Op::Mul;
  case clang::BO_Div:
  case clang::BO_DivAssign:
    return Op::Div;
  case clang::BO_Rem:
  case clang::BO_RemAssign:
    return Op::Rem;
  case clang::BO_Add:
  case clang::BO_AddAssign:
    return Op::Add;
  case clang::BO_Sub:
  case clang::BO_SubAssign:
    return Op::Sub;
  case clang::BO_Shl:
  case clang::BO_ShlAssign:
    return Op::Shl;
  case clang::BO_Shr:
  case clang::BO_ShrAssign:
    return Op::Shr;
  case clang::BO_And:
  case clang::BO_AndAssign:
    return Op::And;
  case clang::BO_Or:
  case clang::BO_OrAssign:
    return Op::Or;
  case clang::BO_Xor:
  case clang::BO_XorAssign:
    return Op::Xor;
  case clang::BO_LT:
    return Op::LT;
  case clang::BO_LE:
    return Op::LE;
  case clang::BO_GT:
    return Op::GT;
  case clang::BO_GE:
    return Op::GE;
  case clang::BO_EQ:
    return Op::EQ;
  case clang::BO_NE:
    return Op::NE;
  case clang::BO_LAnd:
    return Op::LogicalAnd;
  case clang::BO_LOr:
    return Op::LogicalOr;
  default:
    return Op::None;
  }
}

const Expr *Lifter::binaryExpr(const clang::BinaryOperator *E) {
  if (E->isAssignmentOp())
    return assign(E, /*Want=*/true);
  if (E->isCommaOp()) {
    exprStmt(E->getLHS());
    return expr(E->getRHS());
  }
  if (E->isLogicalOp())
    return logicExpr(E);
  if (E->getLHS()->getType()->isPointerType() || E->getRHS()->getType()->isPointerType())
    return pointerBinary(E);
  Op O = binaryOp(E->getOpcode());
  SourceRange R = range(E);
  if (O == Op::None)
    return opaque("operator " + E->getOpcodeStr().str(), type(E->getType()), R);
  const Expr *A = expr(E->getLHS());
  size_t Mark = Out->size();
  const Expr *B = expr(E->getRHS());
  A = protect(A, Mark);
  if (!A->Ty->isValue() || !B->Ty->isValue())
    return opaque("operator " + E->getOpcodeStr().str(), type(E->getType()), R);
  Expr *X = M.newExpr(ExprKind::Binary, type(E->getType()), R);
  X->O = O;
  X->Ops = {A, B};
  return X;
}

/// && and ||: the right side is evaluated only if the left one does not decide. !(a || b) is
/// !a && !b.
const Expr *Lifter::logicExpr(const clang::BinaryOperator *E, bool Negated) {
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  bool And = E->getOpcode() == clang::BO_LAnd;
  auto Side = [&](const ClangExpr *Operand) -> const Expr * {
    if (Operand->getType()->isPointerType())
      return pointerTruth(Operand);
    return Ty->isScalar() ? truth(expr(Operand)) : expr(Operand);
  };
  const Expr *A = Side(E->getLHS());
  size_t Mark = Out->size();
  flush();
  A = protect(A, Mark);
  // A constant left side that decides: the right side is not evaluated.
  if (Ty->isScalar() && A->K == ExprKind::IntConst && (A->Int != 0) != And)
    return at(M.intConst(And == Negated), R);
  const Expr *B = nullptr;
  StmtList Right = blockOf([&] {
    B = Side(E->getRHS());
    size_t In = Out->size();
    flush();
    B = protect(B, In);
  });
  if (Ty->isVector() || Right.empty()) {
    size_t Now = Out->size();
    Out->insert(Out->end(), Right.begin(), Right.end());
    A = protect(A, Now);
    Expr *X = M.newExpr(ExprKind::Binary, Ty, R);
    X->O = And ? Op::LogicalAnd : Op::LogicalOr;
    X->Ops = {A, B};
    bool Loads = false;
    walk(B, [&](const Expr *V) { return !(Loads |= V->K == ExprKind::Load); });
    if (!Negated || !Loads)
      return Negated ? M.unary(Op::LogicalNot, X) : X;
    // The form that nested conditions give.
    X->O = And ? Op::LogicalOr : Op::LogicalAnd;
    for (const Expr *&V : X->Ops)
      V = at(M.unary(Op::LogicalNot, V), V->Range);
    return X;
  }
  // before: a && f(b)          after: c = (a != 0); if (c) { ...; c = (f.r != 0) }
  auto Bool = [&](const Expr *V) {
    if (Negated)
      return at(M.unary(Op::LogicalNot, V), V->Range);
    return V->K == ExprKind::Binary &&
                   (isComparison(V->O) || V->O == Op::LogicalAnd || V->O == Op::LogicalOr)
               ? V
               : at(M.binary(Op::NE, V, M.intConst(0, V->Ty)), V->Range);
  };
  Var *C = temp("cond", Ty, Bool(A), R);
  Stmt *If = emit(StmtKind::If, R);
  If->E = And != Negated ? M.ref(C) : M.unary(Op::LogicalNot, M.ref(C));
  If->Body = std::move(Right);
  Stmt *Set = M.newStmt(StmtKind::Assign, R);
  Set->V = C;
  Set->E = Bool(B);
  If->Body.push_back(Set);
  return M.ref(C);
}

const Expr *Lifter::conditionalExpr(const clang::AbstractConditionalOperator *E) {
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  if (llvm::isa<clang::BinaryConditionalOperator>(E))
    return opaque("operator ?:", Ty, R);
  if (E->getCond()->getType()->isVectorType()) {
    const Expr *C = expr(E->getCond());
    size_t Mark = Out->size();
    const Expr *A = expr(E->getTrueExpr());
    C = protect(C, Mark);
    Mark = Out->size();
    const Expr *B = expr(E->getFalseExpr());
    C = protect(C, Mark);
    A = protect(A, Mark);
    return M.select(C, A, B);
  }
  const Expr *C = condition(E->getCond());
  const Expr *A = nullptr, *B = nullptr;
  bool Void = E->getType()->isVoidType();
  if (C->K == ExprKind::IntConst && Ty->isValue())
    return expr(C->Int ? E->getTrueExpr() : E->getFalseExpr());
  if (!Ty->isValue() && !Void)
    return opaque("choice of what is no number", Ty, R);
  auto Arm = [&](const ClangExpr *Operand, const Expr *&V) {
    return blockOf([&] {
      if (Void)
        return exprStmt(Operand);
      V = expr(Operand);
      size_t In = Out->size();
      flush();
      V = protect(V, In);
    });
  };
  StmtList Then = Arm(E->getTrueExpr(), A), Else = Arm(E->getFalseExpr(), B);
  if (Then.empty() && Else.empty() && !Void)
    return M.select(C, A, B);
  Var *V = Void ? nullptr : temp("chosen", Ty, nullptr, R);
  Stmt *If = emit(StmtKind::If, R);
  If->E = C;
  If->Body = std::move(Then);
  If->Else = std::move(Else);
  if (Void)
    return nullptr;
  for (auto [Arms, Value] : {std::pair(&If->Body, A), std::pair(&If->Else, B)}) {
    Stmt *S = M.newStmt(StmtKind::Assign, R);
    S->V = V;
    S->E = Value;
    Arms->push_back(S);
  }
  return M.ref(V);
}

/// Differences and comparisons of pointers.
const Expr *Lifter::pointerBinary(const clang::BinaryOperator *E) {
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  auto IsNull = [&](const ClangExpr *X) {
    return X->isNullPointerConstant(Ctx, clang::Expr::NPC_ValueDependentIsNotNull) !=
           clang::Expr::NPCK_NotNull;
  };
  if (E->isEqualityOp() && (IsNull(E->getLHS()) || IsNull(E->getRHS()))) {
    const Expr *V = pointerTruth(IsNull(E->getRHS()) ? E->getLHS() : E->getRHS());
    if (E->getOpcode() == clang::BO_NE)
      return V;
    return V->K == ExprKind::IntConst ? at(M.intConst(!V->Int), R) : M.unary(Op::LogicalNot, V);
  }
  if (!E->getLHS()->getType()->isPointerType() || !E->getRHS()->getType()->isPointerType())
    return opaque("pointer operator", Ty, R);
  Place A = pointer(E->getLHS());
  size_t Mark = Out->size();
  Place B = pointer(E->getRHS());
  protect(A, Mark);
  if (!A || !B)
    return opaque(A ? B.Why : A.Why, Ty, R);
  if (A.K != Place::Memory || A.V != B.V || A.Ty != B.Ty)
    return opaque("comparison of pointers to different objects", Ty, R);
  // Comparisons may go by bytes; a difference counts elements.
  const Expr *X = offset(A, A.Ty->Size), *Y = offset(B, A.Ty->Size);
  if (E->isComparisonOp() && (!X || !Y)) {
    X = offset(A, 1);
    Y = offset(B, 1);
  }
  Op O = binaryOp(E->getOpcode());
  if (!X || !Y || O == Op::None)
    return opaque("difference of pointers", Ty, R);
  const Expr *V = at(M.binary(O, X, Y), R);
  return M.cast(V, Ty, /*Implicit=*/true);
}

} // namespace clmali::model
