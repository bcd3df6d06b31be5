//===-- checks/model/host/HostLocations.h - Locations in a host program -*- C++ -*-===//
//
// Maps source locations of the host's AST to those of the model: a file of the module, and offsets
// in it. A file is added to the module with its first location.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_HOSTLOCATIONS_H
#define CLMALI_CHECKS_MODEL_HOST_HOSTLOCATIONS_H

#include "checks/model/host/Host.h"
#include "clang/AST/ASTContext.h"
#include <map>

namespace clmali::model {

class HostLocations {
public:
  HostLocations(const clang::ASTContext &Ctx, HostModule &M) : Ctx(Ctx), M(M) {}
  uint32_t fileIndex(clang::FileID ID);
  /// The text of R. In a macro's argument (CHECK(clFinish(q))) that is the argument; in a macro's
  /// body it is the use of the macro.
  SourceRange range(clang::SourceRange R);
  const clang::SourceManager &sources() const { return Ctx.getSourceManager(); }

private:
  const clang::ASTContext &Ctx;
  HostModule &M;
  std::map<clang::FileID, uint32_t> Indices;
};

} // namespace clmali::model
#endif
