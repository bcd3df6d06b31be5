//===-- checks/model/host/values/Flow.cpp - Where host variables are written ------===//

#include "checks/model/host/values/Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

const Expr *plain(const Expr *E) {
  while (E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *X = dyn_cast<ExprWithCleanups>(E))
      E = X->getSubExpr();
    else if (const auto *X = dyn_cast<ParenListExpr>(E);
             X && X->getNumExprs() == 1) // T x(y) in a template
      E = X->getExpr(0);
    else if (const auto *X = dyn_cast<MaterializeTemporaryExpr>(E))
      E = X->getSubExpr();
    else if (const auto *X = dyn_cast<CXXBindTemporaryExpr>(E))
      E = X->getSubExpr();
    else if (const auto *X = dyn_cast<CXXDefaultArgExpr>(E))
      E = X->getExpr();
    else if (const auto *X = dyn_cast<CXXDefaultInitExpr>(E))
      E = X->getExpr();
    else if (const auto *X = dyn_cast<CXXFunctionalCastExpr>(E); X && X->getType()->isRecordType())
      E = X->getSubExpr();
    else if (const auto *X = dyn_cast<CXXConstructExpr>(E);
             X && X->getNumArgs() >= 1 && X->getConstructor()->isCopyOrMoveConstructor())
      E = X->getArg(0);
    else if (const auto *X = dyn_cast<InitListExpr>(E);
             X && X->getNumInits() == 1 && X->getType()->isRecordType() &&
             X->getInit(0)->getType().getCanonicalType().getUnqualifiedType() ==
                 X->getType().getCanonicalType().getUnqualifiedType())
      E = X->getInit(0);
    else
      return E;
  }
  return E;
}

const ValueDecl *declOf(const Expr *E) {
  E = plain(E);
  if (!E)
    return nullptr;
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    return dyn_cast<ValueDecl>(R->getDecl()->getCanonicalDecl());
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return dyn_cast<ValueDecl>(M->getMemberDecl()->getCanonicalDecl());
  return nullptr;
}

const FunctionDecl *calleeOf(const CallExpr *C) {
  if (const FunctionDecl *F = C->getDirectCallee())
    return F;
  // In a template, where types depend on its arguments, the name is looked up again later: what it
  // may be now.
  SmallVector<const FunctionDecl *, 4> May;
  auto Add = [&](const NamedDecl *D) {
    if (const FunctionDecl *F = D->getUnderlyingDecl()->getAsFunction())
      May.push_back(F);
  };
  const Expr *Callee = C->getCallee()->IgnoreParenImpCasts();
  if (const auto *Names = dyn_cast<OverloadExpr>(Callee))
    for (const NamedDecl *D : Names->decls())
      Add(D);
  else if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(Callee);
           M && !M->getBaseType().isNull()) { // this->step(n)
    QualType T = M->getBaseType();
    if (const auto *P = T->getAs<clang::PointerType>())
      T = P->getPointeeType();
    if (const auto *Own = T->getAs<InjectedClassNameType>())
      for (const NamedDecl *D : Own->getDecl()->lookup(M->getMember()))
        Add(D);
  }
  if (May.size() == 1)
    return May.front();
  // Overloads are told apart by how much they take.
  llvm::erase_if(May, [&](const FunctionDecl *F) {
    return F->getMinRequiredArguments() > C->getNumArgs() ||
           (F->getNumParams() < C->getNumArgs() && !F->isVariadic());
  });
  return May.size() == 1 ? May.front() : nullptr;
}

/// What a call calls; of an object that can be called (a member of what is unknown), that object.
static const Expr *called(const Stmt *Call) {
  const Expr *X = nullptr;
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Call);
      Op && Op->getOperator() == OO_Call && Op->getNumArgs())
    X = Op->getArg(0);
  else if (const auto *C = dyn_cast<CallExpr>(Call))
    X = C->getCallee();
  else if (const auto *R = dyn_cast<RecoveryExpr>(Call); R && !R->subExpressions().empty())
    X = R->subExpressions().front();
  return X ? X->IgnoreParenImpCasts() : nullptr;
}

