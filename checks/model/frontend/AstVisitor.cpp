//===-- checks/model/frontend/AstVisitor.cpp - A visitor with virtual methods ----------===//

#include "checks/model/frontend/AstVisitor.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace clmali::model {
namespace {

class Traversal : public clang::RecursiveASTVisitor<Traversal> {
public:
  explicit Traversal(AstVisitor &Visitor) : Visitor(Visitor) {}
  bool TraverseDecl(clang::Decl *D) {
    return !D || !Visitor.enters(D) || RecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitDecl(clang::Decl *D) {
    Visitor.visit(D);
    return true;
  }
  bool VisitStmt(clang::Stmt *S) {
    Visitor.visit(S);
    return true;
  }

private:
  AstVisitor &Visitor;
};

} // namespace

AstVisitor::~AstVisitor() = default;

void AstVisitor::traverse(clang::Decl *D) { Traversal(*this).TraverseDecl(D); }

} // namespace clmali::model
