// The inputs of a judgement: each size with each kind of data, and variants of the scalars.
#include "rewriters/verify/cases/TestPlan.h"

#include "rewriters/verify/cases/Scalars.h"
#include "rewriters/verify/cases/Sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::LaunchFile;

/// Above these limits a listed size gets fewer patterns.
constexpr uint64_t ManyItems = 1 << 19;
constexpr uint64_t ManyBytes = uint64_t(32) << 20;
/// Buffers of fewer bytes rarely show the effect of a scalar.
constexpr uint64_t EnoughBytes = 512;

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// The listed sizes and the judge's own, smallest first. An error where no listed size can be
/// launched.
Expected<std::vector<ChosenSize>> chooseSizes(TestPlan &P, unsigned Launch) {
  const LaunchFile &F = P.Request->Launches[Launch];
  std::vector<ChosenSize> Sizes;
  std::string WhyNone;
  for (const launch::Size &S : F.Sizes) {
    Expected<InputShape> Shape = shapeOf(P, Launch, S, 0);
    if (!Shape) {
      WhyNone = llvm::toString(Shape.takeError());
      ++P.SizesSkipped;
      continue;
    }
    Sizes.push_back({S, std::move(*Shape), true});
  }
  if (Sizes.empty())
    return failure(F.Path + ": no size of it can be launched: " + WhyNone);
  if (!P.Request->Options.Without.count("own-sizes"))
    for (ChosenSize &S : ownSizes(P, Launch))
      Sizes.push_back(std::move(S));
  llvm::sort(Sizes, [](const ChosenSize &A, const ChosenSize &B) {
    return std::tuple(A.Shape.Original.items(), A.Shape.Bytes, A.At) <
           std::tuple(B.Shape.Original.items(), B.Shape.Bytes, B.At);
  });
  return Sizes;
}

/// The sizes at which variants of the scalars are run, by index.
struct VariantSizes {
  /// Enough data for a variant to show, and not so much that it takes long.
  std::set<size_t> Full;
  /// Odd and nearly all tail. A fault in a tail shows in few elements, so the data are drawn
  /// more than once.
  std::set<size_t> Tiny;
};

VariantSizes variantSizes(ArrayRef<ChosenSize> Sizes) {
  VariantSizes V;
  for (size_t I = 0; I < Sizes.size(); ++I)
    if (Sizes[I].Shape.Original.items() <= ManyItems && Sizes[I].Shape.Bytes >= EnoughBytes &&
        V.Full.size() < 2)
      V.Full.insert(I);
  if (V.Full.empty())
    V.Full.insert(Sizes.size() - 1);
  for (size_t I = 0; I < Sizes.size(); ++I) {
    uint64_t Items = Sizes[I].Shape.Original.items();
    bool Odd =
        Sizes[I].At.empty() || any_of(Sizes[I].At, [](const auto &V) { return V.second % 2; });
    if (Odd && Items <= ManyItems && Sizes[I].Shape.Bytes >= EnoughBytes && V.Full.size() < 3)
      V.Full.insert(I);
    if (Odd && Items <= 32 && V.Tiny.size() < 2)
      V.Tiny.insert(I);
  }
  return V;
}

/// The inputs of one launch file, in the order in which they are run.
class InputList {
public:
  InputList(TestPlan &P, unsigned Launch) : P(P), Variants(P.Launches[Launch].Variants.size()) {}

  /// Each pattern with the declared scalars. \p In gives launch and size.
  void addPatterns(TestInput In) {
    bool Many = In.Items > ManyItems || In.Bytes > ManyBytes;
    for (Pattern Fill : AllPatterns) {
      if (Many && Fill != Pattern::Declared && Fill != Pattern::Extremes)
        continue;
      // Few values may miss a fault by chance: draw them more often.
      bool Drawn =
          Fill == Pattern::RandomBits || Fill == Pattern::Constants || Fill == Pattern::Extremes;
      addRepeats(In, Fill, In.Items <= 8 && Drawn ? 3 : 1);
    }
  }
  void addVariants(TestInput In, ArrayRef<Pattern> Fills, unsigned Repeats) {
    for (In.Variant = 1; In.Variant < Variants; ++In.Variant)
      for (Pattern Fill : Fills)
        addRepeats(In, Fill, Repeats);
  }

private:
  void addRepeats(TestInput In, Pattern Fill, unsigned Repeats) {
    In.Fill = Fill;
    for (In.Repeat = 0; In.Repeat < Repeats; ++In.Repeat)
      if (!P.Request->Options.Without.count(partOf(In)))
        P.Inputs.push_back(In);
  }

