//===- Engine.cpp - clangd with clmali's checks -----------------------------------------------===//

#include "tools/clangd/Engine.h"
#include "checks/model/frontend/Files.h"
#include "checks/model/frontend/Frontend.h"
#include "checks/tidy/Severity.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "tools/config/Config.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <memory>
#include <mutex>
#include <optional>

using namespace llvm;
using namespace clmali;
using namespace clmali::editor;

//===------------------------------------------------------------------------------------------===//
// Declarations of clangd whose headers are not installed
//===------------------------------------------------------------------------------------------===//

namespace clang::clangd {
int clangdMain(int Argc, char *Argv[]);
class SymbolIndex;
namespace remote {
/// The remote index needs gRPC and is not built.
std::unique_ptr<SymbolIndex> getClient(StringRef, StringRef);
} // namespace remote
} // namespace clang::clangd

// unique_ptr needs a complete class; no instance ever exists.
class clang::clangd::SymbolIndex {};
std::unique_ptr<clang::clangd::SymbolIndex> clang::clangd::remote::getClient(StringRef, StringRef) {
  return nullptr;
}

using TidyProviderRef = function_ref<void(clang::tidy::ClangTidyOptions &, StringRef File)>;

// A member function is called as a free function that takes `this` first.
std::optional<bool>
realIsFast(StringRef Check) asm("__real__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");
std::optional<bool>
wrapIsFast(StringRef Check) asm("__wrap__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");
TidyProviderRef realDefaults() asm("__real__ZN5clang6clangd20provideDefaultChecksEv");
TidyProviderRef wrapDefaults() asm("__wrap__ZN5clang6clangd20provideDefaultChecksEv");
void realMangle(const void *This, clang::tooling::CompileCommand &, StringRef File) asm(
    "__real__ZNK5clang6clangd14CommandManglerclERNS_7tooling14CompileCommandEN4llvm9StringRefE");
void wrapMangle(const void *This, clang::tooling::CompileCommand &, StringRef File) asm(
    "__wrap__ZNK5clang6clangd14CommandManglerclERNS_7tooling14CompileCommandEN4llvm9StringRefE");

//===------------------------------------------------------------------------------------------===//
// Collected settings
//===------------------------------------------------------------------------------------------===//

namespace {
cl::opt<std::string> DefaultDevice("clmali-device",
                                   cl::desc("GPU family of files whose settings name none"));
cl::opt<std::string> Platform("clmali-platform",
                              cl::desc("OpenCL platform that rewrites are verified on"));

std::mutex SettingsMutex;
StringMap<FileSettings> Settings;
/// Texts of findings, with their first letter as clangd shows it, by file.
StringMap<std::map<std::string, rules::Severity, std::less<>>> Severities;
} // namespace

static std::function<void(const std::string &)> Tell;
static StringSet<> Told;

static void tell(const std::string &Text) {
  std::function<void(const std::string &)> F;
  {
    std::lock_guard Lock(SettingsMutex);
    if (Told.insert(Text).second)
      F = Tell;
  }
  if (F)
    F(Text);
}

void editor::onProblem(std::function<void(const std::string &)> F) {
  std::lock_guard Lock(SettingsMutex);
  Tell = std::move(F);
}

std::optional<std::string> editor::checkArguments(ArrayRef<std::string> Args) {
  for (StringRef A : Args)
    if (A.consume_front("-") && (A.consume_front("-"), A.consume_front("clmali-device=")))
      if (Expected<rules::FamilySet> Set = rules::resolveDevice(A); !Set)
        return "--clmali-device: " + toString(Set.takeError());
  return std::nullopt;
}

/// clangd capitalizes the first letter.
static std::string capitalized(StringRef Text) {
  return Text.empty() ? "" : toUpper(Text[0]) + Text.drop_front().str();
}

static void rememberSeverity(StringRef File, StringRef Text, rules::Severity S) {
  std::lock_guard Lock(SettingsMutex);
  auto &Known = Severities[File];
  if (Text.empty())
    Known.clear();
  else
    Known.try_emplace(capitalized(Text), S);
}

