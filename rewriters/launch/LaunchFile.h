// The launch file: how the host runs a kernel (NAME.launch.yaml).
//
// A launch file holds the kernel's arguments, its geometry, and the sizes at which
// it runs, as integer expressions over the variables of `sizes` (and over defines
// that are integers, and the extents of images). geometryAt() gives the numbers
// for one size. Structs are given by their bytes. The judge rejects pipes.
#ifndef CLMALI_REWRITERS_LAUNCH_LAUNCHFILE_H
#define CLMALI_REWRITERS_LAUNCH_LAUNCHFILE_H

#include "rewriters/launch/Expression.h"
#include "rewriters/launch/ImageFormat.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clmali::launch {

/// How a buffer or an image is filled before the kernel runs. Texels of an image lie in rows
/// without gaps, each with its channels in the order of the format.
struct DataSpec {
  enum class Kind {
    Unspecified, ///< random over the whole type
    Uniform,     ///< random in [Low, High]; the fraction is kept for floats, and for normalized
                 ///< texels, where it is the value that a kernel reads
    Range,       ///< random integers in [RangeLow, RangeHigh], ends included; of texels as stored
    Zero,
    Values, ///< Values, repeated to the end of the buffer; of texels as stored
    File,   ///< the bytes of File (path relative to the launch file)
    SameAs  ///< the same buffer or image as argument SameAs
  };
  Kind K = Kind::Unspecified;
  double Low = 0, High = 0;
  Expression RangeLow, RangeHigh;
  /// Element values as they were written: integers, float literals, nan, inf.
  std::vector<std::string> Values;
  std::string File;
  std::string SameAs;
};

/// When two values count as equal. If nothing is set: bit-identical, any NaN equal to any NaN, and
/// -0 different from +0.
struct Tolerance {
  std::optional<double> Ulp, Relative;
  std::optional<double> Absolute; ///< of normalized texels: of the value that a kernel reads
  std::optional<double> Steps;    ///< of integers, and of normalized texels as they are stored
  bool isSet() const { return Ulp || Relative || Absolute || Steps; }
  bool isExact() const {
    return Ulp.value_or(0) == 0 && Relative.value_or(0) == 0 && Absolute.value_or(0) == 0 &&
           Steps.value_or(0) == 0;
  }
};

/// A sampler that the host passes.
struct SamplerSpec {
  enum class AddressMode { None, ClampToEdge, Clamp, Repeat, MirroredRepeat };
  bool Normalized = false;
  AddressMode Address = AddressMode::ClampToEdge;
  bool Linear = false;
  /// The specification defines what a read gives: no rounding is left to the device.
  bool isExact() const { return !Normalized && !Linear; }
  friend bool operator==(const SamplerSpec &, const SamplerSpec &) = default;
};
/// A sampler as launch files and manifests give it: pixels or normalized, a name of an address
/// mode, nearest or linear. The error says which of them is none.
llvm::Expected<SamplerSpec> samplerFrom(llvm::StringRef Coordinates, llvm::StringRef Address,
                                        llvm::StringRef Filter);

struct Argument {
  enum class Kind { Scalar, Buffer, Local, Image, Sampler };
  enum class Access { In, Out, InOut };

  std::string Name;
  Kind K = Kind::Scalar;
  /// Scalar: one entry; one for each component of a vector; one for each byte
  /// of a struct. An integer expression or a float literal.
  std::vector<std::string> Value;
  Access Use = Access::In; ///< Buffer, Image
  Expression Count;        ///< Buffer: elements of the pointee
  DataSpec Data;           ///< Buffer, Image
  std::string Format;      ///< Image: a name that imageFormat() knows
  /// Image: width, height and depth; the number of layers of an array is the last one.
  std::vector<Expression> Extents;
  SamplerSpec Sampler;   ///< Sampler
  Expression LocalBytes; ///< Local: bytes of a __local pointer
  std::optional<Tolerance> Compare;

  bool holdsData() const { return K == Kind::Buffer || K == Kind::Image; }
};

/// One launch in numbers, as clEnqueueNDRangeKernel takes it.
struct Geometry {
  unsigned Dimensions = 1;
  std::array<uint64_t, 3> Global{1, 1, 1};
  /// 0 in every dimension: NULL, and the runtime chooses.
  std::array<uint64_t, 3> Local{0, 0, 0};
  std::array<uint64_t, 3> Offset{0, 0, 0};

