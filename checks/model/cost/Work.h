//===-- checks/model/cost/Work.h - The share of a kernel's work -*- C++ -*-===//
//
// How much of a work-item's time a finding is about: operations or accesses, each times the
// iterations of the loops around it. Both run at once, so the whole is the larger of the two.
//
//   float s = 0;
//   for (int k = 0; k < n; ++k)    16 rounds: 2 loads of 8 operations each, a product, a sum
//     s += a[k] * b[k];
//   out[i] = s;                    8 of 264: 3 % of the kernel's work
//
// A rule reports what is below the page's LeastShare (in per cent) as information.
//
// Limits: loops of unknown length count as 16 iterations. All branches count, those that exclude
// each other, too.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_COST_WORK_H
#define CLMALI_CHECKS_MODEL_COST_WORK_H

#include "checks/model/analysis/Analysis.h"
#include "llvm/ADT/DenseMap.h"

namespace clmali::model {

class KernelWork {
public:
  explicit KernelWork(const KernelAnalysis &K);

  /// Of the kernel's work, 0 to 1.
  double share(llvm::ArrayRef<const AccessSite *> Accesses) const;
  /// The same for all accesses to Memory.
  double share(const Var &Memory) const;
  /// The same for Operations that S executes each time.
  double share(const Stmt *S, double Operations) const;

private:
  double executions(const Stmt *S) const;

  const KernelAnalysis &K;
  mutable llvm::DenseMap<const Stmt *, double> Executions;
  double Total = 0;
};

} // namespace clmali::model

#endif
