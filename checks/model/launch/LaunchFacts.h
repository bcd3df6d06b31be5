//===-- checks/model/launch/LaunchFacts.h - What is known of a launch ---*- C++ -*-===//
//
// What the host, a launch file or the kernel's attributes say of the launches of one kernel. One
// object describes all launches: a fact stands here only where it holds for each of them.
//
// Limits: what the rewritten kernel requires of its launch is another matter
// (rewriters/pass/LaunchContract.h).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_LAUNCH_LAUNCHFACTS_H
#define CLMALI_CHECKS_MODEL_LAUNCH_LAUNCHFACTS_H

#include "checks/model/ir/Model.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace clmali::model {

/// Work-items by dimension; 0: not known.
using WorkSize = std::array<uint64_t, 3>;

/// An integer argument that every launch sets to one value.
struct KnownScalar {
  std::string Param; ///< in the kernel
  std::string Name;  ///< in launch files and manifests
  int64_t Value;
};

/// What decides how fast the texels of an image are read.
struct TexelFormat {
  unsigned Bits = 0; ///< of a texel
  bool IsFloat32 = false;
};

/// How texels are stored that have one format in every launch, with the channels in the order of
/// the components.
struct StoredTexel {
  std::string Name; ///< of the image in launch files and manifests
  ScalarKind Channel = ScalarKind::UChar;
  uint8_t Channels = 4;
  bool Normalized = false; ///< unsigned, as a part of largest()
  /// What a kernel writes as a component.
  ScalarKind component() const {
    return Normalized || isFloat(Channel) ? ScalarKind::Float
           : isSigned(Channel)            ? ScalarKind::Int
                                          : ScalarKind::UInt;
  }
  uint64_t largest() const { return (uint64_t(1) << sizeInBits(Channel)) - 1; }
};

/// An extent of an image that every launch gives as an integer argument, or as an extent of another
/// image: they are one expression of its launch file.
struct SameExtent {
  std::string Image;     ///< the parameter in the kernel
  unsigned Dim;          ///< 0: width, 1: height, 2: depth
  std::string Other;     ///< the parameter that is, or has, the same
  bool OfImage;          ///< Other is an image, and has it along Dim
  std::string Condition; ///< as in a manifest: "width(src) == w"
};

/// Global size and offset of a launch.
struct LaunchRange {
  WorkSize Global = {1, 1, 1}, Offset = {0, 0, 0};
  friend bool operator==(const LaunchRange &, const LaunchRange &) = default;
};

struct LaunchFacts {
  /// The local size, where all launches agree.
  WorkSize KnownLocal = {0, 0, 0};
  /// The largest global size. A block of work-items that is larger would never be used.
  WorkSize LargestGlobal = {0, 0, 0};
  /// Of all launches, each once; empty: not known.
  std::vector<LaunchRange> Ranges;
  /// LargestGlobal is of a launch that was made up for tests: it says nothing of the host's.
  bool SizesMadeUp = false;
  /// Launches are known, and none gives a local size (NULL): the runtime chooses one.
  bool NoLocalSize = false;
  std::vector<KnownScalar> KnownScalars;
  /// Pairs of buffer parameters, by name, that some launch sets to one buffer.
  std::vector<std::pair<std::string, std::string>> SameBuffers;
  /// Images, by name of the parameter, whose border colour has the same alpha in every launch.
  std::vector<std::string> TransparentBorders, OpaqueBorders;

  /// Of images, by name of the parameter: the widest format of the launches.
  std::map<std::string, TexelFormat> Texels;

  std::map<std::string, StoredTexel> StoredTexels; ///< by name of the parameter
  std::vector<SameExtent> SameExtents;

  /// True if outside of Image alpha is 1, false if it is 0; nothing: formats are not known, or
  /// differ in it.
  std::optional<bool> borderIsOpaque(const Var &Image) const {
    if (llvm::is_contained(OpaqueBorders, Image.Name))
      return true;
    return llvm::is_contained(TransparentBorders, Image.Name) ? std::optional(false) : std::nullopt;
  }

  /// True if launches are known, and each begins at an odd id in all dimensions in which it has
  /// several work-items.
  bool hasOddOffsets() const {
    return !Ranges.empty() && llvm::all_of(Ranges, [](const LaunchRange &R) {
      for (unsigned D = 0; D < 3; ++D)
        if (R.Global[D] > 1 && R.Offset[D] % 2 == 0)
          return false;
      return true;
    });
  }

  /// The size that one work-group of K has: its attribute, or what all launches give.
  WorkSize localSizeOf(const Kernel &K) const {
    WorkSize Size = KnownLocal;
    if (K.ReqdWorkGroupSize)
      llvm::copy(*K.ReqdWorkGroupSize, Size.begin());
    return Size;
  }

  /// May X and Y be one buffer in some launch? Transitive over SameBuffers.
  bool maySameBuffer(const Var &X, const Var &Y) const {
    llvm::SmallVector<llvm::StringRef, 4> Class = {X.Name};
    for (size_t I = 0; I < Class.size(); ++I)
      for (const auto &[A, B] : SameBuffers) {
        llvm::StringRef Other = A == Class[I] ? B : A;
        if ((A == Class[I] || B == Class[I]) && !llvm::is_contained(Class, Other))
          Class.push_back(Other);
      }
    return llvm::is_contained(Class, llvm::StringRef(Y.Name));
  }
};

} // namespace clmali::model
#endif
