//===-- checks/model/lift/Exprs.cpp - Values --------------------------------===//
//
// What it does: lifts expressions and constants (operators are in Operators.cpp, assignments in
// Assign.cpp). Side effects are emitted as statements; the returned expression is pure (see
// Lifter.h for the order).
//
//   f(x) + sizeof(int)       float f_result = ...;   (f_result + <float>4)
//
// Limits: expressions of other kinds are opaque, named by their Clang class.
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

/// Whether a pointer is null: known if it points into a variable, also in a helper that got it as
/// an argument.
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

/// as_T(e)
const Expr *Lifter::reinterpreted(const clang::AsTypeExpr *E, const Type *Ty) {
  SourceRange R = range(E);
  const Expr *Sub = expr(E->getSrcExpr());
  if (Sub->Ty == Ty)
    return Sub;
  if (!Ty->isValue() || !Sub->Ty->isValue())
    return opaque("as_type of what is no number", Ty, R);
  Expr *X = M.newExpr(ExprKind::Cast, Ty, R);
  X->C = CastOp::Bitcast;
  X->Ops = {Sub};
  return X;
}

/// The value of a variable or an enumerator.
const Expr *Lifter::reference(const clang::DeclRefExpr *E, const Type *Ty) {
  SourceRange R = range(E);
  const auto *C = llvm::dyn_cast<clang::EnumConstantDecl>(E->getDecl());
  if (!C)
    return read(place(E), R);
  const Expr *X = at(M.intConst(bits(C->getInitVal()), Ty), R);
  // An enumerator declared in the function disappears with its declaration.
  if (!C->getParentFunctionOrMethod())
    const_cast<Expr *>(X)->Text = C->getName().str();
  return X;
}

/// A braced list, or the implicit zero of one.
const Expr *Lifter::initialiser(const ClangExpr *E, const Type *Ty) {
  SourceRange R = range(E);
  const auto *L = llvm::dyn_cast<clang::InitListExpr>(E);
  if (L && Ty->isVector())
    return vectorInit(L, Ty);
  if (L && Ty->isScalar() && L->getNumInits() == 1)
    return expr(L->getInit(0));
  if (L)
    return opaque("initialiser", Ty, R);
  const Type *S = M.value(Ty->Scalar);
  return M.cast(Ty->isFloat() ? M.floatConst(0, S) : M.intConst(0, S), Ty, /*Implicit=*/true);
}

/// ({ statements; value; })
const Expr *Lifter::statementExpr(const clang::StmtExpr *E, const Type *Ty) {
  const clang::CompoundStmt *Body = E->getSubStmt();
  const Expr *V = nullptr;
  for (const clang::Stmt *S : Body->body()) {
    const auto *Last = llvm::dyn_cast<clang::Expr>(S);
    if (S == Body->body_back() && Last && Ty->isValue())
      V = settled(Last);
    else
      stmt(S);
  }
  return V ? V : opaque("statement expression", Ty, range(E));
}

/// __builtin_shufflevector of components of the first vector.
const Expr *Lifter::shuffle(const clang::ShuffleVectorExpr *E, const Type *Ty) {
  unsigned N = E->getNumSubExprs() - 2;
  const Expr *A = expr(E->getExpr(0));
  size_t Mark = Out->size();
  expr(E->getExpr(1)); // for its side effects
  A = protect(A, Mark);
  llvm::SmallVector<uint8_t, 16> L;
  for (unsigned I = 0; I < N; ++I) {
    int64_t Lane = E->getShuffleMaskIdx(Ctx, I).getSExtValue();
    if (Lane < 0 || Lane >= A->Ty->Lanes)
      return opaque("__builtin_shufflevector", Ty, range(E));
    L.push_back(static_cast<uint8_t>(Lane));
  }
  return M.swizzle(A, L);
}

/// Kinds of expressions that only Clang's own nodes have; null: none of them.
const Expr *Lifter::wrappedExpr(const ClangExpr *E) {
  if (const auto *C = llvm::dyn_cast<clang::ConstantExpr>(E))
    return expr(C->getSubExpr());
  if (const auto *X = llvm::dyn_cast<clang::FullExpr>(E))
    return expr(X->getSubExpr());
  if (const auto *X = llvm::dyn_cast<clang::GenericSelectionExpr>(E))
    return expr(X->getResultExpr());
  if (const auto *X = llvm::dyn_cast<clang::OpaqueValueExpr>(E); X && X->getSourceExpr())
    return expr(X->getSourceExpr());
  return nullptr;
}

const Expr *Lifter::exprImpl(const ClangExpr *E) {
  E = E->IgnoreParens();
  SourceRange R = range(E);
  if (E->containsErrors())
    return opaque("text that did not parse", M.value(ScalarKind::Int), R);
  const Type *Ty = type(E->getType());

  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral,
                clang::CXXBoolLiteralExpr>(E))
    return literal(E);
  if (const Expr *X = wrappedExpr(E))
    return X;
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
  if (const auto *A = llvm::dyn_cast<clang::AsTypeExpr>(E))
    return reinterpreted(A, Ty);
  if (const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(E))
    return reference(D, Ty);
  if (llvm::isa<clang::ExtVectorElementExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(E))
    return read(place(E), R);
  if (const auto *L = llvm::dyn_cast<clang::CompoundLiteralExpr>(E))
    return Ty->isValue() ? expr(L->getInitializer()) : opaque("literal of a struct", Ty, R);
  if (llvm::isa<clang::InitListExpr>(E) ||
      (llvm::isa<clang::ImplicitValueInitExpr>(E) && Ty->isValue()))
    return initialiser(E, Ty);
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::OffsetOfExpr>(E)) {
    const Expr *X = evaluated(E);
    return X ? X : opaque("size that is no constant", Ty, R);
  }
  if (const auto *X = llvm::dyn_cast<clang::StmtExpr>(E))
    return statementExpr(X, Ty);
  if (const auto *X = llvm::dyn_cast<clang::ShuffleVectorExpr>(E))
    return shuffle(X, Ty);
  if (const auto *X = llvm::dyn_cast<clang::ConvertVectorExpr>(E))
    return M.cast(expr(X->getSrcExpr()), Ty);
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
  if (const auto *B = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(E)) {
    const Expr *X = M.intConst(B->getValue(), Ty);
    const_cast<Expr *>(X)->Text = B->getValue() ? "true" : "false";
    return X;
  }
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
    // Vector parts have the element type already; a scalar is converted.
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

} // namespace clmali::model
