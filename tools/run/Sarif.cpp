#include "tools/run/Sarif.h"
#include "tools/sarif/Sarif.h"

using namespace llvm;

namespace clmali {
namespace {

json::Object rule(StringRef Id, StringRef Level, StringRef Text) {
  return json::Object{
      {"id", ("clmali-judge-" + Id).str()},
      {"shortDescription", json::Object{{"text", Text}}},
      {"defaultConfiguration", json::Object{{"level", Level}}}};
}

std::string messageOf(const verify::Verdict &V, StringRef Kernel) {
  std::string Text = ("kernel '" + Kernel + "' is " +
                      verify::toString(V.Result) + ": " + V.Summary)
                         .str();
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

std::string verdictSarif(const verify::Verdict &V, StringRef Original,
                     StringRef Rewritten, StringRef Kernel) {
  bool Held = V.Result == verify::Outcome::Held;
  bool Refuted = V.Result == verify::Outcome::Refuted;
  json::Array Rules{
      rule("held", "note", "The judge found the rewritten kernel to do what the "
                           "original does."),
      rule("refuted", "error",
           "The judge has an input on which the rewritten kernel does something "
           "else than the original."),
      rule("inconclusive", "warning",
           "The judge cannot tell whether the rewritten kernel does what the "
           "original does.")};
  auto location = [](StringRef File) {
    return json::Object{
        {"physicalLocation",
         json::Object{{"artifactLocation", sarif::artifactLocation(File)}}}};
  };
  json::Object At = location(Rewritten);
  At["logicalLocations"] = json::Array{
      json::Object{{"name", sarif::text(Kernel)}, {"kind", "function"}}};
  json::Object Source = location(Original);
  Source["message"] = json::Object{{"text", "the original"}};
  std::string Id = verify::toString(V.Result).str();
  json::Object Result{
      {"ruleId", "clmali-judge-" + Id},
      {"ruleIndex", Held ? 0 : Refuted ? 1 : 2},
      {"kind", Held ? "pass" : Refuted ? "fail" : "open"},
      // SARIF wants no level but "none" for what is no failure.
      {"level", Held ? "none" : Refuted ? "error" : "none"},
      {"message", json::Object{{"text", sarif::text(messageOf(V, Kernel))}}},
      {"locations", json::Array{std::move(At)}},
      {"relatedLocations", json::Array{std::move(Source)}}};
  json::Object Driver{{"name", "clmali-run"}, {"rules", std::move(Rules)}};
  json::Object Run{
      {"invocations",
       json::Array{json::Object{{"executionSuccessful", true}}}},
      {"results", json::Array{std::move(Result)}},
      {"properties", json::Object{{"verdict", json::Object(V.Record)}}}};
  return sarif::log(std::move(Driver), std::move(Run));
}

} // namespace clmali
