//===-- checks/model/host/values/Programs.h - What programs are made of --*- C++ -*-===//
//
// How a host program comes by its OpenCL programs, and what it leaves to other files:
//
//   cl_program p = clCreateProgramWithBinary(..); build(p)    madeOf(p)        Binary
//   cl_program p = loadProgram(context, "scale.cl");          madeElsewhere    Source
//   waitFor(&event);                                          waitsElsewhere
//
// Limits: what is known without running it (Values.h). Of a function of another file there is its
// name, its arguments, and what its result is put into.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_PROGRAMS_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_PROGRAMS_H

#include "checks/model/host/Host.h"
#include "checks/model/host/values/Values.h"
#include "clang/AST/ExprCXX.h"

namespace clmali::model {

/// Does a function's name say that it makes programs, or that it waits for events?
bool saysThatItMakes(llvm::StringRef Name);
bool saysThatItWaits(llvm::StringRef Name);

class HostPrograms {
public:
  HostPrograms(clang::ASTContext &Ctx, const HostFlow &Flow, const HostValues &Known)
      : Ctx(Ctx), Flow(Flow), Known(Known) {}
  /// What the program that E holds was made of.
  HostCall::Origin madeOf(const clang::Expr *E) const;
  /// cl::Program(context, source, true), cl::Program(context, devices, binaries)
  HostCall::Origin madeBy(const clang::CXXConstructExpr *C) const;
  /// Does a function of another file make a program (or a kernel, from a file of source)? Other:
  /// no.
  HostCall::Origin madeElsewhere(const clang::Expr *Call,
                                 llvm::ArrayRef<const clang::Expr *> Args) const;
  /// Does a function of another file wait for an event that it is given?
  bool waitsElsewhere(const clang::Expr *Call, llvm::ArrayRef<const clang::Expr *> Args) const;

private:
  /// The function's name, where nothing but its declaration is seen; empty: it is seen, or none of
  /// the project's.
  llvm::StringRef foreignName(const clang::Expr *Call) const;
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;
};

} // namespace clmali::model
#endif
