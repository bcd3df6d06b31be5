//===-- checks/model/lift/Memory.cpp - Reading and writing objects ---------===//
//
// What it does: reads, writes, copies and zeroes what lies at a Place (Places.cpp, Pointers.cpp).
//
//   v.xz = e             two stores, of v.x and v.z
//   struct S s = t;      one store for each member
//
// Limits: structs with bit-fields, and unions without a member that fills them, are not copied.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/lift/Lifter.h"

using llvm::StringRef;

namespace clmali::model {

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
  // A linear index over rows: tile[0][i].
  llvm::SmallVector<const Type *, 3> Levels;
  const Type *T = P.V->Ty;
  for (; T && (T->K == Type::Array || (T->K == Type::Pointer && Levels.empty())); T = T->Elem)
    Levels.push_back(T->Elem);
  A.OverRows = Levels.size() > 1 && (P.ByPointer || A.Index.size() < Levels.size());
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
  case Place::Handle:
    return opaque(P.Ty->Name, P.Ty, R);
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
    if (I && llvm::any_of(exprs(I), [](ExprAt E) { return E->K == ExprKind::Load; }))
      I = at(M.ref(temp("index", I->Ty, I, I->Range)), I->Range);
  }
}

void Lifter::write(const Place &P, const Expr *E, SourceRange R) {
  switch (P.K) {
  case Place::Bad:
    opaqueStmt(P.Why, R);
    Out->back()->E = E; // for the accesses in it
    return;
  case Place::Constant:
  case Place::Handle:
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

/// The member that fills a whole union, or null (also for other types).
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

/// Calls F for each index: few elements one by one, many in a loop.
void Lifter::forEachElement(uint64_t Count, SourceRange R,
                            llvm::function_ref<void(const Expr *)> F) {
  constexpr uint64_t MaxUnrolled = 32;
  if (Count <= MaxUnrolled) {
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
  if (To.Ty->K == Type::Pointer) { // a field that was never set is not copied
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

/// Sets all bytes to zero, as an initialiser does for members that it does not name.
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
    return; // it is assigned later
  opaqueStmt("initialiser of " + P.Ty->Name, P.Range);
}

} // namespace clmali::model
