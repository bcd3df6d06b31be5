// The inputs of a judgement: each size with each kind of data, and variants of the scalars.
#include "rewriters/verify/cases/TestPlan.h"

#include "rewriters/verify/cases/Scalars.h"
#include "rewriters/verify/cases/Sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <optional>
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

/// True if whole blocks leave a tail in some dimension, if the variables are extents.
bool isOdd(const launch::Size &At) {
  return any_of(At, [](const auto &V) { return V.second % 2 != 0; });
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
  std::optional<size_t> LargestOdd;
  bool HasOdd = false;
  for (size_t I = 0; I < Sizes.size(); ++I) {
    const uint64_t Items = Sizes[I].Shape.Original.items();
    const bool Odd = Sizes[I].At.empty() || isOdd(Sizes[I].At);
    if (!Odd || Items > ManyItems)
      continue;
    LargestOdd = I;
    if (Sizes[I].Shape.Bytes >= EnoughBytes && V.Full.size() < 3)
      V.Full.insert(I);
    HasOdd |= V.Full.count(I) != 0;
    if (Items <= 32 && V.Tiny.size() < 2)
      V.Tiny.insert(I);
  }
  if (!HasOdd && LargestOdd)
    V.Full.insert(*LargestOdd);
  return V;
}

/// The inputs of one launch file, in the order in which they are run.
class InputList {
public:
  InputList(TestPlan &P, unsigned Launch)
      : P(P), Variants(P.Launches[Launch].Variants.size()), Thorough(P.Launches[Launch].Thorough) {}

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
    for (In.Variant = 1; In.Variant < Thorough; ++In.Variant)
      for (Pattern Fill : Fills)
        addRepeats(In, Fill, Repeats);
  }
  /// The other variants, each with the next of \p Sizes, with the next one that leaves a tail, and
  /// with a few patterns.
  void addRareVariants(ArrayRef<TestInput> Sizes) {
    constexpr size_t MostLikely = 16;
    std::vector<TestInput> Odd;
    copy_if(Sizes, std::back_inserter(Odd), [](const TestInput &In) { return isOdd(In.At); });
    for (size_t Variant = Thorough; Variant < Variants; ++Variant)
      for (ArrayRef<TestInput> Of : {Sizes, ArrayRef(Odd)}) {
        if (Of.empty())
          continue;
        TestInput In = Of[Variant % Of.size()];
        In.Variant = Variant;
        addRepeats(In, nextFill(), 1);
        // A tail has few elements: the values that are most likely to decide get more data.
        if (&Of.front() == Odd.data() && Variant < Thorough + MostLikely)
          addRepeats(In, Pattern::RandomBits, 2);
      }
  }
  /// A large size: all kinds of data in one run, and one kind with the next variant of the scalars.
  void addLarge(TestInput In) {
    addRepeats(In, Pattern::Mixed, 1);
    In.Variant = Variants > 1 ? 1 + Turn % (Variants - 1) : 0;
    addRepeats(In, nextFill(), 1);
  }
  void add(const TestInput &In) { addRepeats(In, nextFill(), 1); }

private:
  Pattern nextFill() {
    constexpr Pattern Fills[] = {Pattern::Declared, Pattern::Constants, Pattern::Ramp,
                                 Pattern::RandomBits, Pattern::Extremes};
    return Fills[Turn++ % std::size(Fills)];
  }
  void addRepeats(TestInput In, Pattern Fill, unsigned Repeats) {
    In.Fill = Fill;
    const std::set<std::string> &Without = P.Request->Options.Without;
    if (Without.count(partOf(In)) || Without.count(partOf(Fill)))
      return;
    for (In.Repeat = 0; In.Repeat < Repeats; ++In.Repeat)
      P.Inputs.push_back(In);
  }

  TestPlan &P;
  size_t Variants, Thorough;
  size_t Turn = 0;
};

/// Local sizes that the runtime might choose where the host passes none.
std::vector<std::array<uint64_t, 3>> localSizes(const TestPlan &P) {
  std::vector<std::array<uint64_t, 3>> Sizes;
  auto add = [&Sizes](uint64_t X, uint64_t Y = 1) {
    if (!is_contained(Sizes, std::array<uint64_t, 3>{X, Y, 1}))
      Sizes.push_back({X, Y, 1});
  };
  for (const ConstantUse &C : P.Facts.Constants)
    if (C.With.Local && C.K == ConstantUse::Kind::Compared && C.value() > 0 && C.value() <= 512)
      for (int64_t Value : {C.value(), C.value() + 1})
        add(static_cast<uint64_t>(Value));
  for (uint64_t X : {2, 64, 3, 8, 5, 256, 16})
    add(X);
  add(8, 4);
  add(1, 8);
  return Sizes;
}

