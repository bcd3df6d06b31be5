//===- Sarif.cpp - findings as SARIF 2.1.0 ----------------------------------------------------===//
//
// Rule metadata and help come from the rule pages. SARIF counts columns in UTF-16 code units by
// default, clmali in bytes. Suppressed findings and findings of the baseline are results as well,
// with their state. informationUri and helpUri are left out: both must be absolute, and the pages
// have no URL; `help` contains the page.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/sarif/Sarif.h"
#include "tools/lint/Lint.h"
#include "tools/version/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;
using sarif::text;

static StringRef level(rules::Severity S) {
  return S == rules::Severity::Error ? "error" : S == rules::Severity::Warning ? "warning" : "note";
}

namespace {
/// Source lines of files, for locations of which only the offset is known.
class Sources {
public:
  std::pair<unsigned, unsigned> at(StringRef File, unsigned Offset) {
    StringRef Text = load(File);
    Offset = std::min<size_t>(Offset, Text.size());
    StringRef Before = Text.take_front(Offset);
    unsigned Line = Before.count('\n') + 1;
    size_t Start = Before.rfind('\n') == StringRef::npos ? 0 : Before.rfind('\n') + 1;
    return {Line, sarif::utf16Column(Text.drop_front(Start), Offset - Start + 1)};
  }
  json::Object region(const Location &P) {
    if (!P.Offset && !P.Length)
      return json::Object{{"startLine", std::max(1u, P.Line)}};
    unsigned EndLine = P.EndLine, EndColumn = sarif::utf16Column(P.LineText, P.EndColumn);
    if (P.EndLine != P.Line)
      std::tie(EndLine, EndColumn) = at(P.File, P.Offset + P.Length);
    return json::Object{{"startLine", P.Line},
                        {"startColumn", sarif::utf16Column(P.LineText, P.Column)},
                        {"endLine", EndLine},
                        {"endColumn", EndColumn}};
  }
  json::Object region(const LocatedEdit &E) {
    auto [Line, Column] = at(E.File, E.Offset);
    auto [EndLine, EndColumn] = at(E.File, E.Offset + E.Length);
    return json::Object{{"startLine", Line},
                        {"startColumn", Column},
                        {"endLine", EndLine},
                        {"endColumn", EndColumn}};
  }
  json::Object location(const Location &P, bool WholeFile = false) {
    json::Object Physical{{"artifactLocation", sarif::artifactLocation(P.File)}};
    if (!WholeFile)
      Physical["region"] = region(P);
    return json::Object{{"physicalLocation", std::move(Physical)}};
  }

private:
  std::map<std::string, std::unique_ptr<MemoryBuffer>, std::less<>> Loaded;
  StringRef load(StringRef File) {
    auto At = Loaded.find(File);
    if (At == Loaded.end()) {
      auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
      At = Loaded.emplace(File.str(), Buffer ? std::move(*Buffer) : MemoryBuffer::getMemBuffer(""))
               .first;
    }
    return At->second->getBuffer();
  }
};
} // namespace

static json::Object descriptor(const rules::Rule &R) {
  rules::Severity Default = rules::Severity::None;
  json::Object Families;
  for (const rules::DeviceFacts &F : rules::families()) {
    Default = std::max(Default, R.severity(F));
    if (R.severity(F) != rules::Severity::None)
      Families[F.Name] = rules::name(R.severity(F));
  }
  std::string Page = R.Page.split("\n---\n").second.str();
  json::Object Properties{{"tags", json::Array{R.Group, R.Scope}},
                          {"families", std::move(Families)},
                          {"fix", R.Fix},
                          {"problem.severity", Default == rules::Severity::Error ? "error"
                                               : Default == rules::Severity::Warning
                                                   ? "warning"
                                                   : "recommendation"}};
  if (!R.Rewriter.empty())
    Properties["rewriter"] = R.Rewriter;
  return json::Object{
      {"id", "clmali-" + R.Id},
      {"name", convertToCamelFromSnakeCase(join(split(R.Id, '-'), "_"), /*capitalizeFirst=*/true)},
      {"shortDescription", json::Object{{"text", text(R.Summary + ".")}}},
      {"fullDescription", json::Object{{"text", text(R.section("What it does").trim())}}},
      {"help", json::Object{{"text", text(Page)}, {"markdown", text(Page)}}},
      {"defaultConfiguration", json::Object{{"level", level(Default)}}},
      {"properties", std::move(Properties)}};
}

