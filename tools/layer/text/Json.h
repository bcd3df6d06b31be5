//===- Json.h - reading and writing JSON without dependencies ---------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_TEXT_JSON_H
#define CLMALI_TOOLS_LAYER_TEXT_JSON_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clmali::layer {

struct Json {
  enum class Kind : uint8_t { Null, Bool, Integer, Number, String, Array, Object };
  Kind K = Kind::Null;
  int64_t Integer = 0; ///< Bool and Integer
  double Number = 0;
  std::string String;
  std::vector<Json> Array;
  std::map<std::string, Json, std::less<>> Object;

  /// The member, or a null value.
  const Json &operator[](std::string_view Key) const;
  bool isString() const { return K == Kind::String; }
  bool isArray() const { return K == Kind::Array; }
};

/// Nothing for a text that is not JSON, nests too deep, or goes on after the value.
std::optional<Json> parseJson(std::string_view Text);

/// The text in quotes. Bytes that are no UTF-8 are kept as they are.
std::string quoted(std::string_view Text);

} // namespace clmali::layer

#endif
