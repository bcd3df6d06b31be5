//===-- checks/model/lift/Fields.cpp - Pointers in structs -----------------===//
//
// What it does: resolves pointers in private structs,
//
//   scene.spheres = spheres;  ...  scene.spheres[i].radius      spheres[i *16]+12
//
// as it resolves pointer variables: a field that is always set to one location is that location;
// one that moves has an offset variable in addition to its object. Copies of the struct copy the
// pointers.
//
// Limits: fields of structs only, not elements of arrays nor members of unions; a field that is set
// to locations in two objects is opaque, as such a variable is.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"

using namespace llvm;

namespace clmali::model {

static bool hasUnion(const Type *T) {
  while (T->K == Type::Array)
    T = T->Elem;
  return T->isUnion() ||
         (T->K == Type::Struct && any_of(T->Fields, [](const Field &F) { return hasUnion(F.Ty); }));
}

bool Lifter::isOwnObject(const Place &P) {
  return P.K == Place::Memory && P.V->K == Var::Memory && P.V->space() == AddressSpace::Private &&
         !P.V->ProgramScope && P.Index.empty() && P.V->Ty->K == Type::Struct && !hasUnion(P.V->Ty);
}

Lifter::Binding *Lifter::pointerField(const Place &P) {
  if (!isOwnObject(P) || P.Ty->K != Type::Pointer || !P.Lanes.empty())
    return nullptr;
  Binding &B = Fields[{P.V, P.Path}];
  if (auto Bad = Learnt.BadFields.find(fieldKey(P)); Bad != Learnt.BadFields.end()) {
    B.K = Binding::Bad;
    B.P = Place::bad(Bad->second);
  }
  return &B;
}

Lifter::FieldKey Lifter::fieldKey(const Place &P) {
  return {P.V->Range.File, P.V->Range.Begin, P.Path};
}

/// Declares the offset variables of V's fields that are known to move.
void Lifter::declareMovingFields(Var *V) {
  if (V->K != Var::Memory || V->Ty->K != Type::Struct)
    return;
  for (const auto &[Key, Unit] : Learnt.MovingFields) {
    const auto &[File, Begin, Path] = Key;
    if (File != V->Range.File || Begin != V->Range.Begin)
      continue;
    std::string Name = V->Name + Path;
    std::replace(Name.begin(), Name.end(), '.', '_');
    Var *Off = temp(Name, M.value(ScalarKind::Long), nullptr, V->Range);
    Off->IsPointerOffset = true;
    Binding &B = Fields[{V, Path}];
    B.K = Binding::PtrVar;
    B.Off = Off;
    B.Unit = Unit;
  }
}

/// Records for the next attempt that the field moves.
void Lifter::moves(const Place &Field, uint32_t Unit) {
  Learnt.MovingFields[fieldKey(Field)] = std::max(Unit, 1u);
  Again = true;
}

Place Lifter::pointerIn(const Binding &B, const Type *Pointee) {
  switch (B.K) {
  case Binding::Pointer:
  case Binding::Bad:
    return B.P;
  case Binding::PtrVar:
    return pointerVarPlace(B, Pointee);
  default:
    return Place::bad("pointer in memory");
  }
}

Lifter::Binding *Lifter::movingPointer(const ClangExpr *E) {
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<clang::DeclRefExpr>(E)) {
    const auto *V = dyn_cast<clang::VarDecl>(D->getDecl());
    return V ? &bindingOf(V) : nullptr;
  }
  Place At = place(E);
  Binding *B = pointerField(At);
  if (B && B->K == Binding::Pointer)
    moves(At, At.Ty->Elem->Size);
  return B;
}

/// Object was set to something that is not resolved: its pointers are not known.
void Lifter::forgetFields(const Place &Object, StringRef Why) {
  if (!isOwnObject(Object))
    return;
  for (const auto &[Field, B] : Fields)
    if (Field.first == Object.V && StringRef(Field.second).starts_with(Object.Path) &&
        B.K != Binding::Bad && B.K != Binding::None) {
      Learnt.BadFields[{Object.V->Range.File, Object.V->Range.Begin, Field.second}] = Why.str();
      Again = true;
    }
}

/// object.field = From
void Lifter::assignField(const Place &To, Place From, SourceRange R) {
  Binding *B = pointerField(To);
  if (!B)
    return opaqueStmt("pointer in memory", R);
  if (B->K == Binding::Bad)
    return opaqueStmt(B->P.Why, R);
  auto Forget = [&](StringRef Why) {
    if (!Again) // else the reason may be gone in the next attempt
      Learnt.BadFields[fieldKey(To)] = Why.str();
    Again = true;
    opaqueStmt(Why, R);
  };
  if (!From)
    return Forget(From.Why);
  if (From.K == Place::Register)
    needsAddress(From);
  From = castPointer(From, To.Ty->Elem, false);
  if (From.K != Place::Memory)
    return Forget(From ? "address of a variable" : From.Why);
  if (B->P && B->P.V != From.V)
    return Forget("pointer with two bases");
  if (B->K == Binding::PtrVar) {
    const Expr *Off = offset(From, B->Unit);
    if (!Off) {
      moves(To, 1);
      return opaqueStmt("pointer at an uneven offset", R);
    }
    if (!B->P)
      B->P = From;
    return emitAssign(B->Off, Off, R);
  }
  auto IsFixed = [&](const Expr *I) {
    if (!I || I->K == ExprKind::IntConst)
      return true;
    // Its operands must keep their values as long as the struct lives.
    const clang::VarDecl *D =
        I->K == ExprKind::VarRef && I->V->K == Var::Param ? DeclOf.lookup(I->V) : nullptr;
    const FunctionFacts &F = *Frames.front().Facts;
    return D && !F.Modified.contains(D) && !F.AddressTaken.contains(D);
  };
  auto Same = [](const Expr *A, const Expr *B) { return A == B || (A && B && equal(A, B)); };
  if (B->K == Binding::None && all_of(From.Index, IsFixed)) {
    B->K = Binding::Pointer;
    B->P = From;
  } else if (B->K == Binding::None || B->P.Disp != From.Disp || B->P.Path != From.Path ||
             B->P.Stride != From.Stride ||
             !std::equal(B->P.Index.begin(), B->P.Index.end(), From.Index.begin(), From.Index.end(),
                         Same)) {
    moves(To, To.Ty->Elem->Size);
    opaqueStmt("pointer that moves", R);
  }
}

} // namespace clmali::model
