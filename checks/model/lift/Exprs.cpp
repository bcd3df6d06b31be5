//===-- checks/model/lift/Exprs.cpp - Values, assignments, their order ------===//
//
// What it does: lifts expressions. What changes something is emitted as a
// statement; what is returned is pure (see Lifter.h for the order).
//
// Limits: an expression that changes a variable and uses it unsequenced has no
// meaning in C; it is opaque.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"
#include "clang/AST/APValue.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"

using llvm::StringRef;

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

const Expr *Lifter::expr(const ClangExpr *E) {
  const Expr *V = exprImpl(E);
  return at(V, range(E));
}

const Expr *Lifter::truth(const Expr *E) {
  if (E->Ty->isScalar() && E->Ty->isFloat())
    return at(M.binary(Op::NE, E, M.floatConst(0, E->Ty)), E->Range);
  return E;
}

/// Whether a pointer is null: known for what points into a variable, and for
/// what a helper was given.
const Expr *Lifter::pointerTruth(const ClangExpr *E) {
  SourceRange R = range(E);
  Place P = pointer(E);
  if (P.Why == "null pointer")
    return at(M.intConst(0), R);
  if (P.K == Place::Register || (P.K == Place::Memory && !P.V->isPointerParam()))
    return at(M.intConst(1), R);
  return opaque(P ? "pointer as a condition" : P.Why, M.value(ScalarKind::Int), R);
}

const Expr *Lifter::condition(const ClangExpr *E) {
  if (E->getType()->isPointerType())
    return pointerTruth(E);
  return truth(settled(E));
}

const Expr *Lifter::exprImpl(const ClangExpr *E) {
  E = E->IgnoreParens();
  SourceRange R = range(E);
  if (E->containsErrors())
    return opaque("text that did not parse", M.value(ScalarKind::Int), R);
  const Type *Ty = type(E->getType());

  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral>(E))
    return literal(E);
  if (const auto *C = llvm::dyn_cast<clang::ConstantExpr>(E))
    return expr(C->getSubExpr());
  if (const auto *B = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(E)) {
    const Expr *X = M.intConst(B->getValue(), Ty);
    const_cast<Expr *>(X)->Text = B->getValue() ? "true" : "false";
    return X;
  }
  if (const auto *C = llvm::dyn_cast<clang::CallExpr>(E)) {
    const Expr *V = call(C, /*Want=*/true);
    return V ? V : opaque("call without a value", Ty, R);
  }
  if (const auto *C = llvm::dyn_cast<clang::CastExpr>(E))
    return castExpr(C);
  if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(E))
    return unaryExpr(U);
  if (const auto *B = llvm::dyn_cast<clang::BinaryOperator>(E))
    return binaryExpr(B);
  if (const auto *C = llvm::dyn_cast<clang::AbstractConditionalOperator>(E))
    return conditionalExpr(C);
  if (const auto *A = llvm::dyn_cast<clang::AsTypeExpr>(E)) {
    const Expr *Sub = expr(A->getSrcExpr());
    if (Sub->Ty == Ty)
      return Sub;
    if (!Ty->isValue() || !Sub->Ty->isValue())
      return opaque("as_type of what is no number", Ty, R);
    Expr *X = M.newExpr(ExprKind::Cast, Ty, R);
    X->C = CastOp::Bitcast;
    X->Ops = {Sub};
    return X;
  }
  if (const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(E)) {
    if (const auto *C = llvm::dyn_cast<clang::EnumConstantDecl>(D->getDecl())) {
      const Expr *X = at(M.intConst(bits(C->getInitVal()), Ty), R);
      // An enumerator of the function itself goes with its declaration.
      if (!C->getParentFunctionOrMethod())
        const_cast<Expr *>(X)->Text = C->getName().str();
      return X;
    }
    return read(place(E), R);
  }
  if (llvm::isa<clang::ExtVectorElementExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(E))
    return read(place(E), R);
  if (const auto *L = llvm::dyn_cast<clang::CompoundLiteralExpr>(E))
    return Ty->isValue() ? expr(L->getInitializer()) : opaque("literal of a struct", Ty, R);
  if (const auto *L = llvm::dyn_cast<clang::InitListExpr>(E)) {
    if (Ty->isVector())
      return vectorInit(L, Ty);
    if (Ty->isScalar() && L->getNumInits() == 1)
      return expr(L->getInit(0));
    return opaque("initialiser", Ty, R);
  }
  if (llvm::isa<clang::ImplicitValueInitExpr>(E) && Ty->isValue()) {
    const Type *S = M.value(Ty->Scalar);
    return M.cast(Ty->isFloat() ? M.floatConst(0, S) : M.intConst(0, S), Ty, /*Implicit=*/true);
  }
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::OffsetOfExpr>(E)) {
    if (const Expr *X = evaluated(E))
      return X;
    return opaque("size that is no constant", Ty, R);
  }
  if (const auto *X = llvm::dyn_cast<clang::StmtExpr>(E)) {
    const auto &Body = X->getSubStmt()->body();
    const Expr *V = nullptr;
    for (const clang::Stmt *S : Body) {
      const auto *Last = llvm::dyn_cast<clang::Expr>(S);
      if (S == X->getSubStmt()->body_back() && Last && Ty->isValue())
        V = settled(Last);
      else
        stmt(S);
    }
    return V ? V : opaque("statement expression", Ty, R);
  }
  if (const auto *X = llvm::dyn_cast<clang::ShuffleVectorExpr>(E)) {
    unsigned N = X->getNumSubExprs() - 2;
    const Expr *A = expr(X->getExpr(0));
    size_t Mark = Out->size();
    const Expr *B = expr(X->getExpr(1));
    A = protect(A, Mark);
    llvm::SmallVector<uint8_t, 16> L;
    for (unsigned I = 0; I < N; ++I) {
      int64_t Lane = X->getShuffleMaskIdx(Ctx, I).getSExtValue();
      if (Lane < 0 || Lane >= A->Ty->Lanes)
        return opaque("__builtin_shufflevector", Ty, R);
      L.push_back(static_cast<uint8_t>(Lane));
    }
    (void)B;
    return M.swizzle(A, L);
  }
  if (const auto *X = llvm::dyn_cast<clang::ConvertVectorExpr>(E))
    return M.cast(expr(X->getSrcExpr()), Ty);
  if (const auto *X = llvm::dyn_cast<clang::FullExpr>(E))
    return expr(X->getSubExpr());
  if (const auto *X = llvm::dyn_cast<clang::GenericSelectionExpr>(E))
    return expr(X->getResultExpr());
  if (const auto *X = llvm::dyn_cast<clang::OpaqueValueExpr>(E); X && X->getSourceExpr())
    return expr(X->getSourceExpr());
  return opaque(E->getStmtClassName(), Ty, R);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The literal as written, or the object-like macro whose whole body it is.
