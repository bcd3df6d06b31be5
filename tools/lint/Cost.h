//===- Cost.h - the cost of a kernel before and after a rewrite -------------------------------===//
//
// --cost=model: the cost model (checks/model/cost) for each family of the run: the cost of each
// kernel and of its best predicted rewrite, which is not verified here. --cost=mesa and
// --cost=malioc: figures of each kernel by real compilers, if they are installed.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LINT_COST_H
#define CLMALI_TOOLS_LINT_COST_H

#include "checks/model/cost/CostModel.h"
#include "tools/compilers/Compiled.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::lint {

enum class CostSource { None, Model, Mesa, Malioc };

/// Is \p Name "model", "mesa" or "malioc"?
bool isCostSource(llvm::StringRef Name);
/// The source of that name. The error says what is missing for it.
llvm::Expected<CostSource> parseCostSource(llvm::StringRef Name);

struct KernelCost {
  std::string File, Kernel, Family;
  unsigned Line = 0;
  model::Cost Before; ///< of one work-item
  /// Of one work-item of the rewrite; nullopt: no rewrite is predicted to pay.
  std::optional<model::Cost> After;
  double Items = 1; ///< number of original work-items that one work-item of the rewrite does
  std::vector<std::string> Passes;
  std::optional<compilers::Cost> Compiled; ///< by a real compiler, instead of the above
};

/// Costs of every kernel in the main file of \p M, whose name is \p File.
std::vector<KernelCost> kernelCosts(model::Module &M, llvm::StringRef File,
                                    rules::FamilySet Families);
/// The same by a real compiler, without a rewrite. \p Device is the argument of --device, which may
/// name models; else a typical model of each family of \p Families. \p Text is the source.
llvm::Expected<std::vector<KernelCost>> compiledCosts(CostSource Source, model::Module &M,
                                                      llvm::StringRef File, llvm::StringRef Text,
                                                      llvm::StringRef Device,
                                                      rules::FamilySet Families,
                                                      llvm::ArrayRef<std::string> ClangArgs);

std::string costsText(llvm::ArrayRef<KernelCost> Costs);
llvm::json::Array costsJson(llvm::ArrayRef<KernelCost> Costs);

} // namespace clmali::lint

#endif
