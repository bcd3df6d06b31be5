//===-- checks/model/frontend/tolerant/MacroInference.h - Macros of the host -*- C++ -*-===//
//
// Infers the macros that a host defines when it builds a kernel file: types, constants, qualifiers
// and functions. The value follows from Clang's diagnostics and from how the file uses the name
// (TokenScan.h). Macros without which #if hides a kernel are inferred, too.
//
//   before: T *x            "unknown type name 'T'"
//   after:  -DT=float       note "the host defines macros ...; taken as T=float"
//
// Limits: each name gets one value, chosen from all its uses; combinations are not searched.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_MACROINFERENCE_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_MACROINFERENCE_H

#include "checks/model/frontend/Frontend.h"
#include "checks/model/frontend/Guesses.h"
#include "llvm/ADT/StringMap.h"

namespace clmali::model {

struct ClangParse;

/// Among the Extra arguments of a parse: the next one is text to include before the file.
constexpr llvm::StringLiteral PreludeOption = "-clmali-prelude";

/// A diagnostic of our own: Clang crashed on this line.
constexpr llvm::StringLiteral ParserCrash = "the parser crashes on this line";
/// The message reports a double combined with a float vector, which Clang refuses.
bool mixesDouble(llvm::StringRef Message);

/// One parse with some macros.
struct ParseAttempt {
  unsigned Errors = 0;
  size_t Kernels = 0;
  std::vector<ParseDiagnostic> Diagnostics;
  std::shared_ptr<ClangParse> Parse;
};

struct InferredMacros {
  ParseAttempt Attempt;
  std::string Dialect;
  std::vector<std::string> Defines;   ///< "T=float", "N(...)=0"
  std::vector<std::string> Notes;     ///< all defines in one
  std::vector<std::string> Arguments; ///< arguments of Clang that define them
  /// The same for all macros that were inferred, though the parse did not get better by the last.
  std::vector<std::string> LastArguments, LastNotes;
};

using TryFn = llvm::function_ref<ParseAttempt(
    llvm::ArrayRef<std::string> Extra, llvm::StringRef Std, llvm::StringRef Triple, bool Limit)>;

/// True if another dialect may have fewer errors than Errors. A name with capitals that Clang's
/// base header does not mention is unknown in each: built-in functions have none. Text: the file
/// with its headers; #if may depend on the dialect. Any: one error that no dialect avoids is
/// enough.
bool mayDependOnDialect(llvm::ArrayRef<ParseDiagnostic> Errors, llvm::StringRef Text, bool Any);

/// Parses with more and more macros, until no error needs another one (Limit: only up to 100
/// errors). Returns the best parse with or without them: more kernels, then fewer errors.
/// Headers: the text of what Text includes, for the uses of names. Given: macros of the command
/// line. Wanted: the line of a kernel that must be shown; 0: as many as possible with ShowHidden,
/// else those that are shown as it is.
InferredMacros inferMacros(llvm::StringRef FileName, llvm::StringRef Text, llvm::StringRef Headers,
                           const llvm::StringMap<std::string> &Given,
                           llvm::ArrayRef<std::string> Dialects, llvm::StringRef Triple,
                           bool MayChangeTriple, unsigned Wanted, bool ShowHidden, TryFn Try);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_MACROINFERENCE_H