const ValueDecl *calledObject(const Stmt *Call) {
  const Expr *X = called(Call), *Object = nullptr;
  if (const auto *M = dyn_cast_or_null<MemberExpr>(X))
    Object = M->getBase();
  else if (const auto *M = dyn_cast_or_null<UnresolvedMemberExpr>(X); M && !M->isImplicitAccess())
    Object = M->getBase();
  else if (const auto *M = dyn_cast_or_null<CXXDependentScopeMemberExpr>(X);
           M && !M->isImplicitAccess())
    Object = M->getBase();
  // (*queue).finish(); queue->finish() of what is unknown
  if (Object)
    if (const auto *U = dyn_cast<UnaryOperator>(Object->IgnoreParenImpCasts());
        U && U->getOpcode() == UO_Deref)
      Object = U->getSubExpr();
  if (Object)
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Object->IgnoreParenImpCasts());
        Op &&
        (Op->getOperator() == OO_Arrow || (Op->getOperator() == OO_Star && Op->getNumArgs() == 1)))
      Object = Op->getArg(0);
  return Object ? declOf(Object) : nullptr;
}

StringRef calledName(const Stmt *Call) {
  const Expr *X = called(Call);
  DeclarationName Name;
  if (const auto *M = dyn_cast_or_null<MemberExpr>(X))
    Name = M->getMemberDecl()->getDeclName();
  else if (const auto *R = dyn_cast_or_null<DeclRefExpr>(X))
    Name = R->getDecl()->getDeclName();
  else if (const auto *O = dyn_cast_or_null<OverloadExpr>(X))
    Name = O->getName();
  else if (const auto *M = dyn_cast_or_null<CXXDependentScopeMemberExpr>(X))
    Name = M->getMember();
  return Name.isIdentifier() && Name.getAsIdentifierInfo() ? Name.getAsIdentifierInfo()->getName()
                                                           : StringRef();
}

/// A function's definition, of a template the pattern.
static const FunctionDecl *key(const FunctionDecl *F) {
  if (!F)
    return nullptr;
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  return F->getCanonicalDecl();
}

/// A copy of the bindings for C++, whatever it is called.
static bool isBindings(FileEntryRef File, const SourceManager &SM, FileID ID) {
  StringRef Name = sys::path::filename(File.getName());
  if (StringSwitch<bool>(Name).Cases("cl.hpp", "cl2.hpp", "opencl.hpp", true).Default(false))
    return true;
  if (File.getSize() < 100000) // they are large
    return false;
  thread_local StringMap<bool> Known;
  std::string Key =
      (File.getName() + ":" + Twine(File.getSize()) + ":" + Twine(File.getModificationTime()))
          .str();
  auto [At, New] = Known.try_emplace(Key, false);
  if (New) {
    StringRef Text = SM.getBufferData(ID);
    At->second = Text.contains("namespace cl {") && Text.contains("class CommandQueue") &&
                 Text.contains("GET_DEVICE_INFO_ERR");
  }
  return At->second;
}

bool isUsers(const Decl *D, const SourceManager &SM) {
  SourceLocation L = SM.getExpansionLoc(D->getLocation());
  if (L.isInvalid())
    return true;
  if (SM.isInSystemHeader(L))
    return false;
  FileID ID = SM.getFileID(L);
  if (ID == SM.getMainFileID())
    return true;
  OptionalFileEntryRef File = SM.getFileEntryRefForID(ID);
  return !File || !isBindings(*File, SM, ID);
}

