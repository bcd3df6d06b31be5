//===-- checks/model/lift/Lift.cpp - From Clang's AST to the model -------------===//
//
// What it does: finds the kernels of a translation unit, makes types, names, variables and source
// ranges, and drives the lifting of each kernel (several attempts, where a fact was learnt too
// late; see Lifter.h).
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/lift/Lifter.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using llvm::StringRef;

namespace clmali::model {

std::unique_ptr<Module> lift(clang::ASTContext &Ctx) {
  auto M = std::make_unique<Module>();
  liftInto(Ctx, *M, [](const clang::FunctionDecl *) { return false; });
  return M;
}

void liftInto(clang::ASTContext &Ctx, Module &M, Lifter::SkipFn Skip, bool WithCalls) {
  Lifter(Ctx, M, Skip, WithCalls).run();
}

Lifter::Lifter(clang::ASTContext &Ctx, Module &M, SkipFn Skip, bool WithCalls)
    : Ctx(Ctx), SM(Ctx.getSourceManager()), M(M), Skip(Skip), WithCalls(WithCalls) {
  fileIndex(SM.getMainFileID());
}

void Lifter::run() {
  for (const clang::Decl *D : Ctx.getTranslationUnitDecl()->decls()) {
    const auto *FD = llvm::dyn_cast<clang::FunctionDecl>(D);
    if (FD && FD->isThisDeclarationADefinition() && FD->hasAttr<clang::OpenCLKernelAttr>() &&
        !FD->isInvalidDecl() && !Skip(FD))
      liftKernel(FD);
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void Lifter::liftKernel(const clang::FunctionDecl *FD) {
  Kernel *New = M.newKernel(FD->getName());
  Inlined.clear();
  *New = liftFunction(FD);
  if (Statements > MaxStatements)
    M.Notes.push_back("kernel " + New->Name +
                      " is seen in part: it is too large, with the functions that it calls");
  if (!WithCalls)
    return;
  findPureHelpers();
  if (!llvm::any_of(Inlined, [&](const clang::FunctionDecl *F) { return Pure.lookup(F); }))
    return;
  llvm::SaveAndRestore Keeps(KeepsCalls, true);
  New->WithCalls = std::make_shared<const Kernel>(liftFunction(FD));
}

Kernel Lifter::liftFunction(const clang::FunctionDecl *FD) {
  Learnt.BadPointers.clear();
  Learnt.InMemory.clear();
  Learnt.InBytes.clear();
  Learnt.BadFields.clear();
  Learnt.MovingFields.clear();
  // Each attempt knows more than the one before; the limit only guards against an error here.
  constexpr unsigned MaxAttempts = 64;
  Kernel New;
  for (unsigned Attempt = 0; Attempt < MaxAttempts; ++Attempt) {
    Kernel Fresh;
    Fresh.Name = FD->getName();
    Again = false;
    liftOnce(FD, Fresh);
    New = std::move(Fresh);
    if (!Again)
      break;
  }
  return New;
}

static std::array<uint32_t, 3> dims(uint32_t X, uint32_t Y, uint32_t Z) { return {X, Y, Z}; }

/// Prepares for one attempt at NewKernel.
void Lifter::startKernel(Kernel &NewKernel) {
  K = &NewKernel;
  Pending.clear();
  Names.clear();
  Bindings.clear();
  Fields.clear();
  DeclOf.clear();
  Frames.clear();
  Scopes.clear();
  WaitingComments.clear();
  BreakRegion.clear();
  ContinueRegion.clear();
  Regions = 0;
  Statements = 0;
  Out = &K->Body;
}

/// Source ranges and attributes.
void Lifter::kernelHead(const clang::FunctionDecl *FD) {
  clang::SourceLocation Begin = SM.getExpansionLoc(FD->getBeginLoc());
  for (const clang::Attr *A : FD->attrs()) {
    clang::SourceLocation L = SM.getExpansionLoc(A->getLocation());
    if (L.isValid() && SM.getFileID(L) == SM.getFileID(Begin) &&
        SM.getFileOffset(L) < SM.getFileOffset(Begin))
      Begin = L;
  }
  K->Range = range(clang::SourceRange(Begin, FD->getEndLoc()));
  // An attribute's location is inside its __attribute__((...)).
  StringRef Text = M.Files[K->Range.File].Text;
  StringRef Before = Text.take_front(K->Range.Begin).rtrim();
  if (Before.consume_back("((") && Before.rtrim().ends_with("__attribute__"))
    K->Range.Begin = Before.rtrim().size() - StringRef("__attribute__").size();
  K->NameRange = range(clang::SourceRange(FD->getLocation()));
  K->BodyRange = range(FD->getBody()->getSourceRange());
  if (const auto *A = FD->getAttr<clang::ReqdWorkGroupSizeAttr>())
    K->ReqdWorkGroupSize = dims(A->getXDim(), A->getYDim(), A->getZDim());
  if (const auto *A = FD->getAttr<clang::WorkGroupSizeHintAttr>())
    K->WorkGroupSizeHint = dims(A->getXDim(), A->getYDim(), A->getZDim());
  if (const auto *A = FD->getAttr<clang::VecTypeHintAttr>())
    K->VecTypeHint = A->getTypeHint().getAsString(Ctx.getPrintingPolicy());
}

/// Names that no new variable may take: parameters and program-scope variables, shadowed or not.
void Lifter::reserveNames(const clang::FunctionDecl *FD) {
  for (const clang::ParmVarDecl *P : FD->parameters())
    Names.try_emplace(P->getName(), 0);
  for (const clang::Decl *D : Ctx.getTranslationUnitDecl()->decls())
    if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D))
      Names.try_emplace(V->getName(), 0);
}

void Lifter::kernelParam(const clang::ParmVarDecl *P) {
  Var *V = M.newVar(Var::Param, P->getName().empty() ? uniqueName("unnamed") : P->getName().str(),
                    type(P->getType()));
  V->Index = P->getFunctionScopeIndex();
  V->Range = range(P->getSourceRange());
  V->Spelling = spelling(P);
  K->Params.push_back(V);
  DeclOf[V] = P;
  Binding &B = bindingOf(P);
  if (V->Ty->K == Type::Pointer) {
    Place Start = placeOf(V, V->Ty->Elem);
    Start.Index.push_back(nullptr);
    Start.Stride.push_back(static_cast<uint32_t>(pointeeSize(P->getType())));
    Start.LevelOpen = true;
    if (Frames.back().Facts->Modified.contains(P)) {
      pointerVar(P, nullptr, &Start);
    } else {
      B.K = Binding::Pointer;
      B.P = Start;
    }
    return;
  }
  B.K = Binding::Object;
  B.P = placeOf(V, V->Ty);
  if (V->Ty->isValue() && Learnt.InMemory.contains(P)) {
    // Its address is taken: the object is a copy.
    Var *Copy = newVar(Var::Memory, P->getName(), V->Ty, V->Range);
    emit(StmtKind::Decl, V->Range)->V = Copy;
    B.P = placeOf(Copy, V->Ty);
    write(B.P, M.ref(V), V->Range);
  }
  if (V->isImage() && V->Ty->Qualifier == AccessQualifier::ReadWrite)
    note("image that is read and written", V->Range);
  if (V->Ty->K == Type::Other)
    note("parameter of type " + V->Ty->Name, V->Range);
}

/// Sets UsesFp64 and UsesFp16.
static void findFloatTypes(Kernel &K) {
  auto See = [&](const Type *T) {
    if (!T || !T->isValue())
      return;
    K.UsesFp64 |= T->Scalar == ScalarKind::Double;
    K.UsesFp16 |= T->Scalar == ScalarKind::Half;
  };
  for (const Stmt *S : stmts(K.Body)) {
    if (S->V)
      See(S->V->Ty);
    for (ExprIterator It = exprs(*S).begin(), End; It != End; ++It) {
      const Expr *E = (*It).E;
      See(E->Ty);
      // `float x = 0.5;` computes nothing in double.
      if (E->K == ExprKind::Cast && E->Implicit && E->Ops[0]->K == ExprKind::FloatConst)
        It.skipOperands();
    }
  }
}

void Lifter::liftOnce(const clang::FunctionDecl *FD, Kernel &NewKernel) {
  startKernel(NewKernel);
  kernelHead(FD);
  reserveNames(FD);
  Frame F;
  F.FD = FD;
  F.Facts = &facts(FD);
  F.Region = newRegion();
  F.IsKernel = true;
  if (const Type *Ty = type(FD->getReturnType()); Ty->isValue()) {
    Var *Value = temp(FD->getName().str() + "_result", Ty, nullptr);
    F.Result = placeOf(Value, Ty);
  }
  Frames.push_back(F);
  for (const clang::ParmVarDecl *P : FD->parameters())
    kernelParam(P);
  compound(llvm::cast<clang::CompoundStmt>(FD->getBody()));
  structureExits(M, K->Body, F.Region, /*InLoops=*/false,
                 [&] { return newVar(Var::Temp, "returned", M.value(ScalarKind::Int)); });
  for (Stmt *S : stmts(K->Body))
    if (S->K == StmtKind::Return)
      S->Text.clear();
  testInHeaders(M, *K);
  findFloatTypes(*K);
  Frames.clear();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::optional<ScalarKind> scalarKind(const clang::BuiltinType *B) {
  using BT = clang::BuiltinType;
  switch (B->getKind()) {
  case BT::Bool:
    return ScalarKind::Bool;
  case BT::Char_S:
  case BT::SChar:
    return ScalarKind::Char;
  case BT::Char_U:
  case BT::UChar:
    return ScalarKind::UChar;
  case BT::Short:
    return ScalarKind::Short;
  case BT::UShort:
    return ScalarKind::UShort;
  case BT::Int:
    return ScalarKind::Int;
  case BT::UInt:
    return ScalarKind::UInt;
  case BT::Long:
  case BT::LongLong:
    return ScalarKind::Long;
  case BT::ULong:
  case BT::ULongLong:
    return ScalarKind::ULong;
  case BT::Half:
    return ScalarKind::Half;
  case BT::Float:
    return ScalarKind::Float;
  case BT::Double:
    return ScalarKind::Double;
  default:
    return std::nullopt;
  }
}

const Type *Lifter::type(clang::QualType QT) {
  if (QT.isNull())
    return M.other("type that did not parse");
  clang::QualType T = QT.getCanonicalType();
  if (T->isVoidType())
    return M.voidType();
  if (const auto *B = T->getAs<clang::BuiltinType>())
    if (std::optional<ScalarKind> S = scalarKind(B)) {
      // size_t and related types have the size of the target; the model's kinds have fixed sizes.
      if (Ctx.getTypeSize(T) == 32 && (*S == ScalarKind::Long || *S == ScalarKind::ULong))
        S = *S == ScalarKind::Long ? ScalarKind::Int : ScalarKind::UInt;
      return M.value(*S);
    }
  if (const auto *V = T->getAs<clang::VectorType>()) {
    const Type *E = type(V->getElementType());
    unsigned N = V->getNumElements();
    if (E->isScalar() && E->Scalar != ScalarKind::Bool && N >= 1 && N <= 16)
      return M.value(E->Scalar, N);
    return M.other(QT.getAsString(Ctx.getPrintingPolicy()));
  }
  if (const auto *E = T->getAs<clang::EnumType>())
    return type(E->getDecl()->getIntegerType().isNull() ? Ctx.IntTy
                                                        : E->getDecl()->getIntegerType());
  if (const auto *P = T->getAs<clang::PointerType>()) {
    clang::QualType To = P->getPointeeType();
    AddressSpace AS = AddressSpace::Private;
    switch (To.getAddressSpace()) {
    case clang::LangAS::opencl_global:
      AS = AddressSpace::Global;
      break;
    case clang::LangAS::opencl_constant:
      AS = AddressSpace::Constant;
      break;
    case clang::LangAS::opencl_local:
      AS = AddressSpace::Local;
      break;
    case clang::LangAS::opencl_generic: // its object is found by its values
    case clang::LangAS::opencl_private:
    case clang::LangAS::Default:
      break;
    default:
      return M.other(QT.getAsString(Ctx.getPrintingPolicy()));
    }
    return M.pointer(To->isFunctionType() ? M.other("function") : type(To.getUnqualifiedType()), AS,
                     To.isConstQualified(), To.isVolatileQualified(), QT.isRestrictQualified());
  }
  if (const auto *A = Ctx.getAsConstantArrayType(T))
    return M.array(type(A->getElementType()), A->getSize().getZExtValue());
  if (const auto *R = T->getAs<clang::RecordType>())
    return recordType(R);
  if (const Type *Handle = handleType(T))
    return Handle;
  return M.other(QT.getUnqualifiedType().getAsString(Ctx.getPrintingPolicy()));
}

const Type *Lifter::recordType(const clang::RecordType *RT) {
  const clang::RecordDecl *RD = RT->getDecl()->getDefinition();
  std::string Name = clang::QualType(RT, 0).getAsString(Ctx.getPrintingPolicy());
  if (!RD || RD->isInvalidDecl())
    return M.other(Name);
  const bool Inside = RD->getParentFunctionOrMethod() != nullptr;
  if (const clang::TypedefNameDecl *TD = RD->getTypedefNameForAnonDecl())
    Name = TD->getName().str();
  if (RD->isUnion() && !StringRef(Name).starts_with("union"))
    Name = "union " + Name;
  if (Name.find('(') != std::string::npos) // unnamed: Clang gives its location
    Name = RD->isUnion() ? "union" : "struct";
  // Its declaration disappears with the function's text: no new variable can have this type.
  if (Inside)
    Name += UnprintableType;
  // A struct that contains a pointer to itself.
  if (!OpenRecords.insert(RD).second)
    return M.other(Name);
  auto Close = llvm::make_scope_exit([&] { OpenRecords.erase(RD); });
  const clang::ASTRecordLayout &Layout = Ctx.getASTRecordLayout(RD);
  std::vector<Field> Fields;
  for (const clang::FieldDecl *F : RD->fields()) {
    if (F->isBitField())
      return M.other("struct with bit-fields");
    const Type *T = type(F->getType());
    Fields.push_back({F->getName().str(), T,
                      static_cast<uint32_t>(Layout.getFieldOffset(F->getFieldIndex()) / 8)});
  }
  return M.structType(Name, std::move(Fields), Layout.getSize().getQuantity());
}

/// The type as the user wrote it, where that is a name: "size_t", a typedef, or a macro for one.
std::string Lifter::spelling(const clang::VarDecl *D) {
  clang::QualType T = D->getType();
  if (const clang::TypeSourceInfo *TI = D->getTypeSourceInfo()) {
    clang::SourceLocation L = TI->getTypeLoc().getUnqualifiedLoc().getBeginLoc();
    // `T x` where T is a macro: the macro's name, if it expands to the type alone.
    if (L.isMacroID() && T.getLocalUnqualifiedType()->getAs<clang::PointerType>() == nullptr &&
        !T->isArrayType()) {
      clang::SourceLocation E = TI->getTypeLoc().getUnqualifiedLoc().getEndLoc();
      if (!SM.isMacroArgExpansion(L) && SM.getExpansionLoc(L) == SM.getExpansionLoc(E) &&
          clang::Lexer::isAtStartOfMacroExpansion(L, SM, Ctx.getLangOpts()) &&
          clang::Lexer::isAtEndOfMacroExpansion(E, SM, Ctx.getLangOpts())) {
        unsigned Length =
            clang::Lexer::MeasureTokenLength(SM.getExpansionLoc(L), SM, Ctx.getLangOpts());
        auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(L));
        StringRef Name = SM.getBufferData(File).substr(Offset, Length);
        auto [EndFile, EndOffset] = SM.getDecomposedLoc(SM.getExpansionRange(L).getEnd());
        if (EndFile == File && EndOffset == Offset && clang::isValidAsciiIdentifier(Name))
          return Name.str();
      }
    }
  }
  const auto *Typedef = T->getAs<clang::TypedefType>();
  if (Typedef && Typedef->getDecl()->getParentFunctionOrMethod())
    return "";
  if (Typedef || T->getAs<clang::EnumType>()) {
    T.removeLocalConst();
    T.removeLocalVolatile();
    T = Ctx.removeAddrSpaceQualType(T);
    return T.getLocalUnqualifiedType().getAsString(Ctx.getPrintingPolicy());
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Source ranges
//===----------------------------------------------------------------------===//

uint32_t Lifter::fileIndex(clang::FileID ID) {
  auto [It, New] = FileIndex.try_emplace(ID, M.Files.size());
  if (New) {
    SourceFile F;
    if (clang::OptionalFileEntryRef Entry = SM.getFileEntryRefForID(ID))
      F.Name = Entry->getName().str();
    F.Text = SM.getBufferData(ID).str();
    M.Files.push_back(std::move(F));
  }
  return It->second;
}

SourceRange Lifter::range(clang::SourceRange R) {
  if (R.isInvalid())
    return {};
  auto [File, Begin] = SM.getDecomposedLoc(SM.getExpansionLoc(R.getBegin()));
  clang::SourceLocation Last = SM.getExpansionRange(R.getEnd()).getEnd();
  auto [EndFile, End] = SM.getDecomposedLoc(Last);
  if (EndFile != File || End < Begin)
    End = Begin, Last = SM.getExpansionLoc(R.getBegin());
  End += clang::Lexer::MeasureTokenLength(Last, SM, Ctx.getLangOpts());
  return {fileIndex(File), Begin, End};
}

std::string Lifter::sourceText(const clang::Stmt *S) {
  SourceRange R = range(S);
  return R.isValid() ? StringRef(M.Files[R.File].Text).slice(R.Begin, R.End).str() : "";
}

/// Comment without the indentation of its lines after the first.
static std::string unindented(StringRef Comment) {
  std::string Result;
  for (bool First = true; !Comment.empty(); First = false) {
    auto [Line, Rest] = Comment.split('\n');
    if (!First)
      Result += '\n';
    StringRef Trimmed = First ? Line : Line.ltrim(" \t");
    if (!First && Trimmed.starts_with("*"))
      Result += ' ';
    Result += Trimmed.rtrim("\r \t");
    Comment = Rest;
  }
  return Result;
}

std::vector<std::string> Lifter::comments(uint32_t File, uint32_t Begin, uint32_t End) {
  std::vector<std::string> Result;
  StringRef Text = StringRef(M.Files[File].Text).slice(Begin, End);
  while (!Text.empty()) {
    size_t Slash = Text.find('/');
    if (Slash == StringRef::npos || Slash + 1 >= Text.size())
      break;
    StringRef From = Text.drop_front(Slash);
    if (From.starts_with("//")) {
      StringRef Line = From.take_until([](char C) { return C == '\n'; });
      Result.push_back(Line.rtrim().str());
      Text = From.drop_front(Line.size());
    } else if (From.starts_with("/*")) {
      size_t Close = From.find("*/", 2);
      StringRef Comment = From.take_front(Close == StringRef::npos ? From.size() : Close + 2);
      Result.push_back(unindented(Comment));
      Text = From.drop_front(Comment.size());
    } else {
      Text = From.drop_front(1);
    }
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

std::string Lifter::uniqueName(StringRef Wanted) {
  std::string Name = Wanted.str();
  if (Names.try_emplace(Name, 0).second)
    return Name;
  do
    Name = (Wanted + "_" + llvm::Twine(++Names[Wanted])).str();
  while (!Names.try_emplace(Name, 0).second);
  return Name;
}

Var *Lifter::newVar(Var::Kind Kind, StringRef Name, const Type *Ty, SourceRange R) {
  Var *V = M.newVar(Kind, uniqueName(Name), Ty);
  V->Range = R;
  V->FromHelper = Frames.size() > 1;
  K->Vars.push_back(V);
  declareMovingFields(V);
  return V;
}

Var *Lifter::temp(StringRef Name, const Type *Ty, const Expr *E, SourceRange R) {
  Var *V = newVar(Var::Temp, Name, Ty, R);
  Stmt *S = emit(StmtKind::Decl, R);
  S->V = V;
  S->E = E;
  return V;
}

Lifter::Binding &Lifter::bindingOf(const clang::VarDecl *D) {
  D = D->getCanonicalDecl();
  Binding &B = Bindings[D];
  if (B.K == Binding::None && (D->hasGlobalStorage() && D->isFileVarDecl()))
    bindProgramScope(D, B);
  return Bindings[D];
}

void Lifter::bindProgramScope(const clang::VarDecl *D, Binding &Slot) {
  Binding B;
  B.K = Binding::Object;
  const Type *T = type(D->getType());
  const clang::VarDecl *Def = D->getDefinition() ? D->getDefinition() : D;
  SourceRange R = range(D->getSourceRange());
  if (llvm::any_of(K->Params, [&](const Var *P) { return P->Name == D->getName(); })) {
    Slot.K = Binding::Bad;
    Slot.P = Place::bad("program-scope variable hidden by a parameter");
    return;
  }
  bool Constant = D->getType().getAddressSpace() == clang::LangAS::opencl_constant ||
                  D->getType().isConstQualified();
  const clang::APValue *Value = nullptr;
  if (Constant && Def->getAnyInitializer() && !Def->getInit()->containsErrors())
    Value = Def->evaluateValue();
  if (T->isValue()) {
    const Expr *E = Value ? constantFrom(*Value, T) : nullptr;
    if (E && T->isScalar())
      const_cast<Expr *>(E)->Text = D->getName().str();
    if (E) {
      B.P.K = Place::Constant;
      B.P.E = E;
      B.P.Ty = B.P.NatTy = T;
      Slot = B;
      return;
    }
  }
  if (T->K == Type::Sampler)
    return bindSampler(D, Def->getInit(), /*ProgramScope=*/true, Slot);
  if (T->K != Type::Value && T->K != Type::Array && T->K != Type::Struct) {
    B.K = Binding::Bad;
    B.P = Place::bad(T->K == Type::Pointer ? "pointer at program scope"
                                           : "program-scope variable of type " + T->Name);
    Slot = B;
    return;
  }
  // Its name cannot be changed, so no other variable may take it.
  Var *V = M.newVar(Var::Memory, D->getName(), T);
  V->Range = R;
  V->ProgramScope = true;
  V->AS = D->getType().getAddressSpace() == clang::LangAS::opencl_constant ? AddressSpace::Constant
          : D->getType().getAddressSpace() == clang::LangAS::opencl_local  ? AddressSpace::Local
                                                                           : AddressSpace::Global;
  K->Vars.push_back(V);
  DeclOf[V] = D;
  B.P = placeOf(V, T);
  if (Value)
    constantValues(Def, V);
  Slot = B;
}

} // namespace clmali::model
