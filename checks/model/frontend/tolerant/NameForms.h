//===-- checks/model/frontend/tolerant/NameForms.h - What words and names look like -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_NAMEFORMS_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_NAMEFORMS_H

#include "checks/model/frontend/tolerant/TokenScan.h"

namespace clmali::model {

/// A type of the language, or a word that begins a declaration.
bool isTypeWord(llvm::StringRef S);
/// A keyword that is not part of a declaration.
bool isStatementWord(llvm::StringRef S);
/// The components of a vector: x, xyz, s0, sAB, lo, even.
bool isSwizzle(llvm::StringRef S);
/// DATA_TYPE, and not DATA_TYPE_SIZE.
bool namesType(llvm::StringRef Name);
/// The type that a name like my_uint4 or REAL means; float where it says nothing.
Meaning typeOf(llvm::StringRef Name);

} // namespace clmali::model
#endif
