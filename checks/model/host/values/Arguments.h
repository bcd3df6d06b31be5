//===-- checks/model/host/values/Arguments.h - What kernels are given ----*- C++ -*-===//
//
// What a host program gives to a kernel as one argument:
//
//   clSetKernelArg(k, 0, sizeof(cl_mem), &image);   Memory, Image2D: as its descriptor says
//   clSetKernelArg(k, 1, 256, NULL);                Local
//   kernel.setArg(2, .5);                           Float, 8 bytes
//
// Limits: what is known without running it (Values.h).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_ARGUMENTS_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_ARGUMENTS_H

#include "checks/model/host/Host.h"
#include "checks/model/host/values/Values.h"

namespace clmali::model {

class HostArguments {
public:
  HostArguments(clang::ASTContext &Ctx, const HostFlow &Flow, const HostValues &Known)
      : Ctx(Ctx), Flow(Flow), Known(Known) {}
  /// The last two arguments of clSetKernelArg.
  void bytes(const clang::Expr *Size, const clang::Expr *Value, HostKernelArg &A) const;
  /// What a method or a functor of the bindings is given.
  void object(const clang::Expr *Value, HostKernelArg &A) const;
  /// A number of type T that is given as it is.
  void number(clang::QualType T, HostKernelArg &A) const { describe(T, A, /*TakeSize=*/true); }

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;

  void describe(clang::QualType T, HostKernelArg &A, bool TakeSize) const;
  /// What the memory object that E holds is made as.
  HostKernelArg::Object made(const clang::Expr *E) const;
  /// The one call that makes the buffer which E holds, as a number; 0: not known, or it may lie
  /// over other memory.
  unsigned madeBy(const clang::Expr *E) const;
  /// What the descriptor of clCreateImage that is given as E says.
  HostKernelArg::Object described(const clang::Expr *E) const;
};

} // namespace clmali::model
#endif