/// Of a call before the definition, of what was a member of a class that is missing: its name,
/// which stands for anything.
static StringRef guessedName(const CallExpr *C, const SourceManager &SM) {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(C);
  const auto *R = Op && Op->getOperator() == OO_Call && Op->getNumArgs()
                      ? dyn_cast<DeclRefExpr>(Op->getArg(0)->IgnoreParenImpCasts())
                      : nullptr;
  if (!R || !R->getDecl()->getDeclName().isIdentifier())
    return "";
  PresumedLoc At = SM.getPresumedLoc(SM.getExpansionLoc(R->getDecl()->getLocation()));
  return At.isValid() && StringRef(At.getFilename()) == MissingNamesFile ? R->getDecl()->getName()
                                                                         : StringRef();
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

class FlowCollector : public RecursiveASTVisitor<FlowCollector> {
public:
  explicit FlowCollector(HostFlow &Flow) : Flow(Flow), Ctx(Flow.Ctx), SM(Ctx.getSourceManager()) {}

  bool TraverseDecl(Decl *D) {
    if (D && !isa<TranslationUnitDecl>(D) && !isa<NamespaceDecl>(D) && !isa<LinkageSpecDecl>(D) &&
        !isUsers(D, SM))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody() && F->getBody()) {
      Flow.Bodies[F->getBody()] = F;
      link(F->getBody());
      if (!isa<CXXMethodDecl>(F) && F->getDeclName().isIdentifier() &&
          SM.isInMainFile(SM.getExpansionLoc(F->getLocation())))
        Flow.Defined[F->getName()].push_back(F);
    }
    if (const auto *C = dyn_cast<CXXConstructorDecl>(F); C && C->doesThisDeclarationHaveABody())
      for (const CXXCtorInitializer *I : C->inits())
        if (I->isWritten() && I->getAnyMember() && I->getInit()) {
          link(I->getInit());
          Flow.Bodies[I->getInit()] = F;
          add(I->getAnyMember(),
              {HostWrite::Assign, nullptr, I->getInit(), std::nullopt, BO_Assign});
        }
    return true;
  }

  bool VisitCXXMethodDecl(CXXMethodDecl *F) {
    for (const CXXMethodDecl *Base : F->overridden_methods())
      if (F->isFirstDecl())
        Flow.Overriders[key(Base)].push_back(F);
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *L) {
    if (L->getBody() && L->getCallOperator())
      Flow.Bodies[L->getBody()] = L->getCallOperator();
    return true;
  }

  bool VisitFieldDecl(FieldDecl *D) {
    if (const Expr *Init = D->getInClassInitializer()) {
      link(Init);
      add(D, {HostWrite::Start, nullptr, Init, std::nullopt, BO_Assign});
    }
    return true;
  }

  bool VisitVarDecl(VarDecl *D) {
    if (isa<ParmVarDecl>(D))
      return true;
    if (!D->isLocalVarDecl() || D->isStaticLocal()) {
      if (const Expr *Init = D->getInit()) {
        if (!D->isLocalVarDecl())
          link(Init);
        add(D, {HostWrite::Start, nullptr, Init, std::nullopt, BO_Assign});
      }
    }
    if (D->getType()->isReferenceType() && D->getInit() &&
        !D->getType()->getPointeeType().isConstQualified())
      keep(D->getInit());
    return true;
  }

  bool VisitDeclStmt(DeclStmt *S) {
    for (Decl *One : S->decls())
      if (auto *D = dyn_cast<VarDecl>(One); D && D->isLocalVarDecl() && !D->isStaticLocal()) {
        const Expr *Init = D->getInit();
        add(D, {HostWrite::Start, Init ? static_cast<const Stmt *>(Init) : S, Init, std::nullopt,
                BO_Assign});
      }
    return true;
  }

  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) {
    if (VarDecl *D = S->getLoopVariable())
      add(D, {HostWrite::Unknown, S->getBody(), nullptr, std::nullopt, BO_Assign});
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *B) {
    if (!B->isAssignmentOp())
      return true;
    const Expr *Left = B->getLHS()->IgnoreParenImpCasts();
    HostWrite W;
    W.At = B;
    W.Value = B->getRHS();
    W.K = B->getOpcode() == BO_Assign ? HostWrite::Assign : HostWrite::Compound;
    if (W.K == HostWrite::Compound)
      W.Op = BinaryOperator::getOpForCompoundAssignment(B->getOpcode());
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Left)) {
      const ValueDecl *D = declOf(Sub->getBase());
      if (!D)
        return true;
      if (!element(Sub->getIdx(), W.Element))
        W = {HostWrite::Unknown, B, nullptr, std::nullopt, BO_Assign};
      add(D, W);
      return true;
    }
    if (const ValueDecl *D = declOf(Left))
      add(D, W);
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp()) {
      const Expr *X = U->getSubExpr()->IgnoreParenImpCasts();
      HostWrite W{HostWrite::Step, U, nullptr, std::nullopt, U->isIncrementOp() ? BO_Add : BO_Sub};
      if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(X)) {
        if (!element(Sub->getIdx(), W.Element))
          W.K = HostWrite::Unknown;
        X = Sub->getBase();
      }
      if (const ValueDecl *D = declOf(X))
        add(D, W);
    }
    return true;
  }

  bool VisitRecoveryExpr(RecoveryExpr *R) {
    enqueues(R);
    return true;
  }

  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *F = calleeOf(C);
    if (F && isUsers(F, SM))
      Flow.Calls[key(F)].push_back(C);
    if (StringRef InferredMacros = guessedName(C, SM); !InferredMacros.empty())
      Flow.GuessedCalls[InferredMacros].push_back(C);
    bool Named = F && F->getDeclName().isIdentifier();
    StringRef Name = Named ? F->getName() : "";
    enqueues(C);
    if (StringSwitch<bool>(Name)
            .Cases("sprintf", "snprintf", "strcpy", "strncpy", true)
            .Default(false) &&
        C->getNumArgs() >= 2) {
      if (const ValueDecl *D = declOf(C->getArg(0))) {
        add(D, {HostWrite::Format, C, C, std::nullopt, BO_Assign});
        return true;
      }
      // sprintf(s + strlen(s), ...) adds.
      if (const auto *B = dyn_cast<BinaryOperator>(C->getArg(0)->IgnoreParenImpCasts());
          B && B->getOpcode() == BO_Add)
        if (const ValueDecl *D = declOf(B->getLHS())) {
          add(D, {HostWrite::Append, C, C, std::nullopt, BO_Assign});
          return true;
        }
    }
    if (StringSwitch<bool>(Name).Cases("strcat", "strncat", true).Default(false) &&
        C->getNumArgs() >= 2)
      if (const ValueDecl *D = declOf(C->getArg(0))) {
        add(D, {HostWrite::Append, C, C->getArg(1), std::nullopt, BO_Assign});
        return true;
      }
    unsigned First = 0;
    if (auto *Op = dyn_cast<CXXOperatorCallExpr>(C)) {
      if (operatorCall(Op))
        return true;
      First = F && isa<CXXMethodDecl>(F) ? 1 : 0;
    }
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(C))
      memberCall(M, Name);
    // Of a pointer to a function, its type says what is written through.
    const FunctionProtoType *Proto = nullptr;
    if (QualType T = C->getCallee()->getType(); !F && !T.isNull() && T->isFunctionPointerType())
      Proto = T->getPointeeType()->getAs<FunctionProtoType>();
    auto Formal = [&](unsigned I) {
      return F && I < F->getNumParams()           ? F->getParamDecl(I)->getType()
             : Proto && I < Proto->getNumParams() ? Proto->getParamType(I)
                                                  : QualType();
    };
    for (unsigned I = First; I < C->getNumArgs(); ++I)
      passed(C->getArg(I), Formal(I - First), C);
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *C) {
    const CXXConstructorDecl *F = C->getConstructor();
    for (unsigned I = 0; I < C->getNumArgs() && I < F->getNumParams(); ++I)
      if (QualType T = F->getParamDecl(I)->getType();
          T->isLValueReferenceType() || T->isPointerType())
        passed(C->getArg(I), T, C);
    if (!C->isElidable() && F->isUserProvided() && !F->isCopyOrMoveConstructor() && isUsers(F, SM))
      Flow.Constructions[key(F)].push_back(C);
    return true;
  }

  void finish() {
    for (auto &[D, List] : Flow.Written)
      llvm::stable_sort(
          List, [&](const HostWrite &A, const HostWrite &B) { return place(A) < place(B); });
  }

