//===-- checks/model/host/values/Programs.h - Origins of programs --------*- C++ -*-===//
//
// Whether a program is made of source or of binaries, and calls of other files' functions that make
// programs or wait:
//
//   cl_program p = clCreateProgramWithBinary(..); build(p)    madeOf(p)        Binary
//   cl_program p = loadProgram(context, "scale.cl");          madeElsewhere    Source
//   waitFor(&event);                                          waitsElsewhere
//
// Limits: values that Values.h evaluates. A function of another file is known by its name, its
// arguments, and the variable that its result is assigned to.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_PROGRAMS_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_PROGRAMS_H

#include "checks/model/host/Host.h"
#include "checks/model/host/values/Values.h"
#include "clang/AST/ExprCXX.h"

namespace clmali::model {

/// The function is named like one that makes programs, or that waits for events.
bool isNamedLikeProgramMaker(llvm::StringRef Name);
bool isNamedLikeWait(llvm::StringRef Name);

class HostPrograms {
public:
  HostPrograms(clang::ASTContext &Ctx, const HostFlow &Flow, const HostValues &Known)
      : Ctx(Ctx), Flow(Flow), Known(Known) {}
  /// What the program in E is made of.
  HostCall::Origin madeOf(const clang::Expr *E) const;
  /// cl::Program(context, source, true), cl::Program(context, devices, binaries)
  HostCall::Origin madeBy(const clang::CXXConstructExpr *C) const;
  /// Of a call of another file's function that makes a program, or a kernel from a source file.
  /// Other: Call is none.
  HostCall::Origin madeElsewhere(const clang::Expr *Call,
                                 llvm::ArrayRef<const clang::Expr *> Args) const;
  /// Call is one of another file's function that waits for an event among Args.
  bool waitsElsewhere(const clang::Expr *Call, llvm::ArrayRef<const clang::Expr *> Args) const;

private:
  /// The name of a function of which only the declaration is known; empty: its body is known, or it
  /// is no function of the project.
  llvm::StringRef foreignName(const clang::Expr *Call) const;
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;
};

} // namespace clmali::model
#endif
