//===- Sarif.cpp - SARIF 2.1.0 -----------------------------------------------------------------===//
//
// Rule metadata and help come from the rule pages. Columns are counted in UTF-16 code units, which is
// what SARIF means unless a run says otherwise; our own are bytes.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

static json::Value text(StringRef S) {
  return json::isUTF8(S) ? json::Value(S.str()) : json::Value(json::fixUTF8(S));
}

std::string lint::fingerprint(const PlacedFinding &F) {
  SHA256 Hash;
  Hash.update(F.Rule->Id);
  Hash.update(StringRef("\0", 1));
  Hash.update(sys::path::convert_to_slash(F.At.File));
  Hash.update(StringRef("\0", 1));
  Hash.update(F.Kernel);
  Hash.update(StringRef("\0", 1));
  // White space may be reformatted.
  std::string Line;
  for (char C : F.At.LineText)
    if (!isSpace(C))
      Line += C;
  Hash.update(Line);
  return toHex(Hash.final(), /*LowerCase=*/true).substr(0, 32);
}

static std::string uri(StringRef File) {
  std::string Result;
  for (unsigned char C : sys::path::convert_to_slash(File)) {
    if (isAlnum(C) || StringRef("/-._~").contains(static_cast<char>(C)))
      Result += static_cast<char>(C);
    else
      Result += "%" + toHex(StringRef(reinterpret_cast<char *>(&C), 1));
  }
  return sys::path::is_absolute(File) ? "file://" + Result : Result;
}

static StringRef level(rules::Severity S) {
  return S == rules::Severity::Error     ? "error"
         : S == rules::Severity::Warning ? "warning"
                                         : "note";
}

/// Byte column (from 1) of a line as UTF-16 column.
static unsigned utf16Column(StringRef Line, unsigned Column) {
  StringRef Before = Line.take_front(Column - 1);
  SmallVector<UTF16, 128> Units;
  if (!convertUTF8ToUTF16String(Before, Units))
    return Column;
  return Units.size() + 1 + (Column - 1 - Before.size());
}

namespace {
/// Lines of files, to convert columns of edits and of ends.
class Sources {
public:
  std::pair<unsigned, unsigned> at(StringRef File, unsigned Offset) {
    StringRef Text = load(File);
    Offset = std::min<size_t>(Offset, Text.size());
    StringRef Before = Text.take_front(Offset);
    unsigned Line = Before.count('\n') + 1;
    size_t Start = Before.rfind('\n') == StringRef::npos ? 0 : Before.rfind('\n') + 1;
    return {Line, utf16Column(Text.drop_front(Start), Offset - Start + 1)};
  }

private:
  std::map<std::string, std::unique_ptr<MemoryBuffer>, std::less<>> Loaded;
  StringRef load(StringRef File) {
    auto At = Loaded.find(File);
    if (At == Loaded.end()) {
      auto Buffer = MemoryBuffer::getFile(File);
      At = Loaded.emplace(File.str(), Buffer ? std::move(*Buffer) : MemoryBuffer::getMemBuffer(""))
               .first;
    }
    return At->second->getBuffer();
  }
};
} // namespace

