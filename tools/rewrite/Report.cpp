//===- Report.cpp - the report of a run, as HTML ----------------------------------------------===//
//
// For each kernel: the outcome, its cost before and after, the source with findings next to its
// replacement, the judge's record, and the launch by the host, in words and as code.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/report/HostCode.h"
#include "tools/report/JudgeRecord.h"
#include "tools/rewrite/Tool.h"
#include "tools/version/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;
using report::cell;
using report::escaped;

static std::string outcomeBadge(const KernelOutcome &K) {
  switch (K.Code) {
  case Done:
    return report::badge("good", K.Manifest && K.Manifest->Verdict
                                     ? "Held: " + K.Manifest->Verdict->Basis
                                     : std::string("Held"));
  case Refused:
    return report::badge("info", StringRef(K.Summary).starts_with("nothing") ? "Nothing pays"
                                                                             : "Left as it is");
  case WasRefuted:
    return report::badge("bad", "Refuted");
  case BadInput:
  case NotJudged:
    return report::badge("warning", K.Manifest ? "Not verified" : "Inconclusive");
  }
  return "";
}

static std::string andAfter(std::optional<unsigned> Before, std::optional<unsigned> After) {
  return (Before ? std::to_string(*Before) : "unknown") + " before" +
         (After ? ", " + std::to_string(*After) + " after" : "");
}

/// The compiler's figures. After is null where no rewrite was accepted.
static void printCompiled(raw_ostream &OS, const CompiledRanking &R, const CompiledForm *After) {
  OS << "<h3>What a compiler makes of it</h3>\n<p class=\"soft\">Compiled by " << escaped(R.By)
     << ", for each work-item of the original, without the border path. Static figures: both sides "
        "of a branch count; cache misses and the launch do not.</p>\n";
  std::vector<report::Bar> Bars;
  auto Add = [&](StringRef Name, StringRef Unit, std::optional<double> compilers::Work::*Of) {
    if (std::optional<double> Before = R.Original.PerItem.*Of)
      Bars.push_back(
          {Name.str(), Unit.str(), *Before, After ? After->PerItem.*Of : std::optional<double>()});
  };
  Add("Arithmetic", "cycles", &compilers::Work::Arithmetic);
  Add("Load/store", "cycles", &compilers::Work::LoadStore);
  Add("Texture", "cycles", &compilers::Work::Texture);
  Add("All", "instruction groups", &compilers::Work::Groups);
  Add("Loads", "bursts", &compilers::Work::Loads);
  Add("Stores", "bursts", &compilers::Work::Stores);
  const compilers::Cost &B = R.Original.Cost;
  auto Both = [&](std::optional<unsigned> compilers::Cost::*Of) {
    return andAfter(B.*Of, After ? After->Cost.*Of : std::nullopt);
  };
  OS << report::bars(Bars) << "<p class=\"soft\">Registers: " << Both(&compilers::Cost::Registers);
  if (B.Spills)
    OS << "; values spilled: " << Both(&compilers::Cost::Spills);
  if (B.Occupancy)
    OS << "; occupancy in per cent: " << Both(&compilers::Cost::Occupancy);
  if (B.MaxWorkGroup)
    OS << "; largest work-group: " << Both(&compilers::Cost::MaxWorkGroup);
  OS << ".</p>\n";
}

/// The pipe of rewrite::Cost::bound, as the bars name it.
static StringRef pipeName(StringRef Bound) {
  return Bound == "A"     ? "arithmetic"
         : Bound == "L/S" ? "load/store"
         : Bound == "T"   ? "texture"
                          : Bound;
}

