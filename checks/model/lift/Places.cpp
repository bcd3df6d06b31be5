//===-- checks/model/lift/Places.cpp - Lvalues -----------------------------===//
//
// What it does: resolves each lvalue to the object that it designates, and an index into it.
//
//   m[y].c[x].z          m[y *64][x *16]+8 ".c[].z"
//   ((int4 *)p)[j].y     p[j *16]+4 ".y"
//
// Limits: bit-fields, references to functions and vector components chosen at run time (of a
// variable) are Bad places, which say so.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"

using llvm::StringRef;

namespace clmali::model {

Place Lifter::placeOf(Var *V, const Type *Ty) {
  Place P;
  P.K = V->K == Var::Temp || (V->K == Var::Param && Ty->isValue() && V->Ty->isValue())
            ? Place::Register
        : Ty->K == Type::Image || Ty->K == Type::Sampler ? Place::Handle
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

/// Records for the next attempt that P's variable must lie in memory, because its address is used.
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
  P.ByPointer = false;
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

/// The object of a variable.
Place Lifter::placeOfReference(const clang::DeclRefExpr *E) {
  const auto *V = llvm::dyn_cast<clang::VarDecl>(E->getDecl());
  if (!V)
    return Place::bad("reference to a function");
  Binding &B = bindingOf(V);
  switch (B.K) {
  case Binding::Object:
  case Binding::Bad:
    return B.P;
  case Binding::None:
    return Place::bad("variable without a declaration");
  case Binding::Pointer:
  case Binding::PtrVar:
    return Place::bad("address of a pointer");
  }
  return Place::bad("variable without a declaration");
}

/// v[i], a component of a vector.
Place Lifter::vectorElement(const clang::ArraySubscriptExpr *E) {
  Place P = place(E->getBase());
  size_t Mark = Out->size();
  const Expr *Written = expr(E->getIdx());
  protect(P, Mark);
  const Expr *I = Written;
  while (I->K == ExprKind::Cast)
    I = I->Ops[0];
  if (P && P.K == Place::Memory && P.Lanes.empty() && I->K != ExprKind::IntConst) {
    // In memory the components are elements.
    P = castPointer(std::move(P), M.value(P.Ty->Scalar), false);
    addIndex(P, Written, P.Ty->Size);
    return P;
  }
  if (!P || I->K != ExprKind::IntConst || I->Int < 0 || I->Int >= P.Ty->Lanes)
    return Place::bad("vector component chosen at run time");
  return lanes(P, {static_cast<uint8_t>(I->Int)});
}

/// a[i] and v[i].
Place Lifter::placeOfSubscript(const clang::ArraySubscriptExpr *E) {
  if (E->getBase()->getType()->isVectorType())
    return vectorElement(E);
  Place P = pointer(E->getBase());
  size_t Mark = Out->size();
  const Expr *I = expr(E->getIdx());
  protect(P, Mark);
  if (!P)
    return P;
  addIndex(P, I, P.Ty->Size);
  P.ByPointer |= !E->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
  return P;
}

/// s.f and p->f.
Place Lifter::placeOfMember(const clang::MemberExpr *E) {
  const auto *F = llvm::dyn_cast<clang::FieldDecl>(E->getMemberDecl());
  if (!F)
    return Place::bad("member that is no field");
  Place P = E->isArrow()                ? pointer(E->getBase())
            : E->getBase()->isGLValue() ? place(E->getBase())
                                        : structValue(E->getBase());
  return P ? field(P, F) : P;
}

/// v.xy and p->xy.
Place Lifter::placeOfComponents(const clang::ExtVectorElementExpr *E) {
  Place P = E->isArrow() ? pointer(E->getBase()) : place(E->getBase());
  if (!P)
    return P;
  llvm::SmallVector<uint32_t, 4> Encoded;
  E->getEncodedElementAccess(Encoded);
  llvm::SmallVector<uint8_t, 4> L(Encoded.begin(), Encoded.end());
  unsigned Limit = P.Lanes.empty() ? P.Ty->Lanes : P.Lanes.size();
  // .odd and .hi of a 3-vector name a component that does not exist.
  if (llvm::any_of(L, [&](uint8_t I) { return I >= Limit; }))
    return Place::bad("component beyond the vector");
  return lanes(P, L);
}

/// (T){ ... }
Place Lifter::placeOfLiteral(const clang::CompoundLiteralExpr *E) {
  const Type *T = type(E->getType());
  if (T->isValue()) {
    Place P;
    P.K = Place::Constant;
    P.E = expr(E->getInitializer());
    P.Ty = P.NatTy = T;
    return P;
  }
  if (T->K != Type::Struct && T->K != Type::Array)
    return Place::bad("literal of type " + T->Name);
  SourceRange R = range(E);
  Var *V = newVar(Var::Memory, "literal", T, R);
  emit(StmtKind::Decl, R)->V = V;
  Place P = placeOf(V, T);
  initialise(P, E->getInitializer());
  return P;
}

Place Lifter::place(const ClangExpr *E) {
  E = E->IgnoreParens();
  auto Done = [&](Place P) {
    if (!P)
      return P;
    P.Volatile |= E->getType().isVolatileQualified();
    P.Range = range(E);
    return P;
  };
  if (const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(E))
    return Done(placeOfReference(D));
  if (const auto *S = llvm::dyn_cast<clang::ArraySubscriptExpr>(E))
    return Done(placeOfSubscript(S));
  if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(E)) {
    if (U->getOpcode() == clang::UO_Deref)
      return Done(pointer(U->getSubExpr()));
    if (U->getOpcode() == clang::UO_Extension)
      return place(U->getSubExpr());
  }
  if (const auto *Member = llvm::dyn_cast<clang::MemberExpr>(E))
    return Done(placeOfMember(Member));
  if (const auto *X = llvm::dyn_cast<clang::ExtVectorElementExpr>(E))
    return Done(placeOfComponents(X));
  if (const auto *C = llvm::dyn_cast<clang::CastExpr>(E))
    if (C->getCastKind() == clang::CK_NoOp || C->getCastKind() == clang::CK_AddressSpaceConversion)
      return place(C->getSubExpr());
  if (const auto *L = llvm::dyn_cast<clang::CompoundLiteralExpr>(E))
    return Done(placeOfLiteral(L));
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

} // namespace clmali::model
