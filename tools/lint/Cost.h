//===- Cost.h - the cost of a kernel before and after a rewrite -------------------------------===//
//
// --cost=model: the cost model (checks/model/cost) for each family of the run: the cost of each
// kernel and of its best predicted rewrite, which is not verified here. --cost=malioc: the report
// of Arm's offline compiler, if it is installed.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LINT_COST_H
#define CLMALI_TOOLS_LINT_COST_H

#include "checks/model/cost/CostModel.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::lint {

enum class CostSource { None, Model, Malioc };

/// "model" or "malioc". The error lists the sources and names those that this build lacks.
llvm::Expected<CostSource> parseCostSource(llvm::StringRef Name);

struct KernelCost {
  std::string File, Kernel, Family;
  unsigned Line = 0;
  model::Cost Before; ///< of one work-item
  /// Of one work-item of the rewrite; nullopt: no rewrite is predicted to pay.
  std::optional<model::Cost> After;
  double Items = 1; ///< number of original work-items that one work-item of the rewrite does
  std::vector<std::string> Passes;
  std::string Text; ///< the report of malioc
};

/// Costs of every kernel in the main file of \p M, whose name is \p File.
std::vector<KernelCost> kernelCosts(model::Module &M, llvm::StringRef File,
                                    rules::FamilySet Families);
/// The same by malioc. \p Device is the argument of --device, which may name the core. The -D
/// options among \p ClangArgs are passed on.
llvm::Expected<std::vector<KernelCost>> maliocCosts(model::Module &M, llvm::StringRef File,
                                                    llvm::StringRef Device,
                                                    rules::FamilySet Families,
                                                    llvm::ArrayRef<std::string> ClangArgs);

std::string costsText(llvm::ArrayRef<KernelCost> Costs);
llvm::json::Array costsJson(llvm::ArrayRef<KernelCost> Costs);

} // namespace clmali::lint

#endif