static void printCost(raw_ostream &OS, const KernelOutcome &K) {
  if (K.Compiled)
    printCompiled(OS, *K.Compiled, K.CompiledAfter ? &*K.CompiledAfter : nullptr);
  const rewrite::Cost &B = K.Before;
  auto After = [&](double V) {
    return K.After ? std::optional<double>(V / K.Items) : std::nullopt;
  };
  OS << "<h3>What the cost model predicts</h3>\n<p class=\"soft\">By the cost model of "
     << escaped(K.CostOf)
     << ", for each work-item of the original. Loops of unknown length count as 16 iterations; "
        "stalls "
        "by cache misses are "
        "not counted.</p>\n";
  rewrite::Cost None, A = K.After.value_or(None);
  OS << report::bars({{"Arithmetic", "cycles", B.Arithmetic, After(A.Arithmetic)},
                      {"Load/store", "cycles", B.LoadStore, After(A.LoadStore)},
                      {"Texture", "cycles", B.Texture, After(A.Texture)},
                      {"Memory", "operations", B.MemoryOps, After(A.MemoryOps)}});
  OS << "<p class=\"soft\">Bound by " << escaped(pipeName(B.bound()))
     << (K.After ? " before, by " + escaped(pipeName(A.bound())) + " after" : "") << ".";
  // One figure: the compiler's, where there is one.
  if (!K.Compiled || !K.Compiled->Original.Cost.Registers) {
    OS << formatv(" Registers: {0:f0}", B.Registers);
    if (K.After)
      OS << formatv(" before, {0:f0} after", A.Registers);
    OS << ".";
  }
  OS << " Work-items that a core holds at once: " << B.Threads;
  if (K.After)
    OS << " before, " << A.Threads << formatv(" after (each does {0:f0})", K.Items);
  OS << ".</p>\n";
}

/// Passes and figure of a candidate, as the first cells of a row.
static std::string candidateCells(const Attempt &A, const KernelOutcome &K) {
  const bool IsCompiled = A.Compiled && K.Compiled;
  const double Faster =
      IsCompiled ? K.Compiled->Original.Figure / A.Compiled->Figure : A.PredictedSpeedup;
  return cell("passes", join(A.Passes, ", ")) +
         cell(IsCompiled ? "compiled" : "predicted", formatv("{0:f1}x", Faster).str(), true);
}

static void printAttempts(raw_ostream &OS, const KernelOutcome &K) {
  if (K.Attempts.empty())
    return;
  OS << "<h3>What was tried</h3>\n<table class=\"stack\"><thead><tr><th>passes</th><th "
        "class=\"n\">"
     << (K.Compiled ? "compiled" : "predicted")
     << "</th>"
        "<th class=\"n\">measured</th><th>verdict</th></tr></thead><tbody>\n";
  for (const Attempt &A : K.Attempts) {
    std::string Time = A.Milliseconds ? formatv("{0:f3} ms", *A.Milliseconds).str() : "-";
    if (A.Milliseconds && K.OriginalMilliseconds)
      Time += formatv(" ({0:f2}x)", *K.OriginalMilliseconds / *A.Milliseconds).str();
    OS << "<tr>" << candidateCells(A, K) << cell("measured", Time, true) << "<td>";
    if (A.Verdict)
      OS << report::verdictBadge(*A.Verdict) << " " << escaped(A.Verdict->Summary);
    else
      OS << escaped(A.Problem.empty() ? "not verified" : A.Problem);
    OS << "</td></tr>\n";
  }
  constexpr size_t Most = 8;
  for (const Attempt &A : ArrayRef(K.NotTried).take_front(Most))
    OS << "<tr>" << candidateCells(A, K) << cell("measured", "-", true)
       << "<td>not judged: a better one holds</td></tr>\n";
  OS << "</tbody></table>\n";
  if (K.NotTried.size() > Most)
    OS << "<p class=\"soft\">" << K.NotTried.size() - Most << " more were not judged.</p>\n";
}

