// Sizes: for each variable of `sizes` a list of values, combined so that each value occurs.
#include "rewriters/verify/cases/Sizes.h"

#include "rewriters/verify/cases/Relations.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::LaunchFile;

/// The judge's own sizes stay below these limits, so that they run quickly.
constexpr uint64_t MostItems = 1 << 16;
constexpr uint64_t MostBytes = uint64_t(8) << 20;
constexpr unsigned OwnSizes = 14; ///< for each launch file
/// One of so many sizes need not be in the order of the listed ones, which may be chance.
constexpr size_t UnorderedEach = 7;

/// The integers in the manifest's expressions: its vector widths.
std::set<int64_t> manifestConstants(const launch::ManifestKernel &M) {
  std::set<int64_t> Found;
  auto scan = [&Found](const launch::Expression &E) {
    for (int64_t C : scanConstants(E.text()).Integers)
      if (C > 1 && C <= 256)
        Found.insert(C);
  };
  for (const launch::ManifestLaunch &L : M.Launches) {
    scan(L.When);
    for (const launch::Expression &E : L.Global)
      scan(E);
    if (L.Local)
      for (const launch::Expression &E : *L.Local)
        scan(E);
    for (const launch::Expression &E : L.Offset)
      scan(E);
  }
  return Found;
}

/// Values for one variable, those most likely to show a fault first.
std::vector<int64_t> interestingValues(const LaunchFile &F, StringRef Variable,
                                       const std::set<int64_t> &Constants) {
  std::vector<int64_t> V{1, 2, 3, 5, 17, 7, 4, 8, 16, 13, 31, 64, 33, 32};
  for (int64_t C : Constants)
    for (int64_t Value : {C - 1, C, C + 1, 2 * C - 1, 2 * C, 2 * C + 1, 3 * C + 2, 4 * C, 5 * C})
      V.push_back(Value);
  for (const launch::Size &S : F.Sizes) {
    int64_t Listed = S.at(Variable.str());
    if (Listed <= 4096)
      for (int64_t Value : {Listed, Listed - 1, Listed + 1})
        V.push_back(Value);
    // Halving keeps the size a multiple of a power of two as long as possible.
    for (int64_t Half = Listed; Half >= 1; Half /= 2) {
      V.push_back(Half);
      if (Half % 2 != 0)
        break;
    }
  }
  for (int64_t Value : {48, 96, 128, 192, 256, 320, 37, 65, 127, 129, 509, 1021})
    V.push_back(Value);
  std::vector<int64_t> Unique;
  for (int64_t Value : V)
    if (Value >= 1 && !is_contained(Unique, Value))
      Unique.push_back(Value);
  return Unique;
}

/// Chooses among valid sizes so that each variable takes as many different values as possible, in
/// the order of interestingValues().
class SizeChooser {
public:
  SizeChooser(TestPlan &P, unsigned Launch)
      : P(P), Launch(Launch), F(P.Request->Launches[Launch]), Relations(F),
        Rng(mixSeed(P.Request->Options.Seed, "sizes")) {
    Constants = manifestConstants(P.Request->Manifest);
    for (const auto &[Name, Shape] : P.Blocks)
      for (uint64_t Factor : Shape.Factor)
        if (Factor > 1)
          Constants.insert(static_cast<int64_t>(Factor));
    for (const auto &[Name, Value] : F.Sizes.front()) {
      Names.push_back(Name);
      Choices.push_back(interestingValues(F, Name, Constants));
    }
  }

  std::vector<ChosenSize> run() {
    if (Names.empty())
      return {};
    diagonals();
    if (Names.size() > 1) {
      mixtures();
      neighboursOfListed();
    }
    if (Chosen.size() < 4)
      smallValues();
    return std::move(Chosen);
  }

private:
  bool enough() const { return Chosen.size() >= OwnSizes; }

  /// The I-th value of each variable, shifted against each other so that width and height differ.
  void diagonals() {
    size_t Longest = 0;
    for (const std::vector<int64_t> &C : Choices)
      Longest = std::max(Longest, C.size());
    for (size_t I = 0; I < Longest && !enough(); ++I) {
      launch::Size S;
      for (size_t V = 0; V < Names.size(); ++V)
        S[Names[V]] = Choices[V][(I + V * 3) % Choices[V].size()];
      consider(S, false);
    }
  }

