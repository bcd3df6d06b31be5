//===- Recipes.cpp - reads inject.json --------------------------------------------------------===//

#include "tools/layer/Files.h"
#include "tools/layer/Replacement.h"
#include "tools/layer/text/Json.h"
#include "tools/layer/text/Sha256.h"

namespace clmali::layer {
namespace {

/// A file that inject.json names with its hash.
std::optional<std::string> readNamed(const std::string &Folder, const Json &Of, std::string &Why) {
  const std::string &Name = Of["file"].String; // PROGRAM/FILE
  const size_t Slash = Name.find('/');
  if (Slash == std::string::npos || Slash == 0 || Name.find("..") != std::string::npos) {
    Why = "a file has no name, or is not in the folder";
    return std::nullopt;
  }
  Why = whyUnsafe(Folder + "/" + Name.substr(0, Slash));
  if (!Why.empty())
    return std::nullopt;
  std::optional<std::string> Text = readSafely(Folder + "/" + Name, Why);
  if (Text && "sha256:" + sha256(*Text) != Of["sha256"].String) {
    Why = "it was changed after it was judged";
    Text.reset();
  }
  if (!Text)
    Why = Name + ": " + Why;
  return Text;
}

std::vector<std::string> texts(const Json &List) {
  std::vector<std::string> All;
  for (const Json &V : List.Array)
    All.push_back(V.K == Json::Kind::Integer ? std::to_string(V.Integer) : V.String);
  return All;
}

LaunchRecipe readLaunch(const Json &J) {
  LaunchRecipe L;
  L.Kernel = J["kernel"].String;
  if (J["when"].isString())
    L.When = J["when"].String;
  L.Global = texts(J["global"]);
  L.Local = texts(J["local"]);
  L.Offset = texts(J["offset"]);
  for (const auto &[Name, Bytes] : J["localBytes"].Object)
    L.LocalBytes[Name] = Bytes.String;
  return L;
}

/// A recorded launch in the order of InjectedKernel::Slots.
std::vector<int64_t> readRecorded(const Json &J, const KernelRecipe &R) {
  std::vector<int64_t> Slots;
  for (const char *Key : {"global", "local", "offset"})
    for (size_t D = 0; D < 3; ++D)
      Slots.push_back(D < J[Key].Array.size() ? J[Key].Array[D].Integer : 0);
  for (const KernelRecipe::Argument &A : R.Arguments)
    Slots.push_back(A.Bytes ? J["arguments"][A.Name].Integer : 0);
  for (const KernelRecipe::Argument &A : R.Arguments)
    for (const char *Extent : ExtentNames)
      Slots.push_back(J["arguments"][std::string(Extent) + "(" + A.Name + ")"].Integer);
  return Slots;
}

/// The kernels of the manifest that the entry lists as held, with their arguments.
bool readKernels(const Json &Entry, const Json &Manifest, ProgramRecipe &P, std::string &Why) {
  for (const Json &K : Manifest["kernels"].Array) {
    KernelRecipe R;
    R.Original = K["original"].String;
    if (K["source"].String != "sha256:" + P.SourceSha) {
      Why = "the manifest is for another source";
      return false;
    }
    const Json &Facts = Entry["kernels"][R.Original];
    if (Facts["verdict"].String != "held")
      continue;
    for (const Json &L : K["launches"].Array)
      R.Launches.push_back(readLaunch(L));
    R.Require = texts(K["require"]);
    for (const auto &[Name, All] : K["formats"].Object)
      R.Formats[Name] = texts(All);
    for (const auto &[Name, All] : K["samplers"].Object)
      for (const Json &S : All.Array)
        R.Samplers[Name].push_back({S["coords"].String, S["address"].String, S["filter"].String});
    for (const Json &A : K["arguments"].Array)
      R.AsBuffers.push_back(A["name"].String);
    R.Exact = Facts["exact"].Integer != 0;
    for (const Json &A : Facts["arguments"].Array)
      R.Arguments.push_back({A["name"].String, static_cast<unsigned>(A["bytes"].Integer),
                             A["signed"].Integer != 0, A["buffer"].Integer != 0,
                             A["written"].Integer != 0});
    R.Proved = Facts["basis"].String == "proved";
    for (const Json &L : Facts["recorded"].Array)
      R.Recorded.push_back(readRecorded(L, R));
    P.Kernels.push_back(std::move(R));
  }
  if (P.Kernels.empty())
    Why = "no kernel of it is held";
  return !P.Kernels.empty();
}

bool readEntry(const std::string &Folder, const Json &Entry, ProgramRecipe &P, std::string &Why) {
  P.SourceSha = Entry["source"].String;
  if (P.SourceSha.starts_with("sha256:"))
    P.SourceSha.erase(0, 7);
  // Recordings before 2026-11-29 have none.
  P.Identity = Entry["identity"].isString() ? Entry["identity"].String : "";
  P.Options = texts(Entry["options"]);
  const Json &Device = Entry["device"];
  P.Platform = Device["platform"].String;
  P.Device = Device["name"].String;
  P.Driver = Device["driver"].String;
  for (const Json &I : Entry["includes"].Array)
    P.Includes.emplace_back(I["path"].String, I["sha256"].String);
  std::optional<std::string> Rewritten = readNamed(Folder, Entry["rewritten"], Why);
  if (!Rewritten)
    return false;
  P.Rewritten = std::move(*Rewritten);
  std::optional<std::string> Manifest = readNamed(Folder, Entry["manifest"], Why);
  if (!Manifest || !readNamed(Folder, Entry["verdict"], Why))
    return false;
  std::optional<Json> M = parseJson(*Manifest);
  if (!M) {
    Why = "the manifest is no JSON";
    return false;
  }
  return readKernels(Entry, *M, P, Why);
}

} // namespace

std::vector<ProgramRecipe> readRecipes(const std::string &Folder,
                                       std::vector<std::string> &Problems) {
  std::vector<ProgramRecipe> All;
  std::string Why = whyUnsafe(Folder);
  std::optional<std::string> Text;
  if (Why.empty())
    Text = readSafely(Folder + "/inject.json", Why);
  std::optional<Json> Root = Text ? parseJson(*Text) : std::nullopt;
  if (!Root || (*Root)["version"].Integer != 1) {
    Problems.push_back(
        Folder + ": nothing is injected: " + (Why.empty() ? "inject.json cannot be read" : Why));
    return All;
  }
  for (const Json &Entry : (*Root)["programs"].Array) {
    ProgramRecipe P;
    if (readEntry(Folder, Entry, P, Why))
      All.push_back(std::move(P));
    else
      Problems.push_back(P.SourceSha.substr(0, 16) + ": " + Why);
  }
  return All;
}

} // namespace clmali::layer