rules::Severity editor::severityOf(StringRef Path, StringRef Message) {
  std::lock_guard Lock(SettingsMutex);
  const auto &Known = Severities[Path];
  // clangd may append text: the longest known text that Message begins with. It is the last one
  // that is not behind Message, or shorter than what the two have in common.
  std::string Begin = capitalized(Message);
  while (!Begin.empty()) {
    auto At = Known.upper_bound(Begin);
    if (At == Known.begin())
      break;
    const auto &[Text, S] = *--At;
    if (StringRef(Begin).starts_with(Text))
      return S;
    size_t Common = 0;
    while (Common < Text.size() && Common < Begin.size() && Text[Common] == Begin[Common])
      ++Common;
    Begin.resize(Common);
  }
  return rules::Severity::Warning;
}

FileSettings editor::settingsOf(StringRef Path) {
  std::lock_guard Lock(SettingsMutex);
  return Settings.lookup(Path);
}

std::string editor::verifyPlatform() { return Platform; }

bool editor::isKernelFile(StringRef Path) {
  return StringSwitch<bool>(sys::path::extension(Path).lower())
      .Cases(".cl", ".ocl", ".clh", ".opencl", true)
      .Default(false);
}

//===------------------------------------------------------------------------------------------===//
// Checks: registered, marked as fast, enabled
//===------------------------------------------------------------------------------------------===//

std::optional<bool> wrapIsFast(StringRef Check) {
  if (Check.starts_with("clmali-"))
    return true;
  return realIsFast(Check);
}

/// A project's list of checks is meant for the checks that it knows: clmali's stay enabled unless
/// the list names them or disables all checks.
static std::string withOurChecks(StringRef Checks) {
  SmallVector<StringRef, 16> Globs;
  Checks.split(Globs, ',', -1, /*KeepEmpty=*/false);
  bool AnyOn = false, OursOn = false, AllOff = false;
  std::string Off;
  for (StringRef G : Globs) {
    G = G.trim();
    bool Negative = G.starts_with("-");
    AnyOn |= !Negative;
    AllOff |= G == "-*";
    if (!G.contains("clmali"))
      continue;
    OursOn |= !Negative;
    if (Negative)
      Off += ("," + G).str();
  }
  if (OursOn || (AllOff && !AnyOn))
    return Checks.str();
  return (Checks + (Checks.empty() ? "" : ",") + "clmali-*" + Off).str();
}

/// The .clmali.yaml of a file. Read each time: it is small and may have changed.
static config::Config configOf(StringRef File) {
  config::Finder F;
  Expected<const config::Config *> C = F.forFile(File);
  if (!C) {
    tell("clmali: " + toString(C.takeError()));
    return {};
  }
  return *C ? **C : config::Config();
}

/// Converts the linter's globs to clang-tidy's: "-integer-division" becomes
/// "clmali-*,-clmali-integer-division".
static std::string tidyGlobs(StringRef Checks) {
  std::string Result;
  SmallVector<StringRef, 16> Globs;
  Checks.split(Globs, ',', -1, /*KeepEmpty=*/false);
  for (StringRef G : Globs) {
    G = G.trim();
    bool Negative = G.consume_front("-");
    if (Result.empty() && Negative)
      Result = "clmali-*";
    G.consume_front("clmali-");
    Result += (Twine(Result.empty() ? "" : ",") + (Negative ? "-" : "") + "clmali-" + G).str();
  }
  return Result;
}

/// The last provider of options for a file: all other sources have been merged before.
static void addOurDefaults(clang::tidy::ClangTidyOptions &O, StringRef File) {
  realDefaults()(O, File);
  config::Config C = configOf(File);
  bool Said = StringRef(O.Checks.value_or("")).contains("clmali");
  O.Checks = withOurChecks(O.Checks.value_or(""));
  if (C.Path.size() && C.excludes(File))
    O.Checks = *O.Checks + ",-clmali-*";
  else if (C.Checks && !Said && StringRef(*O.Checks).contains("clmali"))
    O.Checks = *O.Checks + ",-clmali-*," + tidyGlobs(*C.Checks);
  auto Default = [&](const Twine &Name, const std::string &Value) {
    O.CheckOptions.insert({Name.str(), clang::tidy::ClangTidyOptions::ClangTidyValue(Value)});
  };
  for (const auto &[Name, Value] : C.Options)
    Default("clmali-" + Name, Value);
  if (C.Device)
    Default("Device", *C.Device);
  if (!DefaultDevice.empty())
    Default("Device", DefaultDevice);
  auto Device = O.CheckOptions.find("Device");
  std::string Name = Device == O.CheckOptions.end() ? "" : Device->second.Value;
  if (!Name.empty())
    if (Expected<rules::FamilySet> Set = rules::resolveDevice(Name); !Set) {
      // clangd does not report a wrong configuration of a check, and the file would look clean.
      tell("clmali: " + toString(Set.takeError()) + " (CheckOptions: Device, for " +
           sys::path::filename(File).str() + "); findings are shown for all families");
      O.CheckOptions.erase("Device");
      Name.clear();
    }
  std::lock_guard Lock(SettingsMutex);
  Settings[File].Device = Name;
}

