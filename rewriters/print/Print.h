//===-- rewriters/print/Print.h - The model as OpenCL C ---------------*- C++ -*-===//
//
// What it does: prints a kernel of the model as readable OpenCL C.
//
//   before (model)                                after (text)
//   Decl i = <int>get_global_id(0)                int i = get_global_id(0);
//   Store y[i] = load y[i] + a * load x[i]        y[i] += a * x[i];
//
// The text, parsed and lifted again, has exactly the same meaning: a conversion is omitted only
// where C makes the same conversion implicitly, and parentheses only where precedence implies them.
//
// Limits: Opaque nodes are printed as the user wrote them, unchecked; passes refuse kernels that
// have any.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PRINT_PRINT_H
#define CLMALI_REWRITERS_PRINT_PRINT_H

#include "checks/model/ir/Model.h"
#include "checks/model/launch/Rewritten.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::rewrite {

/// A variable of K that cannot be declared in a new text, because its type is declared inside a
/// function (checks/model/ir/StructureExits.h) and cannot be written again; null: there is none.
const model::Var *unprintable(const model::Kernel &K);

/// Names that macros of M's files have, unless they mean the built-in type of that name.
llvm::StringSet<> hiddenNames(const model::Module &M);
/// The name of a built-in that K's text contains and that is one of Hidden; nothing: there is none.
std::optional<std::string> hiddenBuiltin(const llvm::StringSet<> &Hidden, const model::Kernel &K);

/// The first line of the contract comment, "clmali: rewritten from NAME", by which a second run
/// recognises a rewritten kernel. printKernel adds it unless Contract begins with it.
using model::RewrittenMarker;
/// True if K is the result of a rewrite, or the file holds a rewrite of K.
bool isRewritten(const model::Module &M, const model::Kernel &K);

/// K as an OpenCL C function definition: with the user's names and comments, without redundant
/// casts and parentheses, formatted with LibFormat (LLVM style; indentation and width as in the
/// file, else 4 and 100 columns). Contract: the
/// lines of the comment block above it (without //). Faithful: no variable is joined, moved or
/// dropped, so that the text lifts to the same model.
std::string printKernel(const model::Module &M, const model::Kernel &K,
                        llvm::ArrayRef<std::string> Contract, bool Faithful = false);

/// An expression alone, for messages and manifests.
std::string printExpr(const model::Expr *E);

/// M's main file without the kernels that neither are in Kept nor stand in the text of others: a
/// device builds what it has to run. Lines keep their numbers.
std::string onlyKernels(const model::Module &M, llvm::ArrayRef<llvm::StringRef> Kept);

/// The whole file: M's main file with Original's definition followed (After)
/// or replaced (!After) by New's text, everything else byte for byte, and
/// an #error under other defines than Defines (name, value).
std::string spliceFile(const model::Module &M, const model::Kernel &Original,
                       llvm::StringRef NewText, bool After,
                       llvm::ArrayRef<std::pair<std::string, std::string>> Defines);

} // namespace clmali::rewrite
#endif
