//===-- checks/model/lift/Pointers.cpp - What a pointer points to ----------===//
//
// What it does: resolves each pointer expression to the object that it points into, and an index.
//
//   base + i             base[i *4]
//   c ? p + 1 : p        p[(c ? 1 : 0) *4]
//
// Limits: a pointer that may point into two objects, null pointers and integers cast to pointers
// are Bad places, which say so.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/lift/Lifter.h"

using llvm::StringRef;

namespace clmali::model {

/// What the declaration of V says lies at an offset of whole Pointee objects; null: something else.
static const Type *naturalType(const Var *V, const Type *Pointee) {
  const Type *T = V->Ty;
  while (T && (T->K == Type::Pointer || T->K == Type::Array) && T != Pointee)
    T = T->Elem;
  return T == Pointee ? Pointee : nullptr;
}

Place Lifter::pointerVarPlace(const Binding &B, const Type *Pointee) {
  if (!B.P)
    return Place::bad("pointer without a value");
  Place P = B.P;
  P.Index = {M.ref(B.Off)};
  P.Stride = {B.Unit};
  P.Disp = 0;
  P.Path.clear();
  P.Ty = Pointee;
  P.LevelOpen = true;
  P.NatStride = B.Unit == Pointee->Size;
  P.NatTy = P.NatStride ? naturalType(P.V, Pointee) : nullptr;
  return P;
}

/// The object that the pointer variable of B points to, P itself or at an offset; marked volatile
/// as Pointer's pointee is.
Place Lifter::pointee(const Binding &B, clang::QualType Pointer) {
  clang::QualType To = Pointer->getPointeeType();
  Place P = pointerIn(B, type(To.getUnqualifiedType()));
  if (P && B.K != Binding::Pointer)
    P.Volatile |= To.isVolatileQualified();
  return P;
}

/// A pointer that is read from a variable or a field.
Place Lifter::loadedPointer(const clang::CastExpr *E) {
  const ClangExpr *L = E->getSubExpr()->IgnoreParens();
  const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(L);
  Place P;
  if (const auto *V = D ? llvm::dyn_cast<clang::VarDecl>(D->getDecl()) : nullptr) {
    P = pointee(bindingOf(V), V->getType());
  } else {
    Binding *Field = pointerField(place(L));
    P = Field ? pointee(*Field, E->getType()) : Place::bad("pointer in memory");
    // Of a field that always points to one object, too.
    if (P)
      P.Volatile |= E->getType()->getPointeeType().isVolatileQualified();
  }
  if (P)
    P.Range = range(E);
  return P;
}

Place Lifter::pointerCast(const clang::CastExpr *C) {
  const ClangExpr *Sub = C->getSubExpr();
  switch (C->getCastKind()) {
  case clang::CK_ArrayToPointerDecay:
    return decay(place(Sub));
  case clang::CK_NoOp:
  case clang::CK_BitCast:
  case clang::CK_AddressSpaceConversion: {
    clang::QualType To = C->getType()->getPointeeType();
    if (To->isFunctionType())
      return Place::bad("function pointer");
    // A built-in's volatile parameter does not make the access volatile.
    bool Volatile = To.isVolatileQualified() && !llvm::isa<clang::ImplicitCastExpr>(C);
    return castPointer(pointer(Sub), type(To.getUnqualifiedType()), Volatile);
  }
  case clang::CK_LValueToRValue:
    return loadedPointer(C);
  case clang::CK_IntegralToPointer:
    return Place::bad("integer cast to a pointer");
  case clang::CK_NullToPointer:
    return Place::bad("null pointer");
  case clang::CK_FunctionToPointerDecay:
    return Place::bad("function pointer");
  default:
    return Place::bad("pointer cast");
  }
}

/// p++ and the others: where p points before or after the step.
Place Lifter::steppedPointer(const clang::UnaryOperator *U) {
  if (U->isPrefix())
    increment(U, /*Want=*/false);
  Binding *B = movingPointer(U->getSubExpr());
  if (!B)
    return Place::bad("pointer in memory");
  if (B->K == Binding::Bad)
    return B->P;
  if (B->K != Binding::PtrVar)
    return Place::bad("pointer without a value");
  Place P = pointee(*B, U->getType());
  if (U->isPostfix())
    increment(U, /*Want=*/false);
  return P;
}

Place Lifter::pointerUnary(const clang::UnaryOperator *U) {
  switch (U->getOpcode()) {
  case clang::UO_AddrOf: {
    Place P = place(U->getSubExpr());
    if (P && !P.Lanes.empty())
      return Place::bad("address of a vector component");
    if (P.K == Place::Constant)
      return Place::bad("address of a constant");
    return P;
  }
  case clang::UO_PostInc:
  case clang::UO_PostDec:
  case clang::UO_PreInc:
  case clang::UO_PreDec:
    return steppedPointer(U);
  case clang::UO_Extension:
    return pointer(U->getSubExpr());
  default:
    return Place::bad("pointer operator");
  }
}

/// p + i, p - i, (a, p), p = q, p += i.
Place Lifter::pointerOperation(const clang::BinaryOperator *B) {
  switch (B->getOpcode()) {
  case clang::BO_Add:
  case clang::BO_Sub: {
    const ClangExpr *L = B->getLHS(), *R = B->getRHS();
    if (!L->getType()->isPointerType())
      std::swap(L, R);
    Place P = pointer(L);
    size_t Mark = Out->size();
    const Expr *I = expr(R);
    protect(P, Mark);
    if (!P)
      return P;
    addIndex(P, I, P.Ty->Size, B->getOpcode() == clang::BO_Sub);
    P.ByPointer = true;
    P.Range = range(B);
    return P;
  }
  case clang::BO_Comma:
    exprStmt(B->getLHS());
    return pointer(B->getRHS());
  case clang::BO_Assign:
  case clang::BO_AddAssign:
  case clang::BO_SubAssign: {
    assign(B, /*Want=*/false);
    const ClangExpr *L = B->getLHS()->IgnoreParens();
    const Type *Pointee = type(L->getType()->getPointeeType().getUnqualifiedType());
    if (Binding *Field = llvm::isa<clang::DeclRefExpr>(L) ? nullptr : pointerField(place(L)))
      return pointerIn(*Field, Pointee);
    Binding *To = movingPointer(L);
    if (!To || To->K != Binding::PtrVar)
      return Place::bad("pointer assignment");
    return pointerVarPlace(*To, Pointee);
  }
  default:
    return Place::bad("pointer operator");
  }
}

/// c ? p : q, both into one object.
Place Lifter::chosenPointer(const clang::ConditionalOperator *C) {
  const Expr *Cond = settled(C->getCond());
  size_t Before = Out->size();
  Place A = pointer(C->getTrueExpr()), B = pointer(C->getFalseExpr());
  if (Out->size() != Before || !Pending.empty())
    return Place::bad("side effect in a choice of pointers");
  if (!A || !B)
    return A ? B : A;
  if (A.K != Place::Memory || B.K != Place::Memory || A.V != B.V)
    return Place::bad("pointer with two bases");
  const Expr *X = offset(A, A.Ty->Size), *Y = offset(B, A.Ty->Size);
  if (!X || !Y)
    return Place::bad("choice of unaligned pointers");
  Place P = A;
  P.Index = {M.select(Cond, X, Y)};
  P.Stride = {static_cast<uint32_t>(A.Ty->Size)};
  P.Disp = 0;
  P.Path.clear();
  P.LevelOpen = true;
  P.NatTy = naturalType(P.V, P.Ty);
  P.NatStride = true;
  return P;
}

Place Lifter::pointer(const ClangExpr *E) {
  E = E->IgnoreParens();
  if (E->containsErrors())
    return Place::bad("text that did not parse");
  if (E->isNullPointerConstant(Ctx, clang::Expr::NPC_ValueDependentIsNotNull))
    return Place::bad("null pointer");
  if (const auto *C = llvm::dyn_cast<clang::CastExpr>(E))
    return pointerCast(C);
  if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(E))
    return pointerUnary(U);
  if (const auto *B = llvm::dyn_cast<clang::BinaryOperator>(E))
    return pointerOperation(B);
  if (const auto *C = llvm::dyn_cast<clang::ConditionalOperator>(E))
    return chosenPointer(C);
  if (const auto *C = llvm::dyn_cast<clang::CallExpr>(E)) {
    const clang::FunctionDecl *FD = C->getDirectCallee();
    const clang::FunctionDecl *Def = nullptr;
    if (!FD || !FD->hasBody(Def))
      return Place::bad("pointer from a built-in");
    Place Result;
    inlineCall(C, Def, &Result);
    return Result;
  }
  return Place::bad(E->getStmtClassName());
}