std::string Lifter::literalText(clang::SourceLocation Loc) {
  llvm::SmallString<32> Buffer;
  StringRef Token =
      clang::Lexer::getSpelling(SM.getSpellingLoc(Loc), Buffer, SM, Ctx.getLangOpts());
  while (Loc.isMacroID() && SM.isMacroArgExpansion(Loc))
    Loc = SM.getImmediateSpellingLoc(Loc);
  if (!Loc.isMacroID() ||
      SM.getSLocEntry(SM.getFileID(Loc)).getExpansion().isFunctionMacroExpansion())
    return Token.str();
  StringRef Name = clang::Lexer::getImmediateMacroName(Loc, SM, Ctx.getLangOpts());
  auto [File, Offset] = SM.getDecomposedLoc(SM.getSpellingLoc(Loc));
  StringRef Text = SM.getBufferData(File);
  size_t LineBegin = Text.take_front(Offset).rfind('\n');
  LineBegin = LineBegin == StringRef::npos ? 0 : LineBegin + 1;
  StringRef Before = Text.slice(LineBegin, Offset).rtrim(" \t(");
  StringRef After = Text.drop_front(Offset + Token.size()).ltrim(" \t)");
  bool Ends = After.empty() || After.starts_with("\n") || After.starts_with("\r") ||
              After.starts_with("//") || After.starts_with("/*");
  if (!Ends || !Before.consume_back(Name))
    return Token.str();
  StringRef Directive = Before.rtrim(" \t");
  return Directive.size() < Before.size() && Directive.ends_with("define") ? Name.str()
                                                                           : Token.str();
}

