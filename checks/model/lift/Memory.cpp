//===-- checks/model/lift/Memory.cpp - Pointers and objects in memory ------===//
//
// What it does: resolves each lvalue and each pointer to the object it lies in
// and an index, and reads, writes and copies what is there.
//
//   ((__global int4 *)(base + i))[j].y     base[i *4][j *16] +4 ".y"
//
// Limits: a pointer that may point into two objects, null pointers and
// bit-fields are Bad places, which say so.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"

using llvm::StringRef;

namespace clmali::model {

Place Lifter::placeOf(Var *V, const Type *Ty) {
  Place P;
  P.K = V->K == Var::Temp || (V->K == Var::Param && Ty->isValue() && V->Ty->isValue())
            ? Place::Register
            : Place::Memory;
  P.V = V;
  P.Ty = P.NatTy = Ty;
  return P;
}

const Expr *Lifter::toLong(const Expr *E) {
  if (E->K == ExprKind::IntConst)
    return at(M.intConst(E->Int, ScalarKind::Long), E->Range);
  return M.cast(E, M.value(ScalarKind::Long), /*Implicit=*/true);
}

static bool isZero(const Expr *E) { return !E || (E->K == ExprKind::IntConst && E->Int == 0); }

/// A variable used through its address must lie in memory: the next attempt
/// knows.
void Lifter::needsAddress(const Place &P) {
  const clang::VarDecl *D = P.K == Place::Register ? DeclOf.lookup(P.V) : nullptr;
  if (!D)
    return;
  Learnt.InMemory.insert(D);
  Again = true;
}

/// P moved by E objects of Stride bytes.
void Lifter::addIndex(Place &P, const Expr *E, uint64_t Stride, bool Negative) {
  if (P.K == Place::Register || P.K == Place::Constant) {
    if (!isZero(E)) {
      needsAddress(P);
      P = Place::bad("address of a variable");
    }
    return;
  }
  if (P.K != Place::Memory)
    return;
  Stride = std::max<uint64_t>(Stride, 1); // void counts bytes
  bool Subtract = Negative && E->K != ExprKind::IntConst;
  if (Negative && !Subtract)
    E = M.intConst(-E->Int, ScalarKind::Long);
  auto Signed = [&](const Expr *X) { return Subtract ? M.unary(Op::Neg, toLong(X)) : X; };
  if (P.LevelOpen && !P.Index.empty()) {
    const Expr *&Last = P.Index.back();
    if (!Last || (isZero(Last) && P.Stride.back() != Stride)) {
      Last = Signed(E);
      if (P.Stride.back() != Stride && !isZero(E)) {
        P.Stride.back() = static_cast<uint32_t>(Stride);
        P.NatStride = false;
        if (P.NatTy && (P.NatTy->Size == 0 || Stride % P.NatTy->Size))
          P.NatTy = nullptr;
      } else if (P.Stride.back() != Stride) {
        Last = nullptr;
      }
      return;
    }
    if (P.Stride.back() == Stride) {
      if (isZero(E))
        return;
      if (isZero(Last))
        Last = Signed(E);
      else
        Last = M.binary(Subtract ? Op::Sub : Op::Add, toLong(Last), toLong(E));
      return;
    }
  }
  if (isZero(E) && P.LevelOpen)
    return;
  P.Index.push_back(Signed(E));
  P.Stride.push_back(static_cast<uint32_t>(Stride));
  P.NatStride = false;
  P.LevelOpen = true;
  if (P.NatTy && (P.NatTy->Size == 0 || Stride % P.NatTy->Size))
    P.NatTy = nullptr;
}

/// An array designates its first element.
Place Lifter::decay(Place P) {
  if (P.K != Place::Memory) {
    if (P)
      P = Place::bad("array that is not in memory");
    return P;
  }
  const Type *Elem = P.Ty->Elem;
  P.NatTy = P.NatTy == P.Ty ? Elem : nullptr;
  P.Ty = Elem;
  P.Index.push_back(nullptr);
  P.Stride.push_back(static_cast<uint32_t>(Elem->Size));
  P.LevelOpen = true;
  if (!P.Path.empty())
    P.Path += "[]";
  return P;
}

Place Lifter::field(Place P, const clang::FieldDecl *F) {
  if (P.K != Place::Memory) {
    if (P)
      P = Place::bad("member of what is not in memory");
    return P;
  }
  if (P.Ty->K != Type::Struct || F->getFieldIndex() >= P.Ty->Fields.size())
    return Place::bad(P.Ty->K == Type::Other ? P.Ty->Name : "member of an unknown type");
  const Field &Known = P.Ty->Fields[F->getFieldIndex()];
  P.NatTy = P.NatTy == P.Ty ? Known.Ty : nullptr;
  P.Disp += Known.Offset;
  if (!Known.Name.empty()) // an unnamed union's members are the struct's own
    P.Path += "." + Known.Name;
  P.Ty = Known.Ty;
  P.LevelOpen = false;
  P.Volatile |= F->getType().isVolatileQualified();
  return P;
}

Place Lifter::lanes(Place P, llvm::ArrayRef<uint8_t> Lanes) {
  llvm::SmallVector<uint8_t, 4> Chosen;
  for (uint8_t L : Lanes)
    Chosen.push_back(P.Lanes.empty() ? L : P.Lanes[L]);
  P.Lanes = Chosen;
  return P;
}

Place Lifter::castPointer(Place P, const Type *To, bool ToVolatile) {
  if (!P)
    return P;
  P.Volatile |= ToVolatile;
  if (To == P.Ty)
    return P;
  if (P.K == Place::Register || P.K == Place::Constant) {
    needsAddress(P);
    return Place::bad("address of a variable");
  }
  // A pointer to a row becomes one to its first element: no change of type.
  while (P.Ty && P.Ty->K == Type::Array && To->K != Type::Array && P.NatTy == P.Ty)
    P = decay(P);
  if (To->K == Type::Other)
    return Place::bad(To->Name);
  P.Ty = To;
  return P;
}

//===----------------------------------------------------------------------===//
// Lvalues
//===----------------------------------------------------------------------===//

Place Lifter::place(const ClangExpr *E) {
  E = E->IgnoreParens();
  auto Done = [&](Place P) {
    P.Volatile |= E->getType().isVolatileQualified();
    P.Range = range(E);
    return P;
  };
  if (const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(E)) {
    const auto *V = llvm::dyn_cast<clang::VarDecl>(D->getDecl());
    if (!V)
      return Place::bad("reference to a function");
    Binding &B = bindingOf(V);
    switch (B.K) {
    case Binding::Object:
      return Done(B.P);
    case Binding::Bad:
      return B.P;
    case Binding::None:
      return Place::bad("variable without a declaration");
    case Binding::Pointer:
    case Binding::PtrVar:
      return Place::bad("address of a pointer");
    }
  }
  if (const auto *S = llvm::dyn_cast<clang::ArraySubscriptExpr>(E)) {
    if (S->getBase()->getType()->isVectorType()) {
      Place P = place(S->getBase());
      size_t Mark = Out->size();
      const Expr *I = expr(S->getIdx());
      protect(P, Mark);
      const Expr *Written = I;
      while (I->K == ExprKind::Cast)
        I = I->Ops[0];
      if (P && P.K == Place::Memory && P.Lanes.empty() && I->K != ExprKind::IntConst) {
        // In memory its components are elements like others.
        P = castPointer(std::move(P), M.value(P.Ty->Scalar), false);
        addIndex(P, Written, P.Ty->Size);
        return Done(P);
      }
      if (!P || I->K != ExprKind::IntConst || I->Int < 0 || I->Int >= P.Ty->Lanes)
        return Place::bad("vector component chosen at run time");
      return Done(lanes(P, {static_cast<uint8_t>(I->Int)}));
    }
    Place P = pointer(S->getBase());
    size_t Mark = Out->size();
    const Expr *I = expr(S->getIdx());
    protect(P, Mark);
    if (!P)
      return P;
    addIndex(P, I, P.Ty->Size);
    return Done(P);
  }
  if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(E)) {
    if (U->getOpcode() == clang::UO_Deref)
      return Done(pointer(U->getSubExpr()));
    if (U->getOpcode() == clang::UO_Extension)
      return place(U->getSubExpr());
  }
  if (const auto *Me = llvm::dyn_cast<clang::MemberExpr>(E)) {
    const auto *F = llvm::dyn_cast<clang::FieldDecl>(Me->getMemberDecl());
    if (!F)
      return Place::bad("member that is no field");
    Place P = Me->isArrow()                ? pointer(Me->getBase())
              : Me->getBase()->isGLValue() ? place(Me->getBase())
                                           : structValue(Me->getBase());
    return P ? Done(field(P, F)) : P;
  }
  if (const auto *X = llvm::dyn_cast<clang::ExtVectorElementExpr>(E)) {
    Place P = X->isArrow() ? pointer(X->getBase()) : place(X->getBase());
    if (!P)
      return P;
    llvm::SmallVector<uint32_t, 4> Encoded;
    X->getEncodedElementAccess(Encoded);
    llvm::SmallVector<uint8_t, 4> L(Encoded.begin(), Encoded.end());
    unsigned Limit = P.Lanes.empty() ? P.Ty->Lanes : P.Lanes.size();
    // .odd and .hi of a 3-vector reach a lane that is not there.
    for (uint8_t I : L)
      if (I >= Limit)
        return Place::bad("component beyond the vector");
    return Done(lanes(P, L));
  }
  if (const auto *C = llvm::dyn_cast<clang::CastExpr>(E)) {
    if (C->getCastKind() == clang::CK_NoOp || C->getCastKind() == clang::CK_AddressSpaceConversion)
      return place(C->getSubExpr());
  }
  if (const auto *L = llvm::dyn_cast<clang::CompoundLiteralExpr>(E)) {
    const Type *T = type(L->getType());
    if (T->isValue()) {
      Place P;
      P.K = Place::Constant;
      P.E = expr(L->getInitializer());
      P.Ty = P.NatTy = T;
      return Done(P);
    }
    if (T->K == Type::Struct || T->K == Type::Array) {
      SourceRange R = range(E);
      Var *V = newVar(Var::Memory, "literal", T, R);
      emit(StmtKind::Decl, R)->V = V;
      Place P = placeOf(V, T);
      initialise(P, L->getInitializer());
      return Done(P);
    }
    return Place::bad("literal of type " + T->Name);
  }
  if (llvm::isa<clang::StringLiteral>(E))
    return Place::bad("string");
  if (E->containsErrors())
    return Place::bad("text that did not parse");
  if (E->isPRValue() && E->getType()->isRecordType())
    return structValue(E);
  if (E->isPRValue() && type(E->getType())->isValue()) {
    // A component of a value: (a + b).x
    Place P;
    P.K = Place::Constant;
    P.E = expr(E);
    P.Ty = P.NatTy = P.E->Ty;
    return Done(P);
  }
  return Place::bad(E->getStmtClassName());
}

