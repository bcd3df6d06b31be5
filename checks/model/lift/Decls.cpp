//===-- checks/model/lift/Decls.cpp - Local variables ----------------------===//
//
// What it does: lifts declarations: values become registers, arrays and structs objects in memory,
// pointers the object that they point into and an offset. Initialisers become stores.
//
//   float v[2] = {a, b};       store v[0] = a; store v[1] = b
//   __global int *p = in + i;  p is in[i]; if p is assigned to later: long p = i
//
// Limits: volatile variables are noted as opaque; large initialisers are not unrolled.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"

using llvm::StringRef;

namespace clmali::model {

void Lifter::declStmt(const clang::DeclStmt *DS) {
  for (const clang::Decl *D : DS->decls()) {
    if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D))
      localVar(V);
    // Types, enumerators and static assertions need nothing.
  }
}

static AddressSpace addressSpaceOf(clang::QualType T) {
  switch (T.getAddressSpace()) {
  case clang::LangAS::opencl_local:
    return AddressSpace::Local;
  case clang::LangAS::opencl_constant:
    return AddressSpace::Constant;
  case clang::LangAS::opencl_global:
    return AddressSpace::Global;
  default:
    return AddressSpace::Private;
  }
}

/// D is the object V from now on.
void Lifter::bindObject(const clang::VarDecl *D, Var *V) {
  V->Spelling = spelling(D);
  DeclOf[V] = D;
  Binding &B = Bindings[D];
  B.K = Binding::Object;
  B.P = placeOf(V, V->Ty);
}

/// An event, or an array of events, which counts as one event.
void Lifter::eventVar(const clang::VarDecl *D) {
  SourceRange R = range(D->getSourceRange());
  const ClangExpr *Init = D->getInit();
  Var *V = newVar(Var::Temp, D->getName(), M.other("event_t"), R);
  bindObject(D, V);
  emit(StmtKind::Decl, R)->V = V;
  const auto *C = Init ? llvm::dyn_cast<clang::CallExpr>(Init->IgnoreParenCasts()) : nullptr;
  if (isAsyncCopy(C))
    asyncCopy(C, V);
  else if (Init && C)
    opaqueStmt("event", R);
}

/// A scalar or vector in a register.
void Lifter::valueVar(const clang::VarDecl *D, const Type *T) {
  SourceRange R = range(D->getSourceRange());
  const ClangExpr *Init = D->getInit();
  const Expr *E = nullptr;
  if (Init && unsequenced(Init)) {
    opaqueStmt("unsequenced side effects", R);
  } else if (Init) {
    E = expr(Init);
    if (!E->Ty->isValue())
      E = nullptr; // opaque, and noted
  }
  Var *V = newVar(Var::Temp, D->getName(), T, R);
  bindObject(D, V);
  Stmt *S = emit(StmtKind::Decl, R);
  S->V = V;
  S->E = E;
  flush();
}

/// An array, a struct, or a scalar whose address is needed.
void Lifter::memoryVar(const clang::VarDecl *D, const Type *T, AddressSpace AS) {
  SourceRange R = range(D->getSourceRange());
  const ClangExpr *Init = D->getInit();
  Var *V = newVar(Var::Memory, D->getName(), T, R);
  V->AS = AS;
  bindObject(D, V);
  Stmt *S = emit(StmtKind::Decl, R);
  S->V = V;
  if (AS == AddressSpace::Constant) { // as at program scope
    S->Text = sourceText(Init);
    constantValues(D, V);
    return;
  }
  if (!Init || AS == AddressSpace::Local)
    return;
  if (D->getType().isConstQualified() && T->K == Type::Array && constantValues(D, V)) {
    S->Text = sourceText(Init);
    return;
  }
  Place P = Bindings[D].P;
  P.Range = R;
  initialise(P, Init);
  flush();
}

