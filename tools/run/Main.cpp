// clmali-run: runs a kernel as its launch file says, times it, or judges a
// rewritten kernel against it.
//
// Exit codes: 0 ran, or the rewrite is held; 2 usage, a file that is wrong, no
// device; 3 refuted; 4 inconclusive, or not proved as --require asks.
#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"
#include "rewriters/verify/Judge.h"
#include "tools/run/Options.h"
#include "tools/run/Recording.h"
#include "tools/run/Report.h"
#include "tools/run/Sarif.h"
#include "tools/version/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace llvm;
using namespace clmali;

using namespace clmali::run;

namespace {

constexpr int ExitHeld = 0, ExitError = 2, ExitRefuted = 3, ExitInconclusive = 4;

Expected<std::string> readSource(const std::string &Path) {
  if (sys::fs::is_directory(Path))
    return failure("'" + Path + "' is a folder; give the .cl file");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return failure("cannot read '" + Path + "': " + Buffer.getError().message());
  StringRef Text = (*Buffer)->getBuffer();
  if (Text.trim().empty())
    return failure("'" + Path + "' is empty; a kernel is needed");
  if (Text.contains('\0'))
    return failure("'" + Path + "' is a binary file, no OpenCL C source");
  return Text.str();
}

/// The option that makes includes relative to the kernel's folder, as for a host's compiler.
std::string includeOptions(StringRef Source, StringRef Path) {
  if (!Source.contains("#include") && !Source.contains("# include"))
    return {};
  SmallString<256> Folder(Path);
  sys::fs::make_absolute(Folder);
  sys::path::remove_filename(Folder);
  sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
  return ("-I" + Folder).str();
}

std::string describe(const launch::Size &At) {
  std::string Text;
  for (const auto &[Name, Value] : At)
    Text += (Text.empty() ? "" : " ") + Name + "=" + std::to_string(Value);
  return Text.empty() ? "the only size" : Text;
}

Error writeWhole(const std::string &Path, StringRef Text) {
  Error E = writeToOutput(Path, [&](raw_ostream &OS) -> Error {
    OS << Text;
    return Error::success();
  });
  if (E)
    return failure("cannot write the output: " + toString(std::move(E)));
  return Error::success();
}

std::string pretty(json::Value V) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << formatv("{0:2}", V) << "\n";
  return Text;
}

struct Input {
  launch::LaunchFile Launch;
  verify::ProgramText Original;
  verify::JudgeOptions Judge;
};

Expected<Input> load(const Options &O) {
  Expected<launch::LaunchFile> F = launch::readLaunchFile(O.Launch);
  if (!F)
    return F.takeError();
  Input In;
  In.Launch = std::move(*F);
  std::string Path = O.Source;
  if (Path.empty()) {
    if (In.Launch.Source.empty())
      return failure(O.Launch + " names no source: add 'source: FILE.cl', or "
                                "give the file on the command line");
    Path = launch::besideLaunchFile(In.Launch, In.Launch.Source);
  }
  Expected<std::string> Source = readSource(Path);
  if (!Source)
    return Source.takeError();
  In.Original.Source = std::move(*Source);
  In.Original.Name = Path;
  In.Judge.Platform = O.Platform;
  In.Judge.Seed = O.Seed;
  In.Judge.TotalTimeout = O.TimeLimit;
  In.Judge.SymbolicSeconds = O.Symbolic;
  In.Judge.GenericSeconds = O.Generic;
  In.Judge.LaunchTimeout = O.LaunchLimit;
  In.Judge.UseOclgrind = O.Oclgrind != "none";
  if (In.Judge.UseOclgrind)
    In.Judge.OclgrindLibrary = O.Oclgrind;
  In.Judge.Without = O.Without;
  In.Judge.ExtraOptions = includeOptions(In.Original.Source, Path);
  if (!O.Quiet)
    In.Judge.Progress = [](StringRef Line) { errs() << "clmali-run: " << Line << "\n"; };
  return In;
}

Expected<int> listDevices() {
  Expected<std::vector<verify::DeviceInfo>> All = verify::listDevices();
  if (!All)
    return All.takeError();
  if (All->empty())
    return failure("no OpenCL device; install one, on Debian: apt install "
                   "pocl-opencl-icd");
  for (const verify::DeviceInfo &D : *All)
    outs() << D.Platform << ": " << D.Device << "\n  " << D.Type << ", " << D.ComputeUnits
           << " compute units, " << (D.GlobalMemory >> 20) << " MiB global, "
           << (D.LocalMemory >> 10) << " KiB local memory\n  " << D.DeviceVersion << ", driver "
           << D.Driver << "\n";
  return ExitHeld;
}

