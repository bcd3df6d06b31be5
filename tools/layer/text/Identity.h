//===- Identity.h - When two sources are one program ------------------------------------------===//
//
// Programs put a new random name into each source, so that no cache takes it for an old one:
//
//   __constant int defeat_cache_af48cf64a555461aafff58a781c96612 = 0;
//
// Such sources differ in names alone. A random name is an identifier that ends with an underscore
// and a UUID: 32 hexadecimal digits.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_TEXT_IDENTITY_H
#define CLMALI_TOOLS_LAYER_TEXT_IDENTITY_H

#include <string>
#include <string_view>

namespace clmali::layer {

/// Source with the UUIDs at the ends of its identifiers numbered in the order in which they occur:
/// equal for sources that differ in these alone.
std::string withoutRandomNames(std::string_view Source);

} // namespace clmali::layer

#endif