private:
  HostFlow &Flow;
  ASTContext &Ctx;
  SourceManager &SM;

  unsigned place(const HostWrite &W) const {
    const Stmt *S = W.Value ? W.Value : W.At;
    if (!S)
      return 0;
    // `s << a << b` begins where s stands, for both.
    return SM.getFileOffset(SM.getExpansionLoc(S->getBeginLoc())) + 1;
  }

  void add(const ValueDecl *D, HostWrite W) {
    // `T x(a, b)` in a template is no value of any type yet.
    if (const auto *List = dyn_cast_or_null<ParenListExpr>(W.Value))
      W.Value = List->getNumExprs() == 1 ? List->getExpr(0) : nullptr;
    Flow.Written[cast<ValueDecl>(D->getCanonicalDecl())].push_back(W);
  }

  void link(const Stmt *S) {
    for (const Stmt *Child : S->children())
      if (Child) {
        Flow.Parents[Child] = S;
        link(Child);
      }
    // What a declaration initialises with is not among the children of all nodes.
    if (const auto *L = dyn_cast<InitListExpr>(S))
      if (const InitListExpr *Semantic = L->getSemanticForm())
        for (const Expr *E : Semantic->inits())
          if (E && Flow.Parents.try_emplace(E, S).second)
            link(E);
  }

  bool element(const Expr *Index, std::optional<uint64_t> &To) {
    Expr::EvalResult R;
    if (Index->isValueDependent() || !Index->EvaluateAsInt(R, Ctx))
      return false;
    To = R.Val.getInt().getZExtValue();
    return true;
  }

  /// Somebody has its address for longer than a call.
  void keep(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      E = Sub->getBase();
    if (const ValueDecl *D = declOf(E))
      Flow.Escaped.insert(D);
  }

  /// A is given to a parameter that may be written through.
  void passed(const Expr *A, QualType Formal, const Stmt *At) {
    A = A->IgnoreParenCasts();
    if (!Formal.isNull() &&
        !((Formal->isPointerType() || Formal->isReferenceType()) &&
          !Formal->getPointeeType().isConstQualified() && !Formal->isRValueReferenceType()))
      return;
    const Expr *X = nullptr;
    std::optional<uint64_t> Element;
    if (const auto *U = dyn_cast<UnaryOperator>(A); U && U->getOpcode() == UO_AddrOf)
      X = U->getSubExpr()->IgnoreParenImpCasts();
    else if (A->getType()->isArrayType() || (!Formal.isNull() && Formal->isReferenceType()))
      X = A;
    if (!X)
      return;
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(X)) {
      if (!element(Sub->getIdx(), Element))
        Element = std::nullopt;
      X = Sub->getBase();
    }
    if (const ValueDecl *D = declOf(X))
      add(D, {HostWrite::Unknown, At, nullptr, Element, BO_Assign});
  }

  /// a = b, a += b, a << b of classes. True: nothing is left to do.
  void enqueues(const Stmt *Call) {
    if (StringRef Name = calledName(Call);
        Name.starts_with("enqueue") && Name.size() > 7 && isUpper(Name[7]))
      if (const ValueDecl *D = calledObject(Call))
        Flow.Queues.insert(D);
  }

  bool operatorCall(const CXXOperatorCallExpr *C) {
    if (C->getNumArgs() != 2)
      return false;
    OverloadedOperatorKind Op = C->getOperator();
    const Expr *Left = C->getArg(0);
    if (Op == OO_LessLess) {
      while (const auto *Inner = dyn_cast<CXXOperatorCallExpr>(plain(Left))) {
        if (Inner->getOperator() != OO_LessLess || Inner->getNumArgs() != 2)
          break;
        Left = Inner->getArg(0);
      }
    }
    if (Op != OO_Equal && Op != OO_PlusEqual && Op != OO_LessLess)
      return false;
    HostWrite W{Op == OO_Equal ? HostWrite::Assign : HostWrite::Append, C, C->getArg(1),
                std::nullopt, BO_Assign};
    const Expr *To = plain(Left);
    if (const auto *Sub = dyn_cast<CXXOperatorCallExpr>(To);
        Sub && Sub->getOperator() == OO_Subscript && Sub->getNumArgs() == 2) {
      if (!element(Sub->getArg(1), W.Element))
        W = {HostWrite::Unknown, C, nullptr, std::nullopt, BO_Assign};
      To = Sub->getArg(0);
    } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(To)) {
      if (!element(Sub->getIdx(), W.Element))
        W = {HostWrite::Unknown, C, nullptr, std::nullopt, BO_Assign};
      To = Sub->getBase();
    }
    if (const ValueDecl *D = declOf(To)) {
      add(D, W);
      return true;
    }
    return false;
  }

  void memberCall(const CXXMemberCallExpr *C, StringRef Name) {
    const CXXMethodDecl *Method = C->getMethodDecl();
    const Expr *Object = C->getImplicitObjectArgument();
    const ValueDecl *D = Object && Method && !Method->isConst() ? declOf(Object) : nullptr;
    if (!D)
      return;
    if (Name == "append" && C->getNumArgs() == 1)
      add(D, {HostWrite::Append, C, C->getArg(0), std::nullopt, BO_Assign});
    else if (Name == "assign" && C->getNumArgs() == 1)
      add(D, {HostWrite::Assign, C, C->getArg(0), std::nullopt, BO_Assign});
    else if (StringSwitch<bool>(Name)
                 .Cases("push_back", "emplace_back", "resize", "clear", "insert", "erase",
                        "pop_back", true)
                 .Cases("swap", "str", "fill", true)
                 .Default(false))
      add(D, {HostWrite::Unknown, C, nullptr, std::nullopt, BO_Assign});
  }
};

