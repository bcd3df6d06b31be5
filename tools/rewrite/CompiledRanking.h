//===- CompiledRanking.h - candidates in the order of a real compiler's figures ---------------===//
//
// Before: the candidates of a kernel, best predicted first.
// After:  those that a compiler for the device finds faster than the original, best first. Few
//         resident work-items count: many registers, or a launch that does not fill the device.
// Limits: static figures of the fast path (tools/compilers/README.md). A kernel with a loop whose
//         trip count is not known has none.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REWRITE_COMPILEDRANKING_H
#define CLMALI_TOOLS_REWRITE_COMPILEDRANKING_H

#include "rewriters/plan/Rewrite.h"
#include "tools/compilers/Compiled.h"

namespace clmali::tool {

/// What a compiler makes of one form of a kernel.
struct CompiledForm {
  compilers::Cost Cost;
  compilers::Work PerItem; ///< for one original work-item
  double Figure = 0;       ///< cycles (Mali) or instruction groups (PowerVR) for the same
  double Ranked = 0;       ///< Figure, slower with few resident work-items
};

struct CompiledRanking {
  CompiledForm Original;
  std::vector<CompiledForm> Forms; ///< of the candidates that are left
  std::string Unit;                ///< "cycles" or "instruction groups"
  std::string By;                  ///< "mesa 26.1.6 for mali-g52"
  unsigned WithoutFigure = 0;      ///< candidates that are left out for want of a figure
  std::string WhyNone;             ///< the reason for the first of them
};

/// Sorts \p Plan.Candidates, and removes those without a figure and those that are not at least
/// 1.15 times better than the original, the kernel \p Name of \p Text. The error says why there is
/// no figure for the original.
llvm::Expected<CompiledRanking> rankByCompiler(rewrite::RewriteResult &Plan, llvm::StringRef Text,
                                               llvm::StringRef Name, llvm::StringRef Device,
                                               llvm::ArrayRef<std::string> ClangArgs);

} // namespace clmali::tool

#endif