/// A struct as a value: where it lies.
Place Lifter::structValue(const ClangExpr *E) {
  E = E->IgnoreParens();
  if (const auto *C = llvm::dyn_cast<clang::CastExpr>(E))
    if (C->getCastKind() == clang::CK_LValueToRValue || C->getCastKind() == clang::CK_NoOp)
      return C->getSubExpr()->isGLValue() ? place(C->getSubExpr()) : structValue(C->getSubExpr());
  if (const auto *C = llvm::dyn_cast<clang::CallExpr>(E)) {
    const clang::FunctionDecl *FD = C->getDirectCallee();
    const clang::FunctionDecl *Def = nullptr;
    if (FD && FD->hasBody(Def)) {
      Place Result;
      inlineCall(C, Def, &Result);
      return Result;
    }
    return Place::bad("call that returns a struct");
  }
  if (const auto *C = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    SourceRange R = range(E);
    const Type *T = type(E->getType());
    if (T->K != Type::Struct)
      return Place::bad("struct value");
    Var *V = newVar(Var::Memory, "chosen", T, R);
    emit(StmtKind::Decl, R)->V = V;
    Place P = placeOf(V, T);
    Stmt *If = M.newStmt(StmtKind::If, R);
    If->E = condition(C->getCond());
    If->Body = blockOf([&] { copyStruct(P, structValue(C->getTrueExpr()), R); });
    If->Else = blockOf([&] { copyStruct(P, structValue(C->getFalseExpr()), R); });
    emit(If);
    return P;
  }
  if (llvm::isa<clang::CompoundLiteralExpr>(E) || E->isGLValue())
    return place(E);
  if (E->containsErrors())
    return Place::bad("text that did not parse");
  return Place::bad("struct value");
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

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
  const Type *T = P.V->Ty;
  while (T && (T->K == Type::Pointer || T->K == Type::Array) && T != Pointee)
    T = T->Elem;
  P.NatTy = T == Pointee && B.Unit == Pointee->Size ? Pointee : nullptr;
  P.NatStride = B.Unit == Pointee->Size;
  return P;
}