void HostFlow::collect(Decl *D) {
  FlowCollector C(*this);
  C.TraverseDecl(D);
  C.finish();
}

ArrayRef<HostWrite> HostFlow::writes(const ValueDecl *D) const {
  if (!D)
    return {};
  auto At = Written.find(cast<ValueDecl>(D->getCanonicalDecl()));
  return At == Written.end() ? ArrayRef<HostWrite>() : ArrayRef<HostWrite>(At->second);
}

ArrayRef<const CallExpr *> HostFlow::callsOf(const FunctionDecl *F) const {
  auto At = Calls.find(key(F));
  return At == Calls.end() ? ArrayRef<const CallExpr *>() : ArrayRef<const CallExpr *>(At->second);
}

SmallVector<const FunctionDecl *, 4> HostFlow::bodiesOf(const FunctionDecl *F) const {
  SmallVector<const FunctionDecl *, 4> Result;
  if (!F)
    return Result;
  const FunctionDecl *Definition = nullptr;
  if (F->hasBody(Definition))
    Result.push_back(Definition);
  if (auto At = Overriders.find(key(F)); At != Overriders.end())
    for (const FunctionDecl *One : At->second)
      llvm::append_range(Result, bodiesOf(One));
  return Result;
}

SmallVector<const FunctionDecl *, 4> HostFlow::bodiesOf(const CallExpr *C) const {
  if (const FunctionDecl *F = calleeOf(C); F && !isa<CXXOperatorCallExpr>(C))
    return bodiesOf(F);
  if (auto At = Defined.find(guessedName(C, Ctx.getSourceManager())); At != Defined.end())
    return SmallVector<const FunctionDecl *, 4>(At->second.begin(), At->second.end());
  return bodiesOf(calleeOf(C));
}

