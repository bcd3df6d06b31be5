//===-- checks/model/host/HostLocations.h - Places in a host program ----*- C++ -*-===//
//
// Source locations of the host's AST as the model has them: a file of the module and
// bytes in it. Files enter the module when something in them is first spoken of.
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
  /// Where R is written: in the argument of a macro (CHECK(clFinish(q))) there, else where the
  /// macro stands.
  SourceRange range(clang::SourceRange R);

private:
  const clang::ASTContext &Ctx;
  HostModule &M;
  std::map<clang::FileID, uint32_t> Indices;
};

} // namespace clmali::model
#endif