const Expr *Lifter::scaled(const Expr *E, uint64_t Factor) {
  if (Factor == 1)
    return E;
  if (E->K == ExprKind::IntConst)
    return M.intConst(E->Int * int64_t(Factor), ScalarKind::Long);
  return M.binary(Op::Mul, E, M.intConst(int64_t(Factor), ScalarKind::Long));
}

uint64_t Lifter::pointeeSize(clang::QualType Pointer) {
  return std::max<uint64_t>(type(Pointer->getPointeeType().getUnqualifiedType())->Size, 1);
}

const Expr *Lifter::offset(const Place &P, uint64_t Unit) {
  if (P.K != Place::Memory || Unit == 0 || P.Disp % Unit)
    return nullptr;
  const Expr *Sum = nullptr;
  auto Add = [&](const Expr *E) { Sum = Sum ? M.binary(Op::Add, Sum, E) : E; };
  for (size_t I = 0; I < P.Index.size(); ++I) {
    if (isZero(P.Index[I]))
      continue;
    if (P.Stride[I] % Unit)
      return nullptr;
    Add(scaled(toLong(P.Index[I]), P.Stride[I] / Unit));
  }
  if (P.Disp)
    Add(M.intConst(P.Disp / Unit, ScalarKind::Long));
  return Sum ? Sum : M.intConst(0, ScalarKind::Long);
}

bool Lifter::isStableVariable(const Var *V) {
  const clang::VarDecl *D = DeclOf.lookup(const_cast<Var *>(V));
  if (!D) // a temporary of the lifter is written once, a pointer's offset often
    return !V->IsPointerOffset;
  for (const Frame &F : Frames) {
    if (F.Facts->AddressTaken.contains(D))
      return false;
    // The variables of an outer function do not change until the call is over.
    if (D->getDeclContext() != F.FD || !F.Facts->Modified.contains(D) || &F != &Frames.back())
      continue;
    const clang::Stmt *Scope = Scopes.empty() ? nullptr : Scopes.back();
    auto It = F.Facts->ModifiedIn.find(Scope);
    if (!Scope || (It != F.Facts->ModifiedIn.end() && It->second.contains(D)))
      return false;
  }
  return true;
}

bool Lifter::isStable(const Expr *E) {
  return llvm::all_of(exprs(E), [&](ExprAt X) {
    return !isRead(X->K) && X->K != ExprKind::Opaque &&
           (X->K != ExprKind::VarRef || isStableVariable(X->V));
  });
}

} // namespace clmali::model
