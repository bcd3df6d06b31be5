#include "rewriters/verify/run/InputRunner.h"
#include "rewriters/verify/run/Oclgrind.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;

namespace clmali::verify {

Expected<cl_program> InputRunner::program(bool Rewritten, unsigned Launch, bool Unoptimised) {
  const TestPlan::PerLaunch &L = P.Launches[Launch];
  std::string Options = Rewritten ? L.RewrittenOptions : L.OriginalOptions;
  if (Unoptimised)
    Options += " -cl-opt-disable";
  const ProgramText &Text = Rewritten ? P.Request->Rewritten : P.Request->Original;
  // Oclgrind defines extensions that the device lacks.
  std::string Source = StringRef(D.info().Platform).starts_with("Oclgrind")
                           ? extensionsAsOn(Text.Source, P.Extensions)
                           : std::string();
  Source += Preamble + (ChecksImages ? imagePreamble() : std::string()) +
            (usesImages(P) ? withoutNone(Text.Source, None) : Text.Source);
  auto Key = std::pair(std::move(Source), Options);
  auto It = Programs.find(Key);
  if (It != Programs.end())
    return It->second;
  Expected<cl_program> Built = D.build(Key.first, Options);
  if (!Built && ChecksImages) {
    // The program may define such names itself, or not build at all: then it says so.
    consumeError(Built.takeError());
    ChecksImages = false;
    return program(Rewritten, Launch, Unoptimised);
  }
  if (Built)
    Programs[Key] = *Built;
  return Built;
}

Expected<cl_kernel> InputRunner::kernel(bool Rewritten, unsigned Launch, bool Unoptimised,
                                        const std::string &Name) {
  Expected<cl_program> Program = program(Rewritten, Launch, Unoptimised);
  if (!Program)
    return Program.takeError();
  auto Key = std::pair(*Program, Name);
  auto It = Kernels.find(Key);
  if (It != Kernels.end())
    return It->second;
  Expected<cl_kernel> Made = D.kernel(*Program, Name);
  if (Made)
    Kernels[Key] = *Made;
  return Made;
}

/// If the host passes no local size, any may be chosen. Groups of one work-item save a compilation
/// for each size, on devices that compile for the local size.
launch::Geometry InputRunner::chosenLocal(launch::Geometry G, const TestInput &In,
                                          bool Unoptimised) const {
  if (G.hasLocal())
    return G;
  if (In.Local[0] != 0) {
    // The rewritten kernel may have fewer work-items: the largest groups that tile those.
    for (unsigned D = 0; D < 3; ++D)
      for (G.Local[D] = std::min(In.Local[D], G.Global[D]); G.Global[D] % G.Local[D] != 0;)
        --G.Local[D];
  } else if (!In.AsHost || (Unoptimised && !P.InGroups)) {
    G.Local = {1, 1, 1};
  }
  return G;
}

Error InputRunner::buildOriginal(unsigned Launch, bool Unoptimised) {
  return kernel(false, Launch, Unoptimised, P.Launches[Launch].Shape.Name).takeError();
}

Error InputRunner::buildRewritten(unsigned Launch, bool Unoptimised) {
  for (const launch::ManifestLaunch &L : P.Request->Manifest.Launches)
    if (Error E = kernel(true, Launch, Unoptimised, L.Kernel).takeError())
      return E;
  return Error::success();
}

Expected<std::vector<Step>>
InputRunner::originalSteps(const TestInput &In, const PreparedInput &Ready, bool Unoptimised) {
  Expected<cl_kernel> K = kernel(false, In.Launch, Unoptimised, P.Launches[In.Launch].Shape.Name);
  if (!K)
    return K.takeError();
  Step S;
  S.Kernel = *K;
  S.Shape = chosenLocal(Ready.Original, In, Unoptimised);
  return std::vector<Step>{S};
}

Expected<std::vector<Step>>
InputRunner::rewrittenSteps(const TestInput &In, const PreparedInput &Ready, bool Unoptimised) {
  std::vector<Step> Steps;
  const launch::LaunchFile &F = P.Request->Launches[In.Launch];
  for (const launch::ResolvedLaunch &L : Ready.Rewritten) {
    Expected<cl_kernel> K = kernel(true, In.Launch, Unoptimised, L.Kernel);
    if (!K)
      return K.takeError();
    Step S;
    S.Kernel = *K;
    S.Shape = chosenLocal(L.Shape, In, Unoptimised);
    for (const auto &[Name, Size] : L.LocalBytes)
      if (const launch::Argument *A = F.findArgument(Name))
        S.LocalBytes[A - F.Args.data()] = Size;
    Steps.push_back(std::move(S));
  }
  return Steps;
}

/// What the rewritten kernels get: the texels of an image as a buffer, where the manifest says so.
/// Where its `require` does not hold, the original runs, with the image.
std::vector<ArgumentValue> InputRunner::rewrittenValues(const TestInput &In,
                                                        const PreparedInput &Ready) const {
  std::vector<ArgumentValue> Values = Ready.Values;
  const launch::LaunchFile &F = P.Request->Launches[In.Launch];
  const launch::ManifestKernel &M = P.Request->Manifest;
  if (any_of(Ready.Rewritten,
             [&](const launch::ResolvedLaunch &L) { return L.Kernel == M.Original; }))
    return Values;
  for (const std::string &Name : M.AsBuffers)
    if (const launch::Argument *A = F.findArgument(Name))
      Values[A - F.Args.data()].K = ArgumentValue::Kind::Buffer;
  return Values;
}

Expected<RunResult> InputRunner::original(const TestInput &In, const PreparedInput &Ready,
                                          bool Unoptimised, const Surroundings &Around) {
  None = Around.none();
  Expected<std::vector<Step>> Steps = originalSteps(In, Ready, Unoptimised);
  if (!Steps)
    return Steps.takeError();
  return D.run(*Steps, Ready.Values, Around);
}

Expected<RunResult> InputRunner::rewritten(const TestInput &In, const PreparedInput &Ready,
                                           bool Unoptimised, const Surroundings &Around,
                                           bool Reverse) {
  None = Around.none();
  Expected<std::vector<Step>> Steps = rewrittenSteps(In, Ready, Unoptimised);
  if (!Steps)
    return Steps.takeError();
  if (Reverse)
    std::reverse(Steps->begin(), Steps->end());
  return D.run(*Steps, rewrittenValues(In, Ready), Around);
}

Expected<std::vector<double>> InputRunner::time(const TestInput &In, const PreparedInput &Ready,
                                                bool Rewritten, unsigned Runs, RunResult &Last,
                                                function_ref<void()> Alive) {
  Expected<std::vector<Step>> Steps =
      Rewritten ? rewrittenSteps(In, Ready, false) : originalSteps(In, Ready, false);
  if (!Steps)
    return Steps.takeError();
  return D.time(*Steps, Rewritten ? rewrittenValues(In, Ready) : Ready.Values, Runs, Last, Alive);
}

} // namespace clmali::verify
