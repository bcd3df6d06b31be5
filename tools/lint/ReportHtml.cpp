//===- ReportHtml.cpp - findings in their sources and the costs of kernels, as HTML -----------===//

#include "tools/lint/Lint.h"
#include "tools/report/Html.h"
#include "tools/version/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;
using report::escaped;

static void printCosts(raw_ostream &OS, const KernelCost &C) {
  OS << "<h3>" << escaped(C.Kernel) << " on " << escaped(C.Family) << "</h3>\n";
  if (C.Compiled) {
    OS << report::block(compilers::costText(*C.Compiled))
       << "<p class=\"soft\">Compiled figures of one work-item, by "
       << escaped(C.Compiled->Compiler + " " + C.Compiled->Version) << ".</p>\n";
    return;
  }
  const model::Cost &B = C.Before;
  model::Cost None, A = C.After.value_or(None);
  auto After = [&](double V) {
    return C.After ? std::optional<double>(V / C.Items) : std::nullopt;
  };
  OS << report::bars({{"Arithmetic", "cycles", B.Arithmetic, After(A.Arithmetic)},
                      {"Load/store", "cycles", B.LoadStore, After(A.LoadStore)},
                      {"Texture", "cycles", B.Texture, After(A.Texture)},
                      {"Memory", "operations", B.MemoryOps, After(A.MemoryOps)}});
  OS << "<p class=\"soft\">Bound by " << escaped(B.bound())
     << formatv(", {0:f0} registers, ", B.Registers) << B.Threads << " work-items at once.";
  if (C.After)
    OS << " After clmali-rewrite --passes=" << escaped(join(C.Passes, ","))
       << " (predicted, not judged here): bound by " << escaped(A.bound())
       << formatv(", {0:f0} registers, {1} work-items at once, each doing {2:f0}.", A.Registers,
                  A.Threads, C.Items);
  else
    OS << " No rewrite is predicted to pay.";
  OS << "</p>\n";
}

std::string lint::reportHtml(const Report &R, const Options &O) {
  std::string Text;
  raw_string_ostream OS(Text);
  unsigned Count[4] = {0, 0, 0, 0};
  for (const LocatedFinding &F : R.Findings)
    ++Count[std::min<unsigned>(3, unsigned(F.Severity))];
  auto Number = [&](rules::Severity S) { return Count[std::min<unsigned>(3, unsigned(S))]; };
  OS << "<h1>clmali-lint</h1>\n<p class=\"soft\">" << ToolVersion << ", for "
     << escaped(O.Device.empty() ? rules::familyNames(O.Families) : O.Device) << ": "
     << R.KernelsSeen << " kernels in " << R.FilesSeen << " files</p>\n<p>";
  for (auto [S, Kind] :
       {std::pair{rules::Severity::Error, "error"}, std::pair{rules::Severity::Warning, "warning"},
        std::pair{rules::Severity::Info, "info"}})
    OS << report::badge(Number(S) ? Kind : "good", std::to_string(Number(S)) + " " + Kind) << " ";
  OS << "</p>\n";
  if (!R.Errors.empty()) {
    OS << "<section><h2>What could not be linted</h2>\n<ul>\n";
    for (const InputMessage &T : R.Errors)
      OS << "<li>" << escaped(T.File) << (T.Line ? ":" + utostr(T.Line) : "") << ": "
         << escaped(T.Message) << "</li>\n";
    OS << "</ul></section>\n";
  }
  std::vector<std::string> Files;
  for (const LocatedFinding &F : R.Findings)
    if (!is_contained(Files, F.At.File))
      Files.push_back(F.At.File);
  for (const KernelCost &C : R.Costs)
    if (!is_contained(Files, C.File))
      Files.push_back(C.File);
  for (const std::string &File : Files) {
    std::vector<report::LineNote> Notes;
    for (const LocatedFinding &F : R.Findings)
      if (F.At.File == File) {
        std::string Message = F.Message;
        if (O.Families & ~F.Families)
          Message += " (" + rules::familyNames(F.Families) + ")";
        for (const LocatedNote &N : F.Notes)
          Message += "; line " + std::to_string(N.At.Line) + ": " + N.Message;
        for (const LocatedFix &X : F.Fixes)
          Message += std::string("; fix (") + checks::name(X.How).str() + "): " + X.Message;
        Notes.push_back({F.At.Line, rules::name(F.Severity).str(), F.Rule->Id, Message});
      }
    OS << "<section>\n<h2>" << escaped(File) << "</h2>\n";
    bool First = true;
    for (const KernelCost &C : R.Costs)
      if (C.File == File) {
        if (First && !C.Compiled)
          OS << "<p class=\"soft\">Cycles for each work-item by the cost model; loops of unknown "
                "length count as 16 iterations.</p>\n";
        First = false;
        printCosts(OS, C);
      }
    if (auto Source = MemoryBuffer::getFile(File))
      OS << "<h3>The source</h3>\n" << report::listing((*Source)->getBuffer(), 1, Notes, "");
    else // standard input
      for (const report::LineNote &N : Notes)
        OS << "<p>" << report::badge(N.Kind, N.Kind) << " line " << N.Line << ": "
           << escaped(N.Text) << "</p>\n";
    OS << "</section>\n";
  }
  if (Files.empty() && R.Errors.empty())
    OS << "<section><p>Nothing was found.</p></section>\n";
  return report::page("clmali-lint", Text);
}
