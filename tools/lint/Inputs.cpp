//===- Inputs.cpp - collection of the files to lint -------------------------------------------===//

#include "checks/model/frontend/Embedded.h"
#include "checks/model/host/RecordedLaunches.h"
#include "tools/config/CompileCommands.h"
#include "tools/config/Config.h"
#include "tools/lint/Lint.h"
#include "tools/recording/SeenDevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

bool lint::isKernelFile(StringRef Name) {
  return StringSwitch<bool>(sys::path::extension(Name).lower())
      .Cases(".cl", ".ocl", ".clh", ".opencl", true)
      .Default(false);
}

static std::string absolute(StringRef Name) {
  SmallString<128> Path(Name);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// Settings of a file: the command line overrides its .clmali.yaml.
static std::shared_ptr<const Settings> settings(const Options &O, const config::Config *C) {
  auto S = std::make_shared<Settings>();
  S->Families = O.Families;
  if (O.Device.empty() && C && C->Device)
    S->Families = cantFail(rules::resolveDevice(*C->Device)); // it was resolved when it was read
  S->Checks = !O.ChecksGiven && C && C->Checks ? *C->Checks : O.Checks;
  S->FailOn = !O.FailOnGiven && C && C->FailOn ? *C->FailOn : O.FailOn;
  S->CheckOptions = O.CheckOptions;
  if (C) {
    S->CheckOptions.insert(C->Options.begin(), C->Options.end());
    S->KernelArgs = C->clangArgs();
  }
  // After the file's own, so that a -D of the command line wins.
  S->KernelArgs.insert(S->KernelArgs.end(), O.ClangArgs.begin(), O.ClangArgs.end());
  S->Cost = O.Cost;
  S->Device = O.Device;
  return S;
}

namespace {
/// Finds the .clmali.yaml of a path and merges it with the command line.
class SettingsResolver {
public:
  SettingsResolver(const Options &O, std::vector<InputMessage> &Errors) : O(O), Errors(Errors) {
    if (O.Config.empty())
      return;
    if (Expected<config::Config> C = config::read(O.Config))
      Only = std::make_unique<config::Config>(std::move(*C));
    else
      Errors.push_back(message(toString(C.takeError()), O.Config));
  }
  const config::Config *of(StringRef File) {
    if (O.NoConfig || !O.Config.empty())
      return Only.get();
    Expected<const config::Config *> C = Finder.forFile(File);
    if (C)
      return *C;
    std::string Why = toString(C.takeError());
    if (Reported.insert(Why).second)
      Errors.push_back(message(Why, config::FileName));
    return nullptr;
  }
  std::shared_ptr<const Settings> settingsOf(StringRef File) {
    const config::Config *C = of(File);
    std::shared_ptr<const Settings> &S = Made[C];
    if (!S)
      S = settings(O, C);
    return S;
  }

private:
  /// Parses "file:line:column: message".
  static InputMessage message(StringRef Why, StringRef Otherwise) {
    auto [Where, Message] = Why.split(": ");
    auto [Rest, Column] = Where.rsplit(':');
    auto [File, Line] = Rest.rsplit(':');
    InputMessage T{Otherwise.str(), 0, 0, Why.str()};
    if (!Line.getAsInteger(10, T.Line) && !Column.getAsInteger(10, T.Column)) {
      T.File = File.str();
      T.Message = Message.str();
    }
    return T;
  }
  const Options &O;
  std::vector<InputMessage> &Errors;
  std::unique_ptr<config::Config> Only;
  config::Finder Finder;
  StringSet<> Reported;
  std::map<const config::Config *, std::shared_ptr<const Settings>> Made;
};
/// Collects the inputs of each path of the command line.
class InputCollector {
public:
  InputCollector(const Options &O, Report &R) : O(O), R(R), Resolver(O, R.Errors) {}
  std::vector<InputFile> run();

private:
  const Options &O;
  Report &R;
  SettingsResolver Resolver;
  std::vector<config::CompileCommand> Commands; ///< of -p
  std::vector<InputFile> Result;

  std::vector<std::string> argsOf(StringRef Name) const;
  void addStdin();
  void addFile(const std::string &Path);
  void addFolder(const std::string &Path);
  std::vector<std::string> kernelFilesBelow(const std::string &Path, bool &Excluded);
  void addHostFiles(const std::string &Path, bool &Excluded);
};

/// The arguments of the compile command of a file, if there is one.
std::vector<std::string> InputCollector::argsOf(StringRef Name) const {
  std::string Full = absolute(Name);
  for (const config::CompileCommand &C : Commands)
    if (C.File == Full)
      return C.Args;
  return {};
}

void InputCollector::addStdin() {
  auto Buffer = MemoryBuffer::getSTDIN();
  std::string Name = O.AssumeFilename.empty() ? "<stdin>" : O.AssumeFilename;
  if (!Buffer)
    R.Errors.push_back({Name, 0, 0, "cannot read it: " + Buffer.getError().message()});
  else
    Result.push_back({Name, true, argsOf(Name), Resolver.settingsOf(Name),
                      std::make_shared<std::string>((*Buffer)->getBuffer().str())});
}

void InputCollector::addFile(const std::string &Path) {
  if (const config::Config *C = Resolver.of(Path); C && C->excludes(Path))
    R.Notes.push_back({Path, 0, 0, "left out: " + C->Path + " excludes it"});
  else
    Result.push_back({Path, true, argsOf(Path), Resolver.settingsOf(Path), nullptr});
}

/// Sorted. Sets Excluded if a configuration excludes any file or folder.
std::vector<std::string> InputCollector::kernelFilesBelow(const std::string &Path, bool &Excluded) {
  std::vector<std::string> Below;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator I(Path, EC, /*follow_symlinks=*/false), End;
       I != End && !EC; I.increment(EC)) {
    StringRef Name = sys::path::filename(I->path());
    if (Name.starts_with(".")) {
      I.no_push();
      continue;
    }
    const config::Config *C = Resolver.of(I->path());
    if (C && C->excludes(I->path())) {
      Excluded = true;
      I.no_push();
      continue;
    }
    // Links to folders are not followed, so that cycles end.
    if ((C ? C->wants(I->path()) : std::nullopt).value_or(isKernelFile(Name)) &&
        !sys::fs::is_directory(I->path()))
      Below.push_back(I->path());
  }
  if (EC)
    R.Errors.push_back({Path, 0, 0, "cannot read all of it: " + EC.message()});
  llvm::sort(Below);
  return Below;
}

/// Host files are linted only if a compile command gives their flags.
void InputCollector::addHostFiles(const std::string &Path, bool &Excluded) {
  std::string Root = absolute(Path) + "/";
  for (const config::CompileCommand &Entry : Commands) {
    if (!StringRef(Entry.File).starts_with(Root) || !config::isHostFile(Entry.File))
      continue;
    std::string Name =
        (StringRef(Path).rtrim('/') + "/" + StringRef(Entry.File).drop_front(Root.size())).str();
    const config::Config *C = Resolver.of(Name);
    if (C && (C->excludes(Name) || !C->wants(Name).value_or(true)))
      Excluded = true;
    else
      Result.push_back({Name, false, Entry.Args, Resolver.settingsOf(Name), nullptr});
  }
}

void InputCollector::addFolder(const std::string &Path) {
  size_t Before = Result.size();
  bool Excluded = false;
  for (std::string &Name : kernelFilesBelow(Path, Excluded))
    Result.push_back({Name, false, argsOf(Name), Resolver.settingsOf(Name), nullptr});
  addHostFiles(Path, Excluded);
  if (Result.size() > Before)
    return;
  if (Excluded)
    R.Notes.push_back({Path, 0, 0, "all of it is left out by " + config::FileName.str()});
  else
    R.Errors.push_back({Path, 0, 0, "no .cl file is below it, so nothing was linted"});
}

/// True for host code, and for the launches of a recording. A file with the name of a host file may
/// hold kernels: kernels.c.
bool isHostCode(const InputFile &In) {
  if (model::isRecordedLaunches(In.Name))
    return true;
  if (!config::isHostFile(In.Name))
    return false;
  auto Buffer =
      In.Text
          ? nullptr
          : expectedToOptional(errorOrToExpected(MemoryBuffer::getFile(In.Name))).value_or(nullptr);
  return !model::isKernelSource(In.Text ? StringRef(*In.Text) : Buffer ? Buffer->getBuffer() : "");
}

std::vector<InputFile> InputCollector::run() {
  if (!O.BuildPath.empty()) {
    if (auto Read = config::readCompileCommands(O.BuildPath))
      Commands = std::move(*Read);
    else
      R.Errors.push_back({O.BuildPath, 0, 0, toString(Read.takeError())});
  }
  for (const std::string &Path : O.Paths) {
    sys::fs::file_status Status;
    if (Path == "-")
      addStdin();
    else if (std::error_code EC = sys::fs::status(Path, Status))
      R.Errors.push_back({Path, 0, 0,
                          EC == std::errc::no_such_file_or_directory
                              ? "there is no such file or folder"
                              : "cannot read it: " + EC.message()});
    else if (sys::fs::is_directory(Status))
      addFolder(Path);
    else
      addFile(Path);
  }
  for (const std::string &Folder : O.Recordings)
    for (const std::string &Text : record::otherDevices(Folder, O.Families))
      R.Notes.push_back({Folder + "/index.json", 0, 0, Text});
  for (InputFile &In : Result)
    In.IsHost = isHostCode(In);
  // Sorted, so that the order of the command line has no effect; a file given twice is linted once.
  llvm::stable_sort(Result, [](const InputFile &A, const InputFile &B) { return A.Name < B.Name; });
  StringSet<> Names;
  erase_if(Result, [&](const InputFile &F) { return !Names.insert(absolute(F.Name)).second; });
  return std::move(Result);
}
} // namespace

std::vector<InputFile> lint::collectInputs(const Options &O, Report &R) {
  return InputCollector(O, R).run();
}
