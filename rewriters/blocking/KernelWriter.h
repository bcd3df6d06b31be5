//===-- rewriters/blocking/KernelWriter.h - Where new code goes -------*- C++ -*-===//
//
// The kernel that is made, and the list that its statements are added to.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_KERNELWRITER_H
#define CLMALI_REWRITERS_BLOCKING_KERNELWRITER_H

#include "checks/model/ir/Model.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::rewrite {

class KernelWriter {
public:
  explicit KernelWriter(model::Module &M) : M(M) {}

  model::Kernel *New = nullptr;
  model::StmtList *Cur = nullptr; ///< statements are added here

  /// Starts a kernel with Old's signature and the memory of its body, but for that of LeftOut.
  void start(const model::Kernel &Old, llvm::function_ref<bool(const model::Var *Memory)> LeftOut);

  void add(model::Stmt *St) { Cur->push_back(St); }
  /// Adds a declaration of V, with a value if E is given.
  void declare(model::Var *V, const model::Expr *E = nullptr) { add(makeDecl(V, E)); }
  model::Stmt *makeDecl(model::Var *V, const model::Expr *E = nullptr);
  model::Stmt *makeAssign(model::Var *V, const model::Expr *E, model::SourceRange At = {});
  /// A copy of St without its expressions and nested statements.
  model::Stmt *copyStmt(const model::Stmt *St);

  /// A name that nothing has: Name, or Name with a number behind it.
  std::string unique(llvm::StringRef Name);
  model::Var *newVar(llvm::StringRef Name, const model::Type *Ty);
  /// A new variable like V, for one item.
  model::Var *copyVar(const model::Var *V);
  /// A new private array of type Ty in place of Of.
  model::Var *newArray(llvm::StringRef Name, const model::Type *Ty, const model::Var *Of);
  /// E in a variable, so that it can be used repeatedly.
  const model::Expr *temp(const model::Expr *E, llvm::StringRef Hint);

private:
  model::Module &M;
  llvm::StringSet<> Names;
  llvm::StringMap<unsigned> NextName; ///< numbers below are taken
};

} // namespace clmali::rewrite
#endif
