//===-- checks/model/lift/Stmts.cpp - Control flow and declarations ---------===//
//
// What it does: lifts statements. Switches become chains of if, conditions with
// side effects move into the loop's body, comments stay with what they precede.
//
// Limits: goto, switches that fall through, and inline assembly are opaque.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using llvm::StringRef;

namespace clmali::model {

StmtList Lifter::blockOf(llvm::function_ref<void()> F) {
  StmtList B, Waiting;
  std::swap(Waiting, Pending);
  StmtList *Outer = Out;
  Out = &B;
  F();
  flush();
  Out = Outer;
  std::swap(Waiting, Pending);
  return B;
}

StmtList Lifter::blockOf(const clang::Stmt *S) {
  return blockOf([&] {
    if (S)
      stmt(S);
  });
}

std::string Lifter::newRegion() { return "#" + std::to_string(++Regions); }

void Lifter::leaveRegion(StringRef Id, SourceRange R) {
  emit(StmtKind::Return, R)->Text = Id.str();
}

void Lifter::stmt(const clang::Stmt *S) {
  if (!S)
    return;
  SourceRange R = range(S);
  if (Statements > MaxStatements)
    return;
  if (Statements == MaxStatements) {
    ++Statements;
    return opaqueStmt("too large after inlining", R);
  }
  switch (S->getStmtClass()) {
  case clang::Stmt::NullStmtClass:
    return;
  case clang::Stmt::CompoundStmtClass:
    return compound(llvm::cast<clang::CompoundStmt>(S));
  case clang::Stmt::DeclStmtClass:
    return declStmt(llvm::cast<clang::DeclStmt>(S));
  case clang::Stmt::IfStmtClass:
    return ifStmt(llvm::cast<clang::IfStmt>(S));
  case clang::Stmt::ForStmtClass:
  case clang::Stmt::WhileStmtClass:
  case clang::Stmt::DoStmtClass:
    return loop(S, /*Unroll=*/false);
  case clang::Stmt::AttributedStmtClass: {
    const auto *A = llvm::cast<clang::AttributedStmt>(S);
    bool Unroll = llvm::any_of(A->getAttrs(), [](const clang::Attr *X) {
      return llvm::isa<clang::OpenCLUnrollHintAttr, clang::LoopHintAttr>(X);
    });
    const clang::Stmt *Sub = A->getSubStmt();
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(Sub))
      return loop(Sub, Unroll);
    return stmt(Sub);
  }
  case clang::Stmt::SwitchStmtClass:
    return switchStmt(llvm::cast<clang::SwitchStmt>(S));
  case clang::Stmt::ReturnStmtClass:
    return returnStmt(llvm::cast<clang::ReturnStmt>(S));
  case clang::Stmt::BreakStmtClass:
    if (BreakRegion.empty())
      emit(StmtKind::Break, R);
    else
      leaveRegion(BreakRegion, R);
    return;
  case clang::Stmt::ContinueStmtClass:
    if (ContinueRegion.empty()) {
      emit(StmtKind::Continue, R);
      NeedsContinue = true;
    } else {
      leaveRegion(ContinueRegion, R);
    }
    return;
  case clang::Stmt::GotoStmtClass:
  case clang::Stmt::IndirectGotoStmtClass:
    return opaqueStmt("goto", R);
  case clang::Stmt::LabelStmtClass:
    // A label that nobody goes to is a name for readers.
    if (llvm::cast<clang::LabelStmt>(S)->getDecl()->isUsed())
      opaqueStmt("goto", R);
    return stmt(llvm::cast<clang::LabelStmt>(S)->getSubStmt());
  case clang::Stmt::GCCAsmStmtClass:
  case clang::Stmt::MSAsmStmtClass:
    return opaqueStmt("inline assembly", R);
  case clang::Stmt::CaseStmtClass:
  case clang::Stmt::DefaultStmtClass:
    return opaqueStmt("case label inside a statement", R);
  default:
    if (const auto *E = llvm::dyn_cast<clang::Expr>(S)) {
      if (unsequenced(E))
        return opaqueStmt("unsequenced side effects", R);
      return exprStmt(E);
    }
    return opaqueStmt(S->getStmtClassName(), R);
  }
}

/// The place behind the statement and its semicolon.
static uint32_t endOfStatement(StringRef Text, uint32_t End) {
  size_t I = End;
  while (I < Text.size() && (Text[I] == ' ' || Text[I] == '\t'))
    ++I;
  return I < Text.size() && Text[I] == ';' ? I + 1 : End;
}

