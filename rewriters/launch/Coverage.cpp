// Checks that the launches of a manifest cover each original work-item exactly once.
//
// A manifest says how many work-items run, but not which original work-items each of them computes.
// That follows from the numbers: a work-item of a rewritten kernel computes a block of original
// ones (4 x 1, say), the same block at every size. A block shape that tiles the original's range in
// every case is taken as the shape; if there is none, the first gap or overlap is reported. A block
// may exceed the upper end of the range (a kernel with a guard) but must begin inside it.
#include "rewriters/launch/Manifest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

using namespace llvm;

namespace clmali::launch {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// Half-open box of original work-items, by global id (offset included).
struct Box {
  std::array<uint64_t, 3> Low{0, 0, 0}, High{1, 1, 1};
  uint64_t volume() const { return (High[0] - Low[0]) * (High[1] - Low[1]) * (High[2] - Low[2]); }
};

Box rangeOf(const Geometry &G) {
  Box B;
  for (unsigned D = 0; D < 3; ++D) {
    B.Low[D] = G.Offset[D];
    B.High[D] = G.Offset[D] + G.Global[D];
  }
  return B;
}

/// The original work-items that \p L computes; nothing if a block begins outside the range.
std::optional<Box> boxOf(const ResolvedLaunch &L, const Blocks &Shape, const Box &Range) {
  Box B;
  for (unsigned D = 0; D < 3; ++D) {
    unsigned Axis = Shape.Axis[D];
    uint64_t Factor = Shape.Factor[Axis];
    uint64_t Low = L.Shape.Offset[D] * Factor;
    uint64_t Last = (L.Shape.Offset[D] + L.Shape.Global[D] - 1) * Factor;
    if (Low < Range.Low[Axis] || Last >= Range.High[Axis])
      return std::nullopt;
    B.Low[Axis] = Low;
    B.High[Axis] = std::min(Last + Factor, Range.High[Axis]);
  }
  return B;
}

/// \p B without the work-items of \p Original at and above \p Needed; its volume may be 0.
Box neededPart(Box B, const Geometry &Original, const std::array<uint64_t, 3> &Needed) {
  for (unsigned D = 0; D < 3; ++D)
    if (Needed[D] != 0) {
      B.High[D] = std::min(B.High[D], Original.Offset[D] + Needed[D]);
      B.Low[D] = std::min(B.Low[D], B.High[D]);
    }
  return B;
}

bool overlap(const Box &A, const Box &B) {
  for (unsigned D = 0; D < 3; ++D)
    if (A.High[D] <= B.Low[D] || B.High[D] <= A.Low[D])
      return false;
  return true;
}

std::string point(const std::array<uint64_t, 3> &P, unsigned Dimensions) {
  std::string Text = "(" + std::to_string(P[0]);
  for (unsigned D = 1; D < Dimensions; ++D)
    Text += ", " + std::to_string(P[D]);
  return Text + ")";
}

/// The first work-item of \p Range in none of \p Parts. Tests only corners: the
/// lowest uncovered item has, in each dimension, the range's or some box's edge.
std::array<uint64_t, 3> firstGap(const Box &Range, ArrayRef<Box> Parts) {
  std::array<std::set<uint64_t>, 3> Edges;
  for (unsigned D = 0; D < 3; ++D) {
    Edges[D].insert(Range.Low[D]);
    for (const Box &P : Parts)
      if (P.High[D] < Range.High[D])
        Edges[D].insert(P.High[D]);
    for (const Box &P : Parts)
      Edges[D].insert(P.Low[D]);
  }
  for (uint64_t Z : Edges[2])
    for (uint64_t Y : Edges[1])
      for (uint64_t X : Edges[0]) {
        bool Inside = any_of(Parts, [&](const Box &P) {
          return X >= P.Low[0] && X < P.High[0] && Y >= P.Low[1] && Y < P.High[1] &&
                 Z >= P.Low[2] && Z < P.High[2];
        });
        if (!Inside)
          return {X, Y, Z};
      }
  return Range.Low;
}

/// Blocks that \p Kernel may have, from the ratios of the sizes; the likely
/// ones first.
std::vector<Blocks> candidates(StringRef Kernel, ArrayRef<std::vector<ResolvedLaunch>> Resolved,
                               ArrayRef<CoverageCase> Cases) {
  constexpr uint64_t MostItems = 4096; // of one block along one axis
  unsigned Dimensions = 1;
  for (const CoverageCase &C : Cases)
    Dimensions = std::max(Dimensions, C.Original.Dimensions);
  std::vector<std::array<unsigned, 3>> Axes;
  std::array<unsigned, 3> Axis{0, 1, 2};
  do {
    bool Moves = false;
    for (unsigned D = Dimensions; D < 3; ++D)
      Moves |= Axis[D] != D;
    if (!Moves)
      Axes.push_back(Axis);
  } while (std::next_permutation(Axis.begin(), Axis.end()));

  std::vector<Blocks> Result;
  for (const std::array<unsigned, 3> &A : Axes) {
    std::array<std::set<uint64_t>, 3> Factors; // by original axis
    for (unsigned D = 0; D < 3; ++D) {
      std::set<uint64_t> &F = Factors[A[D]];
      F.insert(1);
      if (A[D] >= Dimensions)
        continue;
      for (size_t I = 0; I < Cases.size(); ++I)
        for (const ResolvedLaunch &L : Resolved[I]) {
          if (L.Kernel != Kernel)
            continue;
          uint64_t Whole = Cases[I].Original.Global[A[D]];
          uint64_t Own = L.Shape.Global[D];
          uint64_t Needed = Cases[I].Needed[A[D]];
          for (uint64_t Ratio : {Whole / Own, (Whole + Own - 1) / Own, (Needed + Own - 1) / Own})
            if (Ratio >= 1 && Ratio <= MostItems && F.size() < 24)
              F.insert(Ratio);
        }
    }
    for (uint64_t Z : Factors[2])
      for (uint64_t Y : Factors[1])
        for (uint64_t X : Factors[0])
          Result.push_back({{X, Y, Z}, A});
  }
  // Small blocks first: a block that exceeds the range may be taken for a larger one, never for a
  // smaller one.
  llvm::sort(Result, [](const Blocks &L, const Blocks &R) {
    auto volume = [](const Blocks &B) { return B.Factor[0] * B.Factor[1] * B.Factor[2]; };
    return std::tuple(volume(L), L.Axis, L.Factor) < std::tuple(volume(R), R.Axis, R.Factor);
  });
  return Result;
}

} // namespace

