//===- clmali-lint ----------------------------------------------------------------------------===//
//
// Input, output and the exit code: 0 no findings, 1 findings at or above --fail-on remain, 2 usage,
// parse or tool error. The highest wins.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "tools/version/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

static int fail(const Twine &Message) {
  errs() << "clmali-lint: " << Message << "\n";
  return 2;
}

static int explain(StringRef Id) {
  const rules::Rule *R = rules::findRule(Id);
  StringRef Bare = Id;
  Bare.consume_front("clmali-");
  if (Bare == unusedSuppressionRule().Id)
    R = &unusedSuppressionRule();
  if (!R) {
    StringRef Near = rules::nearestRule(Id);
    return fail(
        "unknown rule '" + Id + "'" +
        (Near.empty() ? Twine("; --list-rules prints them") : "; did you mean '" + Near + "'?"));
  }
  outs() << R->Id << " (" << R->Group << ", " << R->Scope << " code)\n\n" << R->Summary << ".\n\n";
  outs() << "families:";
  for (const rules::DeviceFacts &F : rules::families())
    if (R->severity(F) != rules::Severity::None)
      outs() << " " << F.Name << " " << rules::name(R->severity(F)) << ";";
  outs() << "\nfix: " << R->Fix;
  if (!R->Rewriter.empty())
    outs() << ", by clmali-rewrite --passes=" << R->Rewriter;
  outs() << "\n";
  for (const rules::Option &O : R->Options)
    outs() << "option: " << R->Id << "." << O.Name << "=" << O.Default << ": " << O.Meaning << "\n";
  outs() << "sources: " << join(R->Sources, "; ") << "\n";
  outs() << R->Page.split("\n---\n").second;
  return 0;
}

static int listRules() {
  std::vector<const rules::Rule *> All;
  for (const rules::Rule &R : rules::allRules())
    All.push_back(&R);
  All.push_back(&unusedSuppressionRule());
  llvm::sort(All, [](const auto *A, const auto *B) { return A->Id < B->Id; });
  for (const rules::Rule *Of : All) {
    const rules::Rule &R = *Of;
    outs() << left_justify(R.Id, 32) << left_justify(R.Group, 13);
    for (const rules::DeviceFacts &F : rules::families()) {
      StringRef Short = R.severity(F) == rules::Severity::None ? "-" : rules::name(R.severity(F));
      if (F.Name != "generic")
        outs() << left_justify(Short, 8);
    }
    outs() << R.Summary << "\n";
  }
  return 0;
}

static int printVersions() {
  clmali::printVersion("clmali-lint");
  outs() << "devices:\n";
  for (const rules::DeviceFacts &F : rules::families())
    outs() << "  " << left_justify(F.Name, 16) << F.Title
           << (F.Aliases.empty() ? "" : ": " + join(F.Aliases, ", ")) << "\n";
  return 0;
}

/// Lints all inputs into R. The filters for lines and the baseline apply to each run.
static Error lintFiltered(const Options &O, Report &R) {
  R = lint::lint(O);
  if (!O.DiffBase.empty())
    if (Error E = keepChangedLines(R, O.DiffBase))
      return E;
  if (!O.LineFilter.empty())
    if (Error E = filterLines(R, O.LineFilter))
      return E;
  return O.Baseline.empty() ? Error::success() : subtractBaseline(R, O.Baseline, O.Shards);
}

/// Lints all inputs into R and applies fixes if --fix is given.
static Error lintAndFix(const Options &O, Report &R) {
  if (Error E = lintFiltered(O, R))
    return E;
  // A fix that overlaps another one waits for the next iteration; remaining findings get their
  // locations in the new text.
  unsigned Fixed = 0;
  for (unsigned Iteration = 0; O.Fix && Iteration < 8; ++Iteration) {
    size_t Errors = R.Errors.size();
    R.Fixed = 0;
    applyFixes(R, O.UnsafeFixes);
    Fixed += R.Fixed;
    if (!R.Fixed || R.Errors.size() > Errors)
      break;
    if (Error E = lintFiltered(O, R))
      return E;
  }
  R.Fixed = Fixed;
  return Error::success();
}