void Lifter::localVar(const clang::VarDecl *D) {
  SourceRange R = range(D->getSourceRange());
  Bindings[D] = Binding();
  const ClangExpr *Init = D->getInit();
  if (D->isInvalidDecl() || (Init && Init->containsErrors())) {
    Bindings[D].K = Binding::Bad;
    Bindings[D].P = Place::bad("text that did not parse");
    return unparsedStmt(R);
  }
  clang::QualType QT = D->getType();
  const Type *T = type(QT);
  AddressSpace AS = addressSpaceOf(QT);
  // An unused struct needs nothing, whatever pointers it holds.
  if (T->K == Type::Struct && !D->isReferenced() && AS != AddressSpace::Local &&
      !(Init && Init->HasSideEffects(Ctx)))
    return;
  // Accesses of a volatile variable in private memory may be left out: no other work-item sees
  // them. Those of floats stay, because volatile keeps a compiler from contracting operations.
  const clang::QualType Element = Ctx.getBaseElementType(QT);
  if (QT.isVolatileQualified() && AS == AddressSpace::Private &&
      !(type(Element)->isValue() && type(Element)->isInteger()))
    note("volatile variable " + D->getName().str(), R);
  if (T->K == Type::Pointer && AS == AddressSpace::Private)
    return pointerVar(D, Init, nullptr);
  const clang::ArrayType *Array = Ctx.getAsArrayType(QT);
  if (isEvent(QT) || (Array && isEvent(Array->getElementType()) &&
                      (!Init || llvm::isa<clang::InitListExpr>(Init))))
    return eventVar(D);
  if (T->K == Type::Sampler)
    bindSampler(D, Init, /*ProgramScope=*/false, Bindings[D]);
  if (Bindings[D].K == Binding::Object)
    return;
  if (T->K != Type::Value && T->K != Type::Array && T->K != Type::Struct) {
    Bindings[D].K = Binding::Bad;
    Bindings[D].P = Place::bad(T->K == Type::Other ? T->Name : "variable of an unknown type");
    return opaqueStmt(Bindings[D].P.Why, R);
  }
  if (T->isValue() && AS == AddressSpace::Private && !Learnt.InMemory.contains(D))
    return valueVar(D, T);
  memoryVar(D, T, AS);
}

/// Appends V's numbers to To; false: not all are known or of one kind.
static bool flatten(const clang::APValue &V, Var *To) {
  if (V.isInt()) {
    To->Ints.push_back(bits(V.getInt()));
    return To->Floats.empty();
  }
  if (V.isFloat()) {
    llvm::APFloat F = V.getFloat();
    bool Lost;
    F.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &Lost);
    To->Floats.push_back(F.convertToDouble());
    return To->Ints.empty();
  }
  if (V.isVector()) {
    for (unsigned I = 0; I < V.getVectorLength(); ++I)
      if (!flatten(V.getVectorElt(I), To))
        return false;
    return true;
  }
  if (V.isArray()) {
    for (unsigned I = 0; I < V.getArraySize(); ++I) {
      bool Given = I < V.getArrayInitializedElts();
      if (!Given && !V.hasArrayFiller())
        return false;
      if (!flatten(Given ? V.getArrayInitializedElt(I) : V.getArrayFiller(), To))
        return false;
    }
    return true;
  }
  return false;
}

/// Sets V's values, if all are known at compile time.
bool Lifter::constantValues(const clang::VarDecl *D, Var *V) {
  const Type *T = V->Ty;
  while (T->K == Type::Array)
    T = T->Elem;
  if (!T->isValue() || V->Ty->Size > 65536 || !D->getInit() || D->getInit()->isValueDependent())
    return false;
  clang::APValue Local;
  const clang::APValue *Value = nullptr;
  if (D->isFileVarDecl() || D->hasGlobalStorage()) {
    Value = D->evaluateValue();
  } else {
    clang::Expr::EvalResult Result;
    if (D->getInit()->EvaluateAsRValue(Result, Ctx) && !Result.HasSideEffects) {
      Local = Result.Val;
      Value = &Local;
    }
  }
  if (!Value || !flatten(*Value, V)) {
    V->Ints.clear();
    V->Floats.clear();
    return false;
  }
  return true;
}

