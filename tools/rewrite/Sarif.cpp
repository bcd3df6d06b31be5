//===- Sarif.cpp - the result for each kernel as SARIF 2.1.0 ----------------------------------===//
//
// One result for each kernel: held is a "pass", refused is "informational", refuted a "fail",
// inconclusive is "open". The judge's record of every candidate and the manifest of the accepted
// one are in the result's properties.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/sarif/Sarif.h"
#include "tools/rewrite/Tool.h"
#include "tools/version/Version.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

namespace {
struct Kind {
  ExitCode Code;
  StringLiteral Id, Name, What, SarifKind, Level;
};
constexpr Kind Kinds[] = {
    {Done, "clmali-rewrite-held", "RewriteHeld",
     "A rewrite was run against the original, and the judge saw no difference.", "pass", "none"},
    {Refused, "clmali-rewrite-refused", "RewriteRefused",
     "No rewrite was found that is allowed and pays; the refusals say what stands in the way.",
     "informational", "none"},
    {WasRefuted, "clmali-rewrite-refuted", "RewriteRefuted",
     "A rewrite gave another result than the original. This is a defect of clmali; nothing was "
     "written.",
     "fail", "error"},
    {NotJudged, "clmali-rewrite-inconclusive", "RewriteInconclusive",
     "The judge could not decide; nothing was written.", "open", "none"},
};

unsigned kindOf(ExitCode Code) {
  for (size_t I = 0; I < std::size(Kinds); ++I)
    if (Kinds[I].Code == Code)
      return I;
  return 3;
}

/// The first occurrence of the kernel's name, followed by "(", after the word "kernel".
json::Object region(StringRef Text, StringRef Kernel) {
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  size_t From = Text.find("kernel");
  for (size_t At = From; From != StringRef::npos && (At = Text.find(Kernel, At)) != StringRef::npos;
       At += Kernel.size()) {
    StringRef Rest = Text.drop_front(At + Kernel.size());
    if ((At && IsWord(Text[At - 1])) || !Rest.ltrim().starts_with("("))
      continue;
    size_t Start = Text.rfind('\n', At);
    Start = Start == StringRef::npos ? 0 : Start + 1;
    unsigned Line = Text.take_front(At).count('\n') + 1;
    unsigned Column = sarif::utf16Column(Text.drop_front(Start), At - Start + 1);
    return json::Object{{"startLine", Line},
                        {"startColumn", Column},
                        {"endLine", Line},
                        {"endColumn", Column + static_cast<unsigned>(Kernel.size())}};
  }
  return json::Object{{"startLine", 1}};
}

json::Value manifestOf(const KernelOutcome &K) {
  launch::Manifest M;
  M.Kernels.push_back(*K.Manifest);
  Expected<json::Value> V = json::parse(launch::printManifest(M));
  if (V)
    return std::move(*V);
  consumeError(V.takeError());
  return nullptr;
}
} // namespace

std::string tool::sarifLog(const Outcome &R, const Options &O) {
  json::Array Rules, Results;
  for (const Kind &K : Kinds)
    Rules.push_back(json::Object{{"id", K.Id},
                                 {"name", K.Name},
                                 {"shortDescription", json::Object{{"text", K.What}}},
                                 {"fullDescription", json::Object{{"text", K.What}}},
                                 {"help", json::Object{{"text", K.What}, {"markdown", K.What}}},
                                 {"defaultConfiguration", json::Object{{"level", K.Level}}}});
  for (const KernelOutcome &K : R.Kernels) {
    const Kind &Is = Kinds[kindOf(K.Code)];
    json::Array Verdicts, Refusals;
    for (const Attempt &A : K.Attempts) {
      json::Object One;
      if (A.Verdict)
        One = json::Object(A.Verdict->Record);
      One["passes"] = json::Array(A.Passes);
      if (!A.Problem.empty())
        One["problem"] = sarif::text(A.Problem);
      Verdicts.push_back(std::move(One));
    }
    for (const std::string &Text : K.Refusals)
      Refusals.push_back(sarif::text(Text));
    json::Object Properties{
        {"device", O.Device}, {"verdicts", std::move(Verdicts)}, {"refusals", std::move(Refusals)}};
    if (K.Manifest)
      Properties["manifest"] = manifestOf(K);
    if (K.Manifest && K.Manifest->Verdict)
      Properties["basis"] = K.Manifest->Verdict->Basis;
    Results.push_back(json::Object{
        {"ruleId", Is.Id},
        {"ruleIndex", kindOf(K.Code)},
        {"kind", Is.SarifKind},
        {"level", Is.Level},
        {"message",
         json::Object{{"text", sarif::text("Kernel '" + K.Name + "': " + K.Summary + ".")}}},
        {"locations", json::Array{json::Object{
                          {"physicalLocation",
                           json::Object{{"artifactLocation", sarif::artifactLocation(O.File)},
                                        {"region", region(R.Original, K.Name)}}},
                          {"logicalLocations",
                           json::Array{json::Object{{"name", K.Name}, {"kind", "function"}}}}}}},
        {"partialFingerprints", json::Object{{"clmali/v1", sarif::pathFromRoot(O.File) + ":" +
                                                               K.Name + ":" + Is.Id.str()}}},
        {"properties", std::move(Properties)}});
  }
  json::Object Run{
      {"invocations", json::Array{json::Object{{"executionSuccessful", true},
                                               {"exitCode", static_cast<int>(R.Code)}}}},
      {"results", std::move(Results)},
      {"automationDetails", json::Object{{"id", sarif::text("clmali-rewrite/" + O.Device + "/")}}}};
  return sarif::log(json::Object{{"name", "clmali-rewrite"},
                                 {"fullName", "clmali-rewrite " + std::string(ToolVersion)},
                                 {"version", ToolVersion},
                                 {"semanticVersion", ToolVersion},
                                 {"rules", std::move(Rules)}},
                    std::move(Run));
}
