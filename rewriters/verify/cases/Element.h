// Elements of buffers: their types by OpenCL C name, conversion from and to text, and their
// comparison.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_ELEMENT_H
#define CLMALI_REWRITERS_VERIFY_CASES_ELEMENT_H

#include "rewriters/launch/LaunchFile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clmali::verify {

using Bytes = std::vector<uint8_t>;

struct ElementType {
  enum class Kind { Signed, Unsigned, Float, Raw };
  Kind K = Kind::Raw;
  unsigned ScalarBytes = 1;
  unsigned Lanes = 1; ///< components with data: 3 for a float3; all bytes of a struct
  unsigned Size = 1;  ///< bytes of one element, padding included
  /// Raw bytes of a struct: offset and bytes of each floating-point field.
  std::vector<std::pair<unsigned, unsigned>> FloatFields;
  std::vector<unsigned> Padding; ///< and the offsets of its padding bytes
  /// Integers that stand for fractions: the texels of a normalized image.
  bool Normalized = false;

  bool isFloat() const { return K == Kind::Float; }
  bool isInteger() const { return K == Kind::Signed || K == Kind::Unsigned; }
  unsigned bits() const { return ScalarBytes * 8; }
  /// Normalized: the integer that stands for 1.
  double one() const;
};

/// The texels of a format, which has a channel for each lane.
ElementType texelOf(const launch::ImageFormat &Format);

/// The built-in type \p Name ("uchar4", "unsigned int", "half"); nothing for typedefs and structs.
std::optional<ElementType> elementFromName(llvm::StringRef Name);

/// A scalar as text that parseScalar() converts back to the same bits: "nan(0x7f800001)" for a NaN
/// other than the usual one.
std::string formatScalar(const ElementType &T, const uint8_t *At);
/// Writes T.ScalarBytes bytes. Integers wrap as in C; a float literal for an
/// integer type is an error.
llvm::Error parseScalar(const ElementType &T, llvm::StringRef Text, uint8_t *At);

/// The scalar as a double (exact up to 32 bits and for double).
double asDouble(const ElementType &T, const uint8_t *At);

/// The first difference of two buffers.
struct Difference {
  uint64_t Scalar = 0; ///< index in scalars: element * lanes + lane
  uint64_t Element = 0;
  unsigned Lane = 0;
  std::string Expected, Got;
  uint64_t Count = 0; ///< scalars that differ
  uint64_t Total = 0;
};

/// Bit-exact if \p Tol is exact, with any NaN equal to any NaN and -0 different from +0; else
/// floats are equal if they are within one of the tolerances, integers within `steps`, and
/// normalized texels within `steps` or `abs`. The same holds for the floating-point
/// fields of structs.
std::optional<Difference> firstDifference(const ElementType &T, const launch::Tolerance &Tol,
                                          llvm::ArrayRef<uint8_t> Expected,
                                          llvm::ArrayRef<uint8_t> Got);

/// True if two results of the *same* kernel, on two devices or builds, may differ by rounding only:
/// floats within a thousandth; integers equal, or within 1 if the kernel computes with floats
/// (\p UsesFloats).
bool roughlyAgree(const ElementType &T, llvm::ArrayRef<uint8_t> A, llvm::ArrayRef<uint8_t> B,
                  bool UsesFloats);

} // namespace clmali::verify

#endif
