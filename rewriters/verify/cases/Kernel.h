// A kernel's parameters as the device reports them, and values for them.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_KERNEL_H
#define CLMALI_REWRITERS_VERIFY_CASES_KERNEL_H

#include "rewriters/verify/cases/Element.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clmali::verify {

/// The type of an image parameter.
struct ImageType {
  enum class Access { Read, Write, ReadWrite };
  unsigned Dimensions = 2; ///< coordinates of a texel, without the layer
  bool Array = false;
  bool Buffer = false; ///< image1d_buffer_t
  Access Use = Access::Read;

  /// Numbers that `size` of a launch file gives: the layers are one of them.
  unsigned extents() const { return Dimensions + Array; }
  friend bool operator==(const ImageType &, const ImageType &) = default;
};
/// "read_only", "write_only", "read_write".
llvm::StringRef toString(ImageType::Access Use);
/// The image type \p Name ("image2d_array_t"); nothing for others, and for those of extensions
/// (depth, several samples).
std::optional<ImageType> imageFromName(llvm::StringRef Name);

struct Parameter {
  enum class Space { Global, Constant, Local, Private, Image, Sampler, Other };
  std::string Name;
  std::string TypeName;
  Space Where = Space::Private;
  bool IsPointer = false;
  /// Of the pointee for pointers, of the value for scalars, of a texel for images. A kernel does
  /// not know the format of its images: checkFits() sets that.
  ElementType Type;
  ImageType Image; ///< Space::Image
};

struct KernelShape {
  std::string Name;
  std::vector<Parameter> Params;
  /// reqd_work_group_size; zeros where there is none.
  std::array<uint64_t, 3> RequiredLocal{0, 0, 0};
  uint64_t MostItems = 0; ///< of one work-group, on this device
};

/// A value for one argument of a kernel.
struct ArgumentValue {
  enum class Kind { Scalar, Buffer, Local, Alias, Image, Sampler };
  Kind K = Kind::Scalar;
  Bytes Data;              ///< Scalar: its bytes; Buffer, Image: its contents, rows without gaps
  uint64_t LocalBytes = 0; ///< Local
  unsigned SameAs = 0;     ///< Alias: index of the buffer or image that is passed again
  ImageType Image;         ///< Image
  std::string Format;      ///< Image: a name of imageFormat()
  std::array<uint64_t, 3> Extents{1, 1, 1}; ///< Image: as extentsOf() gives them
  launch::SamplerSpec Sampler;              ///< Sampler

  bool holdsData() const { return K == Kind::Buffer || K == Kind::Image; }
};

} // namespace clmali::verify

#endif