const Expr *Lifter::literal(const ClangExpr *E) {
  const Type *Ty = type(E->getType());
  SourceRange R = range(E);
  if (const auto *L = llvm::dyn_cast<clang::IntegerLiteral>(E)) {
    const llvm::APInt &V = L->getValue();
    const Expr *X = M.intConst(static_cast<int64_t>(V.getLimitedValue()), Ty);
    const_cast<Expr *>(X)->Text = literalText(E->getBeginLoc());
    return at(X, R);
  }
  if (const auto *L = llvm::dyn_cast<clang::FloatingLiteral>(E)) {
    llvm::APFloat V = L->getValue();
    bool Lost;
    V.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &Lost);
    const Expr *X = M.floatConst(V.convertToDouble(), Ty);
    const_cast<Expr *>(X)->Text = literalText(E->getBeginLoc());
    return at(X, R);
  }
  const auto *L = llvm::cast<clang::CharacterLiteral>(E);
  const Expr *X = M.intConst(L->getValue(), Ty);
  const_cast<Expr *>(X)->Text = literalText(E->getBeginLoc());
  return at(X, R);
}

/// V as an expression of type Ty, or null.
const Expr *Lifter::constantFrom(const clang::APValue &V, const Type *Ty) {
  if (!Ty->isValue())
    return nullptr;
  if (V.isInt() && Ty->isScalar())
    return M.intConst(bits(V.getInt()), Ty);
  if (V.isFloat() && Ty->isScalar()) {
    llvm::APFloat F = V.getFloat();
    bool Lost;
    F.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &Lost);
    return M.floatConst(F.convertToDouble(), Ty);
  }
  if (V.isVector() && Ty->isVector() && V.getVectorLength() == Ty->Lanes) {
    llvm::SmallVector<const Expr *, 16> Parts;
    for (unsigned I = 0; I < Ty->Lanes; ++I) {
      const Expr *Part = constantFrom(V.getVectorElt(I), M.value(Ty->Scalar));
      if (!Part)
        return nullptr;
      Parts.push_back(Part);
    }
    return M.vectorCtor(Ty, Parts);
  }
  return nullptr;
}

const Expr *Lifter::evaluated(const ClangExpr *E) {
  clang::Expr::EvalResult Result;
  if (E->isValueDependent() || !E->EvaluateAsRValue(Result, Ctx) || Result.HasSideEffects)
    return nullptr;
  const Expr *X = constantFrom(Result.Val, type(E->getType()));
  return X ? at(X, range(E)) : nullptr;
}

const Expr *Lifter::vectorInit(const clang::InitListExpr *E, const Type *Ty) {
  SourceRange R = range(E);
  llvm::SmallVector<const Expr *, 16> Parts;
  unsigned Lanes = 0;
  for (const clang::Expr *I : E->inits()) {
    size_t Mark = Out->size();
    const Expr *V = expr(I);
    for (const Expr *&Earlier : Parts)
      Earlier = protect(Earlier, Mark);
    if (!V->Ty->isValue())
      return opaque("initialiser", Ty, R);
    // A vector among the parts is not converted by C; a scalar is.
    if (V->Ty->Scalar != Ty->Scalar)
      V = M.cast(V, M.value(Ty->Scalar, V->Ty->Lanes), /*Implicit=*/true);
    Lanes += V->Ty->Lanes;
    Parts.push_back(V);
  }
  if (Parts.size() == 1 && Parts[0]->Ty == Ty)
    return Parts[0];
  if (Lanes > Ty->Lanes)
    return opaque("initialiser", Ty, R);
  const Type *S = M.value(Ty->Scalar);
  for (; Lanes < Ty->Lanes; ++Lanes)
    Parts.push_back(Ty->isFloat() ? M.floatConst(0, S) : M.intConst(0, S));
  return at(M.vectorCtor(Ty, Parts), R);
}

//===----------------------------------------------------------------------===//
// Casts and operators
//===----------------------------------------------------------------------===//

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