TidyProviderRef wrapDefaults() { return addOurDefaults; }

//===------------------------------------------------------------------------------------------===//
// The command line of a kernel file
//===------------------------------------------------------------------------------------------===//

/// The first of Clang's dialects in which the file on disk parses; computed again when it changes.
static std::string dialectOf(StringRef File, const std::vector<std::string> &Args) {
  struct Known {
    sys::TimePoint<> At;
    std::string Args, Dialect;
  };
  static std::mutex Mutex;
  static StringMap<Known> Cache;
  sys::fs::file_status Status;
  if (sys::fs::status(File, Status))
    return "";
  std::string Key = join(Args, " ");
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Cache.find(File); It != Cache.end() &&
                                    It->second.At == Status.getLastModificationTime() &&
                                    It->second.Args == Key)
      return It->second.Dialect;
  }
  model::ParseOptions O;
  O.ClangArgs = Args;
  Expected<model::ParseResult> R = model::parseOpenCLFile(File, O);
  std::string Dialect = R && R->M ? R->Dialect : "";
  if (!R)
    consumeError(R.takeError());
  std::lock_guard Lock(Mutex);
  Cache[File] = {Status.getLastModificationTime(), Key, Dialect};
  return Dialect;
}

void wrapMangle(const void *This, clang::tooling::CompileCommand &Command, StringRef File) {
  std::vector<std::string> &Line = Command.CommandLine;
  // The flags of a C++ file of the project do not tell how the host builds a kernel.
  if (StringRef From = Command.Heuristic;
      isKernelFile(File) && From.consume_front("inferred from ") && !isKernelFile(From))
    Line = {"clang", File.str()};
  realMangle(This, Command, File);
  if (!isKernelFile(File) || Line.empty())
    return;
  std::vector<std::string> Seen, Added = configOf(File).clangArgs(), FromConfig = Added;
  bool Language = false, Target = false, Std = false;
  for (size_t I = 1; I < Line.size() && Line[I] != "--"; ++I) {
    StringRef A = Line[I];
    Language |= A.starts_with("-x");
    Target |= A.starts_with("--target=") || A == "-target";
    Std |= A.starts_with("-cl-std");
    bool Separate = (A == "-D" || A == "-U" || A == "-I") && I + 1 < Line.size();
    if (Separate)
      Seen.push_back(A.str() + Line[++I]);
    else if (A.starts_with("-D") || A.starts_with("-U") || A.starts_with("-I") ||
             A.starts_with("-cl-"))
      Seen.push_back(A.str());
  }
  {
    std::lock_guard Lock(SettingsMutex);
    Settings[File].ClangArgs = Seen;
    Settings[File].ConfigArgs = FromConfig;
  }
  std::vector<std::string> All = FromConfig;
  All.insert(All.end(), Seen.begin(), Seen.end());
  Std |= any_of(FromConfig, [](StringRef A) { return A.starts_with("-cl-std"); });
  if (!Language && sys::path::extension(File) != ".cl")
    Added.push_back("-xcl");
  if (!Target)
    Added.push_back("--target=spir64");
  if (!Std)
    if (std::string Dialect = dialectOf(File, All); !Dialect.empty() && Dialect != "CL1.2")
      Added.push_back("-cl-std=" + Dialect);
  Line.insert(Line.begin() + 1, Added.begin(), Added.end());
}

//===------------------------------------------------------------------------------------------===//

int editor::runEngine(std::vector<std::string> Args) {
  clmali::tidy::OnFinding = rememberSeverity;
  // clangd looks for Clang's headers next to its own program.
  bool Given = any_of(Args, [](StringRef A) { return A.ltrim('-').starts_with("resource-dir"); });
  if (std::string Folder = model::resourceDir(); !Given && !Folder.empty())
    Args.push_back("--resource-dir=" + Folder);
  std::vector<char *> Pointers;
  for (std::string &A : Args)
    Pointers.push_back(A.data());
  Pointers.push_back(nullptr);
  return clang::clangd::clangdMain(Args.size(), Pointers.data());
}
