//===-- checks/model/host/values/Kernels.h - Which kernel is meant -------*- C++ -*-===//
//
// The kernel that an expression of a host program holds:
//
//   cl_kernel k = makeKernel(program, "scale");      name(k)  "scale"
//   return clCreateKernel(program, name, NULL);      makes(makeKernel(..))
//
// Limits: what is known without running it (Values.h).
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
  /// The name of the kernel that E holds: clCreateKernel(p, "name", ..), cl::Kernel(p, "name"), and
  /// what returns or holds one.
  std::optional<std::string> name(const clang::Expr *E, const HostFrame *Frame,
                                  unsigned Depth = 0) const;
  /// Does C call a function of the program that makes a kernel each time, and returns it?
  bool makes(const clang::CallExpr *C) const;

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;
  /// makeKernel(program, "name"): a function that returns one.
  std::optional<std::string> returned(const clang::CallExpr *C, const clang::FunctionDecl *F,
                                      const HostFrame *Frame, unsigned Depth) const;
};

} // namespace clmali::model
#endif