static Op binaryOp(clang::BinaryOperatorKind K) {
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

/// && and ||: the right side happens only if the left one does not decide. !(a || b) is !a && !b.
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
  // What a constant decides does not happen at all.
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
    // As nested conditions say it.
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

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

/// A value that can be read again after the assignment.
static bool isAtom(const Expr *E) {
  return E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst;
}

const Expr *Lifter::assign(const clang::BinaryOperator *E, bool Want) {
  SourceRange R = range(E);
  const ClangExpr *L = E->getLHS(), *RHS = E->getRHS();
  if (L->getType()->isPointerType()) {
    assignPointer(L, E->isCompoundAssignmentOp() ? nullptr : RHS, R);
    if (E->isCompoundAssignmentOp()) {
      const Expr *Step = toLong(expr(RHS));
      Binding *B = movingPointer(L);
      if (!B || B->K != Binding::PtrVar)
        opaqueStmt(B && B->K == Binding::Bad ? B->P.Why : "pointer assignment", R);
      else if (Step = scaled(Step, pointeeSize(L->getType()) / B->Unit); true)
        emitAssign(B->Off,
                   M.binary(E->getOpcode() == clang::BO_SubAssign ? Op::Sub : Op::Add,
                            M.ref(B->Off), Step),
                   R);
    }
    return nullptr;
  }
  const Type *Ty = type(L->getType());
  if (Ty->K == Type::Struct && E->getOpcode() == clang::BO_Assign) {
    Place From = structValue(RHS);
    size_t Mark = Out->size();
    Place To = place(L);
    protect(From, Mark);
    copyStruct(To, From, R);
    return nullptr;
  }
  if (isEvent(L->getType())) {
    // event = async_work_group_copy(...); an array of events is one event for all of them
    const auto *C = llvm::dyn_cast<clang::CallExpr>(RHS->IgnoreParenCasts());
    const ClangExpr *Event = L->IgnoreParens();
    if (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(Event);
        Element && !Element->getIdx()->HasSideEffects(Ctx) &&
        Element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      Event = Element->getBase()->IgnoreParenImpCasts();
    Place To = place(Event);
    if (isAsyncCopy(C) && To.K == Place::Register) {
      asyncCopy(C, To.V);
      return nullptr;
    }
    opaqueStmt("event", R);
    return nullptr;
  }
  if (!Ty->isValue()) {
    opaqueStmt("assignment to " + (Ty->Name.empty() ? "an object" : Ty->Name), R);
    return nullptr;
  }
  const Expr *V = expr(RHS);
  size_t Mark = Out->size();
  Place To = place(L);
  if (const auto *C = llvm::dyn_cast<clang::CompoundAssignOperator>(E)) {
    V = protect(V, Mark);
    const Expr *Old = read(To, range(L));
    const Type *In = type(C->getComputationLHSType());
    const Type *Result = type(C->getComputationResultType());
    if (!Old->Ty->isValue() || !V->Ty->isValue() || !In->isValue() || !Result->isValue()) {
      opaqueStmt(Old->K == ExprKind::Opaque ? Old->Text : "assignment", R);
      return nullptr;
    }
    Old = M.cast(Old, In, /*Implicit=*/true);
    Expr *X = M.newExpr(ExprKind::Binary, Result, R);
    X->O = binaryOp(C->getOpcode());
    X->Ops = {Old, V};
    V = M.cast(X, type(L->getType()), /*Implicit=*/true);
  } else {
    V = protect(V, Mark);
  }
  if (Want && To.K != Place::Register && !isAtom(V))
    V = at(M.ref(temp("value", V->Ty, V, R)), R);
  write(To, V, R);
  if (!Want)
    return nullptr;
  return To.K == Place::Register ? read(To, R) : V;
}

const Expr *Lifter::increment(const clang::UnaryOperator *E, bool Want) {
  SourceRange R = range(E);
  bool Up = E->isIncrementOp();
  const ClangExpr *Sub = E->getSubExpr();
  auto Later = [&](Var *V, const Expr *New) {
    Stmt *S = M.newStmt(StmtKind::Assign, R);
    S->V = V;
    S->E = New;
    (E->isPostfix() ? Pending : *Out).push_back(S);
  };
  if (Sub->getType()->isPointerType()) {
    const Binding *B = movingPointer(Sub);
    if (!B || B->K != Binding::PtrVar) {
      opaqueStmt(B && B->K == Binding::Bad ? B->P.Why : "pointer in memory", R);
      return nullptr;
    }
    Later(B->Off, M.binary(Up ? Op::Add : Op::Sub, M.ref(B->Off),
                           M.intConst(pointeeSize(Sub->getType()) / B->Unit, ScalarKind::Long)));
    return nullptr;
  }
  Place P = place(Sub);
  const Expr *Old = read(P, R);
  if (!P || !Old->Ty->isValue()) {
    opaqueStmt(P ? "increment" : P.Why, R);
    return Want ? Old : nullptr;
  }
  // C computes in the promoted type, and converts back.
  const Type *In = Old->Ty;
  if (In->isScalar() && In->isInteger() && sizeInBytes(In->Scalar) < 4)
    In = M.value(ScalarKind::Int);
  const Type *One = M.value(In->Scalar);
  const Expr *Step = M.cast(In->isFloat() ? M.floatConst(1, One) : M.intConst(1, One), In, true);
  const Expr *New = M.cast(at(M.binary(Up ? Op::Add : Op::Sub, M.cast(Old, In, true), Step), R),
                           Old->Ty, /*Implicit=*/true);
  if (P.K == Place::Register && P.Lanes.empty()) {
    Later(P.V, New);
    return Want ? Old : nullptr;
  }
  if (!Want) {
    write(P, New, R);
    return nullptr;
  }
  Var *Value = temp("value", Old->Ty, E->isPostfix() ? Old : New, R);
  if (E->isPostfix())
    New = M.cast(M.binary(Up ? Op::Add : Op::Sub, M.cast(M.ref(Value), In, true), Step), Old->Ty,
                 /*Implicit=*/true);
  write(P, E->isPostfix() ? New : M.ref(Value), R);
  return at(M.ref(Value), R);
}

/// p = RHS, where p is a pointer variable. (RHS null: p only becomes known.)
void Lifter::assignPointer(const ClangExpr *LHS, const ClangExpr *RHS, SourceRange R) {
  if (!RHS)
    return;
  const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(LHS->IgnoreParens());
  const auto *V = D ? llvm::dyn_cast<clang::VarDecl>(D->getDecl()) : nullptr;
  size_t Addressed = Learnt.InMemory.size();
  Place From = pointer(RHS);
  if (!V) {
    size_t Mark = Out->size();
    Place To = place(LHS);
    protect(From, Mark);
    return assignField(To, From, R);
  }
  Binding &B = bindingOf(V);
  if (B.K == Binding::Bad)
    return opaqueStmt(B.P.Why, R);
  if (B.K != Binding::PtrVar)
    return opaqueStmt("pointer assignment", R);
  auto Forget = [&](StringRef Why) {
    // After the next attempt, the variable will have an address.
    if (Learnt.InMemory.size() == Addressed)
      Learnt.BadPointers[V] = Why.str();
    Again = true;
    opaqueStmt(Why, R);
  };
  if (!From)
    return Forget(From.Why);
  if (From.K == Place::Register)
    needsAddress(From);
  // t = a; a = b; b = t: what is accessed through them has the same form whichever of the two it
  // is, and is told of the first one. That a pointer has two bases is told, too: who asks which
  // object it is has to know.
  auto Named = [](const ClangExpr *E) -> const clang::VarDecl * {
    const auto *Of = E ? llvm::dyn_cast<clang::DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
    return Of ? llvm::dyn_cast<clang::VarDecl>(Of->getDecl()) : nullptr;
  };
  const clang::VarDecl *Other = Named(RHS);
  if (Other && !Frames.back().Facts->Modified.contains(Other)) // T *t = a; a = b; b = t;
    Other = Named(Other->getInit());
  bool TakesTurns =
      Other && Frames.back().Facts->Modified.contains(Other) && From.K == Place::Memory && B.P;
  if (TakesTurns && B.P.V != From.V && B.P.V->space() == From.V->space() && B.P.V->Ty == From.V->Ty)
    return opaqueStmt("pointer that changes its buffer", R);
  if (From.K != Place::Memory || (B.P && B.P.V != From.V))
    return Forget("pointer with two bases");
  const Expr *Off = offset(From, B.Unit);
  if (!Off) {
    Learnt.InBytes.insert(V);
    Again = true;
    return opaqueStmt("pointer at an uneven offset", R);
  }
  if (!B.P)
    B.P = From;
  emitAssign(B.Off, Off, R);
}

} // namespace clmali::model
