//===-- rewriters/Print.h - The model as OpenCL C ---------------*- C++ -*-===//
#ifndef CLMALI_REWRITERS_PRINT_H
#define CLMALI_REWRITERS_PRINT_H

#include "checks/model/Model.h"

namespace clmali::rewrite {

/// K as an OpenCL C function definition: the user's names and comments, no
/// cast or parenthesis without reason, formatted with LibFormat (LLVM style,
/// 4 columns, 100 wide). Contract holds the lines of the comment block above
/// it (without //).
std::string printKernel(const model::Module &M, const model::Kernel &K,
                        llvm::ArrayRef<std::string> Contract);

/// An expression alone, for messages and manifests.
std::string printExpr(const model::Expr *E);

/// The whole file: M's main file with Original's definition followed (After)
/// or replaced (!After) by New's text, everything else byte for byte, and
/// an #error under other defines than Defines (name, value).
std::string spliceFile(const model::Module &M, const model::Kernel &Original,
                       llvm::StringRef NewText, bool After,
                       llvm::ArrayRef<std::pair<std::string, std::string>> Defines);

} // namespace clmali::rewrite
#endif
