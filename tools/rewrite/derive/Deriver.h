//===- Deriver.h - derives a launch file from the kernel alone -*- C++ -*----------------------===//
//
// What Derive.cpp describes: Values.cpp finds the largest values of ids, variables and expressions,
// Geometry.cpp the number of work-items, pitches and groups, Derive.cpp the arguments and the text.
//
//===------------------------------------------------------------------------------------------===//
#ifndef CLMALI_TOOLS_REWRITE_DERIVE_DERIVER_H
#define CLMALI_TOOLS_REWRITE_DERIVE_DERIVER_H

#include "checks/model/analysis/Analysis.h"
#include "tools/rewrite/derive/NamePoly.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>

namespace clmali::tool {

/// The names in Text, an expression of a launch file.
std::vector<std::string> names(llvm::StringRef Text);
/// size_x, size_y of `int2 size`.
std::string componentName(const model::Var &P, unsigned Lane);
/// The name in the launch file of what I stands for: an integer argument, or a component of one
/// (size_x of size.x); empty: of nothing that a launch sets.
std::string argumentName(const model::SymbolInfo &I);

class Deriver {
public:
  Deriver(model::Module &M, const model::Kernel &K,
          std::optional<std::array<uint64_t, 3>> HostLocal)
      : A(M, K), K(K), HostLocal(HostLocal) {}
  llvm::Expected<std::string> run();

private:
  llvm::Error no(const llvm::Twine &Why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), Why);
  }
  std::optional<NamePoly> symbol(unsigned S, bool Largest, unsigned Depth);
  std::optional<NamePoly> id(const model::Expr *E, bool Largest);
  std::optional<NamePoly> atom(const model::Expr *E, bool Largest, unsigned Depth);
  std::optional<NamePoly> binary(const model::Expr *E, bool Largest, unsigned Depth);
  enum class Direction : uint8_t { None, Down, Up };
  Direction direction(const model::Stmt &S, unsigned Depth);
  std::optional<NamePoly> limitOf(const model::Stmt &Loop, const model::Var *V, unsigned Depth);
  std::optional<NamePoly> limitOf(const model::Expr *Test, const model::Var *V, unsigned Depth);
  std::optional<NamePoly> variable(const model::Var *V, bool Largest, unsigned Depth);
  std::optional<NamePoly> extreme(const model::Expr *E, bool Largest, unsigned Depth);
  std::optional<NamePoly> extreme(const model::Poly &P, bool Largest, unsigned Depth = 0);
  std::optional<NamePoly> largestUnder(const model::Poly &P,
                                       llvm::ArrayRef<model::Poly> AtLeastZero);
  /// The same, by exactly so many of AtLeastZero.
  std::optional<NamePoly> largestUnder(const model::Poly &P,
                                       llvm::ArrayRef<model::Poly> AtLeastZero, unsigned Guards);
  void findIds();
  llvm::Expected<std::string> argument(const model::Var &P);
  std::string sizes() const;
  std::string geometry() const;
  void findGeometry();
  void findLocal();
  void findIndices();
  bool fitsArrays();
  /// The work-group size that an unguarded size must be a multiple of; 0: none.
  unsigned groupOf(const std::string &Name) const {
    for (unsigned D = 0; D < Dims; ++D)
      if (Global[D] == Name && Whole.count(Name) && Local[D] > 1)
        return Local[D];
    return 0;
  }
  /// Number of work-items along D, in whole groups.
  std::string items(unsigned D) const {
    const std::string Group = std::to_string(Local[D]);
    return Local[D] > 1 && Global[D] != Group ? "roundup(" + Global[D] + ", " + Group + ")"
                                              : Global[D];
  }
  /// gid(Dim) <= Name + Offset
  struct Bound {
    unsigned Dim;
    std::string Name; ///< an argument, or (w * h)
    int64_t Offset;
    std::set<std::string> Of; ///< the arguments in it
  };
  /// What is at least 0 where G holds: the greater sides of its comparisons minus the smaller ones.
  void distances(const model::Guard &G, std::vector<model::Poly> &Found) const;
  void bounds(const model::Guard &G, std::vector<Bound> &Found) const;
  void bound(const model::Poly &Distance, std::vector<Bound> &Found) const;
  std::vector<std::string> extentsOf(const model::Var &Image);
  std::string countOf(const model::Var *Buffer, bool &Read, bool &Written, std::string &Guess);
  std::string guessedCount(const model::Var &Buffer, llvm::StringRef AtLeast) const;
  llvm::Expected<std::string> structText(const model::Var &P);

  model::KernelAnalysis A;
  const model::Kernel &K;
  const std::optional<std::array<uint64_t, 3>> HostLocal; ///< the host launches with it
  unsigned Dims = 1;
  uint8_t IdDims = 0; ///< dimensions in which ids differ
  /// Dimensions in which only local ids do: several groups would do the same work.
  uint8_t OneGroup = 0;
  static constexpr llvm::StringLiteral OneGroupText = "one group"; ///< until its size is known
  std::array<std::string, 3> Global;
  bool InGroups = false;                     ///< uses barriers, local memory, local or group ids
  std::array<unsigned, 3> Local = {0, 0, 0}; ///< 0: left to the runtime
  std::map<const model::Var *, unsigned>
      Indices;                 ///< buffers of integers used as indices, and their largest value
  std::set<std::string> Whole; ///< sizes without a guard: multiples of the group
  std::vector<Bound> Here;     ///< bounds from the guards of the current access
  std::vector<Bound> OfImages; ///< the same for all accesses to images
  std::set<std::string> Sizes; ///< names that the geometry, addresses or loops depend on
  /// A row of Length bytes lies in Pitch times PitchBytes.
  struct RowPitch {
    std::string Pitch;
    NamePoly Length;
    int64_t PitchBytes;
    auto operator<=>(const RowPitch &) const = default;
    /// The least pitch for these sizes.
    uint64_t least(const std::map<std::string, uint64_t> &Sizes) const;
    std::string text() const;
  };
  std::set<RowPitch> Pitches;
  void findPitches();
  void findPitch(const model::AccessSite &S, const std::string &Pitch, unsigned Symbol,
                 int64_t PitchBytes, const model::SymbolInfo &Row);
  bool sharesLocalMemoryAlong(unsigned D) const;
};

} // namespace clmali::tool

#endif
