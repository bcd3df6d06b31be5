//===-- checks/model/host/repair/MissingClasses.h - Members without their classes -*- C++ -*-===//
//
// Without Bench's header, Clang rejects `int Bench::run() {`. Each of these functions blanks such
// text where the diagnostics report it, so that it parses as a function, and positions stay. They
// return whether there was any.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_REPAIR_MISSINGCLASSES_H
#define CLMALI_CHECKS_MODEL_HOST_REPAIR_MISSINGCLASSES_H

#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clmali::model {

/// Blanks `Bench::` of definitions whose class is not declared, with its namespaces. The
/// initialiser list of a constructor becomes statements.
bool withoutClasses(llvm::StringRef FileName, llvm::ArrayRef<ParseDiagnostic> Errors,
                    std::string &Code);
/// Blanks `this->` in members of such a class.
bool withoutThis(llvm::StringRef FileName, llvm::ArrayRef<ParseDiagnostic> Errors,
                 std::string &Code);
/// Blanks `template <>` and `<float>` of a specialization `template <> void scale<float>(..) {`
/// whose template is not declared.
bool withoutSpecializations(llvm::StringRef FileName, llvm::ArrayRef<ParseDiagnostic> Errors,
                            std::string &Code);

} // namespace clmali::model
#endif
