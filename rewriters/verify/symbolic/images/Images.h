// Images and samplers of the symbolic machine.
//
// An image is a buffer of texels with a format. A read by integer coordinates, or by floats that
// the specification rounds down, takes the channels of one texel through a function of the channel
// type: exact for integers, uninterpreted for all others. With CLAMP_TO_EDGE that is the nearest
// texel, with CLAMP the border colour of the format outside; with NONE and without a sampler a read
// outside is a hazard, as is each write outside. Filter LINEAR and normalized coordinates are
// uninterpreted in image, sampler and coordinates. A write is one function of the channel type for
// each channel.
//
// Where the extents are not known, a texel has an address in which each coordinate has bits of its
// own: two texels are the same if, and only if, all coordinates are.
//
//   limits   no multi-sampled or depth images, no mipmaps; where extents are not known, no image
//            that is read and written
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_IMAGES_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_IMAGES_H

#include "rewriters/launch/ImageFormat.h"
#include "rewriters/launch/LaunchFile.h"
#include "rewriters/verify/symbolic/terms/Terms.h"

#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class Type;
}

namespace clmali::verify::symbolic {

/// The kind of an image parameter.
struct ImageShape {
  enum class Access { Read, Write, ReadWrite };
  unsigned Dimensions = 2;
  bool Layers = false; ///< an array
  Access Use = Access::Read;
  /// Coordinates of a texel; the layer is the last one.
  unsigned extents() const { return Dimensions + Layers; }
  /// "width(src)": coordinate \p D of image \p Image in launch expressions.
  std::string extentName(unsigned D, llvm::StringRef Image) const {
    return launch::extentName(launch::extentNames()[D < Dimensions ? D : 3], Image);
  }
  friend bool operator==(const ImageShape &, const ImageShape &) = default;
};

/// Nothing for types that are no images, and for images that are not modelled.
std::optional<ImageShape> imageShapeOf(const llvm::Type *Ty);
bool isSampler(const llvm::Type *Ty);

/// An image of a launch.
struct ImageContents {
  launch::ImageFormat Format;
  ImageShape Shape;
  /// 64 bits; width, height and depth as far as Shape has them, then the layers.
  std::array<Term, 3> Extents{};
};

/// Texels along one axis of an image whose extents are not known are fewer than this.
uint64_t mostTexels(const ImageShape &Shape);

/// A sampler in the numbers of Clang's headers.
struct SamplerBits {
  uint64_t Bits = 0;
  /// The specification defines what a read gives: no rounding is left to the device.
  bool isExact() const { return (Bits & NormalizedBit) == 0 && (Bits & LinearBit) == 0; }
  bool isNone() const { return (Bits & AddressMask) == 0; }
  bool isClamp() const { return (Bits & AddressMask) == ClampAddress; }
  /// The address mode repeats the image, which is defined for normalized coordinates only.
  bool repeats() const { return (Bits & AddressMask) > ClampAddress; }

  static SamplerBits of(const launch::SamplerSpec &S);

private:
  static constexpr uint64_t NormalizedBit = 1, AddressMask = 14, EdgeAddress = 2, ClampAddress = 4,
                            RepeatAddress = 6, MirroredAddress = 8, NearestBit = 16, LinearBit = 32;
};

} // namespace clmali::verify::symbolic

#endif
