//===-- checks/model/host/values/KernelStrings.h - Kernels in strings ---------*- C++ -*-===//
//
// Kernels that a host program has in string literals, whole or in pieces:
//
//   const char *src = "__kernel void f() {" "}";      one literal
//   const char *lines[] = {"__kernel void f() {\n", "}\n"};
//   src = head + body;  s += "...";  strcat(s, "...")
//
// Each with the offset in the file of every character.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_KERNELSTRINGS_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_KERNELSTRINGS_H

#include "checks/model/host/HostLocations.h"
#include "checks/model/host/values/Values.h"
#include <set>

namespace clmali::model {

class HostStrings {
public:
  HostStrings(clang::ASTContext &Ctx, HostModule &M, HostLocations &Locations, const HostFlow &Flow,
              const HostValues &Known)
      : Ctx(Ctx), M(M), Locations(Locations), Flow(Flow), Known(Known) {}
  /// A kernel, the name of a file of kernels, or neither.
  void literal(const clang::StringLiteral *S);
  void list(const clang::InitListExpr *L);
  /// A text that the program composes, by + or by writes to a variable.
  void sum(const clang::Expr *E);
  void sum(const clang::ValueDecl *D);
  /// Adds the literals that are not part of a composed text.
  void finish();

private:
  clang::ASTContext &Ctx;
  HostModule &M;
  HostLocations &Locations;
  const HostFlow &Flow;
  const HostValues &Known;
  std::vector<const clang::StringLiteral *> Literals; ///< those that look like kernels
  std::set<const clang::StringLiteral *> Joined;      ///< those that are part of another text

  using Pieces = llvm::SmallVectorImpl<const clang::StringLiteral *>;
  void piece(const clang::StringLiteral *S, EmbeddedKernel &K, Pieces &Used);
  /// Adds the text of E; false: not all of it is known.
  bool pieces(const clang::Expr *E, EmbeddedKernel &K, Pieces &Used, unsigned Depth);
  void unknown(const clang::Expr *E, EmbeddedKernel &K);
  void known(llvm::StringRef Text, const clang::Expr *E, EmbeddedKernel &K);
  unsigned Unknowns = 0;
  void joined(EmbeddedKernel K, llvm::ArrayRef<const clang::StringLiteral *> Used);
  void embed(EmbeddedKernel K);
};

} // namespace clmali::model
#endif
