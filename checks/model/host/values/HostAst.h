//===-- checks/model/host/values/HostAst.h - Names and calls in a host AST -*- C++ -*-===//
//
// What an expression names and calls, also in templates and in code that did not parse.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_HOSTAST_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_HOSTAST_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"

namespace clmali::model {

/// The file of the declarations that stand in for missing headers (MissingDeclarations.h).
constexpr llvm::StringLiteral MissingNamesFile = "/clmali-names.h";

/// The variable or field that E names; null: none.
const clang::ValueDecl *declOf(const clang::Expr *E);
/// A number of the variable or field that E, or what it is the address of, names. All objects of a
/// class have one number. 0: it names none.
unsigned variableNumber(const clang::Expr *E);
/// E without the nodes that only pass a value on: temporaries, cleanups, copies, conversions of
/// classes.
const clang::Expr *plain(const clang::Expr *E);
/// The function that a call names, also where a template's arguments are not known yet.
const clang::FunctionDecl *calleeOf(const clang::CallExpr *C);
/// The name that is called, also of a member of an unknown class or by a call whose arguments do
/// not fit; empty: none.
llvm::StringRef calledName(const clang::Stmt *Call);
/// The object of such a call; null: none.
const clang::ValueDecl *calledObject(const clang::Stmt *Call);
/// D is neither of a system header nor of a copy of the OpenCL bindings.
bool isUsers(const clang::Decl *D, const clang::SourceManager &SM);
/// The same for what is inside of D. Most of the time would be spent in the headers of the system.
bool mayHoldUsers(const clang::Decl *D, const clang::SourceManager &SM);
/// Another function, or another file, may write to D: it is neither a local variable nor a
/// parameter.
bool isShared(const clang::ValueDecl *D);
/// The declaration under which a function is known; of an instantiation that of the template.
const clang::FunctionDecl *definitionKey(const clang::FunctionDecl *F);
/// The name of a call of a function whose class is missing, where the call precedes the definition:
/// there the name is one of MissingNamesFile. Empty: C is no such call.
llvm::StringRef missingCallee(const clang::CallExpr *C, const clang::SourceManager &SM);

} // namespace clmali::model
#endif
