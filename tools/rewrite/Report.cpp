//===- Report.cpp - what was tried and shown, as a page -----------------------------------------===//

#include "tools/rewrite/Tool.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

static std::string escaped(StringRef Text) {
  std::string S;
  raw_string_ostream OS(S);
  printHTMLEscaped(Text, OS);
  return S;
}

static std::string cell(const Twine &Text) { return "<td>" + escaped(Text.str()) + "</td>"; }

static void printAttempts(raw_ostream &OS, const KernelOutcome &K) {
  if (K.Attempts.empty())
    return;
  OS << "<table><tr><th>passes</th><th>predicted</th><th>measured</th><th>verdict</th></tr>\n";
  for (const Attempt &A : K.Attempts) {
    std::string Time = A.Milliseconds ? formatv("{0:f3} ms", *A.Milliseconds).str() : "-";
    if (A.Milliseconds && K.OriginalMilliseconds)
      Time += formatv(" ({0:f2}x)", *K.OriginalMilliseconds / *A.Milliseconds).str();
    std::string Verdict = A.Verdict ? (verify::toString(A.Verdict->Result) + ": " + A.Verdict->Summary).str()
                          : A.Problem.empty() ? std::string("not verified")
                                              : A.Problem;
    OS << "<tr>" << cell(join(A.Passes, ", ")) << cell(formatv("{0:f1}x", A.PredictedSpeedup).str()) << cell(Time)
       << cell(Verdict) << "</tr>\n";
  }
  OS << "</table>\n";
}

static void printRungs(raw_ostream &OS, const verify::Verdict &V) {
  OS << "<h3>What the judge did</h3>\n<table><tr><th>rung</th><th>climbed</th><th>what it covered</th></tr>\n";
  for (const verify::Rung &R : V.Rungs)
    OS << "<tr>" << cell(R.Name) << cell(R.Climbed ? "yes" : "no") << cell(R.Detail) << "</tr>\n";
  OS << "</table>\n";
}

static void printObligations(raw_ostream &OS, const launch::ManifestKernel &M) {
  if (M.Obligations.empty())
    return;
  OS << "<h3>Obligations</h3>\n<table><tr><th>what must be so</th><th>state</th></tr>\n";
  for (const launch::Obligation &X : M.Obligations)
    OS << "<tr>" << cell(X.Text) << cell(launch::toString(X.State)) << "</tr>\n";
  OS << "</table>\n";
}

std::string tool::htmlReport(const Outcome &R, const Options &O) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>clmali-rewrite: " << escaped(O.File)
     << "</title>\n<style>\n"
        "body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 70em; color: #222; }\n"
        "table { border-collapse: collapse; margin: 1em 0; }\n"
        "td, th { border: 1px solid #bbb; padding: .3em .6em; text-align: left; vertical-align: top; }\n"
        "pre { background: #f6f6f6; padding: 1em; overflow-x: auto; }\n"
        ".add { background: #e2f5e2; } .del { background: #fbe4e4; }\n"
        "</style></head>\n<body>\n<h1>"
     << escaped(O.File) << "</h1>\n<p>Rewritten for " << escaped(O.Device) << " by clmali-rewrite " CLMALI_VERSION
     << ", seed " << O.Seed << ".</p>\n";
  for (const KernelOutcome &K : R.Kernels) {
    OS << "<h2>" << escaped(K.Name) << "</h2>\n<p>" << escaped(K.Summary) << "</p>\n";
    printAttempts(OS, K);
    if (!K.Attempts.empty() && K.Attempts.back().Verdict)
      printRungs(OS, *K.Attempts.back().Verdict);
    if (K.Manifest)
      printObligations(OS, *K.Manifest);
    if (!K.Refusals.empty()) {
      OS << "<h3>What was refused</h3>\n<ul>\n";
      for (const std::string &Refusal : K.Refusals)
        OS << "<li>" << escaped(Refusal) << "</li>\n";
      OS << "</ul>\n";
    }
  }
  if (!R.Rewritten.empty()) {
    OS << "<h2>The change</h2>\n<pre>";
    SmallVector<StringRef, 0> Lines;
    std::string Diff = unifiedDiff(R.Original, R.Rewritten, O.File);
    StringRef(Diff).split(Lines, '\n');
    for (StringRef L : Lines) {
      StringRef Class = L.starts_with("+") ? "add" : L.starts_with("-") ? "del" : "";
      if (Class.empty())
        OS << escaped(L) << "\n";
      else
        OS << "<span class=\"" << Class << "\">" << escaped(L) << "</span>\n";
    }
    OS << "</pre>\n<h2>How the host must run it</h2>\n<pre>" << escaped(launch::printManifest(R.Manifest)) << "</pre>\n";
  }
  OS << "</body></html>\n";
  return Text;
}
