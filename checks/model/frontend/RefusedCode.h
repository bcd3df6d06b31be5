//===-- checks/model/frontend/RefusedCode.h - Code that Clang itself refuses -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_REFUSEDCODE_H
#define CLMALI_CHECKS_MODEL_FRONTEND_REFUSEDCODE_H

#include "checks/model/ir/Model.h"
#include "clang/AST/ASTContext.h"

namespace clmali::model {

/// Adds to Module::Refused the calls of the main file to functions that are defined behind them,
/// and declared before them only by what the tolerant parse includes.
void addEarlyCalls(clang::ASTContext &Ctx, Module &M);

/// Adds a declaration at At, if it is in the main file.
void addLocalInBlock(const clang::SourceManager &SM, clang::SourceLocation At, Module &M);

} // namespace clmali::model
#endif // CLMALI_CHECKS_MODEL_FRONTEND_REFUSEDCODE_H