/// Element I of the array at P.
Place Lifter::elementAt(const Place &P, uint64_t I, SourceRange R) {
  Place E = decay(P);
  E.Index.back() = M.intConst(int64_t(I));
  E.Range = R;
  return E;
}

/// An array or struct whose initialiser is no list.
void Lifter::initialiseWhole(const Place &P, const ClangExpr *Init, SourceRange R) {
  constexpr uint64_t MaxText = 1024;
  if (P.Ty->K == Type::Struct) {
    Place From = structValue(Init);
    return copyStruct(P, From, R);
  }
  // char digits[] = "0123456789abcdef";
  const auto *Text = llvm::dyn_cast<clang::StringLiteral>(Init);
  if (!Text || P.Ty->K != Type::Array || P.Ty->Count > MaxText || Text->getCharByteWidth() != 1)
    return opaqueStmt("initialiser", R);
  for (uint64_t I = 0; I < P.Ty->Count; ++I) {
    Place E = elementAt(P, I, R);
    write(E, M.intConst(I < Text->getLength() ? int8_t(Text->getCodeUnit(I)) : 0, E.Ty), R);
  }
}

void Lifter::initialiseArray(const Place &P, const clang::InitListExpr *List, SourceRange R) {
  constexpr uint64_t MaxCount = 4096, MaxGiven = 64; // both exceeded: too many stores
  constexpr uint64_t MaxUnrolledZeros = 32;
  uint64_t N = P.Ty->Count, Given = std::min<uint64_t>(List->getNumInits(), N);
  if (N > MaxCount && Given > MaxGiven)
    return opaqueStmt("large initialiser", R);
  if (Given < N && N > MaxUnrolledZeros) { // zero in a loop, then the given values
    Place All = P;
    All.Range = R;
    zero(All);
  }
  for (uint64_t I = 0; I < Given; ++I)
    initialise(elementAt(P, I, R), List->getInit(I));
  if (N <= MaxUnrolledZeros)
    for (uint64_t I = Given; I < N; ++I)
      zero(elementAt(P, I, R));
}

/// Stores the initialiser's values one by one.
void Lifter::initialise(const Place &P, const ClangExpr *Init) {
  if (!Init || llvm::isa<clang::NoInitExpr>(Init))
    return zero(P);
  Init = Init->IgnoreParens();
  SourceRange R = range(Init);
  if (const auto *C = llvm::dyn_cast<clang::CompoundLiteralExpr>(Init))
    Init = C->getInitializer();
  if (P.Ty->isValue()) {
    const Expr *V = expr(Init);
    if (V->Ty->isValue())
      write(P, V, R);
    return;
  }
  if (llvm::isa<clang::ImplicitValueInitExpr>(Init))
    return zero(P);
  if (P.Ty->K == Type::Pointer && pointerField(P)) {
    Place To = pointer(Init);
    return To.Why == "null pointer" ? zero(P) : assignField(P, To, R);
  }
  const auto *List = llvm::dyn_cast<clang::InitListExpr>(Init);
  if (!List)
    return initialiseWhole(P, Init, R);
  if (P.Ty->K == Type::Array)
    return initialiseArray(P, List, R);
  if (P.Ty->isUnion()) {
    const clang::FieldDecl *F = List->getInitializedFieldInUnion();
    zero(P);
    if (F && List->getNumInits())
      initialise(field(P, F), List->getInit(0));
    return;
  }
  if (P.Ty->K != Type::Struct)
    return opaqueStmt("initialiser of " + P.Ty->Name, R);
  unsigned I = 0;
  for (const clang::FieldDecl *F : Init->getType()->getAsRecordDecl()->fields()) {
    Place Part = field(P, F);
    Part.Range = R;
    if (I < List->getNumInits())
      initialise(Part, List->getInit(I));
    else
      zero(Part);
    ++I;
  }
}

/// A variable that counts elements from the start of a pointer's base, with first value E.
Var *Lifter::offsetVar(StringRef Name, const Expr *E, SourceRange R) {
  Var *V = newVar(Var::Temp, Name, M.value(ScalarKind::Long), R);
  V->IsPointerOffset = true;
  Stmt *S = emit(StmtKind::Decl, R);
  S->V = V;
  S->E = E;
  return V;
}