namespace {
/// Why a finding is a result of the log.
enum class State { New, Known, Suppressed };

/// Builds the parts of the log.
class SarifWriter {
public:
  explicit SarifWriter(const Report &R) : R(R) {}
  json::Array rules();
  json::Array results();
  json::Array notifications();

private:
  const Report &R;
  Sources Files;
  std::map<StringRef, unsigned> Index;   ///< of a rule in rules()
  std::map<std::string, unsigned> Equal; ///< findings so far, by fingerprint

  std::string numbered(const std::string &Print) { return Print + ":" + utostr(++Equal[Print]); }
  json::Array fixes(const LocatedFinding &F);
  json::Object result(const LocatedFinding &F, State Is);
  json::Object absent(const AbsentFinding &G);
};
} // namespace

json::Array SarifWriter::rules() {
  json::Array Rules;
  auto Add = [&](const rules::Rule &Rule) {
    Index[Rule.Id] = Rules.size();
    Rules.push_back(descriptor(Rule));
  };
  for (const rules::Rule &Rule : rules::allRules())
    Add(Rule);
  Add(unusedSuppressionRule());
  return Rules;
}

json::Array SarifWriter::fixes(const LocatedFinding &F) {
  json::Array Fixes;
  for (const LocatedFix &X : F.Fixes) {
    // Fixes that need verification belong to clmali-rewrite; a viewer would apply them unverified.
    if (X.Edits.empty() || X.How == checks::Applicability::Verify)
      continue;
    std::map<std::string, json::Array> Changes;
    for (const LocatedEdit &E : X.Edits)
      Changes[E.File].push_back(
          json::Object{{"deletedRegion", Files.region(E)},
                       {"insertedContent", json::Object{{"text", text(E.Text)}}}});
    json::Array ByFile;
    for (auto &[File, Replacements] : Changes)
      ByFile.push_back(json::Object{{"artifactLocation", sarif::artifactLocation(File)},
                                    {"replacements", std::move(Replacements)}});
    Fixes.push_back(
        json::Object{{"description", json::Object{{"text", text(X.Message + ".")}}},
                     {"artifactChanges", std::move(ByFile)},
                     {"properties", json::Object{{"applicability", checks::name(X.How)}}}});
  }
  return Fixes;
}

json::Object SarifWriter::result(const LocatedFinding &F, State Is) {
  json::Array Related, Fixes = fixes(F);
  for (const LocatedNote &N : F.Notes) {
    json::Object L = Files.location(N.At);
    L["message"] = json::Object{{"text", text(N.Message + ".")}};
    Related.push_back(std::move(L));
  }
  json::Object Properties{{"families", rules::familyNames(F.Families)}};
  if (!F.Kernel.empty())
    Properties["kernel"] = text(F.Kernel);
  json::Object Where = Files.location(F.At);
  if (!F.Kernel.empty())
    Where["logicalLocations"] =
        json::Array{json::Object{{"name", text(F.Kernel)}, {"kind", "function"}}};
  // Equal fingerprints are numbered in report order.
  json::Object Result{
      {"ruleId", "clmali-" + F.Rule->Id},
      {"ruleIndex", Index[F.Rule->Id]},
      {"level", level(F.Severity)},
      {"message", json::Object{{"text", text(F.Message + ".")}}},
      {"locations", json::Array{std::move(Where)}},
      {"partialFingerprints", json::Object{{"clmali/v1", numbered(fingerprint(F))}}},
      {"properties", std::move(Properties)}};
  if (!Related.empty())
    Result["relatedLocations"] = std::move(Related);
  if (!Fixes.empty())
    Result["fixes"] = std::move(Fixes);
  if (Is == State::Suppressed)
    Result["suppressions"] = json::Array{
        json::Object{{"kind", "inSource"}, {"justification", "A NOLINT comment names it."}}};
  if (R.HasBaseline)
    Result["baselineState"] = Is == State::Known ? "unchanged" : "new";
  return Result;
}

