//===-- checks/model/frontend/tolerant/TolerantParse.h - Parse until it works -*- C++ -*-===//
//
// The retry loop of the tolerant parse. A kernel file is often incomplete: the host defines its
// macros, joins it with other files of the folder, or compiles it with a vendor's compiler. The
// loop parses, reads the errors, adds what they miss and parses again, in this order:
//
//   1. text that no OpenCL compiler reads as it is (string wrappers, templates, placeholders)
//   2. the file as it is, with each dialect
//   3. headers in folders above the file; missing headers as empty files
//   4. definitions from sibling files (SiblingFiles.h)
//   5. text of other dialects (DialectFixes.h)
//   6. macros of the host (MacroInference.h)
//   7. with ParseOptions::Partial, kernels with errors
//
// All fixes of the text keep its length: positions stay. Each becomes a note of the module.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_TOLERANTPARSE_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_TOLERANTPARSE_H

#include "checks/model/frontend/ClangParse.h"

namespace clmali::model {

/// Parses Text with ParseOptions::Tolerant. Dialects: the values of -cl-std to try, in this order.
ParseResult parseTolerantly(llvm::StringRef FileName, llvm::StringRef Text, const ParseOptions &O,
                            ClangArguments Args, llvm::StringRef Triple,
                            llvm::ArrayRef<std::string> Dialects);

} // namespace clmali::model
#endif
