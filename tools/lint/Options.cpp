//===- Options.cpp - the command line of clmali-lint ------------------------------------------===//

#include "checks/model/host/RecordedLaunches.h"
#include "tools/config/Config.h"
#include "tools/lint/Lint.h"
#include "tools/options/Table.h"
#include "tools/version/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <thread>

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

namespace {

constexpr options::Option Known[] = {
    {"--device", "D",
     "a family (mali-midgard, mali-bifrost, mali-valhall, powervr-rogue, generic), "
     "mali, or a model such as mali-t604; several separated by commas; default: all of them",
     "@device"},
    {"--checks", "GLOBS", "rules to run, as clang-tidy writes them: -*,integer-division", "@rule"},
    {"--option", "RULE.NAME=VALUE", "set an option of a rule (see --explain)"},
    {"--config", "FILE",
     "take this file's settings for every path; default: for each file the .clmali.yaml "
     "in its folder or the nearest one above",
     "@file"},
    {"--no-config", "", "read no .clmali.yaml"},
    {"--format", "F", "text, json, sarif, github or junit", "text json sarif github junit"},
    {"--output", "FILE", "write the report there instead of to standard output", "@file"},
    {"--fail-on", "S", "exit with 1 from this severity on: info, warning (default) or error",
     "info warning error"},
    {"--fix", "", "apply safe fixes"},
    {"--unsafe-fixes", "", "apply fixes that need an assumption, too"},
    {"--diff", "GIT-BASE",
     "report only lines changed since the commit at which the branch left GIT-BASE"},
    {"--line-filter", "JSON",
     "report only these lines, as clang-tidy takes them: "
     "[{\"name\":\"a.cl\",\"lines\":[[1,9]]}]"},
    {"--recording", "DIR",
     "lint the programs that clmali-record recorded, with their macros "
     "and launches",
     "@folder"},
    {"--all-kernels", "", "of a recording: also findings of kernels that were not launched"},
    {"--baseline", "FILE", "leave out findings that FILE knows", "@file"},
    {"--write-baseline", "FILE", "write the findings of this run as a baseline", "@file"},
    {"--cost", "SOURCE",
     "what each kernel costs: model (the default without a value; with the best rewrite), mesa "
     "(see tools/compilers), or malioc where it is installed",
     "model mesa malioc"},
    {"--report", "OUT.html", "write a page with the findings in their sources there, too", "@file"},
    {"--shard", "I/N",
     "lint the Ith of N parts of the files, chosen by a hash of their paths; the others are read "
     "where facts come from them; unused-suppression needs all files and is left out"},
    {"--merge", "FILE",
     "join the JSON or SARIF reports of all shards, given by several --merge or as paths; nothing "
     "is linted",
     "@file"},
    {"--statistics", "", "count findings by rule"},
    {"--explain", "ID", "print the page of a rule", "@rule"},
    {"--list-rules", "", "print all rules"},
    {"--assume-filename", "NAME", "the name of what - reads; default: <stdin>", "@file"},
    {"--no-cache", "", "neither use nor keep results of other runs"},
    {"--file-timeout", "SECONDS",
     "processor time for each kernel file; kernels beyond it are errors; default: 10, 0: no limit"},
    {"-p", "BUILD", "folder of compile_commands.json, for host files", "@folder"},
    {"-j", "N", "files at a time; 0: as many as there are cores"},
    {"--help", "", "print this"},
    {"--version", "", "print the versions and the devices"},
};

constexpr std::pair<int, StringLiteral> ExitCodes[] = {
    {0, "clean"},
    {1, "findings at or above --fail-on remain"},
    {2, "usage, parse or tool error"},
};

options::Program program() {
  return {"clmali-lint",
          "finds what costs time, or is wrong, in OpenCL C and its host code on Mali and PowerVR",
          "PATH|-... [-- CLANG-ARGS]",
          Known,
          "PATH is a .cl file, a C or C++ file, or a folder (every .cl below it, and the host "
          "files of -p); "
          "- is standard input",
          ExitCodes};
}

Error usage(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message + " (clmali-lint --help)");
}

} // namespace

void lint::printHelp(raw_ostream &Out) { options::printHelp(Out, program()); }

void lint::printOptions(raw_ostream &Out) {
  json::Object Root = options::toJson(program());
  json::Array Devices, Rules, Keys;
  for (const rules::DeviceFacts &F : rules::families())
    Devices.push_back(F.Name);
  Devices.push_back("mali");
  for (const rules::Rule &R : rules::allRules())
    Rules.push_back(R.Id);
  for (const config::Key &K : config::keys())
    Keys.push_back(json::Object{
        {"name", K.Name}, {"value", K.Value}, {"meaning", K.Meaning}, {"example", K.Example}});
  Root["version"] = ToolVersion;
  Root["devices"] = std::move(Devices);
  Root["rules"] = std::move(Rules);
  Root["configuration"] = std::move(Keys);
  Out << formatv("{0:2}", json::Value(std::move(Root))) << "\n";
}

