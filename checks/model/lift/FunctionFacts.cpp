//===-- checks/model/lift/FunctionFacts.cpp - What a function does to its variables ---------===//
//
// What it does: finds the variables that a function modifies, where, and those whose address it
// takes, before it is lifted.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"

namespace clmali::model {

/// The variable whose own storage lvalue E is, or is part of.
static const clang::VarDecl *rootVariable(const clang::Expr *E) {
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(E))
      return llvm::dyn_cast<clang::VarDecl>(D->getDecl());
    if (const auto *V = llvm::dyn_cast<clang::ExtVectorElementExpr>(E)) {
      if (V->isArrow())
        return nullptr;
      E = V->getBase();
    } else if (const auto *Me = llvm::dyn_cast<clang::MemberExpr>(E)) {
      if (Me->isArrow())
        return nullptr;
      E = Me->getBase();
    } else if (const auto *S = llvm::dyn_cast<clang::ArraySubscriptExpr>(E)) {
      if (!S->getBase()->IgnoreParenImpCasts()->getType()->isVectorType())
        return nullptr;
      E = S->getBase();
    } else {
      return nullptr;
    }
  }
}

const Lifter::FunctionFacts &Lifter::facts(const clang::FunctionDecl *FD) {
  std::unique_ptr<FunctionFacts> &Slot = Facts[FD];
  if (Slot)
    return *Slot;
  Slot = std::make_unique<FunctionFacts>();
  FunctionFacts &F = *Slot;
  llvm::SmallVector<const clang::Stmt *, 16> Around;
  auto Modify = [&](const clang::Expr *E) {
    const clang::VarDecl *D = rootVariable(E);
    if (!D)
      return;
    F.Modified.insert(D);
    for (const clang::Stmt *S : Around)
      F.ModifiedIn[S].insert(D);
  };
  std::function<void(const clang::Stmt *)> Visit = [&](const clang::Stmt *S) {
    if (!S)
      return;
    bool Scope = llvm::isa<clang::CompoundStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt>(S);
    if (Scope)
      Around.push_back(S);
    if (const auto *B = llvm::dyn_cast<clang::BinaryOperator>(S)) {
      if (B->isAssignmentOp())
        Modify(B->getLHS());
    } else if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(S)) {
      if (U->isIncrementDecrementOp())
        Modify(U->getSubExpr());
      else if (U->getOpcode() == clang::UO_AddrOf)
        if (const clang::VarDecl *D = rootVariable(U->getSubExpr()))
          F.AddressTaken.insert(D);
    }
    for (const clang::Stmt *Child : S->children())
      Visit(Child);
    if (Scope)
      Around.pop_back();
  };
  Visit(FD->getBody());
  return F;
}

} // namespace clmali::model
