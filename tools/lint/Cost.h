//===- Cost.h - what kernels cost, before and after a rewrite
//-------------------------------------===//
//
// --cost=model: what the cost model (checks/model/cost) says for each family that is linted for, of
// each kernel as it is and of the rewrite that the planner predicts to be best (not judged here).
// --cost=malioc: the report of Arm's offline compiler, where it is installed.
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

/// "model" or "malioc"; the error says which sources exist, and which this build lacks.
llvm::Expected<CostSource> parseCostSource(llvm::StringRef Name);

struct KernelCost {
  std::string File, Kernel, Family;
  unsigned Line = 0;
  model::Cost Before; ///< of one work-item
  /// Of one work-item of the rewrite; nullopt: no rewrite is predicted to pay.
  std::optional<model::Cost> After;
  double Items = 1; ///< original work-items that one of the rewrite does
  std::vector<std::string> Passes;
  std::string Text; ///< malioc: its report
};

/// Costs of every kernel in the main file of \p M, which is \p File.
std::vector<KernelCost> kernelCosts(model::Module &M, llvm::StringRef File,
                                    rules::FamilySet Families);
/// The same by malioc. \p Device: the argument of --device, which may name the core. The -D of
/// \p ClangArgs are passed on.
llvm::Expected<std::vector<KernelCost>> maliocCosts(model::Module &M, llvm::StringRef File,
                                                    llvm::StringRef Device,
                                                    rules::FamilySet Families,
                                                    llvm::ArrayRef<std::string> ClangArgs);

std::string costsText(llvm::ArrayRef<KernelCost> Costs);
llvm::json::Array costsJson(llvm::ArrayRef<KernelCost> Costs);

} // namespace clmali::lint

#endif
