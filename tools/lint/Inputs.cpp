//===- Inputs.cpp - which files are linted
//-----------------------------------------------------===//

#include "checks/model/frontend/Embedded.h"
#include "tools/config/Config.h"
#include "tools/lint/Lint.h"
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

bool lint::isHostFile(StringRef Name) {
  return StringSwitch<bool>(sys::path::extension(Name).lower())
      .Cases(".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", true)
      .Cases(".hxx", ".inl", ".ipp", ".tpp", ".txx", true)
      .Default(false);
}

namespace {
struct Command {
  std::string File; ///< absolute
  std::vector<std::string> Args;
};
} // namespace

/// Reads compile_commands.json. Only what a parse needs is kept: neither the compiler's name, the
/// file, nor outputs.
static Expected<std::vector<Command>> readCommands(StringRef Build) {
  SmallString<128> Path(Build);
  sys::path::append(Path, "compile_commands.json");
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(), "cannot read '" + Path +
                                                    "': " + Buffer.getError().message() +
                                                    "; -p takes the build folder that holds it");
  Expected<json::Value> Root = json::parse((*Buffer)->getBuffer());
  if (!Root)
    return createStringError(inconvertibleErrorCode(),
                             "'" + Path + "' is no JSON: " + toString(Root.takeError()));
  std::vector<Command> Result;
  const json::Array *List = Root->getAsArray();
  if (!List)
    return createStringError(inconvertibleErrorCode(), "'" + Path + "' is no list of commands");
  for (const json::Value &V : *List) {
    const json::Object *O = V.getAsObject();
    if (!O)
      continue;
    StringRef Directory = O->getString("directory").value_or("");
    StringRef File = O->getString("file").value_or("");
    std::vector<std::string> All;
    if (const json::Array *Arguments = O->getArray("arguments")) {
      for (const json::Value &A : *Arguments)
        All.push_back(A.getAsString().value_or("").str());
    } else {
      BumpPtrAllocator Alloc;
      StringSaver Saver(Alloc);
      SmallVector<const char *, 32> Tokens;
      cl::TokenizeGNUCommandLine(O->getString("command").value_or(""), Saver, Tokens);
      for (const char *T : Tokens)
        All.push_back(T);
    }
    Command C;
    SmallString<128> Absolute(File);
    sys::fs::make_absolute(Directory, Absolute);
    sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
    C.File = Absolute.str().str();
    C.Args.push_back("-working-directory=" + Directory.str());
    for (size_t I = 1; I < All.size(); ++I) {
      StringRef A = All[I];
      if (A == "-o" || A == "-MF" || A == "-MT" || A == "-MQ") {
        ++I;
        continue;
      }
      if (A == "-c" || A == "-MD" || A == "-MMD" || A == File || A.starts_with("-o"))
        continue;
      C.Args.push_back(A.str());
    }
    Result.push_back(std::move(C));
  }
  return Result;
}

static std::string absolute(StringRef Name) {
  SmallString<128> Path(Name);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// What holds for a file: the command line wins over its .clmali.yaml.
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
  // Behind the file's, so that a -D given here counts.
  S->KernelArgs.insert(S->KernelArgs.end(), O.ClangArgs.begin(), O.ClangArgs.end());
  S->Cost = O.Cost;
  S->Device = O.Device;
  return S;
}