void Lifter::compound(const clang::CompoundStmt *CS) {
  Scopes.push_back(CS);
  SourceRange Whole = range(CS);
  bool Comments = Frames.size() == 1 && Whole.isValid() && !CS->getLBracLoc().isMacroID();
  uint32_t At = Whole.Begin + 1;
  for (const clang::Stmt *S : CS->body()) {
    SourceRange R = range(S);
    bool Here = Comments && R.isValid() && R.File == Whole.File && R.Begin >= At;
    size_t Before = Out->size();
    if (Here) {
      for (std::string &C : comments(R.File, At, R.Begin))
        WaitingComments.push_back(std::move(C));
      StringRef Text = M.Files[R.File].Text;
      At = endOfStatement(Text, R.End);
      // A comment on the same line belongs to the statement as well.
      size_t Line = std::min(Text.find('\n', At), size_t(Whole.End - 1));
      StringRef Tail = Text.slice(At, Line).ltrim(" \t");
      if (Tail.starts_with("//") || (Tail.starts_with("/*") && Tail.rtrim().ends_with("*/"))) {
        for (std::string &C : comments(R.File, At, Line))
          WaitingComments.push_back(std::move(C));
        At = Line;
      }
    }
    std::vector<std::string> Own;
    Own.swap(WaitingComments);
    stmt(S);
    if (Out->size() > Before) {
      std::vector<std::string> &To = (*Out)[Before]->Comments;
      To.insert(To.begin(), Own.begin(), Own.end());
    } else { // nothing came of it: the next statement takes them
      WaitingComments.insert(WaitingComments.begin(), Own.begin(), Own.end());
    }
  }
  if (Comments && !Out->empty()) {
    for (std::string &C : comments(Whole.File, At, Whole.End - 1))
      WaitingComments.push_back(std::move(C));
    std::vector<std::string> &Last = Out->back()->Comments;
    Last.insert(Last.end(), WaitingComments.begin(), WaitingComments.end());
    WaitingComments.clear();
  }
  Scopes.pop_back();
}

void Lifter::exprStmt(const ClangExpr *E) {
  E = E->IgnoreParens();
  if (E->containsErrors())
    return unparsedStmt(range(E));
  if (const auto *C = llvm::dyn_cast<clang::CastExpr>(E); C && C->getCastKind() == clang::CK_ToVoid)
    return exprStmt(C->getSubExpr());
  if (const auto *X = llvm::dyn_cast<clang::FullExpr>(E))
    return exprStmt(X->getSubExpr());
  if (const auto *B = llvm::dyn_cast<clang::BinaryOperator>(E)) {
    if (B->isAssignmentOp())
      assign(B, /*Want=*/false);
    else if (B->isCommaOp()) {
      exprStmt(B->getLHS());
      exprStmt(B->getRHS());
    } else {
      expr(E);
    }
  } else if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(E);
             U && U->isIncrementDecrementOp()) {
    increment(U, /*Want=*/false);
  } else if (const auto *C = llvm::dyn_cast<clang::CallExpr>(E)) {
    if (E->getType()->isRecordType())
      structValue(E);
    else if (E->getType()->isPointerType())
      pointer(E);
    else
      call(C, /*Want=*/false);
  } else if (const auto *C = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    conditionalExpr(C);
  } else if (const auto *X = llvm::dyn_cast<clang::StmtExpr>(E)) {
    compound(X->getSubStmt());
  } else if (E->HasSideEffects(Ctx, /*IncludePossibleEffects=*/false)) {
    if (type(E->getType())->isValue())
      expr(E);
    else
      opaqueStmt(E->getStmtClassName(), range(E));
  }
  flush();
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void Lifter::declStmt(const clang::DeclStmt *DS) {
  for (const clang::Decl *D : DS->decls()) {
    if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D))
      localVar(V);
    // types, enumerators and static assertions need nothing
  }
}