/// A finding of the baseline that this run did not find again.
json::Object SarifWriter::absent(const AbsentFinding &G) {
  json::Object Result{
      {"ruleId", "clmali-" + G.Rule},
      {"message", json::Object{{"text", text(G.Message + ".")}}},
      // The location when the baseline was written.
      {"locations",
       json::Array{json::Object{
           {"physicalLocation",
            json::Object{
                {"artifactLocation", sarif::artifactLocation(sarif::rootOf(".") + "/" + G.File)},
                {"region", json::Object{{"startLine", G.Line}, {"endLine", G.Line}}}}}}}},
      {"partialFingerprints", json::Object{{"clmali/v1", numbered(G.Fingerprint)}}},
      {"baselineState", "absent"}};
  if (auto At = Index.find(G.Rule); At != Index.end())
    Result["ruleIndex"] = At->second;
  return Result;
}

json::Array SarifWriter::results() {
  std::vector<std::pair<const LocatedFinding *, State>> All;
  for (const LocatedFinding &F : R.Findings)
    All.push_back({&F, State::New});
  for (const LocatedFinding &F : R.Known)
    All.push_back({&F, State::Known});
  for (const LocatedFinding &F : R.Suppressed)
    All.push_back({&F, State::Suppressed});
  std::stable_sort(All.begin(), All.end(), [](const auto &A, const auto &B) {
    auto Key = [](const LocatedFinding &F) {
      return std::tie(F.At.File, F.At.Line, F.At.Column, F.Rule->Id, F.Message);
    };
    return Key(*A.first) < Key(*B.first);
  });
  json::Array Results;
  for (auto [F, Is] : All)
    Results.push_back(result(*F, Is));
  for (const AbsentFinding &G : R.Gone)
    Results.push_back(absent(G));
  return Results;
}

json::Array SarifWriter::notifications() {
  json::Array Notifications;
  auto Notify = [&](ArrayRef<InputMessage> List, StringRef Level) {
    for (const InputMessage &T : List) {
      Location P;
      P.File = T.File;
      P.Line = T.Line;
      Notifications.push_back(
          json::Object{{"level", Level},
                       {"message", json::Object{{"text", text(T.Message + ".")}}},
                       {"locations", json::Array{Files.location(P, !T.Line)}}});
    }
  };
  Notify(R.Errors, "error");
  Notify(R.Notes, "note");
  return Notifications;
}

std::string lint::reportSarif(const Report &R, const Options &O) {
  SarifWriter W(R);
  json::Array Rules = W.rules(), Results = W.results(), Notifications = W.notifications();
  json::Object Run{{"invocations", json::Array{json::Object{
                                       {"executionSuccessful", R.Errors.empty()},
                                       {"toolExecutionNotifications", std::move(Notifications)}}}},
                   {"results", std::move(Results)}};
  // Keeps runs for several devices over one commit apart.
  if (!O.Device.empty())
    Run["automationDetails"] = json::Object{{"id", text("clmali-lint/" + O.Device + "/")}};
  if (O.Shards)
    Run["properties"] = json::Object{{"shard", shardName(O)}};
  return sarif::log(json::Object{{"name", "clmali-lint"},
                                 {"fullName", "clmali-lint " + std::string(ToolVersion)},
                                 {"version", ToolVersion},
                                 {"semanticVersion", ToolVersion},
                                 {"rules", std::move(Rules)}},
                    std::move(Run));
}