  /// All ones, then random combinations of the values.
  void mixtures() {
    launch::Size Ones;
    for (const std::string &Name : Names)
      Ones[Name] = 1;
    consider(Ones, true);
    for (unsigned Try = 0; Try < 3000 && !enough(); ++Try) {
      launch::Size S;
      for (size_t V = 0; V < Names.size(); ++V)
        S[Names[V]] = Choices[V][Rng.below(Choices[V].size())];
      consider(S, false);
    }
  }

  /// Listed sizes with one variable changed: variables may depend on one another
  /// (pitch >= width).
  void neighboursOfListed() {
    for (unsigned Try = 0; Try < 600 && Chosen.size() < OwnSizes + 4; ++Try) {
      launch::Size S = F.Sizes[Rng.below(F.Sizes.size())];
      size_t V = Rng.below(Names.size());
      S[Names[V]] = Choices[V][Rng.below(Choices[V].size())];
      consider(S, false);
    }
  }

  /// Few values are valid: the first listed size with each small value of one variable.
  void smallValues() {
    for (size_t V = 0; V < Names.size(); ++V)
      for (int64_t Value = 1; Value <= 520 && !enough(); ++Value) {
        launch::Size S = F.Sizes.front();
        S[Names[V]] = Value;
        consider(S, true);
      }
  }

  /// Takes a valid size if a variable has a new value in it, or if \p Always.
  void consider(const launch::Size &Drawn, bool Always) {
    const launch::Size S =
        Relations.settled(Drawn, Chosen.size() % UnorderedEach == UnorderedEach - 1);
    if (!Seen.insert(S).second || is_contained(F.Sizes, S))
      return;
    bool New = Always;
    for (const auto &[Name, Value] : S)
      New |= !Used[Name].count(Value);
    if (!New)
      return;
    Expected<InputShape> Shape = shapeOf(P, Launch, S, 0);
    if (!Shape) {
      consumeError(Shape.takeError());
      ++P.SizesSkipped;
      return;
    }
    if (Shape->Original.items() > MostItems || Shape->Bytes > MostBytes)
      return;
    for (const auto &[Name, Value] : S)
      Used[Name].insert(Value);
    Chosen.push_back({S, std::move(*Shape), false});
  }

  TestPlan &P;
  unsigned Launch;
  const LaunchFile &F;
  const SizeRelations Relations;
  Random Rng;
  std::set<int64_t> Constants;
  std::vector<std::string> Names;
  std::vector<std::vector<int64_t>> Choices;
  std::set<launch::Size> Seen;
  std::map<std::string, std::set<int64_t>> Used;
  std::vector<ChosenSize> Chosen;
};

} // namespace

std::vector<ChosenSize> ownSizes(TestPlan &P, unsigned Launch) {
  return SizeChooser(P, Launch).run();
}

std::vector<CoverageSize> coverageSizes(const TestPlan &P) {
  std::vector<CoverageSize> All;
  constexpr size_t Most = 400;
  for (unsigned Launch = 0; Launch < P.Launches.size(); ++Launch) {
    const LaunchFile &F = P.Request->Launches[Launch];
    std::set<launch::Size> Seen;
    const SizeRelations Relations(F);
    auto consider = [&](const launch::Size &Drawn) {
      const launch::Size S = Relations.settled(Drawn, /*OnlyRequire=*/true);
      if (!Seen.insert(S).second)
        return;
      Expected<InputShape> Shape = shapeOf(P, Launch, S, 0);
      if (!Shape) {
        consumeError(Shape.takeError());
        return;
      }
      All.push_back({Launch, S, {Shape->Original, Shape->Integers, launch::unroundedGlobal(F, S)}});
    };
    for (const launch::Size &S : F.Sizes)
      consider(S);
    Random Rng(mixSeed(P.Request->Options.Seed, "coverage"));
    const launch::Size &First = F.Sizes.front();
    if (First.size() == 1)
      for (int64_t V = 1; V <= 300; ++V)
        consider({{First.begin()->first, V}});
    else if (!First.empty())
      for (unsigned Try = 0; Try < 2000 && All.size() < Most; ++Try) {
        launch::Size S = First;
        for (auto &[Name, Value] : S)
          if (Rng.below(8) != 0)
            Value = 1 + Rng.below(Rng.below(2) ? 24 : 200);
        consider(S);
      }
  }
  return All;
}

} // namespace clmali::verify