/// The report in the format of --format.
static std::string formatted(const Report &R, const Options &O) {
  switch (O.As) {
  case Format::Text:
    return reportText(R, O,
                      O.Output.empty() && sys::Process::StandardOutHasColors() &&
                          !std::getenv("NO_COLOR")) +
           costsText(R.Costs);
  case Format::Json:
    return reportJson(R, O);
  case Format::Sarif:
    return reportSarif(R, O);
  case Format::Github:
    return reportGithub(R, O);
  case Format::Junit:
    return reportJunit(R, O);
  }
  return "";
}

/// Writes the report to --output or standard output.
static Error writeReport(const Options &O, StringRef Text) {
  if (!O.Output.empty())
    return writeFile(O.Output, Text);
  outs() << Text;
  outs().flush();
  // A full disk, not a reader that closed the pipe.
  std::error_code EC = outs().error();
  outs().clear_error();
  if (EC && EC != std::errc::broken_pipe)
    return createStringError(EC, "cannot write the report: " + EC.message());
  return Error::success();
}

/// Joins the reports of shards; returns the exit code.
static int merge(const Options &O) {
  Expected<MergedReport> M = mergeShards(O);
  if (!M)
    return fail(toString(M.takeError()));
  if (Error E = writeReport(O, M->Text))
    return fail(toString(std::move(E)));
  return M->ExitCode;
}

/// Each parse takes and frees large blocks; returning them to the system costs more than the parse
/// of a small file.
static void keepFreedMemory() {
#ifdef __GLIBC__
  constexpr int KeptBytes = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, KeptBytes);
  mallopt(M_TRIM_THRESHOLD, KeptBytes);
#endif
}

int main(int Argc, char **Argv) {
  keepFreedMemory();
  Expected<Options> Parsed = parseCommandLine(ArrayRef<const char *>(Argv + 1, Argc - 1));
  if (!Parsed)
    return fail(toString(Parsed.takeError()));
  const Options &O = *Parsed;
  if (O.Help) {
    printHelp(outs());
    return 0;
  }
  if (O.PrintOptions) {
    printOptions(outs());
    return 0;
  }
  if (O.Version)
    return printVersions();
  if (!O.Explain.empty())
    return explain(O.Explain);
  if (O.ListRules)
    return listRules();
  // Check this before the work, not after it.
  for (const std::string &Path : {O.Output, O.WriteBaseline})
    if (!Path.empty())
      if (Error E = checkWritable(Path))
        return fail(toString(std::move(E)));
  if (!O.Merge.empty())
    return merge(O);
  if (!isEnabled(O.Checks, "unused-suppression") &&
      none_of(rules::allRules(), [&](const auto &R) { return isEnabled(O.Checks, R.Id); }))
    return fail("--checks='" + O.Checks + "' enables no rule; --list-rules prints them");

  Report R;
  if (Error E = lintAndFix(O, R))
    return fail(toString(std::move(E)));
  if (!O.WriteBaseline.empty())
    if (Error E = writeFile(O.WriteBaseline, baselineText(R)))
      return fail(toString(std::move(E)));

  if (!O.HtmlReport.empty())
    if (Error E = writeFile(O.HtmlReport, reportHtml(R, O)))
      return fail(toString(std::move(E)));

  if (Error E = writeReport(O, formatted(R, O)))
    return fail(toString(std::move(E)));
  outs().flush();

  if (!R.Errors.empty())
    return 2;
  if (!O.WriteBaseline.empty())
    return 0; // findings in the new baseline are accepted
  return any_of(R.Findings, [&](const LocatedFinding &F) { return F.Fails; });
}
