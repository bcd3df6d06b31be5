//===-- checks/model/frontend/ClangParse.h - One run of Clang over a kernel file -*- C++ -*-===//
//
// Parses one file once, with one dialect and one set of macros, and lifts its kernels. Which
// dialects and macros are tried, and in which order, is decided by Frontend.cpp and TolerantParse.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_CLANGPARSE_H
#define CLMALI_CHECKS_MODEL_FRONTEND_CLANGPARSE_H

#include "checks/model/frontend/Frontend.h"
#include "checks/model/frontend/Includes.h"
#include "checks/model/frontend/tolerant/SiblingFiles.h"

namespace clmali::model {

/// The folder of the built-in headers, which exist in memory only.
inline constexpr llvm::StringLiteral BuiltInFolder = "/clmali-built-in";
std::string builtInHeader(llvm::StringRef Name);

/// A sampler in the place of those that the host's macros define.
inline constexpr llvm::StringLiteral SamplerName = "clmali_sampler";

/// The user's arguments, split into those for -cc1 and those that are handled here; and what the
/// tolerant parse adds to them.
struct ClangArguments {
  std::vector<std::string> Pass;    ///< for -cc1
  std::vector<std::string> Dropped; ///< only a device compiler knows them
  std::string Std;
  std::string Triple;
  bool Partial = false;               ///< lift kernels with errors as far as they parse
  bool SuggestNames = true;           ///< "did you mean ..?", which costs a third of a parse
  bool DeclareVendorBuiltins = false; ///< declare the built-ins of vendors' extensions
  std::vector<SiblingFile> Before;    ///< files to include before the main file, in this order
  std::vector<std::string> Empty;     ///< headers that are not found, as #include names them
  std::vector<IncludedFile> Replaced; ///< headers with changed text
};

ClangArguments readArguments(llvm::ArrayRef<std::string> Args);

/// The arguments of -cc1, for the same parameters as parseOnce. Prelude: the text of the built-in
/// header prelude.h, which is included unless it is empty.
std::vector<std::string> commandLine(llvm::StringRef FileName, llvm::StringRef Text,
                                     const ClangArguments &A, llvm::ArrayRef<std::string> Extra,
                                     llvm::StringRef Std, llvm::StringRef Triple, bool Tolerant,
                                     bool Limit, std::string &Prelude);

struct ClangParse {
  std::unique_ptr<Module> M;
  std::vector<ParseDiagnostic> Diagnostics;
  unsigned Errors = 0;
  unsigned Accepted = 0; ///< errors of a strict parse that this tolerant one accepted
  bool Fatal = false;
};

/// Parses Text as FileName and lifts its kernels; M is null if nothing was lifted.
/// Extra: arguments after those of A; PreludeOption among them is followed by text to include.
/// Tolerant: lift in spite of errors and accept what vendors' compilers accept.
/// Limit: stop after 100 errors.
ClangParse parseOnce(llvm::StringRef FileName, llvm::StringRef Text, const ClangArguments &A,
                     llvm::ArrayRef<std::string> Extra, llvm::StringRef Std, llvm::StringRef Triple,
                     bool Tolerant, bool Limit);

/// True if Name is a word of Clang's base header for OpenCL, whatever the dialect.
bool isInBaseHeader(llvm::StringRef Name);

/// The result of a parse that is not repeated.
ParseResult toResult(ClangParse &&P, llvm::StringRef Std);

} // namespace clmali::model
#endif
