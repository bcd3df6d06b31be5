//===-- checks/model/host/values/Arguments.h - Arguments of kernels ------*- C++ -*-===//
//
// The kind and size of a kernel argument that a host sets:
//
//   clSetKernelArg(k, 0, sizeof(cl_mem), &image);   Memory, Image2D by its descriptor
//   clSetKernelArg(k, 1, 256, NULL);                Local
//   kernel.setArg(2, .5);                           Float, 8 bytes
//
// Limits: values that Values.h evaluates.
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
  /// An argument of a method or a functor of the bindings.
  void object(const clang::Expr *Value, HostKernelArg &A) const;
  /// A number of type T.
  void number(clang::QualType T, HostKernelArg &A) const { describe(T, A, /*TakeSize=*/true); }

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;

  void describe(clang::QualType T, HostKernelArg &A, bool TakeSize) const;
  /// The kind of the memory object in E, by the call that makes it.
  HostKernelArg::Object made(const clang::Expr *E) const;
  /// A number for the only call that makes the buffer in E; 0: not known, or the buffer may be over
  /// other memory.
  unsigned madeBy(const clang::Expr *E) const;
  /// The kind of image in the descriptor E of clCreateImage.
  HostKernelArg::Object described(const clang::Expr *E) const;
};

} // namespace clmali::model
#endif
