// In a child process: the parameters of the kernels, and their times; and the messages with both.
#include "rewriters/verify/run/InputRunner.h"
#include "rewriters/verify/run/Worker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace llvm;

namespace clmali::verify {

json::Object toJson(const DeviceInfo &I) {
  return json::Object{{"platform", I.Platform},
                      {"platformVersion", I.PlatformVersion},
                      {"device", I.Device},
                      {"deviceVersion", I.DeviceVersion},
                      {"driver", I.Driver},
                      {"type", I.Type},
                      {"extensions", I.Extensions},
                      {"computeUnits", I.ComputeUnits},
                      {"nativeFloats", I.NativeFloats},
                      {"globalMemory", static_cast<int64_t>(I.GlobalMemory)},
                      {"localMemory", static_cast<int64_t>(I.LocalMemory)}};
}

DeviceInfo infoFromJson(const json::Object &O) {
  DeviceInfo I;
  auto text = [&O](StringRef Key) { return O.getString(Key).value_or("").str(); };
  I.Platform = text("platform");
  I.PlatformVersion = text("platformVersion");
  I.Device = text("device");
  I.DeviceVersion = text("deviceVersion");
  I.Driver = text("driver");
  I.Type = text("type");
  I.Extensions = text("extensions");
  I.ComputeUnits = O.getInteger("computeUnits").value_or(0);
  I.NativeFloats = O.getInteger("nativeFloats").value_or(0);
  I.GlobalMemory = O.getInteger("globalMemory").value_or(0);
  I.LocalMemory = O.getInteger("localMemory").value_or(0);
  return I;
}

static json::Object toJson(const ImageType &T) {
  return json::Object{{"dimensions", T.Dimensions},
                      {"array", T.Array},
                      {"buffer", T.Buffer},
                      {"access", static_cast<int>(T.Use)}};
}

static ImageType imageFromJson(const json::Object &O) {
  ImageType T;
  T.Dimensions = O.getInteger("dimensions").value_or(0);
  T.Array = O.getBoolean("array").value_or(false);
  T.Buffer = O.getBoolean("buffer").value_or(false);
  T.Use = static_cast<ImageType::Access>(O.getInteger("access").value_or(0));
  return T;
}

json::Object toJson(const KernelShape &S) {
  json::Array Params;
  for (const Parameter &P : S.Params) {
    json::Array Floats;
    for (const auto &[Offset, Bytes] : P.Type.FloatFields) {
      Floats.push_back(Offset);
      Floats.push_back(Bytes);
    }
    Params.push_back(json::Object{{"name", P.Name},
                                  {"type", P.TypeName},
                                  {"where", static_cast<int>(P.Where)},
                                  {"pointer", P.IsPointer},
                                  {"kind", static_cast<int>(P.Type.K)},
                                  {"scalarBytes", P.Type.ScalarBytes},
                                  {"lanes", P.Type.Lanes},
                                  {"size", P.Type.Size},
                                  {"image", toJson(P.Image)},
                                  {"floats", std::move(Floats)},
                                  {"padding", json::Array(P.Type.Padding)}});
  }
  return json::Object{
      {"name", S.Name},
      {"params", std::move(Params)},
      {"required", json::Array{S.RequiredLocal[0], S.RequiredLocal[1], S.RequiredLocal[2]}},
      {"mostItems", static_cast<int64_t>(S.MostItems)}};
}

KernelShape shapeFromJson(const json::Object &O) {
  KernelShape S;
  S.Name = O.getString("name").value_or("").str();
  S.MostItems = O.getInteger("mostItems").value_or(0);
  if (const json::Array *R = O.getArray("required"))
    for (unsigned I = 0; I < 3; ++I)
      S.RequiredLocal[I] = (*R)[I].getAsInteger().value_or(0);
  if (const json::Array *Params = O.getArray("params"))
    for (const json::Value &V : *Params) {
      const json::Object &P = *V.getAsObject();
      Parameter Out;
      Out.Name = P.getString("name").value_or("").str();
      Out.TypeName = P.getString("type").value_or("").str();
      Out.Where = static_cast<Parameter::Space>(P.getInteger("where").value_or(0));
      Out.IsPointer = P.getBoolean("pointer").value_or(false);
      Out.Type.K = static_cast<ElementType::Kind>(P.getInteger("kind").value_or(0));
      Out.Type.ScalarBytes = P.getInteger("scalarBytes").value_or(1);
      Out.Type.Lanes = P.getInteger("lanes").value_or(1);
      Out.Type.Size = P.getInteger("size").value_or(1);
      if (const json::Object *Image = P.getObject("image"))
        Out.Image = imageFromJson(*Image);
      if (const json::Array *Floats = P.getArray("floats"))
        for (size_t I = 0; I + 1 < Floats->size(); I += 2)
          Out.Type.FloatFields.push_back({(*Floats)[I].getAsInteger().value_or(0),
                                          (*Floats)[I + 1].getAsInteger().value_or(0)});
      if (const json::Array *Padding = P.getArray("padding"))
        for (const json::Value &I : *Padding)
          Out.Type.Padding.push_back(I.getAsInteger().value_or(0));
      S.Params.push_back(std::move(Out));
    }
  return S;
}

std::vector<std::string> textsFromJson(const json::Object &O, StringRef Key) {
  std::vector<std::string> All;
  if (const json::Array *A = O.getArray(Key))
    for (const json::Value &V : *A)
      All.push_back(V.getAsString().value_or("").str());
  return All;
}

launch::Size sizeFromJson(const json::Object &O) {
  launch::Size At;
  if (const json::Object *A = O.getObject("at"))
    for (const auto &[Name, Value] : *A)
      At[Name.str()] = Value.getAsInteger().value_or(0);
  return At;
}

std::string originalOptions(const JudgeRequest &R, unsigned Launch) {
  const launch::LaunchFile &F = R.Launches[Launch];
  std::string Options = launch::buildOptions(F.Options, F.Defines);
  if (!R.Options.ExtraOptions.empty())
    Options += (Options.empty() ? "" : " ") + R.Options.ExtraOptions;
  return Options + (Options.empty() ? "" : " ") + "-cl-kernel-arg-info";
}

std::string rewrittenOptions(const JudgeRequest &R, unsigned Launch) {
  // The manifest gives the build options. If it gives none, the host keeps the original's.
  const launch::ManifestKernel &M = R.Manifest;
  if (M.Options.empty() && M.Defines.empty())
    return originalOptions(R, Launch);
  std::string Options = launch::buildOptions(M.Options, M.Defines);
  if (!R.Options.ExtraOptions.empty())
    Options += (Options.empty() ? "" : " ") + R.Options.ExtraOptions;
  return Options + (Options.empty() ? "" : " ") + "-cl-kernel-arg-info";
}

void probe(Channel &Out, const JudgeRequest &R, const DeviceChoice &Choice) {
  Expected<Device> D = Device::open(Choice);
  if (!D) {
    Out.send("cannot", llvm::toString(D.takeError()));
    return;
  }
  Out.send("device", toJson(D->info()));
  for (unsigned L = 0; L < R.Launches.size(); ++L) {
    auto describe = [&](bool Rewritten, const std::string &Name) -> Error {
      std::string Options = Rewritten ? rewrittenOptions(R, L) : originalOptions(R, L);
      const ProgramText &Text = Rewritten ? R.Rewritten : R.Original;
      Expected<cl_program> Program = D->build(Text.Source, Options);
      if (!Program)
        return Program.takeError();
      Expected<cl_kernel> Kernel = D->kernel(*Program, Name);
      if (!Kernel)
        return Kernel.takeError();
      Expected<KernelShape> Shape = D->shapeOf(*Kernel, Text.Source, Options);
      if (!Shape)
        return Shape.takeError();
      json::Object Message = toJson(*Shape);
      Message["launch"] = static_cast<int64_t>(L);
      Message["rewritten"] = Rewritten;
      Out.send("shape", std::move(Message));
      return Error::success();
    };
    if (Error E = describe(false, R.Launches[L].Kernel)) {
      Out.send("cannot", json::fixUTF8(R.Original.Name + ": " + llvm::toString(std::move(E))));
      return;
    }
    std::set<std::string> Seen;
    for (const launch::ManifestLaunch &M : R.Manifest.Launches)
      if (Seen.insert(M.Kernel).second)
        if (Error E = describe(true, M.Kernel)) {
          Out.send("broken", json::fixUTF8(R.Rewritten.Name + ": " + llvm::toString(std::move(E))));
          return;
        }
  }
  Out.send("probed", true);
  // PoCL caches builds across processes. The first build in a process takes five times as long as
  // the next ones, so the other builds are done here too.
  if (StringRef(D->info().Platform).contains_insensitive("Portable Computing Language"))
    for (unsigned L = 0; L < R.Launches.size(); ++L) {
      consumeError(
          D->build(R.Original.Source, originalOptions(R, L) + " -cl-opt-disable").takeError());
      consumeError(
          D->build(R.Rewritten.Source, rewrittenOptions(R, L) + " -cl-opt-disable").takeError());
    }
}

void measure(Channel &Out, const TestPlan &P, const TestInput &In, bool Rewritten, unsigned Runs,
             const DeviceChoice &Choice) {
  auto fail = [&Out](Error E) { Out.send("cannot", json::fixUTF8(llvm::toString(std::move(E)))); };
  Expected<Device> D = Device::open(Choice);
  if (!D)
    return fail(D.takeError());
  InputRunner Runner(*D, P);
  Runner.leaveImages();
  Expected<PreparedInput> Ready = prepare(P, In);
  if (!Ready)
    return fail(Ready.takeError());
  RunResult Last;
  Expected<std::vector<double>> Measured = Runner.time(In, *Ready, Rewritten, Runs, Last, [&] {
    Out.send("at", json::Object{{"case", 0}, {"who", "timing"}});
  });
  if (!Measured)
    return fail(Measured.takeError());
  // Checksums of the results.
  json::Array Sums;
  for (const Bytes &B : Last.Buffers)
    Sums.push_back(static_cast<int64_t>(
        mixSeed(0, StringRef(reinterpret_cast<const char *>(B.data()), B.size())) >> 1));
  Out.send("outputs", std::move(Sums));
  std::vector<double> &Times = *Measured;
  llvm::sort(Times);
  Out.send("timing", json::Object{{"median", Times[Times.size() / 2]},
                                  {"best", Times.front()},
                                  {"runs", static_cast<int64_t>(Times.size())},
                                  {"device", D->info().Platform + ": " + D->info().Device}});
}

} // namespace clmali::verify