Error checkCoverage(ArrayRef<ResolvedLaunch> Launches, const Geometry &Original,
                    const std::map<std::string, Blocks> &Shape,
                    const std::array<uint64_t, 3> &Needed) {
  Box Range = rangeOf(Original), NeededRange = neededPart(Range, Original, Needed);
  std::vector<Box> Parts;
  uint64_t Covered = 0;
  for (const ResolvedLaunch &L : Launches) {
    auto It = Shape.find(L.Kernel);
    std::optional<Box> B = boxOf(L, It == Shape.end() ? Blocks() : It->second, Range);
    if (!B)
      return failure("launch " + Twine(L.Index) + " ('" + L.Kernel +
                     "') has work-items outside the original's range");
    for (size_t I = 0; I < Parts.size(); ++I)
      if (overlap(Parts[I], *B)) {
        std::array<uint64_t, 3> P;
        for (unsigned D = 0; D < 3; ++D)
          P[D] = std::max(Parts[I].Low[D], B->Low[D]);
        return failure("original work-item " + point(P, Original.Dimensions) +
                       " is covered twice, by launch " + Twine(Launches[I].Index) + " and launch " +
                       Twine(L.Index));
      }
    Covered += neededPart(*B, Original, Needed).volume();
    Parts.push_back(*B);
  }
  if (Covered == NeededRange.volume())
    return Error::success();
  return failure("original work-item " + point(firstGap(NeededRange, Parts), Original.Dimensions) +
                 " is in no launch");
}

Expected<std::map<std::string, Blocks>> inferBlocks(const ManifestKernel &Kernel,
                                                    ArrayRef<CoverageCase> Cases,
                                                    std::vector<size_t> *Holes) {
  std::vector<std::vector<ResolvedLaunch>> Resolved;
  std::set<std::string> Names;
  for (const CoverageCase &C : Cases) {
    Expected<std::vector<ResolvedLaunch>> L = resolveLaunches(Kernel, C.Original, C.Arguments);
    if (!L)
      return L.takeError();
    for (const ResolvedLaunch &R : *L)
      if (R.Kernel != Kernel.Original)
        Names.insert(R.Kernel);
    Resolved.push_back(std::move(*L));
  }

  std::vector<std::string> Order(Names.begin(), Names.end());
  std::vector<std::vector<Blocks>> Choices;
  for (const std::string &Name : Order)
    Choices.push_back(candidates(Name, Resolved, Cases));

  // All combinations of shapes, those of the last kernel varying fastest. The limit keeps a
  // manifest with many kernels from taking minutes.
  constexpr uint64_t MostTries = 20000;
  std::vector<size_t> At(Order.size(), 0);
  std::optional<size_t> FewestHoles;
  std::vector<size_t> BestHoles;
  std::string BestProblem;
  for (uint64_t Try = 0; Try < MostTries; ++Try) {
    std::map<std::string, Blocks> Shape;
    for (size_t I = 0; I < Order.size(); ++I)
      Shape[Order[I]] = Choices[I][At[I]];
    std::vector<size_t> Here;
    std::string Problem;
    for (size_t I = 0; I < Cases.size(); ++I)
      if (Error E = checkCoverage(Resolved[I], Cases[I].Original, Shape, Cases[I].Needed)) {
        if (Here.empty())
          Problem = llvm::toString(std::move(E));
        else
          consumeError(std::move(E));
        Here.push_back(I);
        if (FewestHoles && Here.size() >= *FewestHoles)
          break; // no better than what is known
      }
    if (Here.empty())
      return Shape;
    if (!FewestHoles || Here.size() < *FewestHoles) {
      FewestHoles = Here.size();
      BestHoles = std::move(Here);
      BestProblem = std::move(Problem);
    }
    size_t Digit = Order.size();
    while (Digit > 0) {
      if (++At[Digit - 1] < Choices[Digit - 1].size())
        break;
      At[Digit - 1] = 0;
      --Digit;
    }
    if (Digit == 0)
      break;
  }
  if (!FewestHoles)
    return std::map<std::string, Blocks>(); // no case at all
  if (Holes)
    *Holes = BestHoles;
  const Geometry &G = Cases[BestHoles.front()].Original;
  std::array<uint64_t, 3> Size = G.Global;
  return failure("at global size " + point(Size, G.Dimensions) +
                 (G.Offset != std::array<uint64_t, 3>{0, 0, 0}
                      ? ", offset " + point(G.Offset, G.Dimensions)
                      : std::string()) +
                 ": " + BestProblem);
}

} // namespace clmali::launch
