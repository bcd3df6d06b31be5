// The launch file: how the host runs a kernel (NAME.launch.yaml).
//
// A launch file holds the kernel's arguments, its geometry, and the sizes at which
// it runs, as integer expressions over the variables of `sizes` (and over defines
// that are integers). geometryAt() gives the numbers for one size. The judge
// rejects images, samplers and pipes; structs are given by their bytes.
#ifndef CLMALI_REWRITERS_LAUNCH_LAUNCHFILE_H
#define CLMALI_REWRITERS_LAUNCH_LAUNCHFILE_H

#include "rewriters/launch/Expression.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clmali::launch {

/// How a buffer is filled before the kernel runs.
struct DataSpec {
  enum class Kind {
    Unspecified, ///< random over the whole type
    Uniform,     ///< random in [Low, High]; the fraction is kept for floats
    Range,       ///< random integers in [RangeLow, RangeHigh], ends included
    Zero,
    Values, ///< Values, repeated to the end of the buffer
    File,   ///< the bytes of File (path relative to the launch file)
    SameAs  ///< the same buffer as argument SameAs
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
  std::optional<double> Ulp, Relative, Absolute;
  bool isExact() const {
    return Ulp.value_or(0) == 0 && Relative.value_or(0) == 0 && Absolute.value_or(0) == 0;
  }
};

struct Argument {
  enum class Kind { Scalar, Buffer, Local };
  enum class Access { In, Out, InOut };

  std::string Name;
  Kind K = Kind::Scalar;
  /// Scalar: one entry; one for each component of a vector; one for each byte
  /// of a struct. An integer expression or a float literal.
  std::vector<std::string> Value;
  Access Use = Access::In; ///< Buffer
  Expression Count;        ///< Buffer: elements of the pointee
  DataSpec Data;           ///< Buffer
  Expression LocalBytes;   ///< Local: bytes of a __local pointer
  std::optional<Tolerance> Compare;
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

/// The names of expressions of \p File at \p At: the size's variables and the defines that are
/// integers.
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
/// The integer scalar arguments by name at \p At, as manifests see them.
/// Float literals, vectors and structs are left out. An argument with a reserved name is contained;
/// in a manifest that name still means the geometry.
llvm::Expected<Bindings> integerArgumentsAt(const LaunchFile &File, const Size &At);

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
