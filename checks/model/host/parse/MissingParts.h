//===-- checks/model/host/parse/MissingParts.h - What a parse lacked -----*- C++ -*-===//
//
// From the text of a host file and the errors of a parse: which built-in headers would help, and
// whether calls of the API are lost with what did not parse.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_PARSE_MISSINGPARTS_H
#define CLMALI_CHECKS_MODEL_HOST_PARSE_MISSINGPARTS_H

#include "checks/model/host/parse/HostRun.h"

namespace clmali::model {

/// A missing header would have declared OpenGL.
bool lacksGl(const HostRun &Run, llvm::ArrayRef<ParseDiagnostic> Errors);
/// An OpenCL header is missing, or a missing header would have included it. A header may leave that
/// to the files that include it.
bool lacksOpenCL(const HostRun &Run, llvm::StringRef Text, llvm::ArrayRef<ParseDiagnostic> Errors);
/// The file uses classes of the bindings as if a header contained `using namespace cl;`.
bool wantsOpenBindings(llvm::StringRef Text, llvm::ArrayRef<ParseDiagnostic> Errors);
/// The program uses the bindings for C++; `using namespace cl;` may be in one of its headers.
bool wantsBindings(const HostRun &Run, llvm::StringRef Text);
/// The file uses undeclared names of the standard library.
bool lacksStandard(llvm::ArrayRef<ParseDiagnostic> Errors);
/// The file has functions that Java calls, and jni.h is missing.
bool lacksJni(const HostRun &Run, llvm::StringRef Text);
/// Declarations of the file did not parse, not only expressions.
bool losesFunctions(llvm::StringRef FileName, llvm::ArrayRef<ParseDiagnostic> Errors);
/// A function that calls the API is called before its definition, in a call that did not parse.
bool losesCallers(const HostRun &Run, llvm::ArrayRef<ParseDiagnostic> Errors);

} // namespace clmali::model
#endif
