//===-- checks/model/frontend/RefusedCode.cpp - Code that Clang itself refuses -------===//

#include "checks/model/frontend/RefusedCode.h"
#include "checks/model/frontend/AstVisitor.h"
#include "checks/model/frontend/ClangParse.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {
namespace {

void add(RefusedCode::Kind K, clang::SourceLocation At, const clang::SourceManager &SM,
         const clang::LangOptions &Lang, llvm::StringRef Name, Module &M) {
  At = SM.getExpansionLoc(At);
  if (!SM.isInMainFile(At))
    return;
  uint32_t Begin = SM.getFileOffset(At);
  uint32_t End = Begin + clang::Lexer::MeasureTokenLength(At, SM, Lang);
  M.Refused.push_back({K, {0, Begin, End}, Name.str()});
}

class EarlyCalls : public AstVisitor {
public:
  EarlyCalls(clang::ASTContext &Ctx, Module &M) : Ctx(Ctx), SM(Ctx.getSourceManager()), M(M) {}

  void visit(clang::Stmt *S) override {
    const auto *E = llvm::dyn_cast<clang::CallExpr>(S);
    const clang::FunctionDecl *F = E ? E->getDirectCallee() : nullptr;
    if (F && F->isDefined() && isEarly(F, SM.getExpansionLoc(E->getBeginLoc())))
      add(RefusedCode::CallBeforeDeclaration, E->getBeginLoc(), SM, Ctx.getLangOpts(), F->getName(),
          M);
  }

private:
  clang::ASTContext &Ctx;
  const clang::SourceManager &SM;
  Module &M;

  bool isEarly(const clang::FunctionDecl *F, clang::SourceLocation Call) const {
    if (!SM.isInMainFile(SM.getExpansionLoc(F->getDefinition()->getLocation())))
      return false;
    return llvm::none_of(F->redecls(), [&](const clang::FunctionDecl *D) {
      clang::SourceLocation At = SM.getExpansionLoc(D->getLocation());
      return SM.isBeforeInTranslationUnit(At, Call) &&
             !SM.getFilename(At).starts_with(BuiltInFolder);
    });
  }
};

} // namespace

void addEarlyCalls(clang::ASTContext &Ctx, Module &M) {
  EarlyCalls(Ctx, M).traverse(Ctx.getTranslationUnitDecl());
}

void addLocalInBlock(const clang::SourceManager &SM, clang::SourceLocation At, Module &M) {
  add(RefusedCode::LocalInBlock, At, SM, clang::LangOptions(), "", M);
}

} // namespace clmali::model
