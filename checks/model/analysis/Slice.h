//===-- checks/model/analysis/Slice.h - What a value is computed from -*- C++ -*-===//
//
// A backward slice: an expression, and the definitions of the variables in it.
//
//   int y = i / w;                 Slice(A, `p[y * 4]`'s index)
//   p[y * 4] = 0;                    y * 4, y, 4, i / w, i, w
//
// It may over-approximate: all definitions of a variable are followed, not only those that reach.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_SLICE_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_SLICE_H

#include "checks/model/analysis/Analysis.h"
#include "checks/model/ir/Traversal.h"

namespace clmali::model {

/// What a slice follows besides the definitions of variables.
struct SliceOptions {
  /// The index of a load.
  bool Indices = true;
  /// Stores to the private (and local) arrays that are loaded from.
  bool Arrays = false;
  /// The conditions of branches and loops around each definition that is followed.
  bool Control = false;
};

/// The expressions of a slice, each once, E first; with the statement that computes each (null: E's
/// own statement was not given). Computed when it is made.
class Slice {
public:
  Slice(const KernelAnalysis &A, const Expr *E, const Stmt *At = nullptr, SliceOptions O = {});

  auto begin() const { return Exprs.begin(); }
  auto end() const { return Exprs.end(); }
  llvm::ArrayRef<const Stmt *> definitions() const { return Definitions; }
  bool reads(const Var *V) const;

private:
  struct Builder;
  std::vector<ExprAt> Exprs;
  std::vector<const Stmt *> Definitions; ///< that were followed, each once
};

/// E without conversions around it.
const Expr *stripCasts(const Expr *E);
/// stripCasts; a variable with a single definition is replaced by its value, repeatedly.
const Expr *origin(const KernelAnalysis &A, const Expr *E);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_ANALYSIS_SLICE_H