Expected<int> runSizes(const Options &O, const Input &In) {
  json::Array Results;
  std::vector<SizeTime> Times;
  for (const launch::Size &At : In.Launch.Sizes) {
    verify::TimeRequest T;
    T.Program = In.Original;
    T.Launch = In.Launch;
    T.At = At;
    T.Runs = O.Bench ? O.Bench : 1;
    T.Options = In.Judge;
    Expected<verify::Timing> Time = verify::timeLaunch(T);
    if (!Time)
      return Time.takeError();
    if (Results.empty())
      outs() << "device: " << Time->Device << "\n";
    Times.push_back({describe(At), *Time});
    outs() << describe(At) << ": " << format("%.3f", Time->MedianMs) << " ms";
    if (Time->Runs > 1)
      outs() << " (median of " << Time->Runs << ", best " << format("%.3f", Time->BestMs) << ")";
    json::Object Sums;
    for (unsigned I = 0; I < In.Launch.Args.size() && I < Time->Checksums.size(); ++I) {
      const launch::Argument &A = In.Launch.Args[I];
      if (!A.holdsData() || A.Use == launch::Argument::Access::In ||
          A.Data.K == launch::DataSpec::Kind::SameAs)
        continue;
      std::string Sum = utohexstr(Time->Checksums[I], /*LowerCase=*/true, 16);
      outs() << "  " << A.Name << " " << Sum;
      Sums[A.Name] = Sum;
    }
    outs() << "\n";
    json::Object One{{"medianMs", Time->MedianMs},
                     {"bestMs", Time->BestMs},
                     {"runs", Time->Runs},
                     {"device", Time->Device},
                     {"checksums", std::move(Sums)}};
    json::Object Size;
    for (const auto &[Name, Value] : At)
      Size[Name] = Value;
    One["size"] = std::move(Size);
    Results.push_back(std::move(One));
  }
  if (!O.Report.empty())
    if (Error E = writeWhole(O.Report, reportOf(In.Launch, In.Original, Times)))
      return E;
  if (!O.Json.empty())
    if (Error E = writeWhole(O.Json, pretty(json::Object{{"kernel", In.Launch.Kernel},
                                                         {"results", std::move(Results)}})))
      return E;
  return ExitHeld;
}

Error bench(const Options &O, const Input &In, const verify::JudgeRequest &R, raw_ostream &OS,
            json::Object &Record) {
  json::Array All;
  for (const launch::Size &At : In.Launch.Sizes) {
    verify::TimeRequest T;
    T.Program = R.Original;
    T.Launch = In.Launch;
    T.At = At;
    T.Runs = O.Bench;
    T.Options = R.Options;
    Expected<verify::Timing> Old = verify::timeLaunch(T);
    if (!Old)
      return Old.takeError();
    T.Program = R.Rewritten;
    T.Manifest = R.Manifest;
    Expected<verify::Timing> New = verify::timeLaunch(T);
    if (!New)
      return New.takeError();
    OS << describe(At) << ": " << format("%.3f", Old->MedianMs) << " ms, rewritten "
       << format("%.3f", New->MedianMs) << " ms: " << format("%.2f", Old->MedianMs / New->MedianMs)
       << " times as fast\n";
    All.push_back(json::Object{{"size", describe(At)},
                               {"originalMs", Old->MedianMs},
                               {"rewrittenMs", New->MedianMs},
                               {"runs", O.Bench}});
  }
  Record["bench"] = std::move(All);
  return Error::success();
}

std::string workItem(StringRef Item) {
  return (Item.starts_with("(") ? "work-item " : "") + Item.str();
}

/// Without a manifest the other kernel is launched as the original is.
launch::ManifestKernel sameLaunch(const launch::LaunchFile &F, StringRef Kernel) {
  launch::ManifestKernel K;
  K.Original = F.Kernel;
  launch::ManifestLaunch L;
  L.Kernel = Kernel.empty() ? F.Kernel : Kernel.str();
  auto names = [&F](char Letter) {
    std::vector<launch::Expression> All;
    for (size_t D = 0; D < F.Global.size(); ++D) {
      std::string Name{Letter, "xyz"[D]};
      if (Expected<launch::Expression> E = launch::Expression::parse(Name))
        All.push_back(*E);
      else
        consumeError(E.takeError());
    }
    return All;
  };
  L.Global = names('g');
  L.Local = names('l');
  L.Offset = names('o');
  K.Launches.push_back(std::move(L));
  return K;
}

Error readManifest(const Options &O, const Input &In, launch::ManifestKernel &Into) {
  if (O.Manifest.empty()) {
    Into = sameLaunch(In.Launch, O.Kernel);
    return Error::success();
  }
  Expected<launch::Manifest> M = launch::readManifest(O.Manifest);
  if (!M)
    return M.takeError();
  const launch::ManifestKernel *K = M->findKernel(In.Launch.Kernel);
  if (!K)
    return failure(O.Manifest + " has no entry for kernel '" + In.Launch.Kernel + "', which " +
                   O.Launch + " launches");
  if (StringRef(K->Source).starts_with("sha256:") &&
      K->Source != launch::sourceHash(In.Original.Source))
    errs() << "clmali-run: warning: " << O.Manifest << " was made from another version of "
           << In.Original.Name << "\n";
  Into = *K;
  return Error::success();
}

