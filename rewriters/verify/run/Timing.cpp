// Devices and times: the parts of the judge's interface that judge nothing.
#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/run/Worker.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clmali::verify {
namespace {
Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }
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

  // The shape comes from the kernels themselves. A rewritten program holds no
  // original sometimes; its kernels take the same arguments.
  std::string Cannot;
  Timing Result;
  bool Timed = false;
  // Two children: what the first one finds out shapes the second one's data.
  ChildTask Look;
  Look.SilenceSeconds = std::max(Request.Options.LaunchTimeout, 60u);
  Look.TotalSeconds = Request.Options.TotalTimeout;
  JudgeRequest Lookup = R;
  if (Request.Manifest && !Request.Manifest->Launches.empty()) {
    Lookup.Launches[0].Kernel = Request.Manifest->Launches.front().Kernel;
    Lookup.Launches[0].Options =
        Request.Manifest->Options.empty() ? Request.Launch.Options : Request.Manifest->Options;
    if (!Request.Manifest->Defines.empty())
      Lookup.Launches[0].Defines = Request.Manifest->Defines;
  }
  Lookup.Manifest.Launches.clear();
  Look.Work = [&](Channel &Out) { probe(Out, Lookup, Choice); };
  auto onMessage = [&](const json::Object &O) {
    if (std::optional<StringRef> Text = O.getString("cannot"))
      Cannot = Text->str();
    else if (const json::Object *S = O.getObject("shape"))
      P.Launches[0].Shape = shapeFromJson(*S);
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
  };
  Look.OnMessage = onMessage;
  ChildTask Limits = Look;
  ChildEnd End = runChild(std::move(Look));
  if (!Cannot.empty())
    return failure(Cannot);
  if (End.K != ChildEnd::Kind::Finished)
    return failure("building the kernel: the device " + describe(End, Limits));
  if (Request.Manifest) // the launch file tells the original's local size
    P.Launches[0].Shape.RequiredLocal = {0, 0, 0};
  if (Error E = checkFits(Request.Launch, P.Launches[0].Shape))
    return E;
  P.Launches[0].Shape.RequiredLocal = {0, 0, 0};
  if (!Request.Manifest)
    P.Launches[0].Shape.Name = Request.Launch.Kernel;

  TestInput C;
  C.At = Request.At;
  C.Listed = C.AsHost = true;
  Expected<CaseShape> Shape = shapeOf(P, 0, C.At, 0);
  if (!Shape)
    return Shape.takeError();
  ChildTask Time;
  Time.SilenceSeconds = Request.Options.LaunchTimeout;
  Time.TotalSeconds = Request.Options.TotalTimeout;
  Time.Work = [&](Channel &Out) {
    measure(Out, P, C, Request.Manifest.has_value(), std::max(1u, Request.Runs), Choice);
  };
  Time.OnMessage = onMessage;
  ChildTask TimeLimits = Time;
  End = runChild(std::move(Time));
  if (!Cannot.empty())
    return failure(Cannot);
  if (!Timed)
    return failure("at " + describe(Request.At) + ": the kernel " + describe(End, TimeLimits));
  return Result;
}

} // namespace clmali::verify
