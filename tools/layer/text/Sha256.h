//===- Sha256.h - SHA-256 of a text -----------------------------------------------------------===//
//
// The layer is loaded into other programs and has no dependencies besides the C library.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_TEXT_SHA256_H
#define CLMALI_TOOLS_LAYER_TEXT_SHA256_H

#include <string>
#include <string_view>

namespace clmali::layer {

/// 64 hexadecimal digits.
std::string sha256(std::string_view Data);

} // namespace clmali::layer

#endif