void Lifter::localVar(const clang::VarDecl *D) {
  SourceRange R = range(D->getSourceRange());
  Bindings[D] = Binding();
  if (D->isInvalidDecl() || (D->getInit() && D->getInit()->containsErrors())) {
    Bindings[D].K = Binding::Bad;
    Bindings[D].P = Place::bad("text that did not parse");
    return unparsedStmt(R);
  }
  clang::QualType QT = D->getType();
  const Type *T = type(QT);
  const ClangExpr *Init = D->getInit();
  // A structure that nobody asks again, whatever pointers it holds.
  if (T->K == Type::Struct && !D->isReferenced() &&
      QT.getAddressSpace() != clang::LangAS::opencl_local && !(Init && Init->HasSideEffects(Ctx)))
    return;
  AddressSpace AS = AddressSpace::Private;
  switch (QT.getAddressSpace()) {
  case clang::LangAS::opencl_local:
    AS = AddressSpace::Local;
    break;
  case clang::LangAS::opencl_constant:
    AS = AddressSpace::Constant;
    break;
  case clang::LangAS::opencl_global:
    AS = AddressSpace::Global;
    break;
  default:
    break;
  }
  // Someone wants to see each access of it, whatever that may be good for.
  if (QT.isVolatileQualified() && AS == AddressSpace::Private)
    note("volatile variable " + D->getName().str(), R);
  if (T->K == Type::Pointer && AS == AddressSpace::Private)
    return pointerVar(D, Init, nullptr);

  auto Bind = [&](Var *V) {
    V->Spelling = spelling(D);
    DeclOf[V] = D;
    Binding &B = Bindings[D];
    B.K = Binding::Object;
    B.P = placeOf(V, V->Ty);
  };
  const clang::ArrayType *Several = Ctx.getAsArrayType(QT);
  if (isEvent(QT) || (Several && isEvent(Several->getElementType()) &&
                      (!Init || llvm::isa<clang::InitListExpr>(Init)))) {
    const Type *Event = M.other("event_t");
    Var *V = newVar(Var::Temp, D->getName(), Event, R);
    Bind(V);
    emit(StmtKind::Decl, R)->V = V;
    const auto *C = Init ? llvm::dyn_cast<clang::CallExpr>(Init->IgnoreParenCasts()) : nullptr;
    if (isAsyncCopy(C))
      asyncCopy(C, V);
    else if (Init && C)
      opaqueStmt("event", R);
    return;
  }
  if (T->K != Type::Value && T->K != Type::Array && T->K != Type::Struct) {
    Bindings[D].K = Binding::Bad;
    Bindings[D].P = Place::bad(T->K == Type::Other ? T->Name : "variable of an unknown type");
    return opaqueStmt(Bindings[D].P.Why, R);
  }
  if (T->isValue() && AS == AddressSpace::Private && !Learnt.InMemory.contains(D)) {
    const Expr *E = nullptr;
    if (Init && unsequenced(Init)) {
      opaqueStmt("unsequenced side effects", R);
    } else if (Init) {
      E = expr(Init);
      if (!E->Ty->isValue())
        E = nullptr; // opaque, and noted
    }
    Var *V = newVar(Var::Temp, D->getName(), T, R);
    Bind(V);
    Stmt *S = emit(StmtKind::Decl, R);
    S->V = V;
    S->E = E;
    flush();
    return;
  }
  if (AS == AddressSpace::Constant) { // as good as at program scope
    Var *V = newVar(Var::Memory, D->getName(), T, R);
    V->AS = AS;
    Bind(V);
    Stmt *S = emit(StmtKind::Decl, R);
    S->V = V;
    S->Text = sourceText(Init);
    constantValues(D, V);
    return;
  }
  Var *V = newVar(Var::Memory, D->getName(), T, R);
  V->AS = AS;
  // The initialiser may not read what it initialises.
  Bind(V);
  Stmt *S = emit(StmtKind::Decl, R);
  S->V = V;
  if (!Init || AS == AddressSpace::Local)
    return;
  if (QT.isConstQualified() && T->K == Type::Array && constantValues(D, V)) {
    S->Text = sourceText(Init);
    return;
  }
  Place P = Bindings[D].P;
  P.Range = R;
  initialise(P, Init);
  flush();
}

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

/// V's values, if the compiler knows them all.
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

