// Sizes: those of the launch file; then small ones, primes, and one below and
// above each multiple of every constant in the manifest (its vector widths are
// there), by varying the variables of `sizes`.
#include "rewriters/verify/cases/TestPlan.h"

#include "rewriters/verify/cases/Divisors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <tuple>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::Argument;
using launch::LaunchFile;

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// The judge's own sizes stay below these, to be quick.
constexpr uint64_t MostItems = 1 << 16;
constexpr uint64_t MostBytes = uint64_t(8) << 20;
constexpr unsigned OwnSizes = 14; ///< for each launch file
/// Beyond these a listed size gets fewer patterns.
constexpr uint64_t ManyItems = 1 << 19;
constexpr uint64_t ManyBytes = uint64_t(32) << 20;

Expected<std::string> scalarText(const std::string &Text, const launch::Bindings &Values) {
  if (launch::isFloatLiteral(Text))
    return Text;
  Expected<launch::Expression> E = launch::Expression::parse(Text);
  if (!E)
    return E.takeError();
  Expected<int64_t> V = E->evaluate(Values);
  if (!V)
    return V.takeError();
  return std::to_string(*V);
}

Expected<Bytes> scalarBytes(const Argument &A, const ElementType &T, ArrayRef<std::string> Texts,
                            const launch::Bindings &Values) {
  Bytes Out(T.Size, 0);
  ElementType One = T;
  unsigned Lanes = T.Lanes;
  if (T.K == ElementType::Kind::Raw) {
    One.K = ElementType::Kind::Unsigned;
    One.ScalarBytes = 1;
    Lanes = T.Size;
  }
  if (Texts.size() != Lanes && !(Texts.size() == 1 && T.K != ElementType::Kind::Raw))
    return failure("argument '" + A.Name + "' takes " + Twine(Lanes) +
                   (T.K == ElementType::Kind::Raw ? " bytes" : " components") +
                   ", and value gives " + Twine(Texts.size()));
  for (unsigned L = 0; L < Lanes; ++L) {
    Expected<std::string> Text = scalarText(Texts[Texts.size() == 1 ? 0 : L], Values);
    if (!Text)
      return failure("argument '" + A.Name + "': " + llvm::toString(Text.takeError()));
    if (Error E = parseScalar(One, *Text, &Out[L * One.ScalarBytes]))
      return failure("argument '" + A.Name + "': " + llvm::toString(std::move(E)));
  }
  return Out;
}

/// Integers that stand in the manifest's expressions: its vector widths.
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

/// Values for one variable, the more telling ones first.
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
    // Halves keep what a size must be a multiple of, as long as they can.
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