SmallVector<const Expr *, 8> HostFlow::runsOf(const FunctionDecl *F) const {
  SmallVector<const Expr *, 8> Result;
  if (!F)
    return Result;
  llvm::append_range(Result, callsOf(F));
  if (auto At = Constructions.find(key(F)); At != Constructions.end())
    llvm::append_range(Result, At->second);
  if (!isa<CXXMethodDecl>(F) && F->getDeclName().isIdentifier())
    if (auto At = GuessedCalls.find(F->getName()); At != GuessedCalls.end())
      llvm::append_range(Result, At->second);
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F))
    for (const CXXMethodDecl *Base : Method->overridden_methods())
      llvm::append_range(Result, runsOf(Base));
  return Result;
}

std::vector<const FunctionDecl *> HostFlow::functions() const {
  std::vector<const FunctionDecl *> Result;
  DenseSet<const FunctionDecl *> Seen;
  for (const auto &[Body, F] : Bodies)
    if (Seen.insert(F).second)
      Result.push_back(F);
  const SourceManager &SM = Ctx.getSourceManager();
  llvm::sort(Result, [&](const FunctionDecl *A, const FunctionDecl *B) {
    SourceLocation X = SM.getExpansionLoc(A->getLocation()),
                   Y = SM.getExpansionLoc(B->getLocation());
    return X != Y ? SM.isBeforeInTranslationUnit(X, Y) : A->getID() < B->getID();
  });
  return Result;
}

void HostFlow::forEachRun(function_ref<void(const FunctionDecl *, const Expr *)> Then) const {
  for (const auto &[F, List] : Calls)
    for (const CallExpr *C : List)
      Then(F, C);
  for (const auto &[F, List] : Constructions)
    for (const Expr *C : List)
      Then(F, C);
}

void HostFlow::forEachGuessed(function_ref<void(StringRef, const Expr *)> Then) const {
  for (const auto &Entry : GuessedCalls)
    for (const Expr *C : Entry.second)
      Then(Entry.first(), C);
}

bool HostFlow::isInside(const Stmt *S, const Stmt *Outer) const {
  for (; S; S = parent(S))
    if (S == Outer)
      return true;
  return false;
}

const FunctionDecl *HostFlow::functionOf(const Stmt *S) const {
  for (; S; S = parent(S))
    if (auto At = Bodies.find(S); At != Bodies.end())
      return At->second;
  return nullptr;
}

bool HostFlow::isLoop(const Stmt *S) const {
  if (const auto *D = dyn_cast<DoStmt>(S)) {
    Expr::EvalResult R;
    // `do { ... } while (0)` is how macros are made.
    return D->getCond()->isValueDependent() || !D->getCond()->EvaluateAsInt(R, Ctx) ||
           R.Val.getInt().getBoolValue();
  }
  return isa<ForStmt, WhileStmt, CXXForRangeStmt>(S);
}

/// The call of std::for_each or the like that runs a lambda's body again and again; null: it is no
/// such lambda's.
static const Stmt *algorithmAround(const Stmt *Body, const HostFlow &Flow) {
  const auto *L = dyn_cast_or_null<LambdaExpr>(Flow.parent(Body));
  for (const Stmt *P = L ? Flow.parent(L) : nullptr; P; P = Flow.parent(P)) {
    if (isa<CallExpr>(P))
      return StringSwitch<const Stmt *>(calledName(P))
          .Cases("for_each", "for_each_n", "transform", "generate", "generate_n", P)
          .Cases("parallel_for", "parallel_for_each", "parallelFor", "parallel_for_", P)
          .Default(nullptr);
    if (!isa<ImplicitCastExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr, CXXConstructExpr,
             ParenExpr>(P))
      return nullptr;
  }
  return nullptr;
}

