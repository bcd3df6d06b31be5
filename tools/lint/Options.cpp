//===- Options.cpp - the command line of clmali-lint ------------------------------------------===//

#include "checks/model/host/RecordedLaunches.h"
#include "tools/config/Config.h"
#include "tools/lint/Lint.h"
#include "tools/options/Parse.h"
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

static Error setSeverity(StringRef Value, Options &O) {
  Expected<rules::Severity> S = rules::parseSeverity(Value);
  if (!S)
    return usage("--fail-on: " + toString(S.takeError()));
  O.FailOn = *S;
  O.FailOnGiven = true;
  return Error::success();
}

static Error setCost(StringRef Value, Options &O) {
  Expected<CostSource> C = parseCostSource(Value);
  if (!C)
    return usage(toString(C.takeError()));
  O.Cost = *C;
  return Error::success();
}

/// What each option of Known sets.
static void bind(options::Parser &P, Options &O) {
  auto Call = [&](StringRef Name, Error (*Set)(StringRef, Options &)) {
    P.call(Name, [&O, Set](StringRef Value) { return Set(Value, O); });
  };
  P.text("--device", O.Device);
  P.call("--checks", [&O](StringRef Value) {
    O.Checks = Value.str();
    O.ChecksGiven = true;
    return Error::success();
  });
  P.text("--config", O.Config);
  P.flag("--no-config", O.NoConfig);
  P.flag("--no-cache", O.NoCache);
  P.text("--line-filter", O.LineFilter);
  P.text("--assume-filename", O.AssumeFilename);
  Call("--option", setCheckOption);
  Call("--format", setFormat);
  P.text("--output", O.Output);
  Call("--fail-on", setSeverity);
  P.flag("--fix", O.Fix);
  P.flag("--unsafe-fixes", O.UnsafeFixes);
  P.text("--diff", O.DiffBase);
  P.flag("--all-kernels", O.AllKernels);
  Call("--recording", addRecording);
  P.text("--baseline", O.Baseline);
  P.text("--write-baseline", O.WriteBaseline);
  Call("--cost", setCost);
  P.optional("--cost", "model", isCostSource);
  P.text("--report", O.HtmlReport);
  Call("--shard", setShard);
  P.texts("--merge", O.Merge);
  P.flag("--statistics", O.Statistics);
  P.text("--explain", O.Explain);
  P.flag("--list-rules", O.ListRules);
  P.flag("--help", O.Help);
  P.flag("--version", O.Version);
  P.text("-p", O.BuildPath);
  P.seconds("--file-timeout", O.FileTimeout);
  P.number("-j", O.Jobs);
  P.hidden("--print-options", O.PrintOptions); // used by tools/docs only
  P.hidden("--print-work", O.PrintWork);       // used by tests and tools/bench only
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
  options::Parser P("clmali-lint", Known);
  bind(P, O);
  Expected<options::Arguments> A = P.parse(Args);
  if (!A)
    return A.takeError();
  O.Paths.insert(O.Paths.begin(), A->Operands.begin(), A->Operands.end());
  O.ClangArgs = A->Behind;
  O.Fix |= O.UnsafeFixes;
  if (O.Jobs == 0)
    O.Jobs = std::max(1u, std::thread::hardware_concurrency());
  if (O.PrintOptions)
    return O;
  if (Error E = resolveFamilies(O))
    return std::move(E);
  if (Error E = checkCombination(O))
    return std::move(E);
  return O;
}