/// Chooses among valid sizes so that each variable takes as many different
/// values as it can, telling ones first, and small sizes come before large.
class SizeChooser {
public:
  SizeChooser(TestPlan &P, unsigned Launch) : P(P), Launch(Launch), F(P.Request->Launches[Launch]) {
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

  std::vector<std::pair<launch::Size, CaseShape>> run() {
    if (Names.empty())
      return {};
    Random Rng(mixSeed(P.Request->Options.Seed, "sizes"));
    // Diagonals first (square and cubic problems), then a mixture.
    size_t Longest = 0;
    for (const std::vector<int64_t> &C : Choices)
      Longest = std::max(Longest, C.size());
    for (size_t I = 0; I < Longest && !enough(); ++I) {
      launch::Size S;
      for (size_t V = 0; V < Names.size(); ++V)
        // Shifted against each other, so that width and height differ.
        S[Names[V]] = Choices[V][(I + V * 3) % Choices[V].size()];
      consider(S, false);
    }
    if (Names.size() > 1) {
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
      // Variables may depend on one another (pitch >= width): start from a
      // listed size and change one variable only.
      for (unsigned Try = 0; Try < 600 && Chosen.size() < OwnSizes + 4; ++Try) {
        launch::Size S = F.Sizes[Rng.below(F.Sizes.size())];
        size_t V = Rng.below(Names.size());
        S[Names[V]] = Choices[V][Rng.below(Choices[V].size())];
        consider(S, false);
      }
    }
    if (Chosen.size() < 4) // sparse: look at every small value of one variable
      for (size_t V = 0; V < Names.size(); ++V)
        for (int64_t Value = 1; Value <= 520 && !enough(); ++Value) {
          launch::Size S = F.Sizes.front();
          S[Names[V]] = Value;
          consider(S, true);
        }
    return std::move(Chosen);
  }

private:
  bool enough() const { return Chosen.size() >= OwnSizes; }

  void consider(const launch::Size &S, bool Always) {
    if (!Seen.insert(S).second || is_contained(F.Sizes, S))
      return;
    bool New = Always;
    for (const auto &[Name, Value] : S)
      New |= !Used[Name].count(Value);
    if (!New)
      return;
    Expected<CaseShape> Shape = shapeOf(P, Launch, S, 0);
    if (!Shape) {
      consumeError(Shape.takeError());
      ++P.SizesSkipped;
      return;
    }
    if (Shape->Original.items() > MostItems || Shape->Bytes > MostBytes)
      return;
    for (const auto &[Name, Value] : S)
      Used[Name].insert(Value);
    Chosen.emplace_back(S, std::move(*Shape));
  }

  TestPlan &P;
  unsigned Launch;
  const LaunchFile &F;
  std::set<int64_t> Constants;
  std::vector<std::string> Names;
  std::vector<std::vector<int64_t>> Choices;
  std::set<launch::Size> Seen;
  std::map<std::string, std::set<int64_t>> Used;
  std::vector<std::pair<launch::Size, CaseShape>> Chosen;
};

/// Other values for scalars that do not depend on the size: a rewrite that is
/// right for alpha = 1 only, or for a level above the kernel's own constants,
/// must not pass.
std::vector<ScalarVariant> scalarVariants(const TestPlan &P, const LaunchFile &F,
                                          const KernelShape &Shape, const DataRules &Rules) {
  constexpr unsigned Most = 14;
  std::vector<ScalarVariant> All(1);
  launch::Bindings Fixed;
  for (const auto &[Name, Text] : F.Defines) {
    int64_t Value;
    if (!StringRef(Text).getAsInteger(0, Value))
      Fixed[Name] = Value;
  }
  // What each of the scalars may become, the more telling values first.
  struct Free {
    unsigned Index;
    std::vector<std::string> Pool;
  };
  std::vector<Free> Scalars;
  const std::set<std::string> Divisors = divisorsIn(P.Request->Original.Source);
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const Argument &A = F.Args[I];
    const ElementType &T = Shape.Params[I].Type;
    if (A.K != Argument::Kind::Scalar || A.Value.size() != 1 || T.K == ElementType::Kind::Raw)
      continue;
    Expected<std::string> Text = scalarText(A.Value.front(), Fixed);
    if (!Text) {
      consumeError(Text.takeError()); // depends on the size
      continue;
    }
    Free S;
    S.Index = I;
    auto add = [&](std::string Value) {
      if (!is_contained(S.Pool, Value))
        S.Pool.push_back(std::move(Value));
    };
    if (T.isFloat()) {
      for (const char *Value : {"-1.3125", "0.1", "0.0", "1.0", "3.0"})
        add(Value);
      if (!Rules.Tame)
        for (const char *Value : {"-0.0", "nan", "inf", "1e-40", "-1e30"})
          add(Value);
      unsigned Taken = 0;
      for (double C : P.Constants.Floats)
        if (Taken++ < 4)
          add(std::to_string(C));
    } else {
      int64_t Declared = 0;
      (void)StringRef(*Text).getAsInteger(0, Declared);
      add(std::to_string(Declared + 1));
      add(std::to_string(Declared - 1));
      for (const char *Value : {"0", "1", "-1", "100", "3", "10"})
        add(Value);
      unsigned Taken = 0;
      for (int64_t C : P.Constants.Integers)
        if (C > 1 && Taken++ < 4)
          for (int64_t Step : {-1, 0, 1})
            add(std::to_string(C + Step));
      // Nothing is divided by 0, nor the least number by -1; and 1 less is no 0 either.
      if (Divisors.count(Shape.Params[I].Name) || Divisors.count(A.Name))
        llvm::erase_if(S.Pool, [](const std::string &Value) {
          int64_t V = 0;
          return StringRef(Value).getAsInteger(0, V) || V < 2;
        });
    }
    if (S.Pool.empty())
      continue;
    Scalars.push_back(std::move(S));
  }
  if (Scalars.empty())
    return All;
  Random Rng(mixSeed(P.Request->Options.Seed, "scalars"));
  size_t Longest = 0;
  for (const Free &S : Scalars)
    Longest = std::max(Longest, S.Pool.size());
  // Each value once; then mixtures, where several scalars could conspire.
  for (unsigned I = 0; All.size() < Most && I < Longest + Most; ++I) {
    ScalarVariant V;
    for (unsigned S = 0; S < Scalars.size(); ++S) {
      const std::vector<std::string> &Pool = Scalars[S].Pool;
      if (I < Longest)
        V[Scalars[S].Index] = Pool[(I + 2 * S) % Pool.size()];
      else if (Rng.below(4) != 0)
        V[Scalars[S].Index] = Pool[Rng.below(Pool.size())];
    }
    if (!V.empty() && !is_contained(All, V))
      All.push_back(std::move(V));
  }
  return All;
}

} // namespace