namespace {
/// Which .clmali.yaml holds where, and what it makes of the command line.
class Holding {
public:
  Holding(const Options &O, std::vector<Trouble> &Errors) : O(O), Errors(Errors) {
    if (O.Config.empty())
      return;
    if (Expected<config::Config> C = config::read(O.Config))
      Only = std::make_unique<config::Config>(std::move(*C));
    else
      Errors.push_back(trouble(toString(C.takeError()), O.Config));
  }
  const config::Config *of(StringRef File) {
    if (O.NoConfig || !O.Config.empty())
      return Only.get();
    Expected<const config::Config *> C = Finder.forFile(File);
    if (C)
      return *C;
    std::string Why = toString(C.takeError());
    if (Told.insert(Why).second)
      Errors.push_back(trouble(Why, config::FileName));
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
  /// "file:line:column: message", taken apart.
  static Trouble trouble(StringRef Why, StringRef Otherwise) {
    auto [Place, Message] = Why.split(": ");
    auto [Rest, Column] = Place.rsplit(':');
    auto [File, Line] = Rest.rsplit(':');
    Trouble T{Otherwise.str(), 0, 0, Why.str()};
    if (!Line.getAsInteger(10, T.Line) && !Column.getAsInteger(10, T.Column)) {
      T.File = File.str();
      T.Message = Message.str();
    }
    return T;
  }
  const Options &O;
  std::vector<Trouble> &Errors;
  std::unique_ptr<config::Config> Only;
  config::Finder Finder;
  StringSet<> Told;
  std::map<const config::Config *, std::shared_ptr<const Settings>> Made;
};
} // namespace

std::vector<InputFile> lint::collectInputs(const Options &O, Report &R) {
  std::vector<Trouble> &Errors = R.Errors;
  Holding Holds(O, Errors);
  std::vector<Command> Commands;
  if (!O.BuildPath.empty()) {
    if (auto Read = readCommands(O.BuildPath))
      Commands = std::move(*Read);
    else
      Errors.push_back({O.BuildPath, 0, 0, toString(Read.takeError())});
  }
  auto ArgsOf = [&](StringRef Name) -> std::vector<std::string> {
    std::string Full = absolute(Name);
    for (const Command &C : Commands)
      if (C.File == Full)
        return C.Args;
    return {};
  };

  std::vector<InputFile> Result;
  for (const std::string &Path : O.Paths) {
    if (Path == "-") {
      auto Buffer = MemoryBuffer::getSTDIN();
      std::string Name = O.AssumeFilename.empty() ? "<stdin>" : O.AssumeFilename;
      if (!Buffer)
        Errors.push_back({Name, 0, 0, "cannot read it: " + Buffer.getError().message()});
      else
        Result.push_back({Name, true, ArgsOf(Name), Holds.settingsOf(Name),
                          std::make_shared<std::string>((*Buffer)->getBuffer().str())});
      continue;
    }
    sys::fs::file_status Status;
    if (std::error_code EC = sys::fs::status(Path, Status)) {
      Errors.push_back({Path, 0, 0,
                        EC == std::errc::no_such_file_or_directory
                            ? "there is no such file or folder"
                            : "cannot read it: " + EC.message()});
      continue;
    }
    if (!sys::fs::is_directory(Status)) {
      if (const config::Config *C = Holds.of(Path); C && C->excludes(Path))
        R.Notes.push_back({Path, 0, 0, "left out: " + C->Path + " excludes it"});
      else
        Result.push_back({Path, true, ArgsOf(Path), Holds.settingsOf(Path), nullptr});
      continue;
    }
    std::vector<std::string> Below;
    bool Excluded = false;
    std::error_code EC;
    for (sys::fs::recursive_directory_iterator I(Path, EC, /*follow_symlinks=*/false), End;
         I != End && !EC; I.increment(EC)) {
      StringRef Name = sys::path::filename(I->path());
      if (Name.starts_with(".")) {
        I.no_push();
        continue;
      }
      const config::Config *C = Holds.of(I->path());
      if (C && C->excludes(I->path())) {
        Excluded = true;
        I.no_push();
        continue;
      }
      // A link to a folder is not followed, so that circles end.
      if ((C ? C->wants(I->path()) : std::nullopt).value_or(isKernelFile(Name)) &&
          !sys::fs::is_directory(I->path()))
        Below.push_back(I->path());
    }
    if (EC)
      Errors.push_back({Path, 0, 0, "cannot read all of it: " + EC.message()});
    llvm::sort(Below);
    for (std::string &Name : Below)
      Result.push_back({Name, false, ArgsOf(Name), Holds.settingsOf(Name), nullptr});
    // Host files only where a compile command says how they are built.
    std::string Root = absolute(Path) + "/";
    size_t Before = Result.size();
    for (const Command &C : Commands) {
      if (!StringRef(C.File).starts_with(Root) || !isHostFile(C.File))
        continue;
      std::string Name =
          (StringRef(Path).rtrim('/') + "/" + StringRef(C.File).drop_front(Root.size())).str();
      const config::Config *Says = Holds.of(Name);
      if (Says && (Says->excludes(Name) || !Says->wants(Name).value_or(true)))
        Excluded = true;
      else
        Result.push_back({Name, false, C.Args, Holds.settingsOf(Name), nullptr});
    }
    if (Below.empty() && Result.size() == Before && Excluded)
      R.Notes.push_back({Path, 0, 0, "all of it is left out by " + config::FileName.str()});
    else if (Below.empty() && Result.size() == Before)
      Errors.push_back({Path, 0, 0, "no .cl file is below it, so nothing was linted"});
  }
  // Some call their kernels kernels.c.
  for (InputFile &In : Result)
    if (isHostFile(In.Name)) {
      auto Buffer = In.Text ? nullptr
                            : expectedToOptional(errorOrToExpected(MemoryBuffer::getFile(In.Name)))
                                  .value_or(nullptr);
      In.IsHost = !model::isKernelSource(In.Text  ? StringRef(*In.Text)
                                         : Buffer ? Buffer->getBuffer()
                                                  : "");
    }
  // In one order, whatever the order of the command line; the same file given twice is one file.
  llvm::stable_sort(Result, [](const InputFile &A, const InputFile &B) { return A.Name < B.Name; });
  StringSet<> Names;
  erase_if(Result, [&](const InputFile &F) { return !Names.insert(absolute(F.Name)).second; });
  return Result;
}