/// Runs each local size at the first size that whole groups of it tile. Devices compile for each
/// local size, so they are few.
void addLocalSizes(const TestPlan &P, InputList &List, ArrayRef<TestInput> Sizes,
                   ArrayRef<ChosenSize> Chosen) {
  constexpr unsigned Most = 8;
  unsigned Added = 0;
  for (const std::array<uint64_t, 3> &Local : localSizes(P)) {
    if (Added == Most)
      return;
    for (size_t I = 0; I < Sizes.size(); ++I) {
      const launch::Geometry &G = Chosen[I].Shape.Original;
      if (G.Global[0] % Local[0] || G.Global[1] % Local[1] || G.items() > ManyItems)
        continue;
      TestInput In = Sizes[I];
      In.Local = Local;
      List.add(In);
      ++Added;
      break;
    }
  }
}

/// Adds the inputs of one launch file. \p SizeId counts over all of them.
Error chooseInputs(TestPlan &P, unsigned Launch, unsigned &SizeId) {
  chooseVariants(P, Launch);
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
  std::vector<TestInput> AtSizes, Medium;
  auto inputAt = [&](const ChosenSize &Size) {
    TestInput In;
    In.Launch = Launch;
    In.At = Size.At;
    In.Listed = Size.Listed;
    In.Items = Size.Shape.Original.items();
    In.Bytes = Size.Shape.Bytes;
    In.SizeId = SizeId++;
    return In;
  };
  for (size_t I = 0; I < Sizes.size(); ++I) {
    TestInput In = inputAt(Sizes[I]);
    In.AsHost = In.Listed && (P.InGroups || I == Largest || In.Items > FewItems);
    List.addPatterns(In);
    if (V.Full.count(I))
      List.addVariants(In, {Pattern::Declared, Pattern::Constants, Pattern::RandomBits}, 1);
    else if (V.Tiny.count(I))
      List.addVariants(In, {Pattern::Constants, Pattern::Extremes}, 3);
    AtSizes.push_back(In);
    if (In.Items <= FewItems && (In.Items > 8 || I + 1 == Sizes.size()))
      Medium.push_back(In);
  }
  List.addRareVariants(Medium);
  if (P.InGroups && P.Request->Launches[Launch].Local.empty())
    addLocalSizes(P, List, AtSizes, Sizes);
  if (!P.Request->Options.Without.count("own-sizes"))
    for (const ChosenSize &Size : largeSizes(P, Launch, Sizes)) {
      TestInput In = inputAt(Size);
      In.Large = true;
      List.addLarge(In);
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

void keepFew(TestPlan &P) {
  constexpr unsigned MostOwn = 6, MostVariants = 4;
  std::map<unsigned, std::set<unsigned>> Own; // sizes by launch
  // The largest size, and one in case that it takes too long.
  std::map<unsigned, uint64_t> Largest, Second;
  auto find = [&P](std::map<unsigned, uint64_t> &Found, auto Limit) {
    for (const TestInput &In : P.Inputs)
      if (In.Large && In.Items <= Limit(In.Launch))
        Found[In.Launch] = std::max(Found[In.Launch], In.Items);
  };
  find(Largest, [](unsigned) { return ManyItems; });
  find(Second, [&Largest](unsigned Launch) { return Largest[Launch] / 8; });
  llvm::erase_if(P.Inputs, [&](const TestInput &In) {
    if (In.Uncovered || In.Repeat != 0)
      return !In.Uncovered;
    if (In.Local[0] != 0)
      return In.Local[0] > 3;
    if (In.Large)
      return In.Items != Largest[In.Launch] && In.Items != Second[In.Launch];
    if (In.Variant != 0)
      return In.Variant > MostVariants || In.Fill != Pattern::Declared;
    if (!In.Listed && !Own[In.Launch].count(In.SizeId)) {
      if (Own[In.Launch].size() == MostOwn)
        return true;
      Own[In.Launch].insert(In.SizeId);
    }
    return In.Fill != Pattern::Declared && In.Fill != Pattern::Extremes &&
           !(In.Listed && In.Fill == Pattern::RandomBits);
  });
}

std::string partOf(const TestInput &In) {
  if (In.Uncovered)
    return "coverage";
  if (In.Contents)
    return "interval";
  if (In.Local[0] != 0)
    return "local-sizes";
  if (In.Large)
    return "own-sizes";
  if (In.Variant != 0)
    return "scalars";
  std::string Part = partOf(In.Fill);
  return !Part.empty() ? Part : In.Listed ? "declared" : "own-sizes";
}

std::string partOf(Pattern Fill) {
  switch (Fill) {
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
  case Pattern::Declared:
  case Pattern::Mixed:
    break;
  }
  return {};
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
