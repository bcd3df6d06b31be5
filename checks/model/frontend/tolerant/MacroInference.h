//===-- checks/model/frontend/tolerant/MacroInference.h - What a host would have defined ---*- C++
//-*-===//
//
// What it is: the tolerant half of the frontend. Real .cl files name types,
// constants and qualifiers that the host defines when it builds them; these are
// guessed from Clang's diagnostics and from how the file uses them; kernels under
// conditions that nobody fulfils are wanted, too.
//
//   before: T *x            "unknown type name 'T'"
//   after:  -DT=float       note "the host defines macros ...; taken as T=float"
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_MACROINFERENCE_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_MACROINFERENCE_H

#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/StringMap.h"

namespace clmali::model {

/// Among the Extra arguments of a try: text that stands before the file follows.
constexpr llvm::StringLiteral PreludeOption = "-clmali-prelude";

/// A note: what stands beside vectors of float is float.
constexpr llvm::StringLiteral FloatLiterals =
    "literals of type double are taken as float: they stand beside vectors of float";
/// A diagnostic of ours: Clang falls over some code that is wrong.
constexpr llvm::StringLiteral FellOver = "the parser cannot make sense of this line";
/// Is it said that a double meets a vector of float, which Clang refuses?
bool mixesDouble(llvm::StringRef Message);

struct ParseAttempt {
  unsigned Errors = 0;
  size_t Kernels = 0;
  std::vector<ParseDiagnostic> Diagnostics;
  std::shared_ptr<void> Payload;
};

struct InferredMacros {
  ParseAttempt Attempt;
  std::string Dialect;
  std::vector<std::string> Defines;   ///< "T=float", "N(...)=0"
  std::vector<std::string> Notes;     ///< all defines in one
  std::vector<std::string> Arguments; ///< that make them so
  std::vector<std::string> LastArguments,
      LastNotes; ///< with all that was guessed at last, though it did not help
};

using TryFn = llvm::function_ref<ParseAttempt(
    llvm::ArrayRef<std::string> Extra, llvm::StringRef Std, llvm::StringRef Triple, bool Limit)>;

/// Parses (Limit: only up to some hundred errors) with more and more guessed until
/// nothing is left to guess. Of the parses with and without the guesses, the one
/// with more kernels, then fewer errors, wins.
/// Headers: the text of what Text includes, for the uses of names. Given: macros of the command
/// line. Wanted: the line of a kernel that is to be seen; 0: as many as can be.
InferredMacros guess(llvm::StringRef FileName, llvm::StringRef Text, llvm::StringRef Headers,
                     const llvm::StringMap<std::string> &Given,
                     llvm::ArrayRef<std::string> Dialects, llvm::StringRef Triple,
                     bool MayChangeTriple, unsigned Wanted, TryFn Try);

/// The text of a diagnostic's line, from its column.
llvm::StringRef from(llvm::StringRef Text, const ParseDiagnostic &D);

/// Declarations of the built-ins of vendors' extensions that Clang does not know.
llvm::StringRef vendorBuiltinsHeader();
bool usesVendorBuiltins(llvm::StringRef Text);

/// A kernel file wrapped in R"(...)" or in C string literals, as text of the same
/// length with the wrapping blanked out. False if Text is not wrapped.
bool unwrap(llvm::StringRef Text, std::string &Out);

/// Text with the places that a host's sprintf fills (`= %d`) as names, the same length. False:
/// there are none.
bool namePlaceholders(llvm::StringRef Text, std::string &Out);

/// Text with the types that OpenCL C does not let a kernel have as parameters, and that some
/// compilers do (bool, size_t and their kin), as others of the same width, the same length. False:
/// none is told of.
bool fixParameterTypes(llvm::StringRef FileName, llvm::StringRef Text,
                       llvm::ArrayRef<ParseDiagnostic> Diagnostics, std::string &Out);
/// Leaves out qualifiers that Clang refuses and vendors' compilers take. False: there are none.
bool dropUnknownQualifiers(llvm::StringRef FileName, llvm::StringRef Text,
                           llvm::ArrayRef<ParseDiagnostic> Diagnostics, std::string &Out);

/// Templates of kernels and functions, which some compilers take, without their heads: for one
/// type, a name that nobody defines. Instantiations are blank. False: there are none, or templates
/// of other things.
bool flattenTemplates(llvm::StringRef Text, std::string &Out);
/// Parameters as Clang takes them: no comma behind the last one, pointers for arrays; a kernel that
/// others call, with pointers that no kernel can have, is a function. Notes of what was done;
/// empty: nothing, and Out is Text.
std::vector<std::string> fixParameterLists(llvm::StringRef FileName, llvm::StringRef Text,
                                           llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                           std::string &Out);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_MACROINFERENCE_H
