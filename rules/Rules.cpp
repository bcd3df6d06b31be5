//===- Rules.cpp - reads the rule pages -------------------------------------------------------===//

#include "rules/Rules.h"
#include "rules/Embedded.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/YAMLTraits.h"
#include <map>

using namespace llvm;
using namespace clmali;
using namespace clmali::rules;

namespace {
struct RawRule {
  std::string Id, Group, Summary, Rewriter, Fix = "none", Scope = "kernel", OnGuess = "drop";
  std::map<std::string, std::string> Families;
  std::vector<Option> Options;
  std::vector<std::string> Sources;
};
} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(Option)
LLVM_YAML_IS_STRING_MAP(std::string)

namespace llvm::yaml {
template <> struct MappingTraits<Option> {
  static void mapping(IO &Io, Option &O) {
    Io.mapRequired("name", O.Name);
    Io.mapRequired("default", O.Default);
    Io.mapRequired("meaning", O.Meaning);
  }
};
template <> struct MappingTraits<RawRule> {
  static void mapping(IO &Io, RawRule &R) {
    Io.mapRequired("id", R.Id);
    Io.mapRequired("group", R.Group);
    Io.mapRequired("summary", R.Summary);
    Io.mapRequired("families", R.Families);
    Io.mapOptional("options", R.Options);
    Io.mapOptional("on-guess", R.OnGuess);
    Io.mapOptional("rewriter", R.Rewriter);
    Io.mapOptional("fix", R.Fix);
    Io.mapOptional("scope", R.Scope);
    Io.mapRequired("sources", R.Sources);
  }
};
} // namespace llvm::yaml

StringRef rules::name(Severity S) {
  constexpr StringLiteral Names[] = {"none", "info", "warning", "error"};
  return Names[static_cast<unsigned>(S)];
}

Expected<Severity> rules::parseSeverity(StringRef Name) {
  for (Severity S : {Severity::Info, Severity::Warning, Severity::Error})
    if (Name == name(S))
      return S;
  return createStringError(inconvertibleErrorCode(),
                           "unknown severity '" + Name + "'; one of info, warning, error");
}

static std::optional<OnGuess> parseOnGuess(StringRef Name) {
  return StringSwitch<std::optional<OnGuess>>(Name)
      .Case("drop", OnGuess::Drop)
      .Case("info", OnGuess::Info)
      .Case("keep", OnGuess::Keep)
      .Default(std::nullopt);
}

/// The order of the sections is part of the format.
static constexpr StringLiteral SectionOrder[] = {"What it does", "Why it costs", "Bad", "Good",
                                                 "When not to fix"};

/// Fills R.Severities from the `families:` of the front matter.
static Error setSeverities(Rule &R, const RawRule &Raw) {
  R.Severities.assign(families().size(), Severity::None);
  for (const auto &[Name, Value] : Raw.Families) {
    FamilySet Set = Name == "all" ? allFamilies() : 0;
    if (!Set) {
      Expected<FamilySet> Named = resolveDevice(Name);
      if (!Named)
        return Named.takeError();
      Set = *Named;
    }
    Expected<Severity> S = parseSeverity(Value);
    if (!S)
      return S.takeError();
    for (const DeviceFacts &F : families())
      if (Set & (1u << F.Index))
        R.Severities[F.Index] = *S;
  }
  return Error::success();
}

/// Splits a page without its front matter into its sections.
static Error setSections(Rule &R, StringRef Body) {
  auto Fail = [](const Twine &Message) {
    return createStringError(inconvertibleErrorCode(), Message);
  };
  while (!Body.empty()) {
    auto [Line, After] = Body.split('\n');
    if (Line.starts_with("## "))
      R.Sections.push_back({Line.drop_front(3).trim().str(), ""});
    else if (!R.Sections.empty())
      R.Sections.back().Text += (Line + "\n").str();
    else if (!Line.trim().empty())
      return Fail("text before the first section");
    Body = After;
  }
  for (Section &S : R.Sections)
    S.Text = StringRef(S.Text).trim('\n').str() + "\n";
  if (R.Sections.size() != std::size(SectionOrder))
    return Fail(
        "it needs the five sections What it does, Why it costs, Bad, Good, When not to fix");
  for (auto [Section, Title] : zip(R.Sections, SectionOrder))
    if (Section.Title != Title)
      return Fail("section '" + Section.Title + "' where '" + Title + "' belongs");
  return Error::success();
}

