#include "rewriters/launch/ImageFormat.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clmali::launch {
namespace {

using Kind = ImageFormat::Kind;

struct OrderEntry {
  StringLiteral Name;
  uint32_t Code;
  unsigned Channels;
  bool OpaqueBorder;
  StringLiteral Components;
};
struct TypeEntry {
  StringLiteral Name;
  uint32_t Code;
  Kind K;
  unsigned Bytes;
};
constexpr OrderEntry Orders[] = {
#define CLMALI_ORDER(Name, Code, Channels, Opaque, Read) {Name, Code, Channels, Opaque, Read},
#define CLMALI_TYPE(Name, Code, K, Bytes)
#include "rewriters/launch/ImageFormats.def"
#undef CLMALI_ORDER
#undef CLMALI_TYPE
};
constexpr TypeEntry Types[] = {
#define CLMALI_ORDER(Name, Code, Channels, Opaque, Read)
#define CLMALI_TYPE(Name, Code, K, Bytes) {Name, Code, Kind::K, Bytes},
#include "rewriters/launch/ImageFormats.def"
#undef CLMALI_ORDER
#undef CLMALI_TYPE
};

/// Packed types hold the channels of rgb and rgbx alone, and these orders come packed alone.
bool fit(const OrderEntry &O, const TypeEntry &T) {
  const bool OfPacked = O.Name == "rgb" || O.Name == "rgbx";
  return OfPacked == (T.K == Kind::Packed);
}

} // namespace

std::optional<ImageFormat> imageFormat(StringRef Name) {
  auto [Order, Type] = Name.split('-');
  for (const OrderEntry &O : Orders)
    for (const TypeEntry &T : Types)
      if (O.Name == Order && T.Name == Type && fit(O, T))
        return ImageFormat{O.Code, T.Code, O.Channels, T.K, T.Bytes, O.OpaqueBorder, O.Components};
  return std::nullopt;
}

std::string imageFormatName(uint32_t Order, uint32_t Type) {
  for (const OrderEntry &O : Orders)
    for (const TypeEntry &T : Types)
      if (O.Code == Order && T.Code == Type && fit(O, T))
        return (O.Name + Twine("-") + T.Name).str();
  return {};
}

std::string imageFormatNames() {
  std::string Text;
  for (const OrderEntry &O : Orders)
    Text += (Text.empty() ? "" : " ") + O.Name.str();
  Text += "; types ";
  for (const TypeEntry &T : Types)
    Text += (&T == Types ? "" : " ") + T.Name.str();
  return Text;
}

} // namespace clmali::launch
