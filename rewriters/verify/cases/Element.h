// Elements of buffers: their types by OpenCL C name, text to bytes and back,
// and when two of them count as the same.
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
  unsigned Lanes = 1; ///< that hold data: 3 of the 4 of a float3; of a struct all of its bytes
  unsigned Size = 1;  ///< bytes of one element, padding included
  /// Of raw bytes, a struct's: where its floating-point fields lie, and their bytes.
  std::vector<std::pair<unsigned, unsigned>> FloatFields;
  std::vector<unsigned> Padding; ///< and its bytes that hold nothing

  bool isFloat() const { return K == Kind::Float; }
  bool isInteger() const { return K == Kind::Signed || K == Kind::Unsigned; }
  unsigned bits() const { return ScalarBytes * 8; }
};

/// The type that \p Name ("uchar4", "unsigned int", "half") stands for in
/// OpenCL C; nothing for typedefs and structs.
std::optional<ElementType> elementFromName(llvm::StringRef Name);

/// A scalar as text that parseScalar() reads back to the same bits (any NaN as
/// "nan").
std::string formatScalar(const ElementType &T, const uint8_t *At);
/// Writes T.ScalarBytes bytes. Integers wrap as in C; a float literal for an
/// integer type is an error.
llvm::Error parseScalar(const ElementType &T, llvm::StringRef Text, uint8_t *At);

/// The scalar as a double (exact up to 32 bits and for double).
double asDouble(const ElementType &T, const uint8_t *At);

/// Where two buffers differ first.
struct Difference {
  uint64_t Scalar = 0; ///< index in scalars: element * lanes + lane
  uint64_t Element = 0;
  unsigned Lane = 0;
  std::string Expected, Got;
  uint64_t Count = 0; ///< scalars that differ
  uint64_t Total = 0;
};

/// Bit-exact where \p T is exact, with any NaN equal to any NaN and -0 unlike
/// +0; else floats may differ within any one of the given tolerances. So do the
/// floating-point fields of structs.
std::optional<Difference> firstDifference(const ElementType &T, const launch::Tolerance &Tol,
                                          llvm::ArrayRef<uint8_t> Expected,
                                          llvm::ArrayRef<uint8_t> Got);

/// Whether two results of the *same* kernel on two devices or builds are near
/// enough to be roundings of one another: for floats within a thousandth, for
/// integers equal, or within 1 where floats are about (\p FloatsAbout).
bool roughlyAgree(const ElementType &T, llvm::ArrayRef<uint8_t> A, llvm::ArrayRef<uint8_t> B,
                  bool FloatsAbout);

} // namespace clmali::verify

#endif