void printVerdict(raw_ostream &OS, const verify::Verdict &V) {
  OS << verify::toString(V.Result) << ": " << V.Summary << "\n";
  for (const verify::Rung &One : V.Rungs)
    OS << "  " << left_justify(verify::stateOf(One, V), 10) << left_justify(One.Name, 23)
       << StringRef(One.Detail).split('\n').first << "\n";
  if (!V.Example)
    return;
  const verify::Counterexample &X = *V.Example;
  OS << "counterexample (" << X.Rung << "): " << X.What << "\n";
  if (!X.Size.empty())
    OS << "  size " << X.Size << ", " << X.NonZero << " input values are not zero"
       << (X.Replayed ? "; shown again in a fresh process\n" : "\n");
  if (!X.OriginalItem.empty())
    OS << "  in the original, written last by " << workItem(X.OriginalItem) << "\n";
  if (!X.RewrittenItem.empty())
    OS << "  in the rewritten program, "
       << (X.OriginalItem.empty() ? "done by " : "written last by ") << workItem(X.RewrittenItem)
       << "\n";
}

Expected<int> judgeAgainst(const Options &O, const Input &In) {
  verify::JudgeRequest R;
  R.Original = In.Original;
  Expected<std::string> Source = readSource(O.Against);
  if (!Source)
    return Source.takeError();
  R.Rewritten.Source = std::move(*Source);
  R.Rewritten.Name = O.Against;
  if (Error E = readManifest(O, In, R.Manifest))
    return E;
  R.Launches = {In.Launch};
  R.Options = In.Judge;
  if (std::string More = includeOptions(R.Rewritten.Source, O.Against);
      !More.empty() && R.Options.ExtraOptions.empty())
    R.Options.ExtraOptions = More;
  if (O.Prove) {
    verify::GenericProof Proof = verify::proveOnly(R);
    outs() << pretty(verify::toJson(Proof));
    return Proof.proved() ? ExitHeld : ExitInconclusive;
  }
  Expected<verify::Verdict> V = verify::judge(R);
  if (!V)
    return V.takeError();

  std::string Text;
  raw_string_ostream OS(Text);
  printVerdict(OS, *V);
  if (V->Example && !O.CounterexampleFile.empty() && !V->Example->LaunchFile.empty()) {
    if (Error E = writeWhole(O.CounterexampleFile, V->Example->LaunchFile))
      return E;
    OS << "  launch file: " << O.CounterexampleFile << "\n";
  }
  if (O.Bench && V->Result == verify::Outcome::Held)
    if (Error E = bench(O, In, R, OS, V->Record))
      return E;
  if (!O.Json.empty())
    if (Error E = writeWhole(O.Json, pretty(json::Object(V->Record))))
      return E;
  if (!O.Report.empty())
    if (Error E = writeWhole(O.Report, reportOf(R, *V)))
      return E;
  if (O.Format == "json")
    Text = pretty(json::Object(V->Record));
  else if (O.Format == "sarif")
    Text = verdictSarif(*V, R.Original, R.Rewritten, In.Launch.Kernel,
                        R.Manifest.Launches.front().Kernel);
  if (O.Output.empty())
    outs() << Text;
  else if (Error E = writeWhole(O.Output, Text))
    return E;
  switch (V->Result) {
  case verify::Outcome::Held:
    if (!O.RequireProved || V->RestsOn == verify::Basis::Proved)
      return ExitHeld;
    errs() << "clmali-run: --require=proved: it is not proved for every size\n";
    return ExitInconclusive;
  case verify::Outcome::Refuted:
    return ExitRefuted;
  case verify::Outcome::Inconclusive:
    return ExitInconclusive;
  }
  return ExitInconclusive;
}

Expected<int> runTool(const Options &O) {
  if (O.Help)
    printHelp(outs());
  if (O.PrintOptions)
    printOptions(outs());
  if (O.Version)
    printVersion("clmali-run");
  if (O.Help || O.PrintOptions || O.Version)
    return ExitHeld;
  if (O.ListDevices)
    return listDevices();
  if (!O.Recording.empty()) {
    verify::JudgeOptions Judge;
    Judge.Platform = O.Platform;
    Judge.LaunchTimeout = O.LaunchLimit;
    return run::replayRecording(O.Recording, Judge, outs());
  }
  Expected<Input> In = load(O);
  if (!In)
    return In.takeError();
  return O.Against.empty() ? runSizes(O, *In) : judgeAgainst(O, *In);
}

} // namespace

int main(int Count, char **Values) {
  Expected<Options> O =
      parseCommandLine(ArrayRef<const char *>(Values, Count).drop_front(Count > 0 ? 1 : 0));
  Expected<int> Code = O ? runTool(*O) : Expected<int>(O.takeError());
  if (Code)
    return *Code;
  errs() << "clmali-run: " << toString(Code.takeError()) << "\n";
  return ExitError;
}