/// --format.
static Error setFormat(StringRef Value, Options &O) {
  static const std::pair<StringRef, Format> Names[] = {{"text", Format::Text},
                                                       {"json", Format::Json},
                                                       {"sarif", Format::Sarif},
                                                       {"github", Format::Github},
                                                       {"junit", Format::Junit}};
  for (auto [Name, F] : Names)
    if (Name == Value) {
      O.As = F;
      return Error::success();
    }
  return usage("unknown format '" + Value + "'; one of text, json, sarif, github, junit");
}

/// --option=RULE.NAME=N.
static Error setCheckOption(StringRef Value, Options &O) {
  auto [Key, Setting] = Value.split('=');
  auto [Id, Option] = Key.split('.');
  const rules::Rule *R = rules::findRule(Id);
  int64_t Number;
  if (!R)
    return usage("--option: unknown rule '" + Id + "'");
  if (!R->option(Option))
    return usage("--option: rule '" + R->Id + "' has no option '" + Option + "'");
  if (Setting.getAsInteger(0, Number))
    return usage("--option: '" + Setting + "' is no integer");
  O.CheckOptions[R->Id + "." + Option.str()] = Setting.str();
  return Error::success();
}

/// The programs of a recording, with their launches. The macros of each are in the .clmali.yaml of
/// its folder.
static Error addRecording(StringRef Folder, Options &O) {
  O.Recordings.push_back(Folder.str());
  size_t Before = O.Paths.size();
  std::error_code Code;
  for (sys::fs::directory_iterator It(Folder, Code), End; It != End && !Code; It.increment(Code))
    if (std::string Path = It->path() + "/program.cl"; sys::fs::exists(Path)) {
      O.Paths.push_back(Path);
      if (std::string Launches = It->path() + "/launches.json"; sys::fs::exists(Launches))
        O.Paths.push_back(Launches);
    }
  if (O.Paths.size() == Before)
    return usage("--recording: '" + Folder + "' holds no program; clmali-record writes them");
  return Error::success();
}

/// --shard=I/N.
static Error setShard(StringRef Value, Options &O) {
  auto [Index, Count] = Value.split('/');
  if (Index.getAsInteger(10, O.Shard) || Count.getAsInteger(10, O.Shards) || O.Shard < 1 ||
      O.Shard > O.Shards)
    return usage("--shard: '" + Value + "' is no part such as 2/4");
  return Error::success();
}

/// Stores the value of the known option Name.
static Error setOption(StringRef Name, StringRef Value, Options &O) {
  if (Name == "--device") {
    O.Device = Value.str();
  } else if (Name == "--checks") {
    O.Checks = Value.str();
    O.ChecksGiven = true;
  } else if (Name == "--config") {
    O.Config = Value.str();
  } else if (Name == "--no-config") {
    O.NoConfig = true;
  } else if (Name == "--no-cache") {
    O.NoCache = true;
  } else if (Name == "--line-filter") {
    O.LineFilter = Value.str();
  } else if (Name == "--assume-filename") {
    O.AssumeFilename = Value.str();
  } else if (Name == "--option") {
    return setCheckOption(Value, O);
  } else if (Name == "--format") {
    if (Error E = setFormat(Value, O))
      return E;
  } else if (Name == "--output") {
    O.Output = Value.str();
  } else if (Name == "--fail-on") {
    Expected<rules::Severity> S = rules::parseSeverity(Value);
    if (!S)
      return usage("--fail-on: " + toString(S.takeError()));
    O.FailOn = *S;
    O.FailOnGiven = true;
  } else if (Name == "--fix") {
    O.Fix = true;
  } else if (Name == "--unsafe-fixes") {
    O.Fix = O.UnsafeFixes = true;
  } else if (Name == "--diff") {
    O.DiffBase = Value.str();
  } else if (Name == "--all-kernels") {
    O.AllKernels = true;
  } else if (Name == "--recording") {
    return addRecording(Value, O);
  } else if (Name == "--baseline") {
    O.Baseline = Value.str();
  } else if (Name == "--write-baseline") {
    O.WriteBaseline = Value.str();
  } else if (Name == "--cost") {
    Expected<CostSource> C = parseCostSource(Value);
    if (!C)
      return usage(toString(C.takeError()));
    O.Cost = *C;
  } else if (Name == "--report") {
    O.HtmlReport = Value.str();
  } else if (Name == "--shard") {
    return setShard(Value, O);
  } else if (Name == "--merge") {
    O.Merge.push_back(Value.str());
  } else if (Name == "--statistics") {
    O.Statistics = true;
  } else if (Name == "--explain") {
    O.Explain = Value.str();
  } else if (Name == "--list-rules") {
    O.ListRules = true;
  } else if (Name == "--help") {
    O.Help = true;
  } else if (Name == "--version") {
    O.Version = true;
  } else if (Name == "-p") {
    O.BuildPath = Value.str();
  } else if (Name == "--file-timeout") {
    if (!to_float(Value, O.FileTimeout) || !(O.FileTimeout >= 0 && O.FileTimeout <= 1e6))
      return usage("--file-timeout: '" + Value + "' is no number of seconds");
  } else if (Name == "-j") {
    if (Value.getAsInteger(10, O.Jobs))
      return usage("-j: '" + Value + "' is no number");
    if (O.Jobs == 0)
      O.Jobs = std::max(1u, std::thread::hardware_concurrency());
  }
  return Error::success();
}

