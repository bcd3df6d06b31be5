//===- Config.cpp - .clmali.yaml --------------------------------------------------------------===//

#include "tools/config/Config.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::config;

static constexpr Key Table[] = {
    {"device", "a device", "the GPU family that is meant, as --device takes it", "mali-bifrost"},
    {"checks", "globs, as one text or as a list", "the rules that run, as --checks takes them",
     "\"-*,integer-division,write-race\""},
    {"options", "a map of rules, each a map of options", "options of rules, as --option sets them",
     "{ register-pressure: { Percent: 200 } }"},
    {"defines", "a map of names, or a list of NAME or NAME=VALUE",
     "macros that the host defines when it "
     "builds the kernels",
     "{ TILE: 16, T: float }"},
    {"include-dirs", "a list of folders", "where kernels find what they include",
     "[ kernels/include ]"},
    {"cl-std", "a dialect",
     "the OpenCL C that the kernels are written in; default: the first of CL1.2, "
     "CL2.0, CL3.0 that parses",
     "CL2.0"},
    {"files", "a list of globs",
     "which files below a folder are linted; default: those called .cl, .clh, "
     ".ocl, .opencl",
     "[ \"*.cl\", \"kernels/*.inc\" ]"},
    {"exclude", "a list of globs",
     "files and folders that are left out, even where they are named on the "
     "command line",
     "[ third_party, \"*_generated.cl\" ]"},
    {"cost", "model or mesa",
     "what clmali-rewrite and the editor choose by, as --cost sets it; mesa only where a device is "
     "named",
     "mesa"},
    {"fail-on", "info, warning or error",
     "the severity from which on findings make the exit code 1", "error"},
};

ArrayRef<Key> config::keys() { return Table; }

static std::string nearest(StringRef Name, ArrayRef<StringRef> Known) {
  StringRef Best;
  unsigned Least = std::max<unsigned>(2, Name.size() / 2);
  for (StringRef K : Known)
    if (unsigned D = Name.edit_distance(K, true, Least); D < Least) {
      Least = D;
      Best = K;
    }
  return Best.empty() ? "" : "; did you mean '" + Best.str() + "'?";
}

namespace {

/// Reads one file; stops at the first error.
class Reader {
public:
  Reader(StringRef Text, StringRef Path) : Text(Text), Path(Path) {}

  Expected<Config> run() {
    C.Path = Path.str();
    SmallString<128> Folder(Path);
    sys::fs::make_absolute(Folder);
    sys::path::remove_filename(Folder);
    sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
    C.Folder = Folder.str().str();

    SM.setDiagHandler(
        [](const SMDiagnostic &D, void *Self) {
          auto &R = *static_cast<Reader *>(Self);
          if (R.Problem.empty())
            R.Problem = (R.Path + ":" + Twine(D.getLineNo()) + ":" + Twine(D.getColumnNo() + 1) +
                         ": this is no YAML: " + D.getMessage())
                            .str();
        },
        this);
    yaml::Stream Stream(MemoryBufferRef(Text, Path), SM, /*ShowColors=*/false);
    auto Document = Stream.begin();
    if (Document != Stream.end())
      top(Document->getRoot());
    if (Problem.empty() && Stream.failed())
      Problem = (Path + ": this is no YAML").str();
    if (Problem.empty() && Document != Stream.end() && ++Document != Stream.end())
      Problem = (Path + ": it holds several documents; one is meant").str();
    if (!Problem.empty())
      return createStringError(inconvertibleErrorCode(), Twine(Problem));
    return std::move(C);
  }

private:
  StringRef Text, Path;
  SourceMgr SM;
  std::string Problem;
  Config C;

  void fail(yaml::Node *At, const Twine &Message) {
    if (!Problem.empty())
      return;
    std::string Place;
    if (At) {
      auto [Line, Column] = SM.getLineAndColumn(At->getSourceRange().Start);
      Place = ":" + utostr(Line) + ":" + utostr(Column);
    }
    Problem = (Path + Place + ": " + Message).str();
  }

