//===-- checks/model/frontend/Functions.h - The functions of a file, by its tokens -*- C++ -*-===//
//
// For files that do not parse: which functions a text has, and the text without some of them.
//
//   static float f(float x) { .. }      {"f", lines 1 to 3}
//   __kernel void g(..) { .. }          {"g", lines 5 to 9, a kernel}
//
// Limits: what a macro defines is no function here, and conditions are not evaluated.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_FUNCTIONS_H
#define CLMALI_CHECKS_MODEL_FRONTEND_FUNCTIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clmali::model {

struct FunctionText {
  llvm::StringRef Name;
  bool IsKernel = false;
  unsigned FirstLine = 0, LastLine = 0; ///< from 1, attributes and body included
};

/// Text without the functions for which LeftOut is true: definitions, and declarations of kernels.
/// Their tokens become blanks; lines, comments and directives stay.
std::string withoutFunctions(llvm::StringRef Text,
                             llvm::function_ref<bool(const FunctionText &)> LeftOut);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_FUNCTIONS_H