std::string lint::reportSarif(const Report &R, const Options &O) {
  Sources Files;
  auto Region = [&](const Place &P) {
    if (!P.Offset && !P.Length)
      return json::Object{{"startLine", std::max(1u, P.Line)}};
    auto [Line, Column] = Files.at(P.File, P.Offset);
    auto [EndLine, EndColumn] = Files.at(P.File, P.Offset + P.Length);
    return json::Object{{"startLine", Line},
                        {"startColumn", Column},
                        {"endLine", EndLine},
                        {"endColumn", EndColumn}};
  };
  auto Location = [&](const Place &P) {
    return json::Object{
        {"physicalLocation",
         json::Object{{"artifactLocation", json::Object{{"uri", uri(P.File)}}},
                      {"region", Region(P)}}}};
  };

  json::Array Rules;
  std::map<StringRef, unsigned> Index;
  for (const rules::Rule &Rule : rules::allRules()) {
    Index[Rule.Id] = Rules.size();
    rules::Severity Default = rules::Severity::None;
    for (const rules::DeviceFacts &F : rules::families())
      Default = std::max(Default, Rule.severity(F));
    json::Array Tags{Rule.Group, Rule.Scope};
    Rules.push_back(json::Object{
        {"id", "clmali-" + Rule.Id},
        {"name", Rule.Id},
        {"shortDescription", json::Object{{"text", text(Rule.Summary + ".")}}},
        {"fullDescription", json::Object{{"text", text(StringRef(Rule.section("What it does")).trim())}}},
        {"help", json::Object{{"text", text(Rule.Page.split("\n---\n").second)},
                              {"markdown", text(Rule.Page.split("\n---\n").second)}}},
        {"defaultConfiguration", json::Object{{"level", level(Default)}}},
        {"properties", json::Object{{"tags", std::move(Tags)}}}});
  }

  json::Array Results;
  std::map<std::string, unsigned> Occurrence;
  for (const PlacedFinding &F : R.Findings) {
    std::string Print = fingerprint(F);
    // Two findings of one rule on equal lines are told apart by their order.
    Print += ":" + utostr(++Occurrence[Print]);
    json::Array Related, Fixes;
    for (const PlacedNote &N : F.Notes) {
      json::Object L = Location(N.At);
      L["message"] = json::Object{{"text", text(N.Message)}};
      Related.push_back(std::move(L));
    }
    for (const PlacedFix &X : F.Fixes) {
      if (X.Edits.empty() || X.How == checks::Applicability::Verify)
        continue;
      std::map<std::string, json::Array> Changes;
      for (const PlacedEdit &E : X.Edits) {
        Place P;
        P.File = E.File;
        P.Offset = E.Offset;
        P.Length = E.Length;
        auto [Line, Column] = Files.at(E.File, E.Offset);
        auto [EndLine, EndColumn] = Files.at(E.File, E.Offset + E.Length);
        Changes[E.File].push_back(json::Object{
            {"deletedRegion", json::Object{{"startLine", Line},
                                           {"startColumn", Column},
                                           {"endLine", EndLine},
                                           {"endColumn", EndColumn}}},
            {"insertedContent", json::Object{{"text", text(E.Text)}}}});
      }
      json::Array ByFile;
      for (auto &[File, Replacements] : Changes)
        ByFile.push_back(json::Object{{"artifactLocation", json::Object{{"uri", uri(File)}}},
                                      {"replacements", std::move(Replacements)}});
      Fixes.push_back(json::Object{{"description", json::Object{{"text", text(X.Message)}}},
                                   {"artifactChanges", std::move(ByFile)}});
    }
    json::Object Result{
        {"ruleId", "clmali-" + F.Rule->Id},
        {"ruleIndex", Index[F.Rule->Id]},
        {"level", level(F.Severity)},
        {"message", json::Object{{"text", text(F.Message + ".")}}},
        {"locations", json::Array{Location(F.At)}},
        {"partialFingerprints", json::Object{{"clmali/v1", Print}}},
        {"properties",
         json::Object{{"families", rules::familyNames(F.Families)}, {"kernel", text(F.Kernel)}}}};
    if (!Related.empty())
      Result["relatedLocations"] = std::move(Related);
    if (!Fixes.empty())
      Result["fixes"] = std::move(Fixes);
    Results.push_back(std::move(Result));
  }

  json::Array Notifications;
  auto Notify = [&](ArrayRef<Trouble> List, StringRef Level) {
    for (const Trouble &T : List) {
      Place P;
      P.File = T.File;
      P.Line = std::max(1u, T.Line);
      Notifications.push_back(json::Object{{"level", Level},
                                           {"message", json::Object{{"text", text(T.Message)}}},
                                           {"locations", json::Array{Location(P)}}});
    }
  };
  Notify(R.Errors, "error");
  Notify(R.Notes, "note");

  json::Object Run{
      {"tool", json::Object{{"driver", json::Object{{"name", "clmali-lint"},
                                                    {"version", ToolVersion},
                                                    {"semanticVersion", ToolVersion},
                                                    {"rules", std::move(Rules)}}}}},
      {"invocations",
       json::Array{json::Object{{"executionSuccessful", R.Errors.empty()},
                                {"toolExecutionNotifications", std::move(Notifications)}}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", std::move(Results)}};
  json::Object Root{
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                  "sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::Array{std::move(Run)}}};
  std::string Buffer;
  raw_string_ostream Out(Buffer);
  Out << formatv("{0:2}", json::Value(std::move(Root))) << "\n";
  return Buffer;
}
