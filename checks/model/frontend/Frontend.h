//===-- checks/model/frontend/Frontend.h - Parse OpenCL C in process -----*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_FRONTEND_H
#define CLMALI_CHECKS_MODEL_FRONTEND_FRONTEND_H

#include "checks/model/ir/Model.h"
#include "llvm/Support/Error.h"

namespace clmali::model {

/// A file that the host joins with another one of its folder.
struct SiblingFile {
  std::string Path, Text; ///< the path relative to what FileName is; the text unwrapped
};

struct ParseOptions {
  std::vector<std::string> ClangArgs; ///< -D, -I, -cl-std=... as after `--`
  std::vector<SiblingFile> Before;    ///< included before the file, in this order
  /// Infer unknown macros, retry other dialects (the linter); off for the
  /// rewriter, which must parse exactly what will run.
  bool Tolerant = false;
  /// Tolerant: a kernel in which a few lines do not parse is lifted without them; they are among
  /// its Opaques. Only for callers that accept an incomplete kernel.
  bool Partial = false;
  unsigned SizeTBits = 64; ///< 64: spir64, 32: spir
  /// Tolerant: the line of a kernel (of the word `kernel`) that #if must not hide; 0: show as
  /// many kernels as possible.
  unsigned WantedKernel = 0;
  /// Tolerant: false: kernels that #if hides are no part of the program, since the macros were
  /// given. Unless one is wanted, none is shown by inferred macros.
  bool ShowHidden = true;
  /// Tolerant: macros whose #defines, in the file and in its headers, are left out, so that other
  /// values are inferred.
  std::vector<std::string> Unset;
  /// Tolerant: do not read files that include this one.
  bool IgnoreIncluders = false;
};

struct ParseDiagnostic {
  std::string File; ///< as the user gave it
  unsigned Line = 0, Column = 0;
  bool IsError = false;
  std::string Message;
};

struct ParseResult {
  std::unique_ptr<Module> M;                ///< null when nothing could be parsed
  std::vector<ParseDiagnostic> Diagnostics; ///< errors and warnings of the parse
  std::string Dialect;                      ///< the -cl-std that it was parsed with
  std::vector<std::string> Guesses;         ///< Tolerant: inferred macros, "T=float"
  std::string SiblingText;                  ///< Tolerant: the text of sibling files in use
  /// Tolerant: what a strict parse needs besides Guesses: folders of headers, and sibling files.
  std::vector<std::string> HeaderFolders;
  std::vector<SiblingFile> Siblings;
};

/// Parses Text as an OpenCL C file named FileName (headers are sought in its folder) and lifts its
/// kernels. Runs Clang in this process, needs no resource directory. Never prints.
ParseResult parseOpenCL(llvm::StringRef FileName, llvm::StringRef Text, const ParseOptions &O);

/// A kernel that conditions hide, and the ParseOptions that show it.
struct KernelLeftOut {
  unsigned Line;
  std::vector<std::string> Unset;
};

/// The kernels of Text that #if hides in Seen, which was parsed with O, and that other macros would
/// show (#if DIM == 1, #elif DIM == 2); then those that another value of a number in the file would
/// show (#define DIM 1).
std::vector<KernelLeftOut> kernelsLeftOut(llvm::StringRef FileName, llvm::StringRef Text,
                                          const ParseOptions &O, const ParseResult &Seen);

/// Reads FileName first. Errors: no such file, a directory, not text.
llvm::Expected<ParseResult> parseOpenCLFile(llvm::StringRef FileName, const ParseOptions &O);

} // namespace clmali::model
#endif
