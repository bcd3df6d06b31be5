//===- Tool.h - what clmali-rewrite's parts share ------------------------------------------===//
//
// Before: a kernel file, launch files and options, as the user gave them.
// After:  an Outcome: the rewritten source, its manifest, what was tried and what the judge said;
//         output files written whole, or not at all.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REWRITE_TOOL_H
#define CLMALI_TOOLS_REWRITE_TOOL_H

#include "rewriters/plan/Rewrite.h"
#include "rewriters/verify/Judge.h"
#include "tools/report/Html.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace clmali::tool {

/// Contract with scripts; the worst of a run wins.
enum ExitCode { Done = 0, Refused = 1, BadInput = 2, WasRefuted = 3, NotJudged = 4 };

struct Options {
  std::string File;
  std::string Text; ///< where the text of File is read; empty: there
  std::string Device = "generic";
  std::string Platform;
  std::string Kernel; ///< empty: every kernel of the file that has a launch file
  std::vector<std::string> Launches;
  std::vector<std::string> Passes; ///< empty: all that pay
  bool Reassociate = false;
  bool Tune = false, NoVerify = false, Preview = false, InPlace = false, ExplainRefusals = false;
  bool Help = false, Version = false, ListPasses = false;
  bool PrintPasses = false;          ///< hidden: the registry as JSON, for tools/passes-table
  rewrite::PipelineOptions Pipeline; ///< --print-after, and the hidden --verify-ir
  uint64_t Seed = 1;
  std::string Output, Manifest, Report, Sarif;
  std::vector<std::string> ClangArgs; ///< behind --
  bool DeviceGiven = false;           ///< on the command line
  std::vector<std::pair<std::string, std::string>>
      Defines; ///< of .clmali.yaml; launch files and -D win
};

llvm::Expected<Options> parseCommandLine(llvm::ArrayRef<const char *> Args);
void printHelp(llvm::raw_ostream &Out);
/// The registry: for people, and as JSON with the order of the pipeline.
void listPasses(llvm::raw_ostream &Out);
void printPasses(llvm::raw_ostream &Out);

/// One candidate and what became of it.
struct Attempt {
  std::vector<std::string> Passes;
  double PredictedSpeedup = 1;
  std::optional<double> Milliseconds; ///< with --tune, or for the device at hand
  std::optional<verify::Verdict> Verdict;
  std::string Problem; ///< why it could not even be judged
};

/// What happened to one kernel.
struct KernelOutcome {
  std::string Name;
  ExitCode Code = Refused;
  std::string Summary; ///< one line
  std::vector<Attempt> Attempts;
  std::vector<std::string> Refusals; ///< "file:line:col: name (pass): detail"
  std::optional<double> OriginalMilliseconds;
  rewrite::Cost Before;               ///< of one work-item of the original
  std::optional<rewrite::Cost> After; ///< of one new one, which does Items of them
  double Items = 1;
  std::string CostOf; ///< the family or model that was counted for
  // For the report.
  std::vector<std::string> Parameters; ///< of the kernel, by name
  std::string CodeBefore, CodeAfter;   ///< the kernel; what stands in its place
  unsigned LineBefore = 1, LineAfter = 1;
  std::vector<report::LineNote> Notes; ///< findings and refusals, at lines of the original
  std::optional<launch::ManifestKernel> Manifest; ///< set when a rewrite was accepted
};

struct Outcome {
  ExitCode Code = Refused;
  std::string Original, Rewritten; ///< whole files; Rewritten empty: nothing was accepted
  launch::Manifest Manifest;
  std::vector<KernelOutcome> Kernels;
};

/// Rewrites and judges. Messages and verdicts go to Say; the error is for input that makes no
/// sense (exit code 2).
llvm::Expected<Outcome> rewriteFile(const Options &O, llvm::raw_ostream &Say);

/// Everything that is to be written, and either all of it is or nothing.
struct OutputFile {
  std::string Path, Text;
};
llvm::Error writeAll(llvm::ArrayRef<OutputFile> Files);
/// Can files be made there? Asked before long work.
llvm::Error checkWritable(llvm::StringRef Path);
/// A unified diff with three lines of context; empty if the texts are equal.
std::string unifiedDiff(llvm::StringRef Before, llvm::StringRef After, llvm::StringRef Name);
/// Takes what the command line does not say from the nearest .clmali.yaml.
llvm::Error applyConfiguration(Options &O, llvm::raw_ostream &Say);
/// What became of each kernel, with the judge's records.
std::string sarifLog(const Outcome &R, const Options &O);
/// A page of its own: no scripts, nothing from elsewhere.
std::string htmlReport(const Outcome &R, const Options &O);

} // namespace clmali::tool

#endif