std::string describe(const launch::Size &At) {
  std::string Text;
  for (const auto &[Name, Value] : At)
    Text += (Text.empty() ? "" : ", ") + Name + "=" + std::to_string(Value);
  return Text.empty() ? "as it stands" : Text;
}

bool allowsFastMath(StringRef Options) {
  for (StringRef O : {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations",
                      "-cl-finite-math-only", "-cl-no-signed-zeros"})
    if (Options.contains(O))
      return true;
  return false;
}

Error checkFits(const LaunchFile &F, const KernelShape &Shape) {
  auto misfit = [&](const Twine &What) { return failure(F.Path + ": " + What); };
  for (const Parameter &P : Shape.Params)
    if (P.Where == Parameter::Space::Image)
      return misfit("kernel '" + Shape.Name + "' takes '" + P.Name + "' (" + P.TypeName +
                    "): images, samplers and pipes are not "
                    "supported");
  if (F.Args.size() != Shape.Params.size())
    return misfit("kernel '" + Shape.Name + "' has " + Twine(Shape.Params.size()) +
                  " arguments, and args gives " + Twine(F.Args.size()));
  if (Shape.RequiredLocal[0] != 0 && F.Local.empty())
    return misfit("kernel '" + Shape.Name + "' has reqd_work_group_size(" +
                  Twine(Shape.RequiredLocal[0]) + ", " + Twine(Shape.RequiredLocal[1]) + ", " +
                  Twine(Shape.RequiredLocal[2]) + "): local must be given");
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const Argument &A = F.Args[I];
    const Parameter &P = Shape.Params[I];
    if (!P.Name.empty() && P.Name != A.Name)
      return misfit("argument " + Twine(I) + " of kernel '" + Shape.Name + "' is '" + P.Name +
                    "', and args gives '" + A.Name + "' there");
    bool WantsLocal = P.Where == Parameter::Space::Local;
    bool WantsBuffer = P.IsPointer && !WantsLocal;
    if (WantsLocal != (A.K == Argument::Kind::Local))
      return misfit(
          "argument '" + A.Name + "' " +
          (WantsLocal ? "is a __local pointer: give local, its bytes" : "is no __local pointer"));
    if (WantsBuffer != (A.K == Argument::Kind::Buffer))
      return misfit("argument '" + A.Name + "' is " +
                    (WantsBuffer ? "a pointer: give buffer and count"
                                 : "a scalar (" + P.TypeName + "): give value"));
    if (A.K == Argument::Kind::Scalar && P.Type.isInteger())
      for (const std::string &Text : A.Value)
        if (launch::isFloatLiteral(Text))
          return misfit("argument '" + A.Name + "' is of type " + P.TypeName +
                        ", and value gives '" + Text + "'");
    if (A.K == Argument::Kind::Buffer && A.Data.K == launch::DataSpec::Kind::Values) {
      ElementType One = P.Type;
      if (One.K == ElementType::Kind::Raw) {
        One.K = ElementType::Kind::Unsigned;
        One.ScalarBytes = 1;
      }
      uint64_t Ignored;
      for (const std::string &Text : A.Data.Values)
        if (Error E = parseScalar(One, Text, reinterpret_cast<uint8_t *>(&Ignored)))
          return misfit("argument '" + A.Name + "' (" + P.TypeName +
                        "): values: " + llvm::toString(std::move(E)));
    }
  }
  return Error::success();
}

