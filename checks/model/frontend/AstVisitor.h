//===-- checks/model/frontend/AstVisitor.h - A visitor with virtual methods --*- C++ -*-===//
//
// Clang's RecursiveASTVisitor takes seconds to compile for each class that derives from it. This
// is its only instance.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_ASTVISITOR_H
#define CLMALI_CHECKS_MODEL_FRONTEND_ASTVISITOR_H

namespace clang {
class Decl;
class Stmt;
} // namespace clang

namespace clmali::model {

class AstVisitor {
public:
  virtual ~AstVisitor();
  /// Visits D and what is below it, each node before its children, in the order of the source.
  void traverse(clang::Decl *D);

  /// False: neither D nor what is below it is visited.
  virtual bool enters(clang::Decl *) { return true; }
  virtual void visit(clang::Decl *) {}
  virtual void visit(clang::Stmt *) {}
};

} // namespace clmali::model
#endif