Expected<Rule> rules::parseRule(StringRef Stem, StringRef Page) {
  auto Fail = [&](const Twine &Message) {
    return createStringError(inconvertibleErrorCode(), "rules/" + Stem + ".md: " + Message);
  };
  StringRef Rest = Page;
  if (!Rest.consume_front("---\n"))
    return Fail("the first line is not '---'");
  auto [Front, Body] = Rest.split("\n---\n");
  if (Body.empty())
    return Fail("the front matter has no end ('---')");

  RawRule Raw;
  std::string Message;
  yaml::Input In(
      Front, nullptr,
      [](const SMDiagnostic &D, void *Context) {
        *static_cast<std::string *>(Context) =
            "line " + std::to_string(D.getLineNo() + 1) + ": " + D.getMessage().str();
      },
      &Message);
  In >> Raw;
  if (In.error())
    return Fail(Message);

  Rule R;
  R.Id = Raw.Id;
  R.Group = Raw.Group;
  R.Summary = Raw.Summary;
  R.Options = std::move(Raw.Options);
  R.Rewriter = Raw.Rewriter;
  R.Fix = Raw.Fix;
  R.Scope = Raw.Scope;
  R.Sources = std::move(Raw.Sources);
  R.Page = Page;
  if (R.Id != Stem)
    return Fail("id '" + R.Id + "' is not the file's name");
  if (!is_contained({"correctness", "performance", "portability", "nursery"}, R.Group))
    return Fail("group '" + R.Group +
                "' is none of correctness, performance, portability, nursery");
  if (!is_contained({"safe", "verify", "unsafe", "none"}, R.Fix))
    return Fail("fix '" + R.Fix + "' is none of safe, verify, unsafe, none");
  if (!is_contained({"kernel", "host"}, R.Scope))
    return Fail("scope '" + R.Scope + "' is neither kernel nor host");
  if (R.Sources.empty())
    return Fail("it names no source");
  if (std::optional<OnGuess> G = parseOnGuess(Raw.OnGuess))
    R.Guessed = *G;
  else
    return Fail("on-guess '" + Raw.OnGuess + "' is none of drop, info, keep");

  if (Error E = setSeverities(R, Raw))
    return Fail(toString(std::move(E)));
  if (Error E = setSections(R, Body))
    return Fail(toString(std::move(E)));
  return R;
}

FamilySet Rule::familySet() const {
  FamilySet Set = 0;
  for (auto [Index, S] : enumerate(Severities))
    if (S != Severity::None)
      Set |= 1u << Index;
  return Set;
}

bool Rule::familiesDisagree() const {
  // generic is the last family and not a GPU.
  ArrayRef<Severity> Real = ArrayRef(Severities).drop_back();
  return !all_equal(Real);
}

StringRef Rule::section(StringRef Title) const {
  for (const Section &S : Sections)
    if (S.Title == Title)
      return S.Text;
  return "";
}

std::vector<Example> Rule::examples(StringRef SectionTitle) const {
  std::vector<Example> Result;
  StringRef Text = section(SectionTitle);
  bool Inside = false;
  while (!Text.empty()) {
    auto [Line, After] = Text.split('\n');
    if (Line.starts_with("```")) {
      Inside = !Inside;
      if (Inside)
        Result.push_back({Line.drop_front(3).trim().str(), ""});
    } else if (Inside) {
      Result.back().Code += (Line + "\n").str();
    }
    Text = After;
  }
  return Result;
}

const Option *Rule::option(StringRef OptionName) const {
  auto At = find_if(Options, [&](const Option &O) { return O.Name == OptionName; });
  return At == Options.end() ? nullptr : &*At;
}

ArrayRef<Rule> rules::allRules() {
  static const std::vector<Rule> All = [] {
    std::vector<Rule> Result;
    for (const embedded::Page &P : embedded::Pages) {
      Expected<Rule> R = parseRule(P.Stem, P.Text);
      if (!R)
        report_fatal_error(R.takeError(), /*gen_crash_diag=*/false);
      Result.push_back(std::move(*R));
    }
    return Result;
  }();
  return All;
}

const Rule *rules::findRule(StringRef Id) {
  Id.consume_front("clmali-");
  ArrayRef<Rule> All = allRules();
  auto At = llvm::lower_bound(All, Id, [](const Rule &R, StringRef Name) { return R.Id < Name; });
  return At != All.end() && At->Id == Id ? &*At : nullptr;
}

StringRef rules::nearestRule(StringRef Id) {
  Id.consume_front("clmali-");
  StringRef Best;
  unsigned Least = std::max<size_t>(2, Id.size() / 3) + 1;
  for (const Rule &R : allRules()) {
    unsigned Distance = Id.edit_distance(R.Id, /*AllowReplacements=*/true, Least);
    if (Distance < Least) {
      Least = Distance;
      Best = R.Id;
    }
  }
  return Best;
}
