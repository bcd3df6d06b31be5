//===-- checks/model/frontend/LiftAction.h - What Clang does with a kernel file -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_LIFTACTION_H
#define CLMALI_CHECKS_MODEL_FRONTEND_LIFTACTION_H

#include "checks/model/frontend/Frontend.h"
#include "clang/Basic/Diagnostic.h"
#include <set>

namespace clang {
class FrontendAction;
}

namespace clmali::model {

/// Collects Clang's diagnostics, and accepts some that other compilers do not report.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
  DiagnosticCollector(std::vector<ParseDiagnostic> &To) : To(To) {}
  /// Errors about the location, name or initialiser of a declaration are accepted.
  bool AcceptsVendorCode = false;
  /// Declarations that Clang marked invalid for an accepted error only.
  std::vector<clang::SourceLocation> Accepted;
  /// Which errors were accepted.
  std::vector<clang::SourceLocation> LocalsInBlocks;
  bool LocalsMoved = false, LocalsSet = false, IsMain = false, Samplers = false;
  /// Byte offsets of errors in the main file.
  std::vector<unsigned> ErrorOffsets;
  std::set<unsigned> DoubleOffsets; ///< of ErrorOffsets: a double is combined with a float vector
  bool Fatal = false;
  unsigned NumAccepted = 0;
  clang::SourceLocation Last; ///< of the last token read

  /// The parser crashed on what it had just read.
  void addCrash(const clang::SourceManager &SM);
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

private:
  std::vector<ParseDiagnostic> &To;

  /// Accepts __local variables in functions and nested blocks, and with initialisers; a kernel
  /// named main; `sampler_t s = ..` at program scope. False: it is another error.
  bool accept(const clang::Diagnostic &Info);
};

struct LiftOptions {
  bool Tolerant = false;
  bool Partial = false;    ///< lift kernels with errors as far as they parse
  bool OwnOnly = false;    ///< only kernels of the main file and of what it includes
  bool HasPrelude = false; ///< texts of the tolerant parse are included
};

/// Parses a file, and lifts its kernels into M when all of it has been parsed; Lifted is set then.
std::unique_ptr<clang::FrontendAction> makeLiftAction(Module &M, DiagnosticCollector &Collector,
                                                      const LiftOptions &Options, bool &Lifted);

} // namespace clmali::model
#endif
