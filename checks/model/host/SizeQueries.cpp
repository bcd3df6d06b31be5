//===-- checks/model/host/SizeQueries.cpp - Queries behind a size -----------===//

#include "checks/model/host/SizeQueries.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

/// Notes the query that the text of a call names.
void SizeQueries::query(const clang::Stmt *Call) {
  const SourceManager &SM = Ctx.getSourceManager();
  StringRef Text =
      Lexer::getSourceText(SM.getExpansionRange(Call->getSourceRange()), SM, Ctx.getLangOpts());
  Found.KernelLimit |= Text.contains("CL_KERNEL_WORK_GROUP_SIZE") ||
                       Text.contains("CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE");
  Found.DeviceLimit |= Text.contains("CL_DEVICE_MAX_WORK_GROUP_SIZE");
  Found.ItemSizes |= Text.contains("CL_DEVICE_MAX_WORK_ITEM_SIZES");
}

void SizeQueries::visitVariable(const ValueDecl *D) {
  D = cast<ValueDecl>(D->getCanonicalDecl());
  if (!Seen.insert(D).second)
    return;
  for (const HostWrite &W : Flow.writes(D)) {
    if (W.Value)
      visit(W.Value);
    else if (const auto *Call = dyn_cast_or_null<clang::Expr>(W.At); Call && isa<CallExpr>(Call)) {
      query(Call);
      visitFunction(calleeOf(cast<CallExpr>(Call)));
    }
  }
  // A parameter: the arguments of the calls.
  const auto *P = dyn_cast<ParmVarDecl>(D);
  const auto *F = P ? dyn_cast<FunctionDecl>(P->getDeclContext()) : nullptr;
  if (!F)
    return;
  for (const CallExpr *C : Flow.callsOf(F))
    if (P->getFunctionScopeIndex() < C->getNumArgs())
      visit(C->getArg(P->getFunctionScopeIndex()));
}

/// The values that a function of the file returns.
void SizeQueries::visitFunction(const FunctionDecl *F) {
  if (!F || !Seen.insert(F->getCanonicalDecl()).second)
    return;
  for (const FunctionDecl *Body : Flow.bodiesOf(F)) {
    SmallVector<const clang::Stmt *, 16> Work{Body->getBody()};
    while (!Work.empty() && Left) {
      const clang::Stmt *S = Work.pop_back_val();
      if (!S)
        continue;
      --Left;
      if (const auto *R = dyn_cast<ReturnStmt>(S); R && R->getRetValue())
        visit(R->getRetValue());
      else if (isa<CallExpr>(S)) // an out-parameter: void limit(size_t *to)
        query(S);
      append_range(Work, S->children());
    }
  }
}

void SizeQueries::visit(const clang::Stmt *S) {
  if (!S || !Left || !Seen.insert(S).second)
    return;
  --Left;
  if (const auto *R = dyn_cast<DeclRefExpr>(S)) {
    if (isa<VarDecl>(R->getDecl()))
      visitVariable(R->getDecl());
  } else if (const auto *M = dyn_cast<MemberExpr>(S)) {
    if (isa<FieldDecl, VarDecl>(M->getMemberDecl()))
      visitVariable(M->getMemberDecl());
  }
  auto Bound = [&](const clang::Expr *E) {
    if (std::optional<int64_t> N = Known.integer(E); N && *N > 0)
      Found.AtMost = std::min<uint64_t>(Found.AtMost, *N);
  };
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    query(C);
    visitFunction(calleeOf(C));
    if (calledName(C).ends_with_insensitive("min") && C->getNumArgs() == 2) {
      Bound(C->getArg(0));
      Bound(C->getArg(1));
    }
  } else if (const auto *C = dyn_cast<clang::ConditionalOperator>(S)) {
    if (const auto *B = dyn_cast<BinaryOperator>(C->getCond()->IgnoreParenImpCasts());
        B && B->isRelationalOp()) {
      Bound(B->getLHS());
      Bound(B->getRHS());
    }
  }
  for (const clang::Stmt *Child : S->children())
    visit(Child);
}

HostSizeQueries SizeQueries::of(const clang::Expr *Local, const clang::Expr *Launch) {
  Found = {};
  Seen.clear();
  Left = 2000;
  visit(Local);
  if (!Found.DeviceLimit && !Found.ItemSizes)
    return Found;
  HostSizeQueries OfValue = Found;
  const FunctionDecl *F = Flow.functionOf(Launch);
  SmallVector<const clang::Stmt *, 16> Work{F ? F->getBody() : nullptr};
  while (!Work.empty() && Left) {
    const clang::Stmt *S = Work.pop_back_val();
    if (!S)
      continue;
    --Left;
    if (const auto *If = dyn_cast<IfStmt>(S))
      visit(If->getCond());
    else if (const auto *While = dyn_cast<WhileStmt>(S))
      visit(While->getCond());
    else if (const auto *Do = dyn_cast<DoStmt>(S))
      visit(Do->getCond());
    else if (const auto *For = dyn_cast<ForStmt>(S))
      visit(For->getCond());
    append_range(Work, S->children());
  }
  OfValue.KernelLimit |= Found.KernelLimit;
  return OfValue;
}

} // namespace clmali::model
