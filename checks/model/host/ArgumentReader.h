//===-- checks/model/host/ArgumentReader.h - Arguments of API calls -----*- C++ -*-===//
//
// Describes one argument of an API call: its text, value, string and macros (HostArgument).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_ARGUMENTREADER_H
#define CLMALI_CHECKS_MODEL_HOST_ARGUMENTREADER_H

#include "checks/model/host/HostLocations.h"
#include "checks/model/host/values/Values.h"
#include <set>

namespace clmali::model {

class ArgumentReader {
public:
  ArgumentReader(clang::ASTContext &Ctx, HostModule &M, HostLocations &Locations,
                 const HostFlow &Flow, const HostValues &Known)
      : Ctx(Ctx), M(M), Locations(Locations), Flow(Flow), Known(Known) {}
  HostArgument argument(const clang::Expr *E);
  /// The macros that are expanded in E or in the values of its variables.
  std::vector<std::string> macrosOf(const clang::Expr *E);

private:
  clang::ASTContext &Ctx;
  HostModule &M;
  HostLocations &Locations;
  const HostFlow &Flow;
  const HostValues &Known;

  using Visited = std::set<const clang::ValueDecl *>;
  /// All texts that E may be, where a condition or the callers decide, joined by blanks; nothing:
  /// one of them is not known. At: the argument.
  std::optional<std::string> anyOptions(const clang::Expr *E, const clang::Expr *At);
  void addMacros(const clang::Stmt *S, HostArgument &A, Visited &Seen);
  void addMacrosOf(const clang::ValueDecl *D, HostArgument &A, Visited &Seen);
};

/// True if C, cl::Buffer(context, begin, end, readOnly, useHostPtr), makes a buffer of the host's
/// memory.
bool usesHostPointer(const clang::CXXConstructExpr *C, const HostValues &Known);

} // namespace clmali::model
#endif
