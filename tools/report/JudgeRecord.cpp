//===- JudgeRecord.cpp - a verdict on a report page -------------------------------------------===//

#include "tools/report/JudgeRecord.h"
#include "tools/report/Html.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clmali;
using report::escaped;

std::string report::cell(StringRef Is, const Twine &Text, bool Number) {
  return ("<td" + Twine(Number ? " class=\"n\"" : "") + " data-is=\"" + Is + "\">" + escaped(Text) +
          "</td>")
      .str();
}

std::string report::verdictBadge(const verify::Verdict &V) {
  if (V.Result == verify::Outcome::Held)
    return report::badge("good", ("held: " + verify::toString(V.RestsOn)).str());
  return report::badge(V.Result == verify::Outcome::Refuted ? "bad" : "warning",
                       verify::toString(V.Result));
}

std::string report::judgeRecord(const verify::Verdict &V) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "<h3>The judge's record " << verdictBadge(V) << "</h3>\n<p>" << escaped(V.Summary)
     << "</p>\n";
  if (V.Example) {
    OS << "<p><b>Counterexample</b> (" << escaped(V.Example->Rung)
       << "): " << escaped(V.Example->What);
    if (!V.Example->Size.empty())
      OS << " at " << escaped(V.Example->Size);
    if (!V.Example->Argument.empty())
      OS << ": " << escaped(V.Example->Argument) << "[" << V.Example->Element << "] should be "
         << escaped(V.Example->Expected) << ", is " << escaped(V.Example->Got);
    OS << ".</p>\n";
    if (!V.Example->LaunchFile.empty())
      OS << report::folded("A launch file that shows it", report::block(V.Example->LaunchFile));
  }
  if (!V.Rungs.empty()) {
    OS << "<table class=\"stack\"><thead><tr><th>check</th><th>state</th><th>what it "
          "covered</th></tr></thead><tbody>\n";
    for (const verify::Rung &R : V.Rungs)
      OS << "<tr>" << cell("check", R.Name) << "<td>"
         << report::badge(R.Climbed ? "good" : "warning", verify::stateOf(R, V)) << "</td>"
         << cell("covered", R.Detail) << "</tr>\n";
    OS << "</tbody></table>\n";
  }
  OS << report::folded("The whole record (JSON)",
                       report::block(formatv("{0:2}", json::Value(json::Object(V.Record))).str()));
  return Text;
}
