//===- Cost.h - what kernels cost, before and after a rewrite
//-----------------------------------===//
//
// --cost=model: the cost model of each family that is linted for, for each kernel as it is and for
// the rewrite that the planner predicts to be best (not judged here).
// --cost=malioc: Arm's offline compiler, where it is installed.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LINT_COST_H
#define CLMALI_TOOLS_LINT_COST_H

#include "rewriters/plan/Cost.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::lint {

enum class CostSource { None, Model, Malioc };

/// "model" or "malioc"; the error says what there is, and what is not in this build.
llvm::Expected<CostSource> parseCostSource(llvm::StringRef Name);

struct KernelCost {
  std::string File, Kernel, Family;
  unsigned Line = 0;
  rewrite::Cost Before; ///< of one work-item
  std::optional<rewrite::Cost>
      After;        ///< of one new work-item; nothing: no rewrite is predicted to pay
  double Items = 1; ///< original work-items that a new one does
  std::vector<std::string> Passes;
  std::string Text; ///< malioc: its report
};

/// Costs of every kernel of \p M, which stands in \p File. The line is to be filled in.
std::vector<KernelCost> kernelCosts(model::Module &M, llvm::StringRef File,
                                    rules::FamilySet Families);
/// The same by malioc. Device: as --device has it, for the core; \p ClangArgs: the -D of them are
/// handed on.
llvm::Expected<std::vector<KernelCost>> maliocCosts(model::Module &M, llvm::StringRef File,
                                                    llvm::StringRef Device,
                                                    rules::FamilySet Families,
                                                    llvm::ArrayRef<std::string> ClangArgs);

std::string costsText(llvm::ArrayRef<KernelCost> Costs);
llvm::json::Array costsJson(llvm::ArrayRef<KernelCost> Costs);

} // namespace clmali::lint

#endif
