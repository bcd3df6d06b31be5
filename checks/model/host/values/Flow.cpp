//===-- checks/model/host/values/Flow.cpp - Writes to host variables -----------------===//

#include "checks/model/host/values/Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

ArrayRef<HostWrite> HostFlow::writes(const ValueDecl *D) const {
  if (!D)
    return {};
  auto At = Written.find(cast<ValueDecl>(D->getCanonicalDecl()));
  return At == Written.end() ? ArrayRef<HostWrite>() : ArrayRef<HostWrite>(At->second);
}

ArrayRef<const CallExpr *> HostFlow::callsOf(const FunctionDecl *F) const {
  auto At = Calls.find(definitionKey(F));
  return At == Calls.end() ? ArrayRef<const CallExpr *>() : ArrayRef<const CallExpr *>(At->second);
}

SmallVector<const FunctionDecl *, 4> HostFlow::bodiesOf(const FunctionDecl *F) const {
  SmallVector<const FunctionDecl *, 4> Result;
  if (!F)
    return Result;
  const FunctionDecl *Definition = nullptr;
  if (F->hasBody(Definition))
    Result.push_back(Definition);
  if (auto At = Overriders.find(definitionKey(F)); At != Overriders.end())
    for (const FunctionDecl *One : At->second)
      llvm::append_range(Result, bodiesOf(One));
  return Result;
}

SmallVector<const FunctionDecl *, 4> HostFlow::bodiesOf(const CallExpr *C) const {
  if (const FunctionDecl *F = calleeOf(C); F && !isa<CXXOperatorCallExpr>(C))
    return bodiesOf(F);
  if (auto At = Defined.find(missingCallee(C, Ctx.getSourceManager())); At != Defined.end())
    return SmallVector<const FunctionDecl *, 4>(At->second.begin(), At->second.end());
  return bodiesOf(calleeOf(C));
}

SmallVector<const Expr *, 8> HostFlow::runsOf(const FunctionDecl *F) const {
  SmallVector<const Expr *, 8> Result;
  if (!F)
    return Result;
  llvm::append_range(Result, callsOf(F));
  if (auto At = Constructions.find(definitionKey(F)); At != Constructions.end())
    llvm::append_range(Result, At->second);
  if (!isa<CXXMethodDecl>(F) && F->getDeclName().isIdentifier())
    if (auto At = MissingCalls.find(F->getName()); At != MissingCalls.end())
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

void HostFlow::forEachMissingCall(function_ref<void(StringRef, const Expr *)> Then) const {
  for (const auto &Entry : MissingCalls)
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
    // `do { ... } while (0)` is a usual form of macros.
    return D->getCond()->isValueDependent() || !D->getCond()->EvaluateAsInt(R, Ctx) ||
           R.Val.getInt().getBoolValue();
  }
  return isa<ForStmt, WhileStmt, CXXForRangeStmt>(S);
}

/// The call of std::for_each or a similar function that repeats the body of a lambda; null: the
/// body is of no such lambda.
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
    // The initialiser runs once, before the loop.
    if (const auto *F = dyn_cast<ForStmt>(P); F && F->getInit() == S)
      continue;
    if (const auto *F = dyn_cast<CXXForRangeStmt>(P); F && F->getBody() != S)
      continue;
    return P;
  }
  return nullptr;
}

static bool readsInput(const Stmt *S) {
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
  return any_of(S->children(), [](const Stmt *C) { return readsInput(C); });
}

bool HostFlow::isInput(const Stmt *E) const {
  if (readsInput(E))
    return true;
  for (const Stmt *P = parent(E); P; P = parent(P)) {
    if (const auto *I = dyn_cast<IfStmt>(P); I && readsInput(I->getCond()))
      return true;
    if (const auto *W = dyn_cast<WhileStmt>(P); W && readsInput(W->getCond()))
      return true;
    if (const auto *F = dyn_cast<ForStmt>(P); F && readsInput(F->getCond()))
      return true;
  }
  return false;
}

} // namespace clmali::model
