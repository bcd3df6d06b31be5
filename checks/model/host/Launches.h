//===-- checks/model/host/Launches.h - Launches with sizes and arguments -*- C++ -*-===//
//
// One HostLaunch for each call that launches a kernel; where the function around it has kernel or
// sizes as parameters, one for each call of that function.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_LAUNCHES_H
#define CLMALI_CHECKS_MODEL_HOST_LAUNCHES_H

#include "checks/model/host/Buffers.h"
#include "checks/model/host/HostLocations.h"
#include "checks/model/host/SizeQueries.h"
#include "checks/model/host/values/Arguments.h"
#include "checks/model/host/values/Kernels.h"
#include "checks/model/host/values/Sizes.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace clmali::model {

class LaunchCollector {
public:
  LaunchCollector(HostModule &M, const clang::ASTContext &Ctx, HostLocations &Locations,
                  const HostFlow &Flow, const HostValues &Known, const HostKernels &Kernels,
                  HostSizes &Sizes, const HostArguments &Arguments, HostBuffers &Buffers)
      : M(M), Queries(Ctx, Flow, Known), Locations(Locations), Flow(Flow), Known(Known),
        Kernels(Kernels), Sizes(Sizes), Arguments(Arguments), Buffers(Buffers) {}

  using SizeSetter = std::function<void(HostLaunch &, const HostFrame *)>;
  /// The call C launches the kernel in KernelExpr.
  /// Local: the expression of the local size; null: none.
  void add(const clang::Expr *C, const clang::Expr *KernelExpr, const SizeSetter &SetSizes,
           const clang::Expr *Local = nullptr);
  /// A call that sets an argument of a kernel. Size: null for an argument of the bindings.
  void setArg(const clang::Expr *Kernel, const clang::Expr *Index, const clang::Expr *Size,
              const clang::Expr *Value, const clang::Expr *Call);
  /// A use of a variable that holds a kernel. Uses that are not also API uses may set arguments.
  void addUse(const clang::ValueDecl *D) { ++KernelUses[D]; }
  void addApiUse(const clang::ValueDecl *D) { ++ApiUses[D]; }
  /// Gives the launches their arguments, after the whole file was read.
  void finish();

private:
  HostModule &M;
  SizeQueries Queries;
  HostLocations &Locations;
  const HostFlow &Flow;
  const HostValues &Known;
  const HostKernels &Kernels;
  HostSizes &Sizes;
  const HostArguments &Arguments;
  HostBuffers &Buffers;
  /// Launches with the variables that hold their kernels.
  std::vector<std::pair<size_t, const clang::ValueDecl *>> KernelOf;
  struct SetArg {
    std::string Kernel; ///< its name; empty: not known
    HostKernelArg Arg;
    const clang::Expr *Integer = nullptr; ///< what Arg holds, if that is an integer
  };
  struct SetArgs {
    std::vector<SetArg> List;
    bool Unknown = false; ///< an index is not known
  };
  llvm::DenseMap<const clang::ValueDecl *, SetArgs> ArgsOf;
  llvm::DenseMap<const clang::ValueDecl *, unsigned> KernelUses, ApiUses;

  const clang::ValueDecl *kernelVariable(const clang::Expr *E, const HostFrame *Frame);
  void addLargest(const clang::Expr *C, HostLaunch &L, const HostLaunch &Plain,
                  llvm::function_ref<void(HostLaunch &)> SetSizes);
  void addSamples(const clang::Expr *C, HostLaunch &L, const HostLaunch &Plain,
                  const clang::ValueDecl *Holder, llvm::function_ref<void(HostLaunch &)> SetSizes);
};

} // namespace clmali::model
#endif
