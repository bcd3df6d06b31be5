//===-- checks/model/host/Buffers.h - What a file does with a buffer -*- C++ -*-===//
//
// The call that makes a buffer, its flags, and whether the function that makes it shows all of its
// uses:
//
//   cl_mem b = clCreateBuffer(c, CL_MEM_READ_ONLY, n, NULL, &e);       ReadOnly
//   clSetKernelArg(k, 0, sizeof b, &b);                                 bound to one kernel
//   clReleaseMemObject(b);                                              released here
//
// Limits: variables that are written once. A buffer with any use that is no call of the API is
// taken to be written elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_BUFFERS_H
#define CLMALI_CHECKS_MODEL_HOST_BUFFERS_H

#include "checks/model/host/Host.h"
#include "checks/model/host/HostLocations.h"
#include "checks/model/host/values/Values.h"
#include "llvm/ADT/DenseMap.h"

namespace clmali::model {

class HostBuffers {
public:
  HostBuffers(HostLocations &Locations, const HostFlow &Flow, const HostValues &Known)
      : Locations(Locations), Flow(Flow), Known(Known) {}

  /// Fills in what is known of the buffer that E names, `b` or `&b`, as an argument of a kernel.
  void argument(const clang::Expr *E, HostKernelArg &A);
  /// The buffers that a copy or fill writes and reads. Name: without the class of a method.
  void transfer(llvm::StringRef Name, llvm::ArrayRef<const clang::Expr *> Args, HostCall &C);
  /// Call makes a buffer that its function releases, or whose object ends with the function.
  bool isReleasedHere(const clang::Expr *Call) const;
  /// Call maps an image, and the function reads the row pitch nowhere. First: the index of the
  /// row pitch among Args.
  bool ignoresPitch(const clang::Expr *Call, llvm::ArrayRef<const clang::Expr *> Args,
                    bool IsMethod) const;

private:
  struct Made {
    const clang::VarDecl *Holder = nullptr;
    const clang::Expr *Call = nullptr; ///< null: not known
    const clang::Expr *Flags = nullptr, *Data = nullptr;
    int64_t Value = 0; ///< of the flags
  };
  struct Uses {
    unsigned Bindings = 0; ///< to kernels
    bool Written = false;  ///< by the host, a copy or a fill
    bool Released = false;
    bool Other = false; ///< a use that is not understood
  };
  HostLocations &Locations;
  const HostFlow &Flow;
  const HostValues &Known;
  llvm::DenseMap<const clang::ValueDecl *, Uses> Cache;

  Made made(const clang::Expr *E) const;
  Uses usesOf(const clang::VarDecl *D);
  void addUse(const clang::Expr *Reference, Uses &To) const;
};

} // namespace clmali::model
#endif