  TestPlan &P;
  size_t Variants;
};

/// Adds the inputs of one launch file. \p SizeId counts over all of them.
Error chooseInputs(TestPlan &P, unsigned Launch, unsigned &SizeId) {
  TestPlan::PerLaunch &L = P.Launches[Launch];
  L.Variants = scalarVariants(P, P.Request->Launches[Launch], L.Shape, L.Rules);
  Expected<std::vector<ChosenSize>> Chosen = chooseSizes(P, Launch);
  if (!Chosen)
    return Chosen.takeError();
  const std::vector<ChosenSize> &Sizes = *Chosen;
  // Devices that compile for each local size need longer for that than for the runs. Where the
  // local size cannot change a result, the runtime chooses it only at the largest listed size and
  // where groups of one work-item would be too many.
  constexpr uint64_t FewItems = 1 << 14;
  size_t Largest = Sizes.size();
  for (size_t I = 0; I < Sizes.size(); ++I)
    if (Sizes[I].Listed)
      Largest = I;
  const VariantSizes V = variantSizes(Sizes);
  InputList List(P, Launch);
  for (size_t I = 0; I < Sizes.size(); ++I, ++SizeId) {
    TestInput In;
    In.Launch = Launch;
    In.At = Sizes[I].At;
    In.Listed = Sizes[I].Listed;
    In.Items = Sizes[I].Shape.Original.items();
    In.AsHost = In.Listed && (P.InGroups || I == Largest || In.Items > FewItems);
    In.Bytes = Sizes[I].Shape.Bytes;
    In.SizeId = SizeId;
    List.addPatterns(In);
    if (V.Full.count(I))
      List.addVariants(In, {Pattern::Declared, Pattern::Constants, Pattern::RandomBits}, 1);
    else if (V.Tiny.count(I))
      List.addVariants(In, {Pattern::Constants, Pattern::Extremes}, 3);
  }
  return Error::success();
}

} // namespace

std::string describe(const launch::Size &At) {
  std::string Text;
  for (const auto &[Name, Value] : At)
    Text += (Text.empty() ? "" : ", ") + Name + "=" + std::to_string(Value);
  return Text.empty() ? "the only size" : Text;
}

bool allowsFastMath(StringRef Options) {
  for (StringRef O : {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations",
                      "-cl-finite-math-only", "-cl-no-signed-zeros"})
    if (Options.contains(O))
      return true;
  return false;
}

Error chooseInputs(TestPlan &P) {
  unsigned SizeId = 0;
  for (unsigned Launch = 0; Launch < P.Launches.size(); ++Launch)
    if (Error E = chooseInputs(P, Launch, SizeId))
      return E;
  return Error::success();
}

std::string partOf(const TestInput &In) {
  if (In.Uncovered)
    return "coverage";
  if (In.Contents)
    return "interval";
  if (In.Variant != 0)
    return "scalars";
  switch (In.Fill) {
  case Pattern::Declared:
    break;
  case Pattern::RandomBits:
    return "random-data";
  case Pattern::Constants:
    return "boundary-data";
  case Pattern::Extremes:
  case Pattern::ExtremeRuns:
  case Pattern::AllMost:
    return "extreme-data";
  case Pattern::Ramp:
  case Pattern::Sparse:
    return "structured-data";
  }
  return In.Listed ? "declared" : "own-sizes";
}

void addUncoveredSizes(TestPlan &P, ArrayRef<CoverageSize> Sizes) {
  constexpr unsigned Most = 3;
  unsigned SizeId = 0, Added = 0;
  for (const TestInput &In : P.Inputs)
    SizeId = std::max(SizeId, In.SizeId + 1);
  for (const CoverageSize &S : Sizes) {
    if (any_of(P.Inputs,
               [&](const TestInput &In) { return In.Launch == S.Launch && In.At == S.At; }))
      continue;
    Expected<InputShape> Shape = shapeOf(P, S.Launch, S.At, 0);
    if (!Shape) {
      consumeError(Shape.takeError());
      continue;
    }
    if (Shape->Original.items() > ManyItems || Shape->Bytes > ManyBytes)
      continue;
    TestInput In;
    In.Launch = S.Launch;
    In.At = S.At;
    In.Uncovered = true;
    In.Items = Shape->Original.items();
    In.Bytes = Shape->Bytes;
    In.SizeId = SizeId++;
    for (Pattern Fill : {Pattern::Declared, Pattern::Ramp}) {
      In.Fill = Fill;
      P.Inputs.push_back(In);
    }
    if (++Added == Most)
      return;
  }
}

} // namespace clmali::verify