const Stmt *HostFlow::loopAround(const Stmt *S) const {
  for (const Stmt *P = parent(S); P; S = P, P = parent(P)) {
    if (Bodies.count(S))
      return algorithmAround(S, *this);
    if (!isLoop(P))
      continue;
    // What runs once, before it.
    if (const auto *F = dyn_cast<ForStmt>(P); F && F->getInit() == S)
      continue;
    if (const auto *F = dyn_cast<CXXForRangeStmt>(P); F && F->getBody() != S)
      continue;
    return P;
  }
  return nullptr;
}

static bool speaksOfInput(const Stmt *S) {
  if (!S)
    return false;
  if (const auto *R = dyn_cast<DeclRefExpr>(S)) {
    if (R->getDecl()->getDeclName().isIdentifier()) {
      StringRef Name = R->getDecl()->getName();
      if (StringSwitch<bool>(Name)
              .Cases("argc", "argv", "optarg", "getenv", "getopt", "getopt_long", true)
              .Cases("atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoull", "strtoll",
                     "strtod", true)
              .Cases("stoi", "stol", "stoul", "stoull", "stoll", "sscanf", "scanf", "cin", true)
              .Default(false))
        return true;
    }
  }
  return any_of(S->children(), [](const Stmt *C) { return speaksOfInput(C); });
}

