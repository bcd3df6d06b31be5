// Inputs in numbers: geometry, buffer sizes, and the bytes of each argument.
#include "rewriters/verify/cases/Scalars.h"
#include "rewriters/verify/cases/TestPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::Argument;
using launch::DataSpec;
using launch::LaunchFile;

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// Elements of buffer \p A, texels of image \p A, or bytes of local argument \p A; 0 for others.
Expected<uint64_t> countOf(const Argument &A, const launch::Size &At,
                           const launch::Bindings &Values) {
  if (A.K == Argument::Kind::Scalar || A.K == Argument::Kind::Sampler ||
      (A.holdsData() && A.Data.K == DataSpec::Kind::SameAs))
    return 0;
  if (A.K == Argument::Kind::Image) {
    Expected<std::array<uint64_t, 3>> Extents = launch::extentsOf(A, Values);
    if (!Extents)
      return Extents.takeError();
    const uint64_t Texels =
        SaturatingMultiply(SaturatingMultiply((*Extents)[0], (*Extents)[1]), (*Extents)[2]);
    if (Texels > (uint64_t(1) << 40))
      return failure("argument '" + A.Name + "': the image is too large at " + describe(At));
    return Texels;
  }
  bool Buffer = A.K == Argument::Kind::Buffer;
  Expected<int64_t> V = (Buffer ? A.Count : A.LocalBytes).evaluate(Values);
  if (!V)
    return failure("argument '" + A.Name + "': " + llvm::toString(V.takeError()));
  if (*V <= 0 || *V > (int64_t(1) << 40))
    return failure("argument '" + A.Name + "': " + (Buffer ? "count" : "local") + " is " +
                   Twine(*V) + " at " + describe(At));
  return static_cast<uint64_t>(*V);
}

/// The constants of the kernel, and the scalars that \p In passes to it.
Expected<SourceConstants> constantsOf(const TestPlan &P, const TestInput &In,
                                      const launch::Bindings &Values) {
  const LaunchFile &F = P.Request->Launches[In.Launch];
  SourceConstants Constants = P.Constants;
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    if (F.Args[I].K != Argument::Kind::Scalar)
      continue;
    const ElementType &T = P.Launches[In.Launch].Shape.Params[I].Type;
    Expected<Bytes> Data = scalarBytes(F.Args[I], T, scalarTexts(P, In, I), Values);
    if (!Data)
      return Data.takeError();
    if (T.K != ElementType::Kind::Raw)
      for (unsigned Lane = 0; Lane < T.Lanes; ++Lane)
        if (double D = asDouble(T, &(*Data)[Lane * T.ScalarBytes]); std::isfinite(D))
          Constants.add(D);
  }
  return Constants;
}

/// The contents of argument \p Index, a buffer or an image.
Expected<Bytes> bufferData(const TestPlan &P, const TestInput &In, unsigned Index, uint64_t Count,
                           const launch::Bindings &Values, const SourceConstants &Constants) {
  const LaunchFile &F = P.Request->Launches[In.Launch];
  DataRequest R;
  R.File = &F;
  R.Arg = &F.Args[Index];
  R.Type = P.Launches[In.Launch].Shape.Params[Index].Type;
  R.Count = Count;
  R.Values = Values;
  R.P = In.Fill;
  R.Seed = mixSeed(P.Request->Options.Seed + In.Repeat * 7919, F.Kernel + "|" + describe(In.At));
  R.Constants = &Constants;
  for (const ConstantUse &C : P.Facts.Constants)
    if (C.K == ConstantUse::Kind::Compared && C.With.Buffers.count(Index))
      R.Compared.push_back(C);
  R.Rules = P.Launches[In.Launch].Rules;
  R.Limited = R.Rules.LimitAddresses && R.Rules.Addressing.count(Index);
  for (Pattern One : {Pattern::RandomBits, Pattern::Extremes, Pattern::Constants, Pattern::Ramp})
    if (!P.Request->Options.Without.count(partOf(One)))
      R.Mix.push_back(One);
  Expected<Bytes> Data = makeData(R);
  if (!Data || !In.Contents)
    return Data;
  auto Given = In.Contents->find(Index);
  if (Given != In.Contents->end() && Given->second.size() == Data->size())
    return Given->second;
  return Data;
}

} // namespace