Expected<CaseShape> shapeOf(const TestPlan &P, unsigned Launch, const launch::Size &At,
                            unsigned Variant) {
  const LaunchFile &F = P.Request->Launches[Launch];
  const TestPlan::PerLaunch &L = P.Launches[Launch];
  Expected<bool> Met = launch::meetsRequirements(F, At);
  if (!Met)
    return Met.takeError();
  if (!*Met)
    return failure("breaks require");
  CaseShape S;
  Expected<launch::Geometry> G = launch::geometryAt(F, At);
  if (!G)
    return G.takeError();
  S.Original = *G;
  const std::array<uint64_t, 3> &Required = L.Shape.RequiredLocal;
  if (Required[0] != 0 && S.Original.Local != Required)
    return failure("kernel '" + L.Shape.Name + "' has reqd_work_group_size(" + Twine(Required[0]) +
                   ", " + Twine(Required[1]) + ", " + Twine(Required[2]) +
                   "): local must say the same");
  Expected<launch::Bindings> Integers = launch::integerArgumentsAt(F, At);
  if (!Integers)
    return Integers.takeError();
  S.Integers = std::move(*Integers);
  for (const auto &[Index, Text] : L.Variants[Variant]) {
    int64_t Value;
    if (!StringRef(Text).getAsInteger(0, Value))
      S.Integers[F.Args[Index].Name] = Value;
    else
      S.Integers.erase(F.Args[Index].Name);
  }
  launch::Bindings Values = launch::bindingsAt(F, At);
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const Argument &A = F.Args[I];
    uint64_t Count = 0;
    if (A.K != Argument::Kind::Scalar &&
        !(A.K == Argument::Kind::Buffer && A.Data.K == launch::DataSpec::Kind::SameAs)) {
      bool Buffer = A.K == Argument::Kind::Buffer;
      Expected<int64_t> V = (Buffer ? A.Count : A.LocalBytes).evaluate(Values);
      if (!V)
        return failure("argument '" + A.Name + "': " + llvm::toString(V.takeError()));
      if (*V <= 0 || *V > (int64_t(1) << 40))
        return failure("argument '" + A.Name + "': " + (Buffer ? "count" : "local") + " is " +
                       Twine(*V) + " at " + describe(At));
      Count = *V;
      if (Buffer)
        S.Bytes += Count * L.Shape.Params[I].Type.Size;
    }
    S.Counts.push_back(Count);
  }
  return S;
}

Expected<PreparedCase> prepare(const TestPlan &P, const TestInput &C) {
  const LaunchFile &F = P.Request->Launches[C.Launch];
  const TestPlan::PerLaunch &L = P.Launches[C.Launch];
  Expected<CaseShape> S = shapeOf(P, C.Launch, C.At, C.Variant);
  if (!S)
    return S.takeError();
  PreparedCase Out;
  Out.Original = S->Original;
  if (!P.Request->Manifest.Launches.empty()) {
    Expected<std::vector<launch::ResolvedLaunch>> R =
        launch::resolveLaunches(P.Request->Manifest, S->Original, S->Integers);
    if (!R)
      return R.takeError();
    Out.Rewritten = std::move(*R);
  }
  launch::Bindings Values = launch::bindingsAt(F, C.At);
  uint64_t Seed =
      mixSeed(P.Request->Options.Seed + C.Repeat * 7919, F.Kernel + "|" + describe(C.At));
  // Constants of the kernel, and the scalars that it is called with.
  SourceConstants Constants = P.Constants;
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const Argument &A = F.Args[I];
    if (A.K != Argument::Kind::Scalar)
      continue;
    auto Varied = L.Variants[C.Variant].find(I);
    std::vector<std::string> Texts = A.Value;
    if (Varied != L.Variants[C.Variant].end())
      Texts = {Varied->second};
    const ElementType &T = L.Shape.Params[I].Type;
    Expected<Bytes> Data = scalarBytes(A, T, Texts, Values);
    if (!Data)
      return Data.takeError();
    if (T.K != ElementType::Kind::Raw)
      for (unsigned Lane = 0; Lane < T.Lanes; ++Lane)
        if (double D = asDouble(T, &(*Data)[Lane * T.ScalarBytes]); std::isfinite(D))
          Constants.add(D);
  }
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const Argument &A = F.Args[I];
    const Parameter &Param = L.Shape.Params[I];
    ArgumentValue V;
    switch (A.K) {
    case Argument::Kind::Scalar: {
      auto Varied = L.Variants[C.Variant].find(I);
      std::vector<std::string> Texts = A.Value;
      if (Varied != L.Variants[C.Variant].end())
        Texts = {Varied->second};
      V.K = ArgumentValue::Kind::Scalar;
      Expected<Bytes> Data = scalarBytes(A, Param.Type, Texts, Values);
      if (!Data)
        return Data.takeError();
      V.Data = std::move(*Data);
      break;
    }
    case Argument::Kind::Local:
      V.K = ArgumentValue::Kind::Local;
      V.LocalBytes = S->Counts[I];
      break;
    case Argument::Kind::Buffer: {
      if (A.Data.K == launch::DataSpec::Kind::SameAs) {
        V.K = ArgumentValue::Kind::Alias;
        V.SameAs = F.findArgument(A.Data.SameAs) - F.Args.data();
        break;
      }
      V.K = ArgumentValue::Kind::Buffer;
      DataRequest R;
      R.File = &F;
      R.Arg = &A;
      R.Type = Param.Type;
      R.Count = S->Counts[I];
      R.Values = Values;
      R.P = C.P;
      R.Seed = Seed;
      R.Constants = &Constants;
      R.Rules = L.Rules;
      Expected<Bytes> Data = makeData(R);
      if (!Data)
        return Data.takeError();
      V.Data = std::move(*Data);
      if (C.Inputs)
        if (auto Given = C.Inputs->find(I);
            Given != C.Inputs->end() && Given->second.size() == V.Data.size())
          V.Data = Given->second;
      break;
    }
    }
    Out.Values.push_back(std::move(V));
  }
  return Out;
}