Place Lifter::pointer(const ClangExpr *E) {
  E = E->IgnoreParens();
  if (E->containsErrors())
    return Place::bad("text that did not parse");
  clang::QualType T = E->getType();
  if (E->isNullPointerConstant(Ctx, clang::Expr::NPC_ValueDependentIsNotNull))
    return Place::bad("null pointer");
  if (const auto *C = llvm::dyn_cast<clang::CastExpr>(E)) {
    const ClangExpr *Sub = C->getSubExpr();
    switch (C->getCastKind()) {
    case clang::CK_ArrayToPointerDecay:
      return decay(place(Sub));
    case clang::CK_NoOp:
    case clang::CK_BitCast:
    case clang::CK_AddressSpaceConversion: {
      clang::QualType To = T->getPointeeType();
      if (To->isFunctionType())
        return Place::bad("function pointer");
      // A built-in's parameter may be volatile: that makes no access so.
      bool Volatile = To.isVolatileQualified() && !llvm::isa<clang::ImplicitCastExpr>(C);
      return castPointer(pointer(Sub), type(To.getUnqualifiedType()), Volatile);
    }
    case clang::CK_LValueToRValue: {
      const ClangExpr *L = Sub->IgnoreParens();
      if (const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(L))
        if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D->getDecl())) {
          Binding &B = bindingOf(V);
          if (B.K == Binding::Pointer) {
            Place P = B.P;
            P.Range = range(E);
            return P;
          }
          if (B.K == Binding::PtrVar) {
            Place P = pointerVarPlace(B, type(V->getType()->getPointeeType().getUnqualifiedType()));
            P.Volatile |= V->getType()->getPointeeType().isVolatileQualified();
            P.Range = range(E);
            return P;
          }
          if (B.K == Binding::Bad)
            return B.P;
          return Place::bad("pointer in memory");
        }
      Binding *Field = pointerField(place(L));
      Place P = Field ? pointerIn(*Field, type(T->getPointeeType().getUnqualifiedType()))
                      : Place::bad("pointer in memory");
      if (P) {
        P.Volatile |= T->getPointeeType().isVolatileQualified();
        P.Range = range(E);
      }
      return P;
    }
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
  if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(E)) {
    switch (U->getOpcode()) {
    case clang::UO_AddrOf: {
      Place P = place(U->getSubExpr());
      if (P && !P.Lanes.empty())
        return Place::bad("address of a vector component");
      if (P.K == Place::Constant)
        return Place::bad("address of a constant");
      // &a[i] may go on to a[i + 1]; &x and &s.f may not.
      return P;
    }
    case clang::UO_PostInc:
    case clang::UO_PostDec:
    case clang::UO_PreInc:
    case clang::UO_PreDec: {
      if (U->isPrefix())
        increment(U, /*Want=*/false);
      Binding *B = movingPointer(U->getSubExpr());
      if (!B)
        return Place::bad("pointer in memory");
      if (B->K == Binding::Bad)
        return B->P;
      if (B->K != Binding::PtrVar)
        return Place::bad("pointer without a value");
      Place P = pointerVarPlace(*B, type(T->getPointeeType().getUnqualifiedType()));
      P.Volatile |= T->getPointeeType().isVolatileQualified();
      if (U->isPostfix())
        increment(U, /*Want=*/false);
      return P;
    }
    case clang::UO_Extension:
      return pointer(U->getSubExpr());
    default:
      return Place::bad("pointer operator");
    }
  }
  if (const auto *B = llvm::dyn_cast<clang::BinaryOperator>(E)) {
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
      P.Range = range(E);
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
  if (const auto *C = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
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
    const Type *N = P.V->Ty;
    while (N && (N->K == Type::Pointer || N->K == Type::Array) && N != P.Ty)
      N = N->Elem;
    P.NatTy = N == P.Ty ? P.Ty : nullptr;
    P.NatStride = true;
    return P;
  }
  if (const auto *C = llvm::dyn_cast<clang::CallExpr>(E)) {
    const clang::FunctionDecl *FD = C->getDirectCallee();
    const clang::FunctionDecl *Def = nullptr;
    if (FD && FD->hasBody(Def)) {
      Place Result;
      inlineCall(C, Def, &Result);
      return Result;
    }
    return Place::bad("pointer from a built-in");
  }
  if (const auto *X = llvm::dyn_cast<clang::StmtExpr>(E))
    return Place::bad(X->getStmtClassName());
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

bool Lifter::isStable(const Expr *E) {
  bool Stable = true;
  walk(E, [&](const Expr *Sub) {
    if (Sub->K == ExprKind::Load || Sub->K == ExprKind::Opaque)
      Stable = false;
    if (Sub->K != ExprKind::VarRef)
      return Stable;
    const clang::VarDecl *D = DeclOf.lookup(Sub->V);
    if (!D) { // a temporary of ours is written once, a pointer's offset often
      Stable &= !Sub->V->IsPointerOffset;
      return Stable;
    }
    for (const Frame &F : Frames) {
      if (F.Facts->AddressTaken.contains(D))
        Stable = false;
      if (D->getDeclContext() != F.FD || !F.Facts->Modified.contains(D))
        continue;
      // In an outer function, nothing changes until the call is over.
      if (&F != &Frames.back())
        continue;
      const clang::Stmt *Scope = Scopes.empty() ? nullptr : Scopes.back();
      auto It = F.Facts->ModifiedIn.find(Scope);
      if (!Scope || (It != F.Facts->ModifiedIn.end() && It->second.contains(D)))
        Stable = false;
    }
    return Stable;
  });
  return Stable;
}

//===----------------------------------------------------------------------===//
// Reading and writing
//===----------------------------------------------------------------------===//

Access Lifter::access(const Place &P, Access::Form F, unsigned Lanes) {
  Access A;
  A.Base = P.V;
  bool Natural = P.NatTy && P.NatTy == P.Ty && P.NatStride;
  A.F = F == Access::Subscript && !Natural ? Access::Cast : F;
  A.Elem = P.Ty->Scalar;
  A.Lanes = static_cast<uint8_t>(Lanes ? Lanes : P.Ty->Lanes);
  A.Volatile = P.Volatile;
  A.Range = P.Range;
  A.Disp = P.Disp;
  A.Path = Natural ? P.Path : "";
  for (size_t I = 0; I < P.Index.size(); ++I) {
    A.Index.push_back(P.Index[I] ? P.Index[I] : M.intConst(0));
    A.Stride.push_back(P.Stride[I]);
  }
  // Rows that a linear index passes over: tile[0][i].
  llvm::SmallVector<const Type *, 3> Levels;
  const Type *T = P.V->Ty;
  for (; T && (T->K == Type::Array || (T->K == Type::Pointer && Levels.empty())); T = T->Elem)
    Levels.push_back(T->Elem);
  if (P.Path.empty() && !A.Index.empty() && A.Index.size() < Levels.size())
    for (size_t Missing = Levels.size() - A.Index.size(); Missing-- > 0;) {
      A.Index.insert(A.Index.begin(), M.intConst(0));
      A.Stride.insert(A.Stride.begin(), static_cast<uint32_t>(Levels[Missing]->Size));
    }
  return A;
}

const Expr *Lifter::read(const Place &P, SourceRange R) {
  const Expr *E = nullptr;
  switch (P.K) {
  case Place::Bad:
    return opaque(P.Why, M.value(ScalarKind::Int), R);
  case Place::Register:
    E = M.ref(P.V);
    break;
  case Place::Constant: {
    Expr *Copy = M.newExpr(P.E->K, P.E->Ty, R);
    *Copy = *P.E;
    Copy->Range = R;
    E = Copy;
    break;
  }
  case Place::Memory:
    if (!P.Ty->isValue())
      return opaque(P.Ty->K == Type::Other ? P.Ty->Name : "value that is no number", P.Ty, R);
    E = M.load(access(P));
    break;
  }
  E = at(E, R);
  return P.Lanes.empty() ? E : at(M.swizzle(E, P.Lanes), R);
}

void Lifter::pin(Place &P) {
  for (const Expr *&I : P.Index) {
    bool Reads = false;
    if (I)
      walk(I, [&](const Expr *E) { return !(Reads |= E->K == ExprKind::Load); });
    if (Reads)
      I = at(M.ref(temp("index", I->Ty, I, I->Range)), I->Range);
  }
}

void Lifter::write(const Place &P, const Expr *E, SourceRange R) {
  switch (P.K) {
  case Place::Bad:
    opaqueStmt(P.Why, R);
    Out->back()->E = E; // what is read for it is read
    return;
  case Place::Constant:
    return opaqueStmt("assignment to a constant", R);
  case Place::Register: {
    Stmt *S = emit(StmtKind::Assign, R);
    S->V = P.V;
    S->E = E;
    S->LaneIdx.assign(P.Lanes.begin(), P.Lanes.end());
    return;
  }
  case Place::Memory:
    break;
  }
  if (!P.Ty->isValue())
    return opaqueStmt("assignment to " + (P.Ty->K == Type::Other ? P.Ty->Name : "an object"), R);
  if (P.Lanes.empty()) {
    Stmt *S = emit(StmtKind::Store, R);
    S->Acc = access(P);
    S->E = E;
    return;
  }
  // Components are stored one by one; all are computed before the first store.
  if (P.Lanes.size() > 1 && E->K != ExprKind::VarRef && E->K != ExprKind::IntConst &&
      E->K != ExprKind::FloatConst)
    E = M.ref(temp("value", E->Ty, E, R));
  Place Pinned = P;
  if (P.Lanes.size() > 1)
    pin(Pinned);
  Access Whole = access(Pinned);
  for (size_t I = 0; I < P.Lanes.size(); ++I) {
    Stmt *S = emit(StmtKind::Store, R);
    S->Acc = Whole;
    S->Acc.Lanes = 1;
    S->Acc.Disp += P.Lanes[I] * sizeInBytes(P.Ty->Scalar);
    S->Acc.Path += P.Lanes[I] < 4 && P.Ty->Lanes <= 4
                       ? std::string(".") + "xyzw"[P.Lanes[I]]
                       : std::string(".s") + "0123456789abcdef"[P.Lanes[I]];
    S->E = P.Lanes.size() == 1 ? E : M.swizzle(E, {static_cast<uint8_t>(I)});
  }
}

/// The member that fills a whole union, or null (also for what is no union).
static const Field *wholeMember(const Type *T) {
  for (const Field &F : T->Fields)
    if (T->isUnion() && F.Ty->Size == T->Size)
      return &F;
  return nullptr;
}

bool Lifter::canCopy(const Type *T, bool Pointers) {
  if (T->isValue() || (T->K == Type::Pointer && Pointers))
    return true;
  if (T->K == Type::Array)
    return canCopy(T->Elem);
  if (T->isUnion()) { // by the member that holds all its bytes
    const Field *F = wholeMember(T);
    return F && canCopy(F->Ty);
  }
  return T->K == Type::Struct && T->Fields.size() <= 64 &&
         llvm::all_of(T->Fields, [&](const Field &F) { return canCopy(F.Ty, Pointers); });
}

static Place element(Place P, const Expr *I) {
  P.NatTy = P.NatTy == P.Ty ? P.Ty->Elem : nullptr;
  P.Ty = P.Ty->Elem;
  P.Index.push_back(I);
  P.Stride.push_back(static_cast<uint32_t>(P.Ty->Size));
  P.LevelOpen = true;
  if (!P.Path.empty())
    P.Path += "[]";
  return P;
}

static Place member(Place P, const Field &F) {
  P.NatTy = P.NatTy == P.Ty ? F.Ty : nullptr;
  P.Disp += F.Offset;
  if (!F.Name.empty())
    P.Path += "." + F.Name;
  P.Ty = F.Ty;
  P.LevelOpen = false;
  return P;
}

/// Few elements one by one, many in a loop.
void Lifter::forEachElement(uint64_t Count, SourceRange R,
                            llvm::function_ref<void(const Expr *)> F) {
  if (Count <= 32) {
    for (uint64_t I = 0; I < Count; ++I)
      F(M.intConst(int64_t(I)));
    return;
  }
  Var *I = newVar(Var::Temp, "i", M.value(ScalarKind::Int), R);
  Stmt *L = emit(StmtKind::Loop, R);
  Stmt *Init = M.newStmt(StmtKind::Decl, R), *Step = M.newStmt(StmtKind::Assign, R);
  Init->V = Step->V = I;
  Init->E = M.intConst(0);
  Step->E = M.binary(Op::Add, M.ref(I), M.intConst(1));
  L->Init = {Init};
  L->Step = {Step};
  L->E = M.binary(Op::LT, M.ref(I), M.intConst(int64_t(Count)));
  L->Body = blockOf([&] { F(M.ref(I)); });
}

void Lifter::copyStruct(Place To, Place From, SourceRange R) {
  if (!To || !From) {
    forgetFields(To, From.Why);
    return opaqueStmt(To ? From.Why : To.Why, R);
  }
  pin(To);
  pin(From);
  if (!canCopy(To.Ty, isOwnObject(To) && isOwnObject(From)) || To.Ty != From.Ty) {
    forgetFields(To, "pointer in memory");
    return opaqueStmt("copy of " + (To.Ty->Name.empty() ? "an array" : To.Ty->Name), R);
  }
  if (To.Ty->isValue())
    return write(To, read(From, R), R);
  if (To.Ty->K == Type::Pointer) { // what was never set is not copied
    Binding *Was = pointerField(To), *Is = pointerField(From);
    return Was->K == Binding::None && Is->K == Binding::None
               ? void()
               : assignField(To, pointerIn(*Is, From.Ty->Elem), R);
  }
  if (To.Ty->K == Type::Array) {
    return forEachElement(To.Ty->Count, R,
                          [&](const Expr *I) { copyStruct(element(To, I), element(From, I), R); });
  }
  if (const Field *F = wholeMember(To.Ty))
    return copyStruct(member(To, *F), member(From, *F), R);
  for (const Field &F : To.Ty->Fields)
    copyStruct(member(To, F), member(From, F), R);
}

/// All bytes zero, as an initialiser leaves what it does not name.
void Lifter::zero(const Place &P) {
  if (P.Ty->isValue()) {
    const Type *S = M.value(P.Ty->Scalar);
    const Expr *Z = P.Ty->isFloat() ? M.floatConst(0, S) : M.intConst(0, S);
    return write(P, M.cast(Z, P.Ty, /*Implicit=*/true), P.Range);
  }
  if (P.Ty->K == Type::Array) {
    return forEachElement(P.Ty->Count, P.Range, [&](const Expr *I) { zero(element(P, I)); });
  }
  if (P.Ty->isUnion()) {
    const Field *F = wholeMember(P.Ty);
    return F ? zero(member(P, *F)) : opaqueStmt("initialiser of a union", P.Range);
  }
  if (P.Ty->K == Type::Struct) {
    for (const Field &F : P.Ty->Fields)
      zero(member(P, F));
    return;
  }
  if (Binding *B = pointerField(P); B && B->K == Binding::None)
    return; // where it points to comes later
  opaqueStmt("initialiser of " + P.Ty->Name, P.Range);
}

} // namespace clmali::model