bool HostFlow::isInput(const Stmt *E) const {
  if (speaksOfInput(E))
    return true;
  for (const Stmt *P = parent(E); P; P = parent(P)) {
    if (const auto *I = dyn_cast<IfStmt>(P); I && speaksOfInput(I->getCond()))
      return true;
    if (const auto *W = dyn_cast<WhileStmt>(P); W && speaksOfInput(W->getCond()))
      return true;
    if (const auto *F = dyn_cast<ForStmt>(P); F && speaksOfInput(F->getCond()))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Which writes reach
//===----------------------------------------------------------------------===//

namespace {

/// Does control never come out behind S?
bool leaves(const Stmt *S) {
  if (!S)
    return false;
  if (const auto *C = dyn_cast<CompoundStmt>(S))
    return !C->body_empty() && leaves(C->body_back());
  if (isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(S))
    return true;
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return false;
  E = plain(E);
  if (isa<CXXThrowExpr>(E))
    return true;
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = C ? calleeOf(C) : nullptr;
  return F && (F->isNoReturn() || (F->getDeclName().isIdentifier() &&
                                   StringSwitch<bool>(F->getName())
                                       .Cases("exit", "abort", "_Exit", "quick_exit", true)
                                       .Default(false)));
}

class Walk {
public:
  using Condition = function_ref<std::optional<bool>(const Expr *)>;
  Walk(const HostFlow &Flow, ArrayRef<const HostWrite *> All, const ValueDecl *D, Condition Cond)
      : Flow(Flow), All(All), D(D), Cond(Cond) {}
  HostFlow::Reach Result;

  void up(const Stmt *Use) {
    const Stmt *At = Use;
    for (const Stmt *P = Flow.parent(At); P; At = P, P = Flow.parent(P)) {
      if (before(P, At))
        return;
      if (const auto *Param = dyn_cast<ParmVarDecl>(D))
        if (const FunctionDecl *F = Flow.functionOf(P);
            F && Param->getDeclContext() == F && !Flow.parent(P))
          break;
    }
    Result.Entry = true;
  }

private:
  const HostFlow &Flow;
  ArrayRef<const HostWrite *> All;
  const ValueDecl *D;
  Condition Cond;

  SmallVector<const HostWrite *, 4> inside(const Stmt *S) const {
    SmallVector<const HostWrite *, 4> List;
    for (const HostWrite *W : All)
      if (W->At && Flow.isInside(W->At, S))
        List.push_back(W);
    return List;
  }
  void may(const Stmt *S) {
    if (S)
      for (const HostWrite *W : inside(S))
        if (!is_contained(Result.May, W))
          Result.May.push_back(W);
  }

  /// What P runs before its child At. True: the search ends.
  bool before(const Stmt *P, const Stmt *At) {
    if (isa<CompoundStmt>(P) || isa<DeclStmt>(P)) {
      const Stmt *Up = Flow.parent(P);
      bool InSwitch = Up && isa<SwitchStmt>(Up);
      SmallVector<const Stmt *, 16> Earlier;
      for (const Stmt *C : P->children()) {
        if (C == At)
          break;
        if (C)
          Earlier.push_back(C);
      }
      for (const Stmt *S : reverse(Earlier)) {
        if (InSwitch)
          may(S);
        else if (sequential(S))
          return true;
      }
      return false;
    }
    if (const auto *F = dyn_cast<ForStmt>(P)) {
      if (At == F->getInit())
        return false;
      may(F->getCond());
      may(F->getInc());
      may(F->getBody());
      return F->getInit() && sequential(F->getInit());
    }
    if (const auto *F = dyn_cast<CXXForRangeStmt>(P)) {
      if (At != F->getBody())
        return false;
      if (F->getLoopVariable() && F->getLoopVariable()->getCanonicalDecl() == D) {
        for (const HostWrite *W : All)
          if (W->At == F->getBody())
            Result.Must = W;
        return Result.Must != nullptr;
      }
      may(F->getBody());
      return false;
    }
    if (Flow.isLoop(P)) {
      may(P);
      return false;
    }
    if (const auto *I = dyn_cast<IfStmt>(P)) {
      if (At == I->getThen() || At == I->getElse()) {
        if (I->getCond() && sequential(I->getCond()))
          return true;
        return I->getInit() && sequential(I->getInit());
      }
      return false;
    }
    if (const auto *T = dyn_cast<CXXTryStmt>(P)) {
      if (At != T->getTryBlock())
        may(T->getTryBlock());
      return false;
    }
    if (const auto *B = dyn_cast<BinaryOperator>(P);
        B && At == B->getRHS() && (B->isLogicalOp() || B->getOpcode() == BO_Comma))
      return sequential(B->getLHS());
    return false;
  }

  /// S ran as a whole before. True: it always writes.
  bool sequential(const Stmt *S) {
    SmallVector<const HostWrite *, 4> Ws = inside(S);
    if (Ws.empty())
      return false;
    if (const auto *C = dyn_cast<CompoundStmt>(S)) {
      SmallVector<const Stmt *, 16> Body(C->body_begin(), C->body_end());
      for (const Stmt *X : reverse(Body))
        if (sequential(X))
          return true;
      return false;
    }
    if (const auto *I = dyn_cast<IfStmt>(S)) {
      std::optional<bool> Known = I->getCond() ? Cond(I->getCond()) : std::nullopt;
      if (Known) {
        const Stmt *Branch = *Known ? I->getThen() : I->getElse();
        if (Branch && sequential(Branch))
          return true;
      } else {
        // A branch that leaves does not come here.
        if (!leaves(I->getThen()))
          may(I->getThen());
        if (I->getElse() && !leaves(I->getElse()))
          may(I->getElse());
      }
      return sequential(I->getCond());
    }
    if (const auto *F = dyn_cast<ForStmt>(S)) {
      may(F->getBody());
      may(F->getInc());
      may(F->getCond());
      return F->getInit() && sequential(F->getInit());
    }
    if (const auto *Do = dyn_cast<DoStmt>(S); Do && !Flow.isLoop(S))
      return sequential(Do->getBody());
    if (const auto *T = dyn_cast<CXXTryStmt>(S))
      return sequential(T->getTryBlock());
    if (isa<WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(S)) {
      may(S);
      return false;
    }
    if (const auto *L = dyn_cast<LabelStmt>(S))
      return sequential(L->getSubStmt());
    // An expression or a declaration: the last one that is always evaluated.
    for (const HostWrite *W : reverse(Ws)) {
      bool Sometimes = false;
      const Stmt *Below = W->At;
      for (const Stmt *P = Flow.parent(Below); P && Below != S; Below = P, P = Flow.parent(P)) {
        if (const auto *C = dyn_cast<ConditionalOperator>(P))
          Sometimes |= Below != C->getCond();
        else if (const auto *B = dyn_cast<BinaryOperator>(P))
          Sometimes |= B->isLogicalOp() && Below == B->getRHS();
        else if (isa<LambdaExpr>(P) || isa<IfStmt>(P) || Flow.isLoop(P))
          Sometimes = true;
      }
      if (Sometimes) {
        if (!is_contained(Result.May, W))
          Result.May.push_back(W);
        continue;
      }
      Result.Must = W;
      return true;
    }
    return false;
  }
};

} // namespace

HostFlow::Reach HostFlow::reach(const ValueDecl *D, std::optional<uint64_t> Element,
                                const Stmt *Use,
                                function_ref<std::optional<bool>(const Expr *)> Condition) const {
  D = cast<ValueDecl>(D->getCanonicalDecl());
  SmallVector<const HostWrite *, 8> All;
  for (const HostWrite &W : writes(D))
    if (!W.Element || !Element || *W.Element == *Element)
      All.push_back(&W);
  Walk W(*this, All, D, Condition);
  W.up(Use);
  return std::move(W.Result);
}

} // namespace clmali::model