Error chooseCases(TestPlan &P) {
  unsigned SizeId = 0;
  for (unsigned Launch = 0; Launch < P.Launches.size(); ++Launch) {
    const LaunchFile &F = P.Request->Launches[Launch];
    TestPlan::PerLaunch &L = P.Launches[Launch];
    L.Variants = scalarVariants(P, F, L.Shape, L.Rules);
    struct Chosen {
      launch::Size At;
      CaseShape Shape;
      bool Listed;
    };
    std::vector<Chosen> Sizes;
    std::string WhyNone;
    for (const launch::Size &S : F.Sizes) {
      Expected<CaseShape> Shape = shapeOf(P, Launch, S, 0);
      if (!Shape) {
        WhyNone = llvm::toString(Shape.takeError());
        ++P.SizesSkipped;
        continue;
      }
      Sizes.push_back({S, std::move(*Shape), true});
    }
    if (Sizes.empty())
      return failure(F.Path + ": no size of it can be launched: " + WhyNone);
    const std::set<std::string> &Without = P.Request->Options.Without;
    auto wanted = [&Without](const TestInput &C) { return !Without.count(partOf(C)); };
    if (!Without.count("own-sizes"))
      for (auto &[S, Shape] : SizeChooser(P, Launch).run())
        Sizes.push_back({S, std::move(Shape), false});
    llvm::sort(Sizes, [](const Chosen &A, const Chosen &B) {
      return std::tuple(A.Shape.Original.items(), A.Shape.Bytes, A.At) <
             std::tuple(B.Shape.Original.items(), B.Shape.Bytes, B.At);
    });
    // Devices that compile for the local size take longer over that than over the runs. What
    // work-items cannot tell is left to the runtime once, and where groups of one would be many.
    constexpr uint64_t FewItems = 1 << 14;
    size_t Largest = Sizes.size();
    for (size_t I = 0; I < Sizes.size(); ++I)
      if (Sizes[I].Listed)
        Largest = I;
    // Variants of the scalars where there is enough data for them to show, and
    // not so much that they take long.
    std::set<size_t> ForVariants;
    constexpr uint64_t TellingBytes = 512;
    for (size_t I = 0; I < Sizes.size(); ++I)
      if (Sizes[I].Shape.Original.items() <= ManyItems && Sizes[I].Shape.Bytes >= TellingBytes &&
          ForVariants.size() < 2)
        ForVariants.insert(I);
    if (ForVariants.empty())
      ForVariants.insert(Sizes.size() - 1);
    // A tail is a few elements, and there with luck only: odd sizes, and tiny
    // ones that are nearly all tail, drawn more than once.
    std::set<size_t> Tiny;
    for (size_t I = 0; I < Sizes.size(); ++I) {
      uint64_t Items = Sizes[I].Shape.Original.items();
      bool Odd =
          Sizes[I].At.empty() || any_of(Sizes[I].At, [](const auto &V) { return V.second % 2; });
      if (Odd && Items <= ManyItems && Sizes[I].Shape.Bytes >= TellingBytes &&
          ForVariants.size() < 3)
        ForVariants.insert(I);
      if (Odd && Items <= 32 && Tiny.size() < 2)
        Tiny.insert(I);
    }
    for (size_t I = 0; I < Sizes.size(); ++I, ++SizeId) {
      TestInput C;
      C.Launch = Launch;
      C.At = Sizes[I].At;
      C.Listed = Sizes[I].Listed;
      C.Items = Sizes[I].Shape.Original.items();
      C.AsHost = C.Listed && (P.InGroups || I == Largest || C.Items > FewItems);
      C.Bytes = Sizes[I].Shape.Bytes;
      C.SizeId = SizeId;
      bool Many = C.Items > ManyItems || C.Bytes > ManyBytes;
      for (Pattern Pat : AllPatterns) {
        C.P = Pat;
        if (Many && Pat != Pattern::Declared && Pat != Pattern::Extremes)
          continue;
        // Little data says little: draw more often.
        unsigned Repeats = C.Items <= 8 && (Pat == Pattern::RandomBits ||
                                            Pat == Pattern::Constants || Pat == Pattern::Extremes)
                               ? 3
                               : 1;
        for (C.Repeat = 0; C.Repeat < Repeats; ++C.Repeat)
          if (wanted(C))
            P.TestInputs.push_back(C);
        C.Repeat = 0;
      }
      if (ForVariants.count(I))
        for (C.Variant = 1; C.Variant < L.Variants.size(); ++C.Variant)
          for (Pattern Pat : {Pattern::Declared, Pattern::Constants, Pattern::RandomBits}) {
            C.P = Pat;
            if (wanted(C))
              P.TestInputs.push_back(C);
          }
      if (Tiny.count(I) && !ForVariants.count(I))
        for (C.Variant = 1; C.Variant < L.Variants.size(); ++C.Variant)
          for (Pattern Pat : {Pattern::Constants, Pattern::Extremes})
            for (C.Repeat = 0; C.Repeat < 3; ++C.Repeat) {
              C.P = Pat;
              if (wanted(C))
                P.TestInputs.push_back(C);
            }
    }
  }
  return Error::success();
}

