//===-- rewriters/print/Print.h - The model as OpenCL C ---------------*- C++ -*-===//
//
// What it does: writes a kernel of the model as a person would have written it.
//
//   before (model)                                after (text)
//   Decl i = <int>get_global_id(0)                int i = get_global_id(0);
//   Store y[i] = load y[i] + a * load x[i]        y[i] += a * x[i];
//
// The text, parsed and lifted again, means exactly the same: a conversion is
// left out only where C makes that very conversion there, and parentheses are
// left out only where precedence says the same.
//
// Limits: Opaque nodes are printed as the user wrote them, unchecked; whoever
// rewrites refuses kernels that hold any.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PRINT_PRINT_H
#define CLMALI_REWRITERS_PRINT_PRINT_H

#include "checks/model/ir/Model.h"

namespace clmali::rewrite {

/// A variable of K that no text can declare anew, for its type is declared inside a function
/// (checks/model/lift/StructureExits.h); null: there is none.
const model::Var *unprintable(const model::Kernel &K);

/// The first line of the contract comment, "clmali: rewritten from NAME": the
/// sign by which a second run knows that there is nothing left to do.
/// printKernel adds it where Contract does not begin with it.
inline constexpr llvm::StringLiteral RewrittenMarker = "clmali: rewritten from ";
/// True if K is the result of a rewrite, or the file holds a rewrite of K.
bool isRewritten(const model::Module &M, const model::Kernel &K);

/// K as an OpenCL C function definition: the user's names and comments, no
/// cast or parenthesis without reason, formatted with LibFormat (LLVM style,
/// 4 columns, 100 wide). Contract holds the lines of the comment block above
/// it (without //). Faithful: no variable is joined, moved or dropped, so that
/// the text lifts to the very same model.
std::string printKernel(const model::Module &M, const model::Kernel &K,
                        llvm::ArrayRef<std::string> Contract, bool Faithful = false);

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