  /// A scalar as text, or an error.
  std::optional<std::string> scalar(yaml::Node *N, StringRef What) {
    SmallString<64> Storage;
    if (auto *S = dyn_cast_or_null<yaml::ScalarNode>(N))
      return S->getValue(Storage).str();
    if (auto *B = dyn_cast_or_null<yaml::BlockScalarNode>(N))
      return B->getValue().str();
    fail(N, "'" + What + "' needs " + form(What));
    return std::nullopt;
  }
  static std::string form(StringRef Name) {
    for (const Key &K : Table)
      if (K.Name == Name)
        return (K.Value + ", for instance `" + K.Name + ": " + K.Example + "`").str();
    return "a value";
  }

  template <typename Function> void entries(yaml::Node *N, StringRef What, Function F) {
    auto *Map = dyn_cast_or_null<yaml::MappingNode>(N);
    if (!Map)
      return fail(N, "'" + What + "' needs " + form(What));
    StringSet<> Seen;
    for (yaml::KeyValueNode &KV : *Map) {
      auto *K = dyn_cast_or_null<yaml::ScalarNode>(KV.getKey());
      if (!K)
        return fail(Map, "a key must be a word");
      SmallString<64> Storage;
      std::string Name = K->getValue(Storage).str();
      if (!Seen.insert(Name).second)
        return fail(K, "'" + Name + "' stands here twice");
      F(K, Name, KV.getValue());
      if (!Problem.empty())
        return;
    }
  }

  /// Visits each element with its node, for messages.
  std::vector<std::pair<std::string, yaml::Node *>> list(yaml::Node *N, StringRef What) {
    std::vector<std::pair<std::string, yaml::Node *>> Result;
    auto *Sequence = dyn_cast_or_null<yaml::SequenceNode>(N);
    if (!Sequence) {
      fail(N, "'" + What + "' needs " + form(What));
      return Result;
    }
    for (yaml::Node &X : *Sequence) {
      std::optional<std::string> S = scalar(&X, What);
      if (!S)
        break;
      Result.push_back({*S, &X});
    }
    return Result;
  }

  void top(yaml::Node *Root) {
    if (!Root || isa<yaml::NullNode>(Root))
      return; // an empty file still ends the search
    if (!isa<yaml::MappingNode>(Root))
      return fail(Root, "the file must be a map of settings, such as `device: mali`");
    entries(Root, "settings", [&](yaml::Node *K, StringRef Name, yaml::Node *Value) {
      if (Name == "device")
        device(Value);
      else if (Name == "checks")
        checks(Value);
      else if (Name == "options")
        options(Value);
      else if (Name == "defines")
        defines(Value);
      else if (Name == "include-dirs")
        includeDirs(Value);
      else if (Name == "cl-std")
        dialect(Value);
      else if (Name == "files" || Name == "exclude")
        globs(Name, Value);
      else if (Name == "cost")
        cost(Value);
      else if (Name == "fail-on")
        failOn(Value);
      else {
        std::vector<StringRef> Known;
        for (const Key &X : Table)
          Known.push_back(X.Name);
        std::string Near = nearest(Name, Known);
        fail(K, "unknown key '" + Name + "'" +
                    (Near.empty() ? "; known are " + join(Known, ", ") : Near));
      }
    });
  }

  void device(yaml::Node *N) {
    C.Device = scalar(N, "device");
    if (!C.Device)
      return;
    if (Expected<rules::FamilySet> Set = rules::resolveDevice(*C.Device); !Set)
      fail(N, toString(Set.takeError()));
  }

  void checks(yaml::Node *N) {
    std::vector<std::pair<std::string, yaml::Node *>> All;
    if (isa_and_nonnull<yaml::SequenceNode>(N))
      All = list(N, "checks");
    else if (std::optional<std::string> S = scalar(N, "checks"))
      All.push_back({*S, N});
    std::string Joined;
    for (auto &[Text, At] : All)
      for (StringRef Glob : split(Text, ',')) {
        Glob = Glob.trim();
        if (Glob.empty())
          continue;
        Joined += (Joined.empty() ? "" : ",") + Glob.str();
        StringRef Id = Glob.ltrim('-');
        Id.consume_front("clmali-");
        // Only clmali's rules may be named here, so an unknown name is an error.
        if (Id.contains('*') || rules::findRule(Id) || Id == "unused-suppression")
          continue;
        StringRef Near = rules::nearestRule(Id);
        return fail(At, "unknown rule '" + Id + "'" +
                            (!Near.empty() ? "; did you mean '" + Near + "'?"
                             : StringRef("unused-suppression").edit_distance(Id, true, 5) < 5
                                 ? Twine("; did you mean 'unused-suppression'?")
                                 : Twine("; clmali-lint --list-rules prints them")));
      }
    if (Joined.empty())
      return fail(N, "'checks' names no rule; leave it out for all of them");
    C.Checks = Joined;
  }

