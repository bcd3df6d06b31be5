//===-- checks/model/lift/Assign.cpp - Assignments --------------------------===//
//
// What it does: lifts assignments, compound ones, increments and decrements, of values, structs,
// events and pointers:
//
//   c += 1 (uchar c)         c = (uchar)(<int>c + 1)
//   p += n (a pointer)       p = p + <long>n, p being an offset
//
// Limits: a pointer that is assigned two objects is opaque, unless two pointers are swapped.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"

using llvm::StringRef;

namespace clmali::model {

/// A value that can be read again after the assignment.
static bool isAtom(const Expr *E) {
  return E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst;
}

/// p += step; p = q is assignPointer's.
void Lifter::stepPointer(const clang::BinaryOperator *E) {
  SourceRange R = range(E);
  const ClangExpr *L = E->getLHS();
  const Expr *Step = toLong(expr(E->getRHS()));
  Binding *B = movingPointer(L);
  if (!B || B->K != Binding::PtrVar)
    return opaqueStmt(B && B->K == Binding::Bad ? B->P.Why : "pointer assignment", R);
  Op O = E->getOpcode() == clang::BO_SubAssign ? Op::Sub : Op::Add;
  Step = scaled(Step, pointeeSize(L->getType()) / B->Unit);
  emitAssign(B->Off, M.binary(O, M.ref(B->Off), Step), R);
}

/// event = async_work_group_copy(...); an array of events counts as one event.
void Lifter::assignEvent(const clang::BinaryOperator *E) {
  const auto *C = llvm::dyn_cast<clang::CallExpr>(E->getRHS()->IgnoreParenCasts());
  const ClangExpr *Event = E->getLHS()->IgnoreParens();
  if (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(Event);
      Element && !Element->getIdx()->HasSideEffects(Ctx) &&
      Element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
    Event = Element->getBase()->IgnoreParenImpCasts();
  Place To = place(Event);
  if (isAsyncCopy(C) && To.K == Place::Register)
    asyncCopy(C, To.V);
  else
    opaqueStmt("event", range(E));
}

/// The new value of `To op= V`; null: an operand is no value, which has been noted.
const Expr *Lifter::compoundValue(const clang::CompoundAssignOperator *E, const Place &To,
                                  const Expr *V) {
  SourceRange R = range(E);
  const Expr *Old = read(To, range(E->getLHS()));
  const Type *In = type(E->getComputationLHSType());
  const Type *Result = type(E->getComputationResultType());
  if (!Old->Ty->isValue() || !V->Ty->isValue() || !In->isValue() || !Result->isValue()) {
    opaqueStmt(Old->K == ExprKind::Opaque ? Old->Text : "assignment", R);
    return nullptr;
  }
  Expr *X = M.newExpr(ExprKind::Binary, Result, R);
  X->O = binaryOp(E->getOpcode());
  X->Ops = {M.cast(Old, In, /*Implicit=*/true), V};
  return M.cast(X, type(E->getLHS()->getType()), /*Implicit=*/true);
}

const Expr *Lifter::assign(const clang::BinaryOperator *E, bool Want) {
  SourceRange R = range(E);
  const ClangExpr *L = E->getLHS(), *RHS = E->getRHS();
  const auto *Compound = llvm::dyn_cast<clang::CompoundAssignOperator>(E);
  if (L->getType()->isPointerType()) {
    if (Compound)
      stepPointer(E);
    else
      assignPointer(L, RHS, R);
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
    assignEvent(E);
    return nullptr;
  }
  if (!Ty->isValue()) {
    opaqueStmt("assignment to " + (Ty->Name.empty() ? "an object" : Ty->Name), R);
    return nullptr;
  }
  const Expr *V = expr(RHS);
  size_t Mark = Out->size();
  Place To = place(L);
  V = protect(V, Mark);
  if (Compound)
    V = compoundValue(Compound, To, V);
  if (!V)
    return nullptr;
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
  // C computes in the promoted type and converts back.
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

/// p = RHS, where p is a pointer variable or field.
void Lifter::assignPointer(const ClangExpr *LHS, const ClangExpr *RHS, SourceRange R) {
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
    // If RHS took a variable's address, the next attempt gives that variable one.
    if (Learnt.InMemory.size() == Addressed)
      Learnt.BadPointers[V] = Why.str();
    Again = true;
    opaqueStmt(Why, R);
  };
  if (!From)
    return Forget(From.Why);
  if (From.K == Place::Register)
    needsAddress(From);
  // t = a; a = b; b = t: accesses through them have the same form for both objects and are lifted
  // as accesses to the first one. The opaque statement marks that the object may be the other one.
  auto Named = [](const ClangExpr *E) -> const clang::VarDecl * {
    const auto *Of = E ? llvm::dyn_cast<clang::DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
    return Of ? llvm::dyn_cast<clang::VarDecl>(Of->getDecl()) : nullptr;
  };
  const clang::VarDecl *Other = Named(RHS);
  if (Other && !Frames.back().Facts->Modified.contains(Other)) // T *t = a; a = b; b = t;
    Other = Named(Other->getInit());
  bool Alternates =
      Other && Frames.back().Facts->Modified.contains(Other) && From.K == Place::Memory && B.P;
  if (Alternates && B.P.V != From.V && B.P.V->space() == From.V->space() && B.P.V->Ty == From.V->Ty)
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
