//===-- checks/model/frontend/tolerant/DialectFixes.h - Text that Clang refuses -*- C++ -*-===//
//
// Kernel files that are not OpenCL C as Clang reads it: wrapped in strings or macros, filled in by
// the host, or written for a vendor's compiler. Each function replaces such text by text of the
// same length, so that all positions stay, and writes the result to Out.
//
//   before: const char *k = R"(__kernel void f(..) {..})";     __global read_only float *x
//   after:                     __kernel void f(..) {..}        __global           float *x
//
// Limits: the forms that were found in public code.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_DIALECTFIXES_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_DIALECTFIXES_H

#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/ArrayRef.h"

namespace clmali::model {

/// Removes the wrapping of a kernel file in R"(...)", C string literals or a macro call. False:
/// Text is not wrapped.
bool unwrap(llvm::StringRef Text, std::string &Out);

/// Makes names of what the host or a template engine fills in: `= %d`, `{{ name }}`, `${x}`.
/// False: there is none.
bool namePlaceholders(llvm::StringRef Text, std::string &Out);

/// Removes `template <..>` from kernels and functions; their parameters become unknown types.
/// Instantiations are removed. False: there are none, or templates of classes.
bool flattenTemplates(llvm::StringRef Text, std::string &Out);

/// Replaces parameter types that OpenCL C forbids and some compilers accept (bool, size_t and
/// similar) by types of the same width. False: no diagnostic reports one.
bool fixParameterTypes(llvm::StringRef FileName, llvm::StringRef Text,
                       llvm::ArrayRef<ParseDiagnostic> Diagnostics, std::string &Out);

/// Removes qualifiers and attributes that Clang refuses and vendors' compilers accept, and
/// converts floating-point conditions of `?:`. False: there are none.
bool dropUnknownQualifiers(llvm::StringRef FileName, llvm::StringRef Text,
                           llvm::ArrayRef<ParseDiagnostic> Diagnostics, std::string &Out);

/// Fixes parameter lists: a comma after the last parameter, arrays in the place of pointers;
/// kernels with parameters that only a function can have become functions if they are called.
/// Returns notes of what was done; empty: nothing, and Out is Text.
std::vector<std::string> fixParameterLists(llvm::StringRef FileName, llvm::StringRef Text,
                                           llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                           std::string &Out);

} // namespace clmali::model
#endif