/// A pointer that is never assigned to: it always points to P. An index that may change later, or
/// that is read from memory, is computed once, here.
Lifter::Binding Lifter::fixedPointer(Place P, const clang::VarDecl *D, const Type *Pointee) {
  SourceRange R = range(D->getSourceRange());
  StringRef Name = D->getName().empty() ? "pointer" : D->getName();
  uint64_t Size = pointeeSize(D->getType());
  bool Stable = llvm::all_of(P.Index, [&](const Expr *I) { return !I || isStable(I); });
  const Expr *Whole = P.K == Place::Memory && !Stable ? offset(P, Size) : nullptr;
  Binding B;
  B.K = Binding::Pointer;
  if (Whole) {
    Binding Base;
    Base.Off = offsetVar(Name, Whole, R);
    Base.P = P;
    Base.Unit = static_cast<uint32_t>(Size);
    B.P = pointerVarPlace(Base, Pointee);
    return B;
  }
  for (const Expr *&I : P.Index)
    if (I && !isStable(I))
      I = M.ref(offsetVar(Name, toLong(I), R));
  B.P = P;
  return B;
}

/// A pointer variable, or a helper's pointer parameter, which is given Arg.
void Lifter::pointerVar(const clang::VarDecl *D, const ClangExpr *Init, const Place *Arg) {
  SourceRange R = range(D->getSourceRange());
  Bindings[D] = Binding();
  auto Bad = [&](StringRef Why) {
    Bindings[D].K = Binding::Bad;
    Bindings[D].P = Place::bad(Why);
    opaqueStmt(Why, R);
  };
  if (auto It = Learnt.BadPointers.find(D); It != Learnt.BadPointers.end())
    return Bad(It->second);
  const FunctionFacts &F = *Frames.back().Facts;
  if (F.AddressTaken.contains(D))
    return Bad("address of a pointer");
  clang::QualType To = D->getType()->getPointeeType();
  if (To->isFunctionType())
    return Bad("function pointer");
  const Type *Pointee = type(To.getUnqualifiedType());
  Place P;
  if (Arg) {
    P = *Arg;
  } else if (Init) {
    if (unsequenced(Init))
      return Bad("unsequenced side effects");
    P = pointer(Init);
    size_t Mark = Out->size();
    flush();
    protect(P, Mark);
  }
  bool Reassigned = F.Modified.contains(D), Given = Init || Arg;
  if (!P && P.Why == "null pointer" && !Reassigned) {
    Bindings[D].K = Binding::Bad; // it may still be compared with null
    Bindings[D].P = P;
    return;
  }
  // `T *p = 0;` and then `p = ...`: the assignment gives the object.
  if (!P && Given && P.Why != "null pointer")
    return Bad(P.Why);
  if (P)
    P = castPointer(P, Pointee, To.isVolatileQualified());
  if (!P && Given && P.Why != "null pointer")
    return Bad(P.Why);
  if (!Reassigned) {
    if (!Given)
      return Bad("pointer without a value");
    Bindings[D] = fixedPointer(P, D, Pointee);
    return;
  }
  if (P.K == Place::Register)
    needsAddress(P);
  if (P && P.K != Place::Memory)
    return Bad("address of a variable");
  Binding B;
  B.K = Binding::PtrVar;
  B.P = P;
  B.Unit = static_cast<uint32_t>(Learnt.InBytes.contains(D) ? 1 : pointeeSize(D->getType()));
  const Expr *Start = P ? offset(P, B.Unit) : nullptr;
  if (P && !Start) { // the next attempt counts bytes
    Learnt.InBytes.insert(D);
    Again = true;
    return Bad("pointer at an uneven offset");
  }
  // A kernel's parameter keeps its name; the offset gets one of its own.
  StringRef Name = D->getName().empty() ? "pointer" : D->getName();
  B.Off = offsetVar(Frames.back().IsKernel && Arg ? (Name + "_at").str() : Name.str(), Start, R);
  Bindings[D] = B;
}

} // namespace clmali::model