/// Stores the initialiser's values one by one.
void Lifter::initialise(const Place &P, const ClangExpr *Init) {
  if (!Init || llvm::isa<clang::NoInitExpr>(Init))
    return zero(P);
  Init = Init->IgnoreParens();
  SourceRange R = range(Init);
  if (const auto *C = llvm::dyn_cast<clang::CompoundLiteralExpr>(Init))
    Init = C->getInitializer();
  const auto *List = llvm::dyn_cast<clang::InitListExpr>(Init);
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
  auto Element = [&](uint64_t I) {
    Place E = decay(P);
    E.Index.back() = M.intConst(int64_t(I));
    E.Range = R;
    return E;
  };
  if (!List) {
    if (P.Ty->K == Type::Struct) {
      Place From = structValue(Init);
      return copyStruct(P, From, R);
    }
    // char digits[] = "0123456789abcdef";
    const auto *Text = llvm::dyn_cast<clang::StringLiteral>(Init);
    constexpr uint64_t MaxText = 1024;
    if (Text && P.Ty->K == Type::Array && P.Ty->Count <= MaxText && Text->getCharByteWidth() == 1) {
      for (uint64_t I = 0; I < P.Ty->Count; ++I) {
        Place E = Element(I);
        write(E, M.intConst(I < Text->getLength() ? int8_t(Text->getCodeUnit(I)) : 0, E.Ty), R);
      }
      return;
    }
    return opaqueStmt("initialiser", R);
  }
  if (P.Ty->K == Type::Array) {
    uint64_t N = P.Ty->Count, Given = std::min<uint64_t>(List->getNumInits(), N);
    if (N > 4096 && Given > 64)
      return opaqueStmt("large initialiser", R);
    if (Given < N && N > 32) { // zero first, then what is named
      Place All = P;
      All.Range = R;
      zero(All);
    }
    for (uint64_t I = 0; I < Given; ++I)
      initialise(Element(I), List->getInit(I));
    if (Given < N && N <= 32)
      for (uint64_t I = Given; I < N; ++I)
        zero(Element(I));
    return;
  }
  if (P.Ty->isUnion()) {
    const clang::FieldDecl *F = List->getInitializedFieldInUnion();
    zero(P);
    if (F && List->getNumInits())
      initialise(field(P, F), List->getInit(0));
    return;
  }
  if (P.Ty->K == Type::Struct) {
    const auto *RD = Init->getType()->getAsRecordDecl();
    unsigned I = 0;
    for (const clang::FieldDecl *F : RD->fields()) {
      Place Part = field(P, F);
      Part.Range = R;
      if (I < List->getNumInits())
        initialise(Part, List->getInit(I));
      else
        zero(Part);
      ++I;
    }
    return;
  }
  opaqueStmt("initialiser of " + P.Ty->Name, R);
}

