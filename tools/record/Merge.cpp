//===- Merge.cpp - launch files of a recording ------------------------------------------------===//

#include "tools/record/Merge.h"
#include "checks/model/frontend/Frontend.h"
#include "checks/model/host/RecordedLaunches.h"
#include "tools/layer/Files.h"
#include "tools/layer/Options.h"
#include "tools/record/Includes.h"
#include "tools/record/KernelMerge.h"
#include "tools/record/LaunchList.h"
#include "tools/record/Table.h"
#include "tools/recording/SeenDevice.h"
#include "tools/rewrite/Inputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace clmali::record {
namespace {

constexpr unsigned MostReplays = 8; ///< of one kernel

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// The files of one program, and its entry of index.json.
class ProgramWriter {
public:
  ProgramWriter(const std::string &Recording, RecordedProgram &P)
      : Folder(Recording + "/" + P.Key), P(P) {}

  Expected<json::Object> run() {
    if (!layer::makeFolder(Folder + "/replay"))
      return failure("cannot make '" + Folder + "/replay'");
    // Earlier copies are removed: an include folder must hold nothing else.
    sys::fs::remove_directories(Folder + "/include");
    std::vector<IncludedFile> Included;
    model::ParseResult Parsed =
        parseWithIncludes(Folder + "/program.cl", P.Source, clangArguments(P, Folder), Included);
    if (Error E = copyIncludes(Folder, P, Included))
      return std::move(E);
    if (Error E = joinErrors(
            joinErrors(write("program.cl", P.Source), write(".clmali.yaml", configuration())),
            write(model::RecordedLaunchesName.str(), launchList(P))))
      return std::move(E);
    std::string Broken;
    for (const model::ParseDiagnostic &D : Parsed.Diagnostics)
      if (D.IsError && Broken.empty())
        Broken =
            formatv("the source does not parse: {0}:{1}: {2}", "program.cl", D.Line, D.Message);
    if (!Parsed.M && Broken.empty())
      Broken = "the source does not parse";
    json::Array Kernels, Includes;
    for (auto &[Name, K] : P.Kernels) {
      Expected<json::Object> One = kernel(K, Parsed.M.get(), Broken);
      if (!One)
        return One.takeError();
      Kernels.push_back(std::move(*One));
    }
    for (const IncludedFile &F : Included)
      Includes.push_back(json::Object{{"path", F.Path}, {"sha256", launch::sourceHash(F.Text)}});
    return json::Object{{"key", P.Key},
                        {"sha256", P.Sha},
                        {"options", P.Options},
                        {"includes", std::move(Includes)},
                        {"kernels", std::move(Kernels)}};
  }

private:
  Error write(const std::string &Name, const std::string &Text) {
    if (layer::writeFile(Folder + "/" + Name, Text))
      return Error::success();
    return failure("cannot write '" + Folder + "/" + Name + "'");
  }

  Expected<json::Object> kernel(RecordedKernel &R, model::Module *M, const std::string &Broken) {
    json::Array Files, Replays;
    std::string Problem = Broken;
    const model::Kernel *K = nullptr;
    for (const auto &X : M ? ArrayRef(M->Kernels) : ArrayRef<std::unique_ptr<model::Kernel>>())
      if (X->Name == R.Name)
        K = X.get();
    if (Problem.empty() && !K)
      Problem = "the source has no kernel of that name";
    // Longest first: their contents are the data of the launch file.
    llvm::stable_sort(R.Points,
                      [](const Point &A, const Point &B) { return A.Nanoseconds > B.Nanoseconds; });
    if (Problem.empty())
      if (Error E = launchFiles(R, *M, *K, Files, Replays, Problem))
        return std::move(E);
    if (!Problem.empty() && !R.Points.empty()) {
      uint64_t Launches = 0;
      for (const Point &X : R.Points)
        Launches += X.Launches;
      R.Why[Problem] += Launches;
    }
    json::Array Why;
    for (const auto &[Text, Count] : R.Why)
      Why.push_back(json::Object{{"why", Text}, {"launches", Count}});
    return json::Object{{"kernel", R.Name},
                        {"launches", R.Launches},
                        {"shapes", static_cast<int64_t>(R.Points.size())},
                        {"milliseconds", R.Nanoseconds / 1e6},
                        {"launchFiles", std::move(Files)},
                        {"replays", std::move(Replays)},
                        {"notRecorded", std::move(Why)}};
  }

  Error launchFiles(const RecordedKernel &R, model::Module &M, const model::Kernel &K,
                    json::Array &Files, json::Array &Replays, std::string &Problem) {
    std::optional<launch::LaunchFile> Derived;
    if (Expected<std::string> Text = tool::deriveLaunch(M, K)) {
      if (Expected<launch::LaunchFile> F = launch::parseLaunchFile(*Text, "derived"))
        Derived = std::move(*F);
      else
        consumeError(F.takeError());
    } else {
      consumeError(Text.takeError());
    }
    std::vector<std::vector<Point>> Forms;
    for (const Point &X : R.Points) {
      auto It = find_if(Forms, [&](const auto &F) { return KernelMerge::sameForm(F.front(), X); });
      if (It == Forms.end())
        Forms.push_back({X});
      else
        It->push_back(X);
    }
    unsigned Number = 0;
    for (const std::vector<Point> &Form : Forms) {
      KernelMerge Merge(P, K, Form, Derived ? &*Derived : nullptr);
      std::string Name =
          R.Name + (++Number > 1 ? "." + std::to_string(Number) : "") + ".launch.yaml";
      Expected<std::string> Text = Merge.merged();
      if (Text)
        if (Error E = verify(*Text, Name, Form))
          Text = std::move(E);
      if (!Text) {
        Problem = toString(Text.takeError());
        continue;
      }
      if (Error E = write(Name, *Text))
        return E;
      Files.push_back(Name);
      if (Error E = exactLaunches(Merge, *Text, R.Name, Files))
        return E;
      if (Error E = replays(Merge, R.Name, Replays))
        return E;
    }
    return Error::success();
  }