  void options(yaml::Node *N) {
    entries(N, "options", [&](yaml::Node *K, StringRef Id, yaml::Node *Settings) {
      const rules::Rule *R = rules::findRule(Id);
      if (!R) {
        StringRef Near = rules::nearestRule(Id);
        return fail(K, "unknown rule '" + Id + "'" +
                           (Near.empty() ? Twine("; clmali-lint --list-rules prints them")
                                         : "; did you mean '" + Near + "'?"));
      }
      entries(Settings, "options", [&](yaml::Node *OK, StringRef Name, yaml::Node *Value) {
        if (!R->option(Name)) {
          std::vector<StringRef> Known;
          for (const rules::Option &O : R->Options)
            Known.push_back(O.Name);
          return fail(OK, "rule '" + R->Id + "' has no option '" + Name + "'" +
                              (Known.empty() ? "; it has none" : "; it has " + join(Known, ", ")));
        }
        std::optional<std::string> S = scalar(Value, "options");
        int64_t Number;
        if (!S)
          return;
        if (StringRef(*S).getAsInteger(0, Number))
          return fail(Value, "'" + *S + "' is no integer");
        C.Options[R->Id + "." + Name.str()] = *S;
      });
    });
  }

  void define(yaml::Node *At, StringRef Name, StringRef Value) {
    auto IsWord = [](char Ch) { return isAlnum(Ch) || Ch == '_'; };
    // F(x) may be a macro with parameters.
    StringRef Plain = Name.take_until([](char Ch) { return Ch == '('; });
    if (Plain.empty() || isDigit(Plain.front()) || !all_of(Plain, IsWord))
      return fail(At, "'" + Name + "' cannot be the name of a macro");
    C.Defines.push_back({Name.str(), Value.str()});
  }
  void defines(yaml::Node *N) {
    if (isa_and_nonnull<yaml::SequenceNode>(N)) {
      for (auto &[Text, At] : list(N, "defines")) {
        auto [Name, Value] = StringRef(Text).split('=');
        define(At, Name, StringRef(Text).contains('=') ? Value : "1");
      }
      return;
    }
    entries(N, "defines", [&](yaml::Node *K, StringRef Name, yaml::Node *Value) {
      if (!Value || isa<yaml::NullNode>(Value))
        return define(K, Name, "");
      if (std::optional<std::string> S = scalar(Value, "defines"))
        define(K, Name, *S);
    });
  }

  void includeDirs(yaml::Node *N) {
    for (auto &[Text, At] : list(N, "include-dirs")) {
      SmallString<128> Folder(Text);
      sys::fs::make_absolute(C.Folder, Folder);
      sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
      if (!sys::fs::is_directory(Folder))
        return fail(At, "there is no folder '" + Text + "' beside this file");
      C.IncludeDirs.push_back(Folder.str().str());
    }
  }

  void dialect(yaml::Node *N) {
    std::optional<std::string> S = scalar(N, "cl-std");
    if (!S)
      return;
    static constexpr StringRef Known[] = {"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"};
    if (!is_contained(Known, *S))
      return fail(N, "unknown dialect '" + *S + "'; one of " + join(ArrayRef(Known), ", "));
    C.Dialect = S;
  }

  void globs(StringRef Name, yaml::Node *N) {
    std::vector<std::string> All;
    for (auto &[Text, At] : list(N, Name)) {
      if (Expected<GlobPattern> G = GlobPattern::create(Text); !G)
        return fail(At, "'" + Text + "' is no glob: " + toString(G.takeError()));
      if (StringRef(Text).starts_with("/") || StringRef(Text).starts_with("../"))
        return fail(At,
                    "'" + Text + "' leaves the folder of this file; its paths are relative to it");
      All.push_back(Text);
    }
    if (Name == "files")
      C.Files = std::move(All);
    else
      C.Exclude = std::move(All);
  }

