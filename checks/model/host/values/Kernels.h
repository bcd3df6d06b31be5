//===-- checks/model/host/values/Kernels.h - The kernel of an expression -*- C++ -*-===//
//
// The kernel that an expression of a host program holds:
//
//   cl_kernel k = makeKernel(program, "scale");      name(k)  "scale"
//   return clCreateKernel(program, name, NULL);      makes(makeKernel(..))
//
// Limits: values that Values.h evaluates.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_KERNELS_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_KERNELS_H

#include "checks/model/host/values/Values.h"

namespace clmali::model {

class HostKernels {
public:
  HostKernels(clang::ASTContext &Ctx, const HostFlow &Flow, const HostValues &Known)
      : Ctx(Ctx), Flow(Flow), Known(Known) {}
  /// The name of the kernel that E is: clCreateKernel(p, "name", ..), cl::Kernel(p, "name"), a
  /// variable with such a value, or a call that returns one.
  std::optional<std::string> name(const clang::Expr *E, const HostFrame *Frame,
                                  unsigned Depth = 0) const;
  /// C calls a function of the program that creates a kernel at each call and returns it.
  bool makes(const clang::CallExpr *C) const;

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;
  /// The same of a call makeKernel(program, "name").
  std::optional<std::string> returned(const clang::CallExpr *C, const clang::FunctionDecl *F,
                                      const HostFrame *Frame, unsigned Depth) const;
};

} // namespace clmali::model
#endif
