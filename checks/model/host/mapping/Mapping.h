//===-- checks/model/host/mapping/Mapping.h - Copies that could be maps --*- C++ -*-===//
//
// For a copy between host and buffer, the facts that a fix needs to copy through a mapping instead:
// the ranges of the call and its flag, the calls that make the buffer, and where the file has room
// for a function that copies.
//
//   cl_mem b = clCreateBuffer(c, CL_MEM_READ_ONLY, n, NULL, &e);    Flags: here
//   clEnqueueWriteBuffer(q, b, CL_TRUE, 0, n, p, 0, NULL, NULL);    Head, Waits
//
// A map of the same bytes waits for the same events and has the same contents for any buffer,
// except over host memory or without host access: then there is no result.
//
// Limits: calls in the main file, outside of a macro's body; at least one call that makes the
// buffer is known, and all known ones can be given the flag. A copy that does not block becomes one
// that does: not in loops, and not with events to wait for.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_MAPPING_MAPPING_H
#define CLMALI_CHECKS_MODEL_HOST_MAPPING_MAPPING_H

#include "checks/model/host/Host.h"
#include "checks/model/host/values/Values.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clmali::model {

/// The text of R in the main file; not valid: it is elsewhere, or in the body of a macro.
SourceRange spelledInMainFile(clang::SourceRange R, const clang::ASTContext &Ctx);

class HostMapper {
public:
  /// OverHost: true for a call that makes a buffer over host memory which the program accesses only
  /// by the API.
  HostMapper(clang::ASTContext &Ctx, const HostFlow &Flow, const HostValues &Known,
             std::function<bool(const clang::Expr *)> OverHost)
      : Ctx(Ctx), Flow(Flow), Known(Known), OverHost(std::move(OverHost)) {}

  /// Sets Mapping and Forbidden of Call, which is C.
  void describe(const clang::CallExpr *C, llvm::StringRef Name, HostCall &Call) const {
    Call.Mapping = mapping(C, Name, Call.Blocking);
    Call.Forbidden = isForbidden(C, Name);
  }
  /// Room for functions before the first of \p Calls that has a mapping.
  std::optional<HostMappingRoom> room(llvm::ArrayRef<HostCall> Calls) const;

private:
  /// The mapping instead of C; nullopt: there is none.
  std::optional<HostMapping> mapping(const clang::CallExpr *C, llvm::StringRef Name,
                                     bool Blocking) const;
  /// True if all calls that make the buffer of C, a transfer or a map, have a flag that forbids the
  /// host this access.
  bool isForbidden(const clang::CallExpr *C, llvm::StringRef Name) const;
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;
  std::function<bool(const clang::Expr *)> OverHost;

  struct Made {
    bool Any = false;             ///< a call that makes it is known
    bool Cannot = false;          ///< one of them cannot be changed
    int64_t Common = ~int64_t(0); ///< flags that all of them have
    std::vector<HostMapping::Flag> Flags;
  };
  void makers(const clang::Expr *Buffer, Made &M, llvm::SmallPtrSetImpl<const clang::Decl *> &Seen,
              unsigned Depth) const;
  void maker(const clang::Expr *Call, const clang::Expr *Flags, Made &M) const;
  SourceRange spelled(clang::SourceRange R) const { return spelledInMainFile(R, Ctx); }
};

} // namespace clmali::model
#endif