  void cost(yaml::Node *N) {
    std::optional<std::string> S = scalar(N, "cost");
    if (S && *S != "model" && *S != "mesa")
      return fail(N, "'cost' needs " + form("cost"));
    C.CostByMesa = S && *S == "mesa";
  }

  void failOn(yaml::Node *N) {
    std::optional<std::string> S = scalar(N, "fail-on");
    if (!S)
      return;
    Expected<rules::Severity> Severity = rules::parseSeverity(*S);
    if (!Severity)
      return fail(N, toString(Severity.takeError()));
    C.FailOn = *Severity;
  }
};

/// The path of File relative to Folder, with slashes; empty if it is not below Folder.
std::string relativeTo(StringRef Folder, StringRef File) {
  SmallString<128> Full(File);
  sys::fs::make_absolute(Full);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  StringRef Rest = Full;
  if (!Rest.consume_front(Folder))
    return "";
  return sys::path::convert_to_slash(Rest.ltrim("/\\"));
}

} // namespace

bool config::matches(StringRef Glob, StringRef Relative) {
  Glob.consume_front("./");
  Glob = Glob.rtrim('/');
  Expected<GlobPattern> Pattern = GlobPattern::create(Glob);
  if (!Pattern) {
    consumeError(Pattern.takeError());
    return false;
  }
  bool FromStart = Glob.contains('/');
  for (size_t End = 0; End != StringRef::npos;) {
    End = Relative.find('/', End);
    StringRef UpTo = Relative.take_front(End);
    if (Pattern->match(FromStart ? UpTo : UpTo.substr(UpTo.rfind('/') + 1)))
      return true;
    if (End != StringRef::npos)
      ++End;
  }
  return false;
}

bool Config::excludes(StringRef File) const {
  std::string Path = relativeTo(Folder, File);
  return any_of(Exclude, [&](const std::string &G) { return matches(G, Path); });
}

std::optional<bool> Config::wants(StringRef File) const {
  if (!Files)
    return std::nullopt;
  std::string Path = relativeTo(Folder, File);
  return any_of(*Files, [&](const std::string &G) { return matches(G, Path); });
}

std::vector<std::string> Config::clangArgs() const {
  std::vector<std::string> Result;
  for (const auto &[Name, Value] : Defines)
    Result.push_back("-D" + Name + "=" + Value);
  for (const std::string &Folder : IncludeDirs)
    Result.push_back("-I" + Folder);
  if (Dialect)
    Result.push_back("-cl-std=" + *Dialect);
  return Result;
}

Expected<Config> config::parse(StringRef Text, StringRef Path) { return Reader(Text, Path).run(); }

Expected<Config> config::read(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(),
                             "cannot read '" + Path + "': " + Buffer.getError().message());
  return parse((*Buffer)->getBuffer(), Path);
}

const Finder::Entry *Finder::entry(StringRef Folder) {
  auto Known = ByFolder.find(Folder.str());
  if (Known != ByFolder.end())
    return Known->second;
  SmallString<128> Path(Folder);
  sys::path::append(Path, FileName);
  const Entry *Result = nullptr;
  if (sys::fs::exists(Path)) {
    auto E = std::make_unique<Entry>();
    // Below the working folder, name it relative to that, as other files are.
    SmallString<128> Here, Shown(Path);
    if (!sys::fs::current_path(Here)) {
      std::string Short = relativeTo(Here, Path);
      if (!Short.empty())
        Shown = Short;
    }
    if (Expected<Config> C = read(Shown))
      E->Found = std::make_unique<Config>(std::move(*C));
    else
      E->Problem = toString(C.takeError());
    Result = (ByPath[Path.str().str()] = std::move(E)).get();
  } else if (StringRef Parent = sys::path::parent_path(Folder);
             !Parent.empty() && Parent != Folder) {
    Result = entry(Parent);
  }
  ByFolder[Folder.str()] = Result;
  return Result;
}

Expected<const Config *> Finder::forFile(StringRef File) {
  SmallString<128> Folder(File);
  sys::fs::make_absolute(Folder);
  sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
  const Entry *E = entry(sys::path::parent_path(Folder));
  if (!E)
    return nullptr;
  if (!E->Problem.empty())
    return createStringError(inconvertibleErrorCode(), Twine(E->Problem));
  return E->Found.get();
}
