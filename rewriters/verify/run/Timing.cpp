// The parts of the judge's interface that compare nothing: devices and times.
#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/run/Worker.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clmali::verify {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// The request to describe the kernel's parameters. A rewritten program may not contain the
/// original; then its first kernel is described, which takes the same arguments. Where it takes a
/// buffer in place of an image, the original must be there.
JudgeRequest parametersRequest(const JudgeRequest &R, const TimeRequest &Request) {
  JudgeRequest Lookup = R;
  if (Request.Manifest && !Request.Manifest->Launches.empty()) {
    launch::LaunchFile &F = Lookup.Launches[0];
    if (Request.Manifest->AsBuffers.empty())
      F.Kernel = Request.Manifest->Launches.front().Kernel;
    F.Options =
        Request.Manifest->Options.empty() ? Request.Launch.Options : Request.Manifest->Options;
    if (!Request.Manifest->Defines.empty())
      F.Defines = Request.Manifest->Defines;
  }
  Lookup.Manifest.Launches.clear();
  return Lookup;
}

/// What the child processes of one timing reported.
struct TimingMessages {
  std::string Cannot;
  KernelShape Shape;
  Timing Result;
  bool Timed = false;

  bool take(const json::Object &O) {
    if (std::optional<StringRef> Text = O.getString("cannot"))
      Cannot = Text->str();
    else if (const json::Object *S = O.getObject("shape"))
      Shape = shapeFromJson(*S);
    else if (const json::Object *T = O.getObject("timing")) {
      Timed = true;
      Result.MedianMs = T->getNumber("median").value_or(0);
      Result.BestMs = T->getNumber("best").value_or(0);
      Result.Runs = T->getInteger("runs").value_or(0);
      Result.Device = T->getString("device").value_or("").str();
    } else if (const json::Array *A = O.getArray("outputs")) {
      for (const json::Value &V : *A)
        Result.Checksums.push_back(static_cast<uint64_t>(V.getAsInteger().value_or(0)));
    }
    return true;
  }
};

} // namespace

Expected<std::vector<DeviceInfo>> listDevices() {
  std::vector<DeviceInfo> All;
  std::string Cannot;
  ChildTask T;
  T.SilenceSeconds = T.TotalSeconds = 60;
  T.Work = [](Channel &Out) {
    Expected<Api> Cl = loadApi("");
    if (!Cl) {
      Out.send("cannot", toString(Cl.takeError()));
      return;
    }
    Expected<std::vector<DeviceInfo>> Found = enumerateDevices(*Cl);
    if (!Found) {
      Out.send("cannot", toString(Found.takeError()));
      return;
    }
    for (const DeviceInfo &I : *Found)
      Out.send("device", toJson(I));
  };
  T.OnMessage = [&](const json::Object &O) {
    if (const json::Object *D = O.getObject("device"))
      All.push_back(infoFromJson(*D));
    else if (std::optional<StringRef> Text = O.getString("cannot"))
      Cannot = Text->str();
    return true;
  };
  ChildTask Limits = T;
  ChildEnd End = runChild(std::move(T));
  if (!Cannot.empty())
    return failure(Cannot);
  if (End.K != ChildEnd::Kind::Finished)
    return failure("asking for devices: the OpenCL loader " + describe(End, Limits));
  return All;
}

Expected<Timing> timeLaunch(const TimeRequest &Request) {
  JudgeRequest R;
  R.Original = Request.Program;
  R.Rewritten = Request.Program;
  R.Launches = {Request.Launch};
  R.Options = Request.Options;
  if (Request.Manifest)
    R.Manifest = *Request.Manifest;
  TestPlan P;
  P.Request = &R;
  P.Launches.resize(1);
  P.Launches[0].OriginalOptions = originalOptions(R, 0);
  P.Launches[0].RewrittenOptions = rewrittenOptions(R, 0);
  P.Launches[0].Variants.assign(1, {});
  DeviceChoice Choice{"", Request.Options.Platform};

  // Two child processes: the data of the second one depend on what the first one reports.
  TimingMessages Messages;
  const auto OnMessage = [&Messages](const json::Object &O) { return Messages.take(O); };
  const JudgeRequest Lookup = parametersRequest(R, Request);
  ChildTask Look;
  Look.SilenceSeconds = std::max(Request.Options.LaunchTimeout, 60u);
  Look.TotalSeconds = Request.Options.TotalTimeout;
  Look.Work = [&](Channel &Out) { probe(Out, Lookup, Choice); };
  Look.OnMessage = OnMessage;
  ChildTask Limits = Look;
  ChildEnd End = runChild(std::move(Look));
  if (!Messages.Cannot.empty())
    return failure(Messages.Cannot);
  if (End.K != ChildEnd::Kind::Finished)
    return failure("building the kernel: the device " + describe(End, Limits));
  P.Launches[0].Shape = std::move(Messages.Shape);
  if (Request.Manifest) // the launch file has the original's local size
    P.Launches[0].Shape.RequiredLocal = {0, 0, 0};
  if (Error E = checkFits(Request.Launch, P.Launches[0].Shape))
    return E;
  P.Launches[0].Shape.RequiredLocal = {0, 0, 0};
  if (!Request.Manifest)
    P.Launches[0].Shape.Name = Request.Launch.Kernel;

  TestInput In;
  In.At = Request.At;
  In.Listed = In.AsHost = true;
  Expected<InputShape> Shape = shapeOf(P, 0, In.At, 0);
  if (!Shape)
    return Shape.takeError();
  ChildTask Time;
  Time.SilenceSeconds = Request.Options.LaunchTimeout;
  Time.TotalSeconds = Request.Options.TotalTimeout;
  Time.Work = [&](Channel &Out) {
    measure(Out, P, In, Request.Manifest.has_value(), std::max(1u, Request.Runs), Choice);
  };
  Time.OnMessage = OnMessage;
  ChildTask TimeLimits = Time;
  End = runChild(std::move(Time));
  if (!Messages.Cannot.empty())
    return failure(Messages.Cannot);
  if (!Messages.Timed)
    return failure("at " + describe(Request.At) + ": the kernel " + describe(End, TimeLimits));
  return Messages.Result;
}

} // namespace clmali::verify
