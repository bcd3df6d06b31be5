//===-- checks/model/host/loops/Loops.h - What loops of a host program do -*- C++ -*-===//
//
// Whether a call of the API runs again and again: in a loop, or in a function that
// one calls; and whether that is work or setting up.
//
//   for (...) step(q, k);              around(step(q, k)): this loop
//   for (i...) b[i] = clCreateBuffer   oncePerItem
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_LOOPS_LOOPS_H
#define CLMALI_CHECKS_MODEL_HOST_LOOPS_LOOPS_H

#include "checks/model/host/values/Flow.h"
#include "clang/AST/ExprCXX.h"

namespace clmali::model {

bool isEnqueueArgs(clang::QualType T);
/// cl_kernel, cl::Kernel, and references to them.
bool isKernelType(clang::QualType T);
/// Of a kernel and the types of its arguments: cl::KernelFunctor, cl::make_kernel.
bool isFunctor(const clang::CXXRecordDecl *R);
/// functor(cl::EnqueueArgs(...), ...), whatever class of the bindings it is.
bool isFunctorCall(const clang::CXXOperatorCallExpr *C);
bool isBoundFunctor(clang::QualType T);
/// functor(a, b), of a class of the first bindings that holds queue and sizes itself.
bool isBoundFunctorCall(const clang::CXXOperatorCallExpr *C);

class HostLoops {
public:
  explicit HostLoops(const HostFlow &Flow) : Flow(Flow) {}
  /// Does S, or a function of the program that it calls, give the GPU work?
  bool givesWork(const clang::Stmt *S, unsigned Depth = 0);
  /// Does S, or a function of the program that it calls, launch a kernel?
  bool launches(const clang::Stmt *S, unsigned Depth = 0);
  /// A call behind Made in the same function, of another one by which the kernel that Made makes
  /// may be launched; null: none is seen.
  const clang::Expr *launchBehind(const clang::Expr *Made, const clang::SourceManager &SM);
  /// Does F, or a function of the program that it calls, make a context or a queue?
  bool setsUp(const clang::FunctionDecl *F);
  /// Does F make a queue for the kernels that it launches, in a context that it is given?
  bool onlyMakesQueue(const clang::FunctionDecl *F);
  /// Does the variable of the loop choose the object of the call: an index of an argument, or of
  /// what its result is put into?
  bool oncePerItem(const clang::Stmt *Call, const clang::Stmt *Loop);
  /// Is F called by nobody that the file shows but other such functions, and gives the GPU kernels
  /// to run? Then each call of it is work, and not the start of a program.
  bool worksForCallers(const clang::FunctionDecl *F, unsigned Depth = 0);
  /// Is Call made only where something that outlives the function says so: `if (!program)`, `if
  /// (ready) return;`?
  bool onlyOnce(const clang::Stmt *Call) const;
  /// Is Call made only where what outlives the function is missing, or is given to it there: `if
  /// (!kernel) kernel = ..`, `if (ready) return; .. ready = true;`?
  bool whereMissing(const clang::Stmt *Call) const;
  /// The loops around S in its function that may run it more than once, innermost first: one that
  /// searches, and is left behind what it does once it has found, is none.
  llvm::SmallVector<const clang::Stmt *, 4> around(const clang::Stmt *S) const;

private:
  const HostFlow &Flow;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Working, Launching, Starting, StartingContexts,
      SetsUpMemo, ForCallers; ///< what was found of functions

  bool makesContext(const clang::Stmt *S, bool Queues, unsigned Depth = 0);
  /// What Ask says of the body of the program's function that C calls, asked once.
  bool ofFunction(llvm::DenseMap<const clang::FunctionDecl *, bool> &Memo, const clang::CallExpr *C,
                  llvm::function_ref<bool(const clang::Stmt *)> Ask);
};

} // namespace clmali::model
#endif