std::string partOf(const TestInput &C) {
  if (C.Hole)
    return "coverage";
  if (C.Inputs)
    return "interval";
  if (C.Variant != 0)
    return "scalars";
  switch (C.P) {
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
  return C.Listed ? "declared" : "own-sizes";
}

void addHoles(TestPlan &P, ArrayRef<CoverageSize> Sizes) {
  constexpr unsigned Most = 3;
  unsigned SizeId = 0, Added = 0;
  for (const TestInput &C : P.TestInputs)
    SizeId = std::max(SizeId, C.SizeId + 1);
  for (const CoverageSize &S : Sizes) {
    if (any_of(P.TestInputs,
               [&](const TestInput &C) { return C.Launch == S.Launch && C.At == S.At; }))
      continue;
    Expected<CaseShape> Shape = shapeOf(P, S.Launch, S.At, 0);
    if (!Shape) {
      consumeError(Shape.takeError());
      continue;
    }
    if (Shape->Original.items() > ManyItems || Shape->Bytes > ManyBytes)
      continue;
    TestInput C;
    C.Launch = S.Launch;
    C.At = S.At;
    C.Hole = true;
    C.Items = Shape->Original.items();
    C.Bytes = Shape->Bytes;
    C.SizeId = SizeId++;
    for (Pattern Pat : {Pattern::Declared, Pattern::Ramp}) {
      C.P = Pat;
      P.TestInputs.push_back(C);
    }
    if (++Added == Most)
      return;
  }
}

std::vector<CoverageSize> coverageSizes(const TestPlan &P) {
  std::vector<CoverageSize> All;
  constexpr size_t Most = 400;
  for (unsigned Launch = 0; Launch < P.Launches.size(); ++Launch) {
    const LaunchFile &F = P.Request->Launches[Launch];
    std::set<launch::Size> Seen;
    auto consider = [&](const launch::Size &S) {
      if (!Seen.insert(S).second)
        return;
      Expected<CaseShape> Shape = shapeOf(P, Launch, S, 0);
      if (!Shape) {
        consumeError(Shape.takeError());
        return;
      }
      All.push_back({Launch, S, {Shape->Original, Shape->Integers}});
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
