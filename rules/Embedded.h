//===- Embedded.h - texts embedded at build time ----------------------------------------------===//

#ifndef CLMALI_RULES_EMBEDDED_H
#define CLMALI_RULES_EMBEDDED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace clmali::rules::embedded {

struct Page {
  llvm::StringRef Stem; ///< "integer-division"
  llvm::StringRef Text;
};

extern const llvm::StringRef DevicesYaml;
extern const llvm::ArrayRef<Page> Pages; ///< sorted by stem

} // namespace clmali::rules::embedded

#endif
