//===-- checks/model/host/loops/Loops.h - Loops of a host program --------*- C++ -*-===//
//
// Whether a call of the API is repeated: by a loop, or by a function that is called in one; and
// whether the loop enqueues work or sets up items.
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
/// cl::KernelFunctor, cl::make_kernel: of a kernel and the types of its arguments.
bool isFunctor(const clang::CXXRecordDecl *R);
/// functor(cl::EnqueueArgs(...), ...), of any class of the bindings.
bool isFunctorCall(const clang::CXXOperatorCallExpr *C);
bool isBoundFunctor(clang::QualType T);
/// functor(a, b), of the class of the first bindings that has queue and sizes as members.
bool isBoundFunctorCall(const clang::CXXOperatorCallExpr *C);

class HostLoops {
public:
  explicit HostLoops(const HostFlow &Flow) : Flow(Flow) {}
  /// S, or a function of the program that it calls, enqueues work.
  bool enqueuesWork(const clang::Stmt *S, unsigned Depth = 0);
  /// S, or a function of the program that it calls, launches a kernel.
  bool launches(const clang::Stmt *S, unsigned Depth = 0);
  /// A call after Made, in the same function, of a function that may launch the kernel which Made
  /// creates; null: there is none.
  const clang::Expr *launchAfter(const clang::Expr *Made, const clang::SourceManager &SM);
  /// The first statement behind E, in its blocks and those around them, that launches kernels;
  /// null: none, or E is not followed by one without a jump.
  const clang::Stmt *launchBehind(const clang::Expr *E);
  /// F, or a function of the program that it calls, makes a context or a queue.
  bool makesContextOrQueue(const clang::FunctionDecl *F);
  /// F makes a queue for the kernels that it launches, and no context.
  bool onlyMakesQueue(const clang::FunctionDecl *F);
  /// The variable of the loop selects the object of the call: it is an index of an argument, or of
  /// the variable that the result is assigned to.
  bool oncePerItem(const clang::Stmt *Call, const clang::Stmt *Loop);
  /// F launches kernels, and is called in this file only by functions like it. Then each call is
  /// work for a caller in another file, and not the start of a program.
  bool worksForCallers(const clang::FunctionDecl *F, unsigned Depth = 0);
  /// Call is under a condition on a variable that outlives the function: `if (!program)`, `if
  /// (ready) return;`.
  bool onlyOnce(const clang::Stmt *Call) const;
  /// Call initialises a static variable of a function, or is in the function of std::call_once.
  bool oncePerProcess(const clang::Stmt *Call) const;
  /// Call is under a condition that is false after it: `if (!kernel) kernel = ..`, `if (ready)
  /// return;
  /// .. ready = true;`.
  bool whereMissing(const clang::Stmt *Call) const;
  /// The loops around S in its function that may run it more than once, innermost first. A loop
  /// that is left after S (a search) is none.
  llvm::SmallVector<const clang::Stmt *, 4> around(const clang::Stmt *S) const;

private:
  const HostFlow &Flow;
  // Results for functions.
  llvm::DenseMap<const clang::FunctionDecl *, bool> Working, Launching, Starting, StartingContexts,
      MakesContextMemo, ForCallers;

  /// S, or a function that it calls, makes a context or, with Queues, a queue.
  bool makesContext(const clang::Stmt *S, bool Queues, unsigned Depth = 0);
  /// The result of Ask for a body of the function that C calls; it is cached in Memo.
  bool ofFunction(llvm::DenseMap<const clang::FunctionDecl *, bool> &Memo, const clang::CallExpr *C,
                  llvm::function_ref<bool(const clang::Stmt *)> Ask);
};

} // namespace clmali::model
#endif