Expected<InputShape> shapeOf(const TestPlan &P, unsigned Launch, const launch::Size &At,
                             unsigned Variant) {
  const LaunchFile &F = P.Request->Launches[Launch];
  const TestPlan::PerLaunch &L = P.Launches[Launch];
  InputShape S;
  Expected<launch::Geometry> G = launch::geometryAt(F, At);
  if (!G)
    return G.takeError();
  S.Original = *G;
  const std::array<uint64_t, 3> &Required = L.Shape.RequiredLocal;
  if (Required[0] != 0 && S.Original.Local != Required)
    return failure("kernel '" + L.Shape.Name + "' has reqd_work_group_size(" + Twine(Required[0]) +
                   ", " + Twine(Required[1]) + ", " + Twine(Required[2]) +
                   "): local must be the same");
  Expected<launch::Bindings> Integers = launch::integerArgumentsAt(F, At);
  if (!Integers)
    return Integers.takeError();
  S.Integers = std::move(*Integers);
  launch::Bindings Values = launch::bindingsAt(F, At);
  for (const auto &[Index, Text] : L.Variants[Variant]) {
    S.Integers.erase(F.Args[Index].Name);
    if (std::optional<int64_t> Value = integerValue(Text, Values))
      S.Integers[F.Args[Index].Name] = *Value;
  }
  Expected<bool> Met = launch::meetsRequirements(F, At, &S.Integers);
  if (!Met)
    return Met.takeError();
  if (!*Met)
    return failure("breaks require");
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const Argument &A = F.Args[I];
    Expected<uint64_t> Count = countOf(A, At, Values);
    if (!Count)
      return Count.takeError();
    if (A.holdsData())
      S.Bytes += *Count * L.Shape.Params[I].Type.Size;
    S.Counts.push_back(*Count);
  }
  return S;
}

std::set<std::string> newKernels(const TestPlan &P) {
  std::set<std::string> Names;
  for (const launch::ManifestLaunch &L : P.Request->Manifest.Launches)
    if (L.Kernel != P.Request->Manifest.Original)
      Names.insert(L.Kernel);
  return Names;
}

std::set<std::string> newKernelsAt(const TestPlan &P, const TestInput &In) {
  std::set<std::string> Names;
  Expected<InputShape> S = shapeOf(P, In.Launch, In.At, In.Variant);
  if (!S) {
    consumeError(S.takeError());
    return Names;
  }
  auto Launches = launch::resolveLaunches(P.Request->Manifest, S->Original, S->Integers);
  if (!Launches) {
    consumeError(Launches.takeError());
    return Names;
  }
  for (const launch::ResolvedLaunch &L : *Launches)
    if (L.Kernel != P.Request->Manifest.Original)
      Names.insert(L.Kernel);
  return Names;
}

Expected<PreparedInput> prepare(const TestPlan &P, const TestInput &In) {
  const LaunchFile &F = P.Request->Launches[In.Launch];
  Expected<InputShape> S = shapeOf(P, In.Launch, In.At, In.Variant);
  if (!S)
    return S.takeError();
  PreparedInput Out;
  Out.Original = S->Original;
  if (!P.Request->Manifest.Launches.empty()) {
    Expected<std::vector<launch::ResolvedLaunch>> R =
        launch::resolveLaunches(P.Request->Manifest, S->Original, S->Integers);
    if (!R)
      return R.takeError();
    Out.Rewritten = std::move(*R);
  }
  launch::Bindings Values = launch::bindingsAt(F, In.At);
  Expected<SourceConstants> Constants = constantsOf(P, In, Values);
  if (!Constants)
    return Constants.takeError();
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const Argument &A = F.Args[I];
    ArgumentValue V;
    switch (A.K) {
    case Argument::Kind::Scalar: {
      V.K = ArgumentValue::Kind::Scalar;
      const ElementType &T = P.Launches[In.Launch].Shape.Params[I].Type;
      Expected<Bytes> Data = scalarBytes(A, T, scalarTexts(P, In, I), Values);
      if (!Data)
        return Data.takeError();
      V.Data = std::move(*Data);
      break;
    }
    case Argument::Kind::Local:
      V.K = ArgumentValue::Kind::Local;
      V.LocalBytes = S->Counts[I];
      break;
    case Argument::Kind::Sampler:
      V.K = ArgumentValue::Kind::Sampler;
      V.Sampler = A.Sampler;
      break;
    case Argument::Kind::Image: {
      Expected<std::array<uint64_t, 3>> Extents = launch::extentsOf(A, Values);
      if (!Extents)
        return Extents.takeError();
      V.Extents = *Extents;
      V.Format = A.Format;
      V.Image = P.Launches[In.Launch].Shape.Params[I].Image;
      [[fallthrough]];
    }
    case Argument::Kind::Buffer: {
      if (A.Data.K == DataSpec::Kind::SameAs) {
        V.K = ArgumentValue::Kind::Alias;
        V.SameAs = F.findArgument(A.Data.SameAs) - F.Args.data();
        break;
      }
      V.K = A.K == Argument::Kind::Image ? ArgumentValue::Kind::Image : ArgumentValue::Kind::Buffer;
      Expected<Bytes> Data = bufferData(P, In, I, S->Counts[I], Values, *Constants);
      if (!Data)
        return Data.takeError();
      V.Data = std::move(*Data);
      break;
    }
    }
    Out.Values.push_back(std::move(V));
  }
  return Out;
}

} // namespace clmali::verify