/// A pointer variable, or a helper's pointer parameter (Arg is what it is given).
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
  bool Reassigned = F.Modified.contains(D);
  if (!P && P.Why == "null pointer" && !Reassigned) {
    Bindings[D].K = Binding::Bad; // it may be asked whether it is null
    Bindings[D].P = P;
    return;
  }
  if (!P && (Init || Arg)) {
    // `T *p = 0;` and then `p = ...`: what it points to comes later.
    if (!Reassigned || P.Why != "null pointer")
      return Bad(P.Why);
  }
  if (P)
    P = castPointer(P, Pointee, To.isVolatileQualified());
  if (!P && (Init || Arg) && P.Why != "null pointer")
    return Bad(P.Why);
  auto Offset = [&](StringRef Name, const Expr *E) {
    Var *V = newVar(Var::Temp, Name, M.value(ScalarKind::Long), R);
    V->IsPointerOffset = true;
    Stmt *S = emit(StmtKind::Decl, R);
    S->V = V;
    S->E = E;
    return V;
  };
  StringRef Name = D->getName().empty() ? "pointer" : D->getName();
  if (!Reassigned) {
    if (!Init && !Arg)
      return Bad("pointer without a value");
    // What may change meanwhile, or is read from memory, is computed once, here.
    bool Stable = llvm::all_of(P.Index, [&](const Expr *I) { return !I || isStable(I); });
    const Expr *Whole =
        P.K == Place::Memory && !Stable ? offset(P, pointeeSize(D->getType())) : nullptr;
    Binding B;
    B.K = Binding::Pointer;
    if (Whole) {
      Var *Off = Offset(Name, Whole);
      B.P = P;
      Binding Base;
      Base.P = P;
      Base.Off = Off;
      Base.Unit = static_cast<uint32_t>(pointeeSize(D->getType()));
      B.P = pointerVarPlace(Base, Pointee);
    } else {
      for (const Expr *&I : P.Index)
        if (I && !isStable(I))
          I = M.ref(Offset(Name, toLong(I)));
      B.P = P;
    }
    Bindings[D] = B;
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
  B.Off = Offset(Frames.back().IsKernel && Arg ? (Name + "_at").str() : Name.str(), Start);
  Bindings[D] = B;
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

void Lifter::ifStmt(const clang::IfStmt *S) {
  SourceRange R = range(S);
  const Expr *C = condition(S->getCond());
  // `if (0)` and `if (1)` from macros: only what can happen is lifted.
  if (C->K == ExprKind::IntConst) {
    StmtList Taken = blockOf(C->Int ? S->getThen() : S->getElse());
    Out->insert(Out->end(), Taken.begin(), Taken.end());
    return;
  }
  Stmt *If = M.newStmt(StmtKind::If, R);
  ++Statements;
  If->E = C;
  If->Body = blockOf(S->getThen());
  If->Else = blockOf(S->getElse());
  Out->push_back(If);
}

void Lifter::loop(const clang::Stmt *S, bool Unroll) {
  SourceRange R = range(S);
  const auto *For = llvm::dyn_cast<clang::ForStmt>(S);
  const auto *While = llvm::dyn_cast<clang::WhileStmt>(S);
  const auto *Do = llvm::dyn_cast<clang::DoStmt>(S);
  const clang::Stmt *Body = For ? For->getBody() : While ? While->getBody() : Do->getBody();
  const ClangExpr *Cond = For ? For->getCond() : While ? While->getCond() : Do->getCond();

  std::string OuterBreak, OuterContinue;
  std::swap(OuterBreak, BreakRegion);
  std::swap(OuterContinue, ContinueRegion);
  bool OuterNeeds = NeedsContinue;
  NeedsContinue = false;
  auto Restore = [&] {
    BreakRegion = OuterBreak;
    ContinueRegion = OuterContinue;
    NeedsContinue = OuterNeeds;
  };

  // do { ... } while (0): a block, which break and continue leave.
  if (Do) {
    clang::Expr::EvalResult V;
    if (!Cond->isValueDependent() && Cond->EvaluateAsInt(V, Ctx) && V.Val.getInt() == 0) {
      std::string Region = newRegion();
      BreakRegion = ContinueRegion = Region;
      StmtList Once = blockOf(Body);
      structureExits(M, Once, Region, /*InLoops=*/true,
                     [&] { return newVar(Var::Temp, "left", M.value(ScalarKind::Int)); });
      Out->insert(Out->end(), Once.begin(), Once.end());
      return Restore();
    }
  }

  Scopes.push_back(S);
  Stmt *L = M.newStmt(StmtKind::Loop, R);
  ++Statements;
  L->Form = For ? Stmt::For : While ? Stmt::While : Stmt::DoWhile;
  L->UnrollHint = Unroll;
  if (For && For->getInit()) {
    StmtList Init = blockOf(For->getInit());
    bool Simple = llvm::all_of(Init, [](const Stmt *X) {
      return (X->K == StmtKind::Decl && X->V->K == Var::Temp) || X->K == StmtKind::Assign;
    });
    if (Simple)
      L->Init = std::move(Init);
    else
      Out->insert(Out->end(), Init.begin(), Init.end());
  }
  const Expr *C = nullptr;
  StmtList Test = blockOf([&] {
    if (Cond)
      C = condition(Cond);
  });
  // while (1) and for (;;) have no condition.
  if (C && C->K == ExprKind::IntConst && C->Int != 0 && Test.empty())
    C = nullptr;
  L->Body = blockOf(Body);
  bool Continues = NeedsContinue;
  if (For && For->getInc()) {
    StmtList Step = blockOf([&] {
      if (unsequenced(For->getInc()))
        opaqueStmt("unsequenced side effects", range(For->getInc()));
      else
        exprStmt(For->getInc());
    });
    bool Simple = llvm::all_of(Step, [](const Stmt *X) { return X->K == StmtKind::Assign; });
    if (Simple || Continues)
      L->Step = std::move(Step);
    else
      L->Body.insert(L->Body.end(), Step.begin(), Step.end());
  }
  if (Test.empty()) {
    L->E = C;
  } else {
    // before: while (i++ < n) B      after: while () { t = i; i = i + 1; if (!(t < n)) break; B }
    Stmt *Leave = M.newStmt(StmtKind::If, range(Cond));
    Leave->E = at(M.unary(Op::LogicalNot, C), C->Range);
    Leave->Body.push_back(M.newStmt(StmtKind::Break, Leave->Range));
    Test.push_back(Leave);
    if (Do && Continues) {
      opaqueStmt("continue in a loop whose condition has side effects", R);
    } else if (Do) {
      L->Body.insert(L->Body.end(), Test.begin(), Test.end());
      L->Form = Stmt::While;
    } else {
      L->Body.insert(L->Body.begin(), Test.begin(), Test.end());
    }
  }
  Scopes.pop_back();
  Out->push_back(L);
  Restore();
}

void Lifter::switchStmt(const clang::SwitchStmt *S) {
  SourceRange R = range(S);
  const auto *Body = llvm::dyn_cast<clang::CompoundStmt>(S->getBody());
  if (!Body)
    return opaqueStmt("switch without a block", R);
  const Expr *Value = settled(S->getCond());
  if (!Value->Ty->isScalar())
    return opaqueStmt("switch over what is no number", R);

  // The statements of each group of labels.
  struct Group {
    std::vector<const clang::SwitchCase *> Labels;
    std::vector<const clang::Stmt *> Stmts;
    bool Default = false;
    StmtList Lifted;
  };
  std::vector<Group> Groups;
  for (const clang::Stmt *Sub : Body->body()) {
    if (llvm::isa<clang::SwitchCase>(Sub))
      Groups.emplace_back();
    while (const auto *Label = llvm::dyn_cast<clang::SwitchCase>(Sub)) {
      Groups.back().Labels.push_back(Label);
      Groups.back().Default |= llvm::isa<clang::DefaultStmt>(Label);
      Sub = Label->getSubStmt();
    }
    if (Groups.empty()) {
      if (!llvm::isa<clang::DeclStmt>(Sub))
        return opaqueStmt("statement before the first case", R);
      stmt(Sub);
      continue;
    }
    Groups.back().Stmts.push_back(Sub);
  }
  std::string Region = newRegion(), OuterBreak = Region;
  std::swap(OuterBreak, BreakRegion);
  bool FallsThrough = false;
  Scopes.push_back(Body);
  for (Group &G : Groups) {
    G.Lifted = blockOf([&] {
      for (const clang::Stmt *Sub : G.Stmts)
        stmt(Sub);
    });
    if (&G != &Groups.back() && fallsThrough(G.Lifted))
      FallsThrough = true;
  }
  Scopes.pop_back();
  BreakRegion = OuterBreak;
  if (FallsThrough)
    return opaqueStmt("switch that falls through", R);

  // What is tested more than once is computed once, and before the cases change it.
  if (Value->K != ExprKind::IntConst)
    Value = M.ref(temp("choice", Value->Ty, Value, range(S->getCond())));
  StmtList Chain;
  // Built from the back: the default is the last else.
  for (Group &G : Groups)
    if (G.Default)
      Chain = G.Lifted;
  for (auto It = Groups.rbegin(); It != Groups.rend(); ++It) {
    if (It->Default)
      continue;
    const Expr *Test = nullptr;
    for (const clang::SwitchCase *Label : It->Labels) {
      const auto *Case = llvm::cast<clang::CaseStmt>(Label);
      if (Case->getRHS())
        return opaqueStmt("case range", R);
      const Expr *Known = expr(Case->getLHS());
      const Expr *Is = at(M.binary(Op::EQ, Value, M.cast(Known, Value->Ty, /*Implicit=*/true)),
                          range(Case->getLHS()));
      Test = Test ? M.binary(Op::LogicalOr, Test, Is) : Is;
    }
    Stmt *If = M.newStmt(StmtKind::If, range(It->Labels.front()));
    If->E = Test;
    If->Body = std::move(It->Lifted);
    If->Else = std::move(Chain);
    Chain = {If};
  }
  structureExits(M, Chain, Region, /*InLoops=*/true,
                 [&] { return newVar(Var::Temp, "left", M.value(ScalarKind::Int)); });
  Out->insert(Out->end(), Chain.begin(), Chain.end());
}

void Lifter::returnStmt(const clang::ReturnStmt *S) {
  SourceRange R = range(S);
  Frame &F = Frames.back();
  std::string Region = F.Region;
  Place Result = F.Result;
  if (const ClangExpr *E = S->getRetValue()) {
    if (unsequenced(E)) {
      opaqueStmt("unsequenced side effects", R);
    } else if (E->getType()->isVoidType()) {
      exprStmt(E);
    } else if (E->getType()->isRecordType()) {
      copyStruct(Result, structValue(E), R);
    } else if (E->getType()->isPointerType()) {
      // Known only for a helper that returns once, at its end (inlineCall).
      Place P = pointer(E);
      size_t Mark = Out->size();
      flush();
      protect(P, Mark);
      Frames.back().Result = P;
    } else {
      const Expr *V = expr(E);
      if (V->Ty->isValue() && Result)
        write(Result, V, R);
    }
    flush();
  }
  leaveRegion(Region, R);
}

} // namespace clmali::model