static void printHost(raw_ostream &OS, const KernelOutcome &K) {
  const launch::ManifestKernel &M = *K.Manifest;
  OS << "<h3>How the host runs it</h3>\n<p>In place of one launch of " << escaped(M.Original)
     << ", these run, in order. gx, gy, gz are the original's global sizes, lx, ly, lz its local "
        "sizes (0 where the "
        "runtime chooses), ox, oy, oz its global offsets. The arguments stay the same.</p>\n<ol>\n";
  for (const std::string &Line : report::launchesInWords(M))
    OS << "<li>" << escaped(Line) << "</li>\n";
  OS << "</ol>\n";
  if (!M.Obligations.empty()) {
    OS << "<p><b>What must be so</b></p>\n<ul>\n";
    for (const launch::Obligation &X : M.Obligations)
      OS << "<li>"
         << report::badge(X.State == launch::ObligationState::Assumed ? "warning" : "good",
                          launch::toString(X.State))
         << " " << escaped(X.Text) << "</li>\n";
    OS << "</ul>\n";
  }
  OS << report::folded("C for the host",
                       report::block(report::hostCode(M, K.Parameters, report::HostLanguage::C)),
                       true)
     << report::folded("C++ for the host",
                       report::block(report::hostCode(M, K.Parameters, report::HostLanguage::Cpp)));
  launch::Manifest One;
  One.Kernels.push_back(M);
  OS << report::folded("The manifest (JSON)", report::block(launch::printManifest(One)));
}

/// Refusals are shown only if no rewrite was accepted.
static std::vector<report::LineNote> notesToShow(const KernelOutcome &K) {
  std::vector<report::LineNote> Notes = K.Notes;
  if (K.Manifest)
    erase_if(Notes, [](const report::LineNote &N) { return N.Kind == "refused"; });
  return Notes;
}

std::string tool::htmlReport(const Outcome &R, const Options &O) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "<h1>" << escaped(O.File) << "</h1>\n<p class=\"soft\">clmali-rewrite " << ToolVersion
     << ", for " << escaped(O.Device) << ", seed " << O.Seed
     << (O.NoVerify ? ", without the judge" : "") << "</p>\n";
  for (const KernelOutcome &K : R.Kernels) {
    OS << "<section>\n<h2>" << escaped(K.Name) << " " << outcomeBadge(K) << "</h2>\n<p>"
       << escaped(K.Summary) << "</p>\n";
    if (!K.CostOf.empty())
      printCost(OS, K);
    OS << "<h3>" << (K.Manifest ? "Before and after" : "The source") << "</h3>\n";
    if (!K.Manifest && !K.CodeAfter.empty())
      OS << "<p class=\"soft\">No rewrite was accepted; the kernel stays as it is.</p>\n";
    OS << (K.Manifest ? "<div class=\"side\">\n<div>\n" : "<div>\n<div>\n");
    std::vector<report::LineNote> Notes = notesToShow(K);
    for (const auto &[Line, Code] : K.Helpers)
      OS << report::listing(Code, Line, Notes, "A function that it calls");
    OS << report::listing(K.CodeBefore, K.LineBefore, Notes,
                          K.Manifest ? "Before, with what was found" : "")
       << "</div>\n";
    if (K.Manifest)
      OS << report::listing(K.CodeAfter, K.LineAfter, {}, "After");
    OS << "</div>\n";
    if (K.Manifest)
      printHost(OS, K);
    printAttempts(OS, K);
    if (!K.Attempts.empty() && K.Attempts.back().Verdict)
      OS << report::judgeRecord(*K.Attempts.back().Verdict);
    if (!K.Refusals.empty()) {
      std::string List = "<ul>\n";
      for (const std::string &Refusal : K.Refusals)
        List += "<li>" + escaped(Refusal) + "</li>\n";
      OS << report::folded("What was refused", List + "</ul>\n", !K.Manifest);
    }
    OS << "</section>\n";
  }
  if (!R.Rewritten.empty())
    OS << "<section>\n<h2>The whole change</h2>\n"
       << report::folded("As a diff", report::diff(unifiedDiff(R.Original, R.Rewritten, O.File)))
       << "</section>\n";
  return report::page("clmali-rewrite: " + O.File, Text);
}
