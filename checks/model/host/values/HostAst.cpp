//===-- checks/model/host/values/HostAst.cpp - Names and calls in a host AST -----------===//

#include "checks/model/host/values/HostAst.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
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

unsigned variableNumber(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->getOpcode() == UO_AddrOf)
    E = U->getSubExpr();
  const ValueDecl *D = declOf(E->IgnoreParenCasts());
  return D ? D->getLocation().getRawEncoding() : 0;
}

const FunctionDecl *calleeOf(const CallExpr *C) {
  if (const FunctionDecl *F = C->getDirectCallee())
    return F;
  // In a template, names that depend on its arguments are looked up when it is instantiated: the
  // candidates in the template.
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
  // Overloads differ by their number of parameters.
  llvm::erase_if(May, [&](const FunctionDecl *F) {
    return F->getMinRequiredArguments() > C->getNumArgs() ||
           (F->getNumParams() < C->getNumArgs() && !F->isVariadic());
  });
  return May.size() == 1 ? May.front() : nullptr;
}

/// The callee of a call; for an object with operator() (a member of an unknown class), the object.
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
  // (*queue).finish(); queue->finish() of an unknown class
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

bool isShared(const ValueDecl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return !V || !(isa<ParmVarDecl>(V) || (V->isLocalVarDecl() && !V->isStaticLocal()));
}

const FunctionDecl *definitionKey(const FunctionDecl *F) {
  if (!F)
    return nullptr;
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  return F->getCanonicalDecl();
}

/// The file is a copy of the bindings for C++, whatever its name.
static bool isBindings(FileEntryRef File, const SourceManager &SM, FileID ID) {
  StringRef Name = sys::path::filename(File.getName()),
            Folder = sys::path::filename(sys::path::parent_path(File.getName()));
  if (Folder == "CL" &&
      StringSwitch<bool>(Name).Cases("cl.hpp", "cl2.hpp", "opencl.hpp", true).Default(false))
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

bool mayHoldUsers(const Decl *D, const SourceManager &SM) {
  return isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl>(D) || isUsers(D, SM);
}

StringRef missingCallee(const CallExpr *C, const SourceManager &SM) {
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

} // namespace clmali::model
