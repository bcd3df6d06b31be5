// Formats of images by name: "rgba-unorm8", "r-float". The channel order, a dash, the channel type.
#ifndef CLMALI_REWRITERS_LAUNCH_IMAGEFORMAT_H
#define CLMALI_REWRITERS_LAUNCH_IMAGEFORMAT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace clmali::launch {

/// A channel order and a channel type, with what they mean for the texels in memory.
struct ImageFormat {
  enum class Kind {
    Unorm,    ///< c / (2^bits - 1)
    Snorm,    ///< c / (2^(bits - 1) - 1), -1 at least
    Signed,   ///< integers
    Unsigned, ///< integers
    Float,
    Packed ///< all channels of a texel in one integer, normalized
  };
  uint32_t Order = 0, Type = 0; ///< as cl_image_format has them
  unsigned Channels = 1;        ///< in memory
  Kind K = Kind::Unorm;
  unsigned ChannelBytes = 1; ///< Packed: of the texel
  /// The border colour has alpha 1: the order has no alpha. Else the border is all zeros.
  bool OpaqueBorder = false;
  /// What a read gives as x, y, z and w: a channel in memory ('a' is the first one), '0' or '1'.
  llvm::StringRef Components;

  unsigned texelBytes() const { return K == Kind::Packed ? ChannelBytes : Channels * ChannelBytes; }
  bool isNormalized() const { return K == Kind::Unorm || K == Kind::Snorm; }
};

/// Nothing for a name that is no format of OpenCL.
std::optional<ImageFormat> imageFormat(llvm::StringRef Name);
/// The name of the format; empty: OpenCL has no such format.
std::string imageFormatName(uint32_t Order, uint32_t Type);
/// All orders, then all types, for messages.
std::string imageFormatNames();

} // namespace clmali::launch

#endif
