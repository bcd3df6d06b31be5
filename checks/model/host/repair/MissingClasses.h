//===-- checks/model/host/repair/MissingClasses.h - Members without their classes -*- C++ -*-===//
//
// `int Bench::run() {` without Bench's header is no definition for Clang: it is read
// as a function. Each of these blanks, in place, what the diagnostics show to be
// such, so that all places stay, and says whether there was any.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_REPAIR_MISSINGCLASSES_H
#define CLMALI_CHECKS_MODEL_HOST_REPAIR_MISSINGCLASSES_H

#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clmali::model {

/// The `Bench::` of definitions whose class nobody declares, with the namespaces around it; of a
/// constructor its list of initializers becomes statements.
bool withoutClasses(llvm::StringRef FileName, llvm::ArrayRef<ParseDiagnostic> Said,
                    std::string &Code);
/// The `this->` of functions that were members of such a class.
bool withoutThis(llvm::StringRef FileName, llvm::ArrayRef<ParseDiagnostic> Said, std::string &Code);
/// What makes `template <> void scale<float>(..) {` a specialization of a template that nobody
/// declares.
bool withoutSpecializations(llvm::StringRef FileName, llvm::ArrayRef<ParseDiagnostic> Said,
                            std::string &Code);

} // namespace clmali::model
#endif
