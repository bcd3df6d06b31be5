//===-- checks/model/host/parse/BuiltInHeaders.h - Texts for missing headers -*- C++ -*-===//
//
// Headers that the parse includes before a file whose own headers are missing.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_PARSE_BUILTINHEADERS_H
#define CLMALI_CHECKS_MODEL_HOST_PARSE_BUILTINHEADERS_H

#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/ArrayRef.h"

namespace clmali::model {

/// The OpenCL headers, with what the first bindings for C++ (cl.hpp) had beyond today's. Macros:
/// CLMALI_BINDINGS (C++), CLMALI_PAIRS (sources were pairs of text and length), CLMALI_BOUND (the
/// first functors), CLMALI_OPENCL (using namespace cl).
constexpr llvm::StringLiteral OpenCLPrefixName = "/clmali-opencl-prefix.h";
llvm::StringRef openCLPrefix();
/// The standard headers that most missing headers include. Macro: CLMALI_OPEN (using namespace
/// std).
constexpr llvm::StringLiteral StandardPrefixName = "/clmali-standard-prefix.h";
llvm::StringRef standardPrefix();
/// OpenGL ES and EGL: types, the functions that rules need, and the constants that they compare.
constexpr llvm::StringLiteral GlPrefixName = "/clmali-gl-prefix.h";
llvm::StringRef glPrefix();
/// The types of jni.h, which only Android's tools have, and its functions that move data.
constexpr llvm::StringLiteral JniPrefixName = "/clmali-jni-prefix.h";
llvm::StringRef jniPrefix();

/// Adds options to Extra that include the headers of names that namespace std lacks. False: there
/// are none.
bool addStandardHeaders(llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                        std::vector<std::string> &Extra);

} // namespace clmali::model
#endif
