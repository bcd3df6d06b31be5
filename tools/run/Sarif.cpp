#include "tools/run/Sarif.h"
#include "tools/sarif/Sarif.h"
#include "tools/version/Version.h"

using namespace llvm;

namespace clmali {
namespace {

json::Object rule(StringRef Id, StringRef Level, StringRef Text, StringRef Help) {
  return json::Object{{"id", ("clmali-judge-" + Id).str()},
                      {"shortDescription", json::Object{{"text", Text}}},
                      {"fullDescription", json::Object{{"text", (Text + " " + Help).str()}}},
                      {"help", json::Object{{"text", Help}, {"markdown", Help}}},
                      {"defaultConfiguration", json::Object{{"level", Level}}}};
}

/// The line that defines \p Kernel, or the whole file if there is none.
json::Object regionOf(StringRef Text, StringRef Kernel) {
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  for (size_t I = 0; I < Lines.size(); ++I) {
    StringRef Line = Lines[I].rtrim('\r');
    size_t At = Line.find((Kernel + "(").str());
    if (At == StringRef::npos || !Line.take_front(At).contains("void"))
      continue;
    return json::Object{{"startLine", static_cast<int64_t>(I + 1)},
                        {"startColumn", sarif::utf16Column(Line, At + 1)},
                        {"endLine", static_cast<int64_t>(I + 1)},
                        {"endColumn", sarif::utf16Column(Line, At + 1 + Kernel.size())}};
  }
  return json::Object{{"startLine", 1}, {"endLine", static_cast<int64_t>(Lines.size())}};
}

std::string messageOf(const verify::Verdict &V, StringRef Kernel) {
  std::string Text =
      ("kernel '" + Kernel + "' is " + verify::toString(V.Result) + ": " + V.Summary).str();
  if (!V.Example)
    return Text;
  const verify::Counterexample &X = *V.Example;
  if (!X.OriginalItem.empty())
    Text += "; in the original written by " + X.OriginalItem;
  if (!X.RewrittenItem.empty())
    Text += "; in the rewritten program by " + X.RewrittenItem;
  return Text;
}

} // namespace

std::string verdictSarif(const verify::Verdict &V, const verify::ProgramText &Original,
                         const verify::ProgramText &Rewritten, StringRef Kernel,
                         StringRef NewKernel) {
  bool Held = V.Result == verify::Outcome::Held;
  bool Refuted = V.Result == verify::Outcome::Refuted;
  json::Array Rules{rule("held", "note",
                         "The judge found no difference between the rewritten kernel and the "
                         "original.",
                         "The run's property 'verdict' says whether it was proved or tested, and "
                         "lists the checks, the sizes and the data."),
                    rule("refuted", "error",
                         "On some input the rewritten kernel differs from the original.",
                         "The run's property 'verdict' has the counterexample and a launch file "
                         "that reproduces it."),
                    rule("inconclusive", "warning",
                         "The judge could not decide whether the rewritten kernel is equivalent "
                         "to the original.",
                         "The message gives the reason; usually the device is missing, the "
                         "program does not build, or the original's result is not determined.")};
  auto location = [](StringRef File, json::Object Region) {
    return json::Object{
        {"physicalLocation", json::Object{{"artifactLocation", sarif::artifactLocation(File)},
                                          {"region", std::move(Region)}}}};
  };
  json::Object At = location(Rewritten.Name, regionOf(Rewritten.Source, NewKernel));
  At["logicalLocations"] =
      json::Array{json::Object{{"name", sarif::text(NewKernel)}, {"kind", "function"}}};
  json::Object Source = location(Original.Name, regionOf(Original.Source, Kernel));
  Source["message"] = json::Object{{"text", "the original"}};
  std::string Id = verify::toString(V.Result).str();
  json::Object Result{{"ruleId", "clmali-judge-" + Id},
                      {"ruleIndex", Held      ? 0
                                    : Refuted ? 1
                                              : 2},
                      {"kind", Held      ? "pass"
                               : Refuted ? "fail"
                                         : "open"},
                      // SARIF requires the level "none" for any kind but "fail".
                      {"level", Held      ? "none"
                                : Refuted ? "error"
                                          : "none"},
                      {"message", json::Object{{"text", sarif::text(messageOf(V, Kernel))}}},
                      {"locations", json::Array{std::move(At)}},
                      {"relatedLocations", json::Array{std::move(Source)}}};
  if (Held)
    Result["properties"] = json::Object{{"basis", verify::toString(V.RestsOn)},
                                        {"sizes", json::Array(V.Sizes)},
                                        {"runs", static_cast<int64_t>(V.Runs)}};
  json::Object Driver{{"name", "clmali-run"},
                      {"version", ToolVersion},
                      {"semanticVersion", ToolVersion},
                      {"rules", std::move(Rules)}};
  json::Object Run{{"invocations", json::Array{json::Object{{"executionSuccessful", true}}}},
                   {"results", json::Array{std::move(Result)}},
                   {"properties", json::Object{{"verdict", json::Object(V.Record)}}}};
  return sarif::log(std::move(Driver), std::move(Run));
}

} // namespace clmali