  bool hasLocal() const { return Local[0] != 0; }
  uint64_t items() const { return Global[0] * Global[1] * Global[2]; }
  friend bool operator==(const Geometry &, const Geometry &) = default;
};

/// Values of the variables of one entry of `sizes`.
using Size = Bindings;

struct LaunchFile {
  std::string Path;   ///< as it was read: for messages, and the base of relative paths
  std::string Source; ///< empty: given on the command line
  std::string Kernel;
  std::string Options;
  /// Options without -D, and all defines; an empty value is an empty macro, not 1.
  std::vector<std::pair<std::string, std::string>> Defines;
  std::vector<Argument> Args;
  std::vector<Expression> Global, Local, Offset;
  std::vector<Size> Sizes; ///< at least one (an empty one where no variable is used)
  Tolerance Compare;
  std::vector<Expression> Require;

  const Argument *findArgument(llvm::StringRef Name) const;
};

/// Parses \p Text and checks what can be checked without the kernel: names are known, dimensions
/// agree, same-as resolves, the geometry is valid at each entry of `sizes`. \p Path names the file
/// in messages.
llvm::Expected<LaunchFile> parseLaunchFile(llvm::StringRef Text, llvm::StringRef Path);
llvm::Expected<LaunchFile> readLaunchFile(llvm::StringRef Path);
/// A launch file that parses back to \p File.
std::string printLaunchFile(const LaunchFile &File);

/// \p Path relative to the launch file's folder, unless it is absolute.
std::string besideLaunchFile(const LaunchFile &File, llvm::StringRef Path);

/// The names of expressions of \p File at \p At: the size's variables, the defines that are
/// integers, and the extents of images ("width(src)").
Bindings bindingsAt(const LaunchFile &File, const Size &At);
/// The geometry at \p At, or why no host could launch it (a size of 0 or less,
/// a local size that does not divide the global one).
llvm::Expected<Geometry> geometryAt(const LaunchFile &File, const Size &At);
/// True if \p At meets `require`: the original is made for this size. Expressions of `require` may
/// name the integer scalar arguments too; a variable of `sizes` of the same name comes first.
/// \p Arguments: their values, where they are not those of the launch file.
llvm::Expected<bool> meetsRequirements(const LaunchFile &File, const Size &At,
                                       const Bindings *Arguments = nullptr);
/// The global size at \p At without the work-items that the host adds to fill the last group: X for
/// a size of roundup(X, N). 0 in a dimension whose size the launch file does not round up.
std::array<uint64_t, 3> unroundedGlobal(const LaunchFile &File, const Size &At);
/// Width, height and depth of image \p A, 1 where it has fewer dimensions; of an array the layers
/// come last. \p Values: those of bindingsAt().
llvm::Expected<std::array<uint64_t, 3>> extentsOf(const Argument &A, const Bindings &Values);
/// The integer scalar arguments by name at \p At, and the extents of images, as manifests see them.
/// Float literals, vectors and structs are left out. An argument with a reserved name is contained;
/// in a manifest that name still means the geometry.
llvm::Expected<Bindings> integerArgumentsAt(const LaunchFile &File, const Size &At);

/// "none", "clamp-to-edge", "clamp", "repeat", "mirrored-repeat".
llvm::StringRef toString(SamplerSpec::AddressMode Mode);

/// True if a scalar's value is a float literal ("2.5", "1e3", "-inf", "nan") and no integer
/// expression.
bool isFloatLiteral(llvm::StringRef Text);
/// Reads a number as C writes it, integers included. False if \p Text is none.
bool parseDouble(llvm::StringRef Text, double &Value);

/// Moves the -D of \p Options ("-D X", "-DX", "-DX=1", all of them the define X with value 1) to
/// \p Defines, so that equal builds have equal texts. Options that are left are separated by one
/// space. A define of a function-like macro stays an option. An error if a name gets two values.
llvm::Error normalizeBuild(std::string &Options,
                           std::vector<std::pair<std::string, std::string>> &Defines);

/// Build options as clBuildProgram takes them: `options`, then -D for each
/// define.
std::string buildOptions(llvm::StringRef Options,
                         llvm::ArrayRef<std::pair<std::string, std::string>> Defines);

} // namespace clmali::launch

#endif
