//===-- checks/model/frontend/tolerant/VendorBuiltins.h - Built-ins of extensions -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_VENDORBUILTINS_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_VENDORBUILTINS_H

#include "llvm/ADT/StringRef.h"

namespace clmali::model {

/// Declarations of the built-ins of vendors' extensions that Clang does not know.
llvm::StringRef vendorBuiltinsHeader();
bool usesVendorBuiltins(llvm::StringRef Text);

} // namespace clmali::model
#endif
