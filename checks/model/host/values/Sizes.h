//===-- checks/model/host/values/Sizes.h - Sizes of launches ------------*- C++ -*-===//
//
// The global and local sizes that a host program gives to a launch:
//
//   size_t g[2] = {w, h};  clEnqueueNDRangeKernel(q, k, 2, NULL, g, NULL, ...)
//   cl::NDRange(roundUp(n, 64)), cl::EnqueueArgs(q, global, local)
//
// Limits: values that Values.h evaluates.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_SIZES_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_SIZES_H

#include "checks/model/host/HostLocations.h"
#include "checks/model/host/values/Values.h"

namespace clmali::model {

class HostSizes {
public:
  using Sizes = std::array<std::optional<uint64_t>, 3>;
  using Ranges = std::array<SourceRange, 3>;

  HostSizes(HostLocations &Locations, const HostFlow &Flow, const HostValues &Known)
      : Locations(Locations), Flow(Flow), Known(Known) {}
  /// The arguments of clEnqueueNDRangeKernel.
  void sizesC(const clang::Expr *Dims, const clang::Expr *Global, const clang::Expr *Local,
              HostLaunch &L, const HostFrame *Frame);
  /// A cl::NDRange; \p IsNull: it is cl::NullRange.
  void ndrange(const clang::Expr *E, unsigned &Dims, Sizes &To, Ranges &Where, bool &IsNull,
               bool &ByDefault, const HostFrame *Frame);
  /// The sizes among the arguments of cl::EnqueueArgs: global, then local; three with an offset
  /// first.
  void enqueueArgs(const clang::Expr *E, HostLaunch &L, const HostFrame *Frame);
  /// True if no write of D stands between two expressions that read it.
  bool isUnchanged(const clang::ValueDecl *D, const clang::Expr *First,
                   const clang::Expr *Second) const;

  /// The variable of a loop and its values: `for (int n = 16; n <= 1024; n *= 2)`. None if they are
  /// not known, or too many.
  struct Iterations {
    const clang::ValueDecl *Of = nullptr;
    std::vector<int64_t> Values;
  };
  Iterations iterations(const clang::Stmt *Loop) const;
  /// The product of their iterations; 0: not known.
  unsigned trips(llvm::ArrayRef<const clang::Stmt *> Loops) const;

private:
  /// The variable that is the only size of a launch, and the expression that reads it; null: none.
  struct Source {
    const clang::ValueDecl *Of = nullptr;
    const clang::Expr *Read = nullptr;
  };
  bool isSame(const Source &A, const Source &B) const;
  Source onlySize(const clang::Expr *E, const HostFrame *Frame) const;
  HostLocations &Locations;
  const HostFlow &Flow;
  const HostValues &Known;

  void put(unsigned D, std::optional<HostNumber> N, Sizes &To, bool &ByDefault);
  /// The range of a size: of a parameter, that of the call's argument.
  SourceRange written(const clang::Expr *E, const HostFrame *Frame);
  /// The elements of a size_t array: initialised, assigned one by one, a compound literal, the
  /// address of a scalar, or the argument for a parameter.
  void sizes(const clang::Expr *E, unsigned Dims, Sizes &To, Ranges &Where, bool &ByDefault,
             const HostFrame *Frame, unsigned Depth = 0);
  /// The same of a variable that E names.
  void variableSizes(const clang::ValueDecl *D, const clang::Expr *E, unsigned Dims, Sizes &To,
                     Ranges &Where, bool &ByDefault, const HostFrame *Frame, unsigned Depth);
};

} // namespace clmali::model
#endif
