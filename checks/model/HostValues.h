//===-- checks/model/HostValues.h - What host variables hold ----*- C++ -*-===//
//
// The values of a host program's variables that are known without running it. A
// variable counts as known when it has one value in the whole file (an
// initialiser or a single assignment) and nobody could write to it otherwise.
//
//   size_t n = 1000, g[2];            integer(g[0]'s value)   1008
//   g[0] = roundUp(n, 16);            string(options)         "-DTILE=16"
//   sprintf(options, "-DTILE=%d", 16);
//
// Limits: one translation unit; calls are followed into functions without loops.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOSTVALUES_H
#define CLMALI_CHECKS_MODEL_HOSTVALUES_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clmali::model {

/// The variable or field that E names; null: none.
const clang::ValueDecl *declOf(const clang::Expr *E);

class HostValues {
public:
  explicit HostValues(clang::ASTContext &Ctx) : Ctx(Ctx) {}
  /// Collects what D and all below it write to variables.
  void collect(clang::Decl *D);

  /// What is written to one variable.
  struct Writes {
    std::vector<const clang::Expr *> Whole;                       ///< initialiser and assignments
    std::map<uint64_t, std::vector<const clang::Expr *>> Element; ///< a[0] = ...
    std::vector<const clang::Expr *> Mixed;                       ///< x |= e: contributes macros only
    bool Escapes = false;                                         ///< written in a way that is not followed
  };
  using Map = llvm::DenseMap<const clang::ValueDecl *, Writes>;
  /// By canonical declaration.
  const Map &all() const { return Written; }
  /// Null: nothing writes to D.
  const Writes *writes(const clang::ValueDecl *D) const;

  /// The one value of D; null: there is none, or another file could write to D.
  const clang::Expr *onlyValue(const clang::ValueDecl *D) const;
  std::optional<int64_t> integer(const clang::Expr *E) const { return integer(E, 0, nullptr); }
  std::optional<std::string> string(const clang::Expr *E, unsigned Depth = 0) const;
  /// The text of E with '\1' for what is known only at run time; nullopt: nothing is known.
  std::optional<std::string> partly(const clang::Expr *E, unsigned Depth = 0) const;

private:
  clang::ASTContext &Ctx;
  Map Written;

  using Bindings = std::map<const clang::ValueDecl *, int64_t>; ///< parameters of a call
  std::optional<int64_t> integer(const clang::Expr *E, unsigned Depth, const Bindings *Env) const;
  enum Outcome { GoesOn, Done, NotKnown };
  /// Runs a statement of a function without loops.
  Outcome run(const clang::Stmt *S, unsigned Depth, Bindings &Env, std::optional<int64_t> &Result) const;
  /// What printf makes of its format (argument Format) and what follows it.
  std::optional<std::string> formatted(const clang::CallExpr *C, unsigned Format, unsigned Depth) const;
};

} // namespace clmali::model
#endif
