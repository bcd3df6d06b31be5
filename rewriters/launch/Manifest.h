// The manifest: how the host must run the rewritten kernel (JSON).
//
// The launches of an entry replace one launch of the original. Every launch
// whose `when` holds runs, in order; together they cover each original
// work-item exactly once. Expressions are those of launch files over
// gx gy gz (original global size), lx ly lz (original local size, 0 if NULL),
// ox oy oz (original global offset), the original's integer scalar
// arguments by name, and the extents of its images: width(src). Arguments are passed unchanged, but
// for the images of `arguments`.
#ifndef CLMALI_REWRITERS_LAUNCH_MANIFEST_H
#define CLMALI_REWRITERS_LAUNCH_MANIFEST_H

#include "rewriters/launch/Expression.h"
#include "rewriters/launch/LaunchFile.h"

#include "llvm/Support/Error.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clmali::launch {

struct ManifestLaunch {
  std::string Kernel;
  Expression When = Expression::constant(1);
  std::vector<Expression> Global;
  /// Not set: NULL, and the runtime chooses. 0 in every dimension means NULL too, so that "lx" is
  /// the original's local size in either case.
  std::optional<std::vector<Expression>> Local;
  /// Empty: no offset.
  std::vector<Expression> Offset;
  /// Bytes of `__local` arguments that must grow, by argument name.
  std::map<std::string, Expression> LocalBytes;
};

enum class ObligationState { Proved, ShownByHostCode, Tested, Assumed };

struct Obligation {
  std::string Text;
  ObligationState State = ObligationState::Assumed;
};

/// Inputs that were not compared, and why.
struct SkippedInputs {
  std::string Why;
  uint64_t Count = 0;
};

/// What the judge says of a kernel.
struct ManifestVerdict {
  std::string Verdict; ///< "held"
  std::string Basis;   ///< "proved", "proved-at" or "tested"
  /// Those that were proved; where none was or all are, those that were run.
  std::vector<std::string> Sizes;
  uint64_t Runs = 0;
  std::vector<SkippedInputs> Skipped;
};

struct ManifestKernel {
  std::string Original;
  std::vector<ManifestLaunch> Launches;
  /// What the original needs, over the names of `when`. Where one of them does not hold, the
  /// original runs as it was launched: nothing was verified there.
  std::vector<Expression> Require;
  /// Formats of image arguments, by name, and samplers that the host passes: those that the rewrite
  /// was judged with. With others the original runs as it was launched.
  std::map<std::string, std::vector<std::string>> Formats;
  std::map<std::string, std::vector<SamplerSpec>> Samplers;
  /// Two-dimensional images, by argument name, in whose place every rewritten kernel takes a
  /// buffer: the texels as they are stored, in rows without gaps. The host, or
  /// clmali-inject, has to pass that buffer.
  std::vector<std::string> AsBuffers;
  std::vector<Obligation> Obligations;
  std::string Options;
  std::vector<std::pair<std::string, std::string>> Defines;
  std::string Source; ///< "sha256:" and the hash of the original source
  std::string Tool;   ///< version of the tool that wrote it
  std::vector<std::string> Passes;
  std::optional<ManifestVerdict> Verdict; ///< not set: not judged
};

struct Manifest {
  int Version = 1;
  std::vector<ManifestKernel> Kernels;

  const ManifestKernel *findKernel(llvm::StringRef Original) const;
};

/// Parses \p Json; \p Name names it in messages. Unknown keys are errors.
llvm::Expected<Manifest> parseManifest(llvm::StringRef Json, llvm::StringRef Name);
llvm::Expected<Manifest> readManifest(llvm::StringRef Path);
/// JSON with two spaces of indentation and a newline at the end; parses back to
/// the same manifest.
std::string printManifest(const Manifest &M);

/// Sets ManifestKernel::Formats and Samplers to those of \p Files.
void addImages(ManifestKernel &K, llvm::ArrayRef<LaunchFile> Files);

/// "sha256:..." of \p Source, as ManifestKernel::Source holds it.
std::string sourceHash(llvm::StringRef Source);

/// "proved", "shown by host code", "tested", "assumed".
llvm::StringRef toString(ObligationState State);

/// One launch of a rewritten kernel in numbers.
struct ResolvedLaunch {
  std::string Kernel;
  unsigned Index = 0; ///< in ManifestKernel::Launches
  Geometry Shape;
  std::map<std::string, uint64_t> LocalBytes;
};

/// `require` of launch files in the names of a manifest.
struct ManifestRequire {
  std::vector<Expression> Checked;    ///< for ManifestKernel::Require
  std::vector<std::string> Unchecked; ///< no argument and no global size gives their variables
};
/// The host may launch as any of \p Files says: with several, one of their lists must hold.
ManifestRequire requireOf(llvm::ArrayRef<LaunchFile> Files);

/// \p Kernel with `require` as part of each `when`, and the original as a last launch where it does
/// not hold: for readers and generators that know launches only.
ManifestKernel withRequireInWhen(ManifestKernel Kernel);

/// The launches that run in place of the original launch \p Original, in order. Where `require`
/// does not hold, that launch itself.
/// \p Arguments are the original's integer scalar arguments. Errors: an
/// expression that fails, a global size of 0 or less, an offset below 0, a
/// local size that does not divide the global one, no launch at all.
llvm::Expected<std::vector<ResolvedLaunch>>
resolveLaunches(const ManifestKernel &Kernel, const Geometry &Original, const Bindings &Arguments);

/// The block of original work-items that one work-item of a kernel computes.
struct Blocks {
  std::array<uint64_t, 3> Factor{1, 1, 1}; ///< size along each dimension of the original
  /// The dimension of the original that dimension d of the kernel runs along.
  std::array<unsigned, 3> Axis{0, 1, 2};
};

/// Checks that the launches tile \p Original: each original work-item is in
/// exactly one block. \p Shape gives the blocks of each kernel by name (the
/// original's are single work-items). The error names the first work-item that is left out or
/// covered twice. \p Needed: work-items of the original at and above it may be left out
/// (unroundedGlobal()); 0 in a dimension where all of them are needed.
llvm::Error checkCoverage(llvm::ArrayRef<ResolvedLaunch> Launches, const Geometry &Original,
                          const std::map<std::string, Blocks> &Shape,
                          const std::array<uint64_t, 3> &Needed = {0, 0, 0});

/// An original launch and its integer scalar arguments.
struct CoverageCase {
  Geometry Original;
  Bindings Arguments;
  std::array<uint64_t, 3> Needed{0, 0, 0}; ///< as for checkCoverage()
};

/// Finds block shapes with which the manifest covers each of \p Cases exactly once. If there are
/// none, the error names a case and the work-item that is left out or covered twice, for the shapes
/// that cover most cases; \p Holes then gets the indices of the cases that these do not cover.
llvm::Expected<std::map<std::string, Blocks>> inferBlocks(const ManifestKernel &Kernel,
                                                          llvm::ArrayRef<CoverageCase> Cases,
                                                          std::vector<size_t> *Holes = nullptr);

} // namespace clmali::launch

#endif