/// The families that --device selects.
static Error resolveFamilies(Options &O) {
  // Without --device all GPU families are linted; "generic" is not a GPU and needs to be named.
  O.Families = 0;
  if (O.Device.empty()) {
    for (const rules::DeviceFacts &F : rules::families())
      if (F.Name != "generic")
        O.Families |= 1u << F.Index;
  } else {
    SmallVector<StringRef> Devices;
    StringRef(O.Device).split(Devices, ',');
    for (StringRef Device : Devices) {
      Expected<rules::FamilySet> Set = rules::resolveDevice(Device);
      if (!Set)
        return usage(toString(Set.takeError()));
      O.Families |= *Set;
    }
  }
  return Error::success();
}

/// Rejects combinations of options that make no sense.
static Error checkCombination(const Options &O) {
  if (O.Paths.empty() && O.Explain.empty() && !O.ListRules && !O.Help && !O.Version &&
      O.Merge.empty())
    return usage("no file or folder given");
  bool Stdin = is_contained(O.Paths, "-");
  if (Stdin && O.Fix)
    return usage("--fix changes files, and - is none");
  if (O.Fix && any_of(O.Paths, [](StringRef P) { return model::isRecordedLaunches(P); }))
    return usage("--fix would change the recorded text, which is not the program's source");
  if (!O.AssumeFilename.empty() && !Stdin)
    return usage("--assume-filename names what - reads, and no path is -");
  if (O.NoConfig && !O.Config.empty())
    return usage("--config and --no-config exclude each other");
  if (O.Shards && !O.WriteBaseline.empty())
    return usage("--write-baseline needs the findings of all files, and --shard has a part");
  if (O.Shards && !O.Merge.empty())
    return usage("--shard and --merge exclude each other");
  if (StringRef(O.DiffBase).starts_with("-"))
    return usage("--diff: '" + O.DiffBase + "' is no commit");
  return Error::success();
}

Expected<Options> lint::parseCommandLine(ArrayRef<const char *> Args) {
  Options O;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg == "--") {
      for (const char *Rest : Args.drop_front(I + 1))
        O.ClangArgs.push_back(Rest);
      break;
    }
    if (!Arg.starts_with("-") || Arg == "-") {
      O.Paths.push_back(Arg.str());
      continue;
    }
    auto [Name, Value] = Arg.split('=');
    bool HasValue = Arg.contains('=');
    // -j4 and -pbuild, as compilers and clang-tidy take them.
    if ((Arg.starts_with("-j") || Arg.starts_with("-p")) && Arg.size() > 2 && !HasValue) {
      Name = Arg.take_front(2);
      Value = Arg.drop_front(2);
      HasValue = true;
    }
    if (Name == "--print-options") { // used by tools/docs only
      O.PrintOptions = true;
      return O;
    }
    if (Name == "--print-work") { // used by tests and tools/bench only
      O.PrintWork = true;
      continue;
    }
    const options::Option *Info = options::find(Known, Name);
    if (!Info) {
      StringRef Best = options::nearest(Known, Name);
      return usage("unknown option '" + Name + "'" +
                   (Best.empty() ? Twine() : "; did you mean '" + Best + "'?"));
    }
    if (Info->Argument.empty() && HasValue)
      return usage("the option '" + Name + "' takes no value");
    // --cost without a value is --cost=model.
    bool NamesSource = I + 1 < Args.size() && isCostSource(Args[I + 1]);
    if (Name == "--cost" && !HasValue && !NamesSource)
      Value = "model";
    else if (!Info->Argument.empty() && !HasValue) {
      if (I + 1 == Args.size())
        return usage("the option '" + Name + "' needs a value (" + Info->Argument + ")");
      Value = Args[++I];
    }
    // An empty --output= would otherwise be ignored silently.
    if (!Info->Argument.empty() && Value.empty())
      return usage("the option '" + Name + "' needs a value (" + Info->Argument + ")");
    if (Error E = setOption(Name, Value, O))
      return std::move(E);
  }
  if (Error E = resolveFamilies(O))
    return std::move(E);
  if (Error E = checkCombination(O))
    return std::move(E);
  return O;
}
