//===-- checks/model/host/SizeQueries.h - Queries behind a size ---*- C++ -*-===//
//
// Which queries of the device or of a kernel a launch's local size is computed from:
//
//   clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof n, &n, NULL);
//   size_t local[1] = {n};                                DeviceLimit
//   std::min(n, kernelGroup(k, d))                        DeviceLimit, KernelLimit
//
// A backward slice over variables, fields, parameters and the returned values of the file's
// functions, without regard to order. Conditions of the launch's function count as well: a loop
// that halves a size until the kernel's limit holds.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_SIZEQUERIES_H
#define CLMALI_CHECKS_MODEL_HOST_SIZEQUERIES_H

#include "checks/model/host/Host.h"
#include "checks/model/host/values/Values.h"
#include "llvm/ADT/DenseSet.h"

namespace clmali::model {

class SizeQueries {
public:
  SizeQueries(const clang::ASTContext &Ctx, const HostFlow &Flow, const HostValues &Known)
      : Ctx(Ctx), Flow(Flow), Known(Known) {}
  HostSizeQueries of(const clang::Expr *Local, const clang::Expr *Launch);

private:
  const clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;
  llvm::DenseSet<const void *> Seen;
  HostSizeQueries Found;
  unsigned Left = 0; ///< nodes that are still visited

  void visit(const clang::Stmt *S);
  void visitVariable(const clang::ValueDecl *D);
  void visitFunction(const clang::FunctionDecl *F);
  void query(const clang::Stmt *Call);
};

} // namespace clmali::model
#endif
