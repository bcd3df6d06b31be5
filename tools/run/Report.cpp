//===- Report.cpp - the report of clmali-run, as HTML -----------------------------------------===//

#include "tools/run/Report.h"
#include "tools/report/HostCode.h"
#include "tools/report/Html.h"
#include "tools/report/JudgeRecord.h"
#include "tools/version/Version.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clmali;
using report::escaped;

static std::string head(StringRef Title, const Twine &What) {
  return "<h1>" + escaped(Title) + "</h1>\n<p class=\"soft\">clmali-run " +
         std::string(ToolVersion) + ", " + escaped(What) + "</p>\n";
}

std::string run::reportOf(const verify::JudgeRequest &Request, const verify::Verdict &V) {
  const launch::LaunchFile &Launch = Request.Launches.front();
  std::string Text =
      head(Launch.Kernel, "judging " + Request.Rewritten.Name + " against " +
                              Request.Original.Name + ", seed " + Twine(Request.Options.Seed));
  Text += "<section>\n" + report::judgeRecord(V) + "</section>\n<section>\n<div class=\"side\">\n" +
          report::listing(Request.Original.Source, 1, {}, "Before: " + Request.Original.Name) +
          report::listing(Request.Rewritten.Source, 1, {}, "After: " + Request.Rewritten.Name) +
          "</div>\n";
  Text += "<h3>How the host runs it</h3>\n<ol>\n";
  for (const std::string &Line : report::launchesInWords(Request.Manifest))
    Text += "<li>" + escaped(Line) + "</li>\n";
  Text += "</ol>\n</section>\n";
  return report::page("clmali-run: " + Launch.Kernel, Text);
}

std::string run::reportOf(const launch::LaunchFile &Launch, const verify::ProgramText &Program,
                          ArrayRef<SizeTime> Times) {
  std::string Text = head(
      Launch.Kernel, Program.Name + (Times.empty() ? "" : ", on " + Times.front().Time.Device));
  Text += "<section>\n<table><thead><tr><th>size</th><th class=\"n\">median, ms</th><th "
          "class=\"n\">best, ms</th><th class=\"n\">runs</th></tr></thead><tbody>\n";
  for (const SizeTime &T : Times)
    Text += formatv("<tr><td>{0}</td><td class=\"n\">{1:f3}</td><td class=\"n\">{2:f3}</td><td "
                    "class=\"n\">{3}</td></tr>\n",
                    escaped(T.Size), T.Time.MedianMs, T.Time.BestMs, T.Time.Runs)
                .str();
  Text += "</tbody></table>\n</section>\n<section>\n" +
          report::listing(Program.Source, 1, {}, Program.Name) + "</section>\n";
  return report::page("clmali-run: " + Launch.Kernel, Text);
}
