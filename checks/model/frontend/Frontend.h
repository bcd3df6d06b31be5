//===-- checks/model/frontend/Frontend.h - Parse OpenCL C in process -----*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_FRONTEND_H
#define CLMALI_CHECKS_MODEL_FRONTEND_FRONTEND_H

#include "checks/model/ir/Model.h"
#include "llvm/Support/Error.h"

namespace clmali::model {

struct ParseOptions {
  std::vector<std::string> ClangArgs; ///< -D, -I, -cl-std=... as after `--`
  /// Guess unknown macros, retry other dialects (the linter); off for the
  /// rewriter, which must see exactly what will run.
  bool Tolerant = false;
  /// Tolerant: a kernel of which a few places do not parse is lifted without them; its Opaques
  /// tell. Only for what can do with half of a kernel.
  bool Partial = false;
  unsigned SizeTBits = 64; ///< 64: spir64, 32: spir
  /// Tolerant: the line of a kernel (of the word `kernel`) that conditions must let be seen; 0: as
  /// many as can be.
  unsigned WantedKernel = 0;
  /// Tolerant: macros of which the #defines in the file, and in what it includes, are left out:
  /// others may choose.
  std::vector<std::string> Unset;
  /// Tolerant: files that include this one are not asked for what stands before that line.
  bool Alone = false;
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
  std::vector<std::string> Guesses;         ///< Tolerant: macros taken as given, "T=float"
  std::string TextBeside;                   ///< Tolerant: what files beside it are taken for
};

/// Parses Text as an OpenCL C file named FileName (headers are sought beside
/// it) and lifts its kernels. Runs Clang in this process, needs no resource
/// directory. Never prints.
ParseResult parseOpenCL(llvm::StringRef FileName, llvm::StringRef Text, const ParseOptions &O);

/// A kernel that conditions left out: what ParseOptions take to see it.
struct KernelLeftOut {
  unsigned Line;
  std::vector<std::string> Unset;
};

/// The kernels of Text that conditions left out of Seen, which was parsed with O, and that other
/// macros would show
/// (#if DIM == 1, #elif DIM == 2); behind them those that show where a number is another than the
/// file says (#define DIM 1).
std::vector<KernelLeftOut> kernelsLeftOut(llvm::StringRef FileName, llvm::StringRef Text,
                                          const ParseOptions &O, const ParseResult &Seen);

/// Reads FileName first. Errors: no such file, a directory, not text.
llvm::Expected<ParseResult> parseOpenCLFile(llvm::StringRef FileName, const ParseOptions &O);

} // namespace clmali::model
#endif
