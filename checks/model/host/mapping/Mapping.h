//===-- checks/model/host/mapping/Mapping.h - Copies that could be maps --*- C++ -*-===//
//
// Finds, for a copy between host and buffer, what it takes to copy through a mapping
// instead: where the call and its flag are spelled, which calls make the buffer, and
// where the file has room for a function that does it.
//
//   cl_mem b = clCreateBuffer(c, CL_MEM_READ_ONLY, n, NULL, &e);    Flags: here
//   clEnqueueWriteBuffer(q, b, CL_TRUE, 0, n, p, 0, NULL, NULL);    Head, Waits
//
// A map of the same bytes waits for the same events and sees the same contents, whoever
// made the buffer; only over memory of the host, or where the host has no access, it is
// something else: nothing is found then.
//
// Limits: calls that are spelled in the main file, outside of a macro's body; at least one
// call that makes the buffer is seen, and all that are seen can be given the flag. A copy
// that does not wait becomes one that does: not in loops, not behind events.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_MAPPING_MAPPING_H
#define CLMALI_CHECKS_MODEL_HOST_MAPPING_MAPPING_H

#include "checks/model/host/Host.h"
#include "checks/model/host/values/Values.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clmali::model {

class HostMapper {
public:
  /// OverHost: is this a call that makes a buffer over memory of the host which the program reaches
  /// through the API alone?
  HostMapper(clang::ASTContext &Ctx, const HostFlow &Flow, const HostValues &Known,
             std::function<bool(const clang::Expr *)> OverHost)
      : Ctx(Ctx), Flow(Flow), Known(Known), OverHost(std::move(OverHost)) {}

  /// What it takes to map instead of C; nullopt: not this one.
  std::optional<HostMapping> mapping(const clang::CallExpr *C, llvm::StringRef Name,
                                     bool Blocking) const;
  /// Room for functions in front of the first of \p Calls that has a mapping.
  std::optional<HostMappingRoom> room(llvm::ArrayRef<HostCall> Calls) const;

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;
  std::function<bool(const clang::Expr *)> OverHost;

  struct Made {
    bool Any = false;    ///< a call that makes it was seen
    bool Cannot = false; ///< and one that must stay as it is
    std::vector<HostMapping::Flag> Flags;
  };
  void makers(const clang::Expr *Buffer, Made &M, llvm::SmallPtrSetImpl<const clang::Decl *> &Seen,
              unsigned Depth) const;
  void maker(const clang::Expr *Call, const clang::Expr *Flags, Made &M) const;
  /// Bytes of the main file in which R is spelled; not valid: elsewhere, or in the body of a macro.
  SourceRange spelled(clang::SourceRange R) const;
};

} // namespace clmali::model
#endif