  /// The launch file parses, allows all recorded points, and gives their sizes.
  Error verify(const std::string &Text, const std::string &Name, ArrayRef<Point> Points) const {
    Expected<launch::LaunchFile> F = launch::parseLaunchFile(Text, Folder + "/" + Name);
    if (!F)
      return F.takeError();
    for (const launch::Size &At : F->Sizes) {
      Expected<bool> Met = launch::meetsRequirements(*F, At);
      Expected<launch::Geometry> G = launch::geometryAt(*F, At);
      if (!Met || !G)
        return joinErrors(Met.takeError(), G.takeError());
      bool Seen = *Met && any_of(Points, [&](const Point &X) {
        return std::equal(X.Global.begin(), X.Global.end(), G->Global.begin()) &&
               std::equal(X.Local.begin(), X.Local.end(), G->Local.begin()) &&
               std::equal(X.Offset.begin(), X.Offset.end(), G->Offset.begin());
      });
      if (!Seen)
        return failure("the expressions that were found do not give the recorded launch");
    }
    return Error::success();
  }

  /// Launch files of the points that the merged file changes: another buffer size, floating-point
  /// value or contents. A rewrite is judged on each recorded launch as it was.
  Error exactLaunches(const KernelMerge &Merge, const std::string &Merged, StringRef Kernel,
                      json::Array &Files) {
    Expected<launch::LaunchFile> F = launch::parseLaunchFile(Merged, Folder + "/merged");
    if (!F)
      return F.takeError();
    for (const Point &X : Merge.points()) {
      if (Merge.holds(*F, X))
        continue;
      Expected<std::string> Text = Merge.exact(X, Merge.requireAt(X));
      if (!Text) {
        consumeError(Text.takeError()); // a buffer that holds no whole number of elements
        continue;
      }
      std::string Name = ("replay/" + Kernel + ".exact." + Twine(Exact++) + ".launch.yaml").str();
      if (Error E = write(Name, *Text))
        return E;
      Files.push_back(Name);
    }
    return Error::success();
  }

  /// Launch files of single points with their contents, to run them again.
  Error replays(const KernelMerge &Merge, StringRef Kernel, json::Array &Into) {
    for (const Point &X : Merge.points()) {
      json::Object Expect;
      bool Complete = true;
      for (const PointArgument &A : X.Arguments) {
        if (holdsData(A) && A.Same < 0)
          Complete &= !A.File.empty();
        if (!A.After.empty())
          Expect[A.Name] = A.After;
      }
      if (!Complete || Expect.empty() || Into.size() >= MostReplays)
        continue;
      Expected<std::string> Text = Merge.exact(X);
      if (!Text) {
        consumeError(Text.takeError()); // a buffer that holds no whole number of elements
        continue;
      }
      std::string Name =
          "replay/" + Kernel.str() + "." + std::to_string(Into.size()) + ".launch.yaml";
      if (Error E = write(Name, *Text))
        return E;
      Into.push_back(json::Object{{"launch", Name}, {"expect", std::move(Expect)}});
    }
    return Error::success();
  }

  /// The macros and include folders, for programs that read the source alone.
  std::string configuration() const {
    std::string Options = P.Options, Defines, Folders;
    std::vector<std::pair<std::string, std::string>> All;
    if (Error E = launch::normalizeBuild(Options, All))
      consumeError(std::move(E)); // the launch files say it
    for (const auto &[Name, Value] : All)
      Defines += formatv("  {0}: {1}\n", Name, json::Value(Value));
    for (const std::string &I : P.Includes.empty() ? layer::includeFolders(P.Options) : P.Includes)
      Folders += (Folders.empty() ? "" : ", ") + formatv("{0}", json::Value(I)).str();
    return "exclude: [\"rewritten.cl\"]\n" + (Defines.empty() ? "" : "defines:\n" + Defines) +
           (Folders.empty() ? "" : "include-dirs: [" + Folders + "]\n");
  }

  const std::string Folder; ///< of the program
  RecordedProgram &P;
  unsigned Exact = 0; ///< launch files of single points
};

} // namespace

Error writeLaunchFiles(const std::string &Folder, Recording R, raw_ostream &Say) {
  json::Array Programs, Others, Devices;
  for (const SeenDevice &D : R.Devices)
    Devices.push_back(toJson(D));
  for (RecordedProgram &P : R.Programs) {
    Expected<json::Object> One = ProgramWriter(Folder, P).run();
    if (!One)
      return One.takeError();
    Programs.push_back(std::move(*One));
  }
  for (const Unrecorded &U : R.Others)
    Others.push_back(json::Object{{"what", U.What}, {"why", U.Why}, {"count", U.Count}});
  std::string Text =
      formatv("{0:2}\n", json::Value(json::Object{{"version", 1},
                                                  {"complete", R.Complete},
                                                  {"devices", std::move(Devices)},
                                                  {"notHonoured", json::Array(R.NotHonoured)},
                                                  {"programs", std::move(Programs)},
                                                  {"notRecorded", std::move(Others)}}));
  if (!layer::writeFile(Folder + "/index.json", Text))
    return failure("cannot write '" + Folder + "/index.json'");
  printTable(R, Say);
  return Error::success();
}

} // namespace clmali::record
