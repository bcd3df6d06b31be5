//===- Tool.h - types that the parts of clmali-rewrite share ----------------------------------===//
//
// Before: a kernel file, launch files and options, as the user gave them.
// After:  an Outcome: the rewritten source, its manifest, the attempts and their verdicts; output
//         files written whole, or not at all.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REWRITE_TOOL_H
#define CLMALI_TOOLS_REWRITE_TOOL_H

#include "rewriters/plan/Rewrite.h"
#include "rewriters/verify/Judge.h"
#include "tools/report/Html.h"
#include "tools/rewrite/CompiledRanking.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <string>
#include <vector>

namespace clmali::tool {

/// Exit codes, a contract with scripts; the highest of a run wins.
enum ExitCode { Done = 0, Refused = 1, BadInput = 2, WasRefuted = 3, NotJudged = 4 };

struct Options {
  std::string File;
  std::string Text; ///< the file to read the text of File from; empty: File itself
  std::string Device = "generic";
  std::string Platform;
  std::string Kernel; ///< empty: every kernel of the file that has a launch file
  std::vector<std::string> Launches;
  std::vector<std::string> Passes; ///< empty: all that reduce the cost
  rewrite::WantedBlock Block;      ///< --shape, and the numbers of --passes
  bool Reassociate = false;
  bool CostByMesa = false; ///< --cost=mesa: choose by compiled figures
  bool CostGiven = false;  ///< --cost is on the command line
  bool Tune = false, NoVerify = false, Preview = false, InPlace = false, ExplainRefusals = false;
  bool Help = false, Version = false, ListPasses = false;
  bool PrintOptions = false;         ///< hidden: the table of options as JSON, for tools/docs
  bool PrintPasses = false;          ///< hidden: the registry as JSON, for tools/passes-table
  rewrite::PipelineOptions Pipeline; ///< --print-after, and the hidden --verify-ir
  uint64_t Seed = 1;
  double PlanTimeout = 20; ///< seconds of processor time for each kernel; 0: no limit
  unsigned JudgeTimeout = verify::JudgeOptions().TotalTimeout; ///< seconds for each candidate
  std::string Output, Manifest, Report, Sarif;
  std::string BuildPath;      ///< -p
  std::string Recording;      ///< a folder of clmali-record: rewrite what it holds
  bool RequireProved = false; ///< accept only what is proved for every size
  bool KeepHeld = false;      ///< write what holds, even if other kernels of the file do not
  std::vector<std::string> ClangArgs; ///< after --
  bool DeviceGiven = false;           ///< on the command line
  std::vector<std::pair<std::string, std::string>>
      Defines; ///< of .clmali.yaml; launch files and -D win
};

llvm::Expected<Options> parseCommandLine(llvm::ArrayRef<const char *> Args);
void printHelp(llvm::raw_ostream &Out);
/// The options as JSON, for manual pages and completions.
void printOptions(llvm::raw_ostream &Out);
/// Prints the registry: as text, and as JSON with the order of the pipeline.
void listPasses(llvm::raw_ostream &Out);
void printPasses(llvm::raw_ostream &Out);

/// One candidate and its result.
struct Attempt {
  std::vector<std::string> Passes;
  double PredictedSpeedup = 1;
  std::optional<double> Milliseconds;   ///< with --tune, or if the device at hand is the target
  std::optional<CompiledForm> Compiled; ///< where a compiler chooses
  std::optional<verify::Verdict> Verdict;
  std::string Problem; ///< why it could not be judged
};

/// One of the kernels that replace a kernel, each for a part of its launches.
struct Form {
  std::string Kernel; ///< its name
  rewrite::Choice How;
  double Items; ///< work-items of the original that one of its does
};

/// The result for one kernel.
struct KernelOutcome {
  std::string Name;
  ExitCode Code = Refused;
  std::string Summary; ///< one line
  std::vector<Attempt> Attempts;
  std::vector<Attempt> NotTried;     ///< candidates behind the accepted one, best first
  std::vector<std::string> Refusals; ///< "file:line:col: name (pass): detail"
  std::optional<double> OriginalMilliseconds;
  rewrite::Cost Before;               ///< of one work-item of the original
  std::optional<rewrite::Cost> After; ///< of one new work-item, which does Items original ones
  double Items = 1;
  std::string CostOf; ///< the family or model that the costs are for
  /// Where a compiler chooses: its figures, best candidate first.
  std::optional<CompiledRanking> Compiled;
  std::optional<CompiledForm> CompiledAfter; ///< of the accepted candidate
  // For the report.
  std::vector<std::string> Parameters; ///< of the kernel, by name
  std::string CodeBefore, CodeAfter;   ///< the kernel; its replacement
  unsigned LineBefore = 1, LineAfter = 1;
  /// The functions of the file that the kernel calls: first lines and texts, in source order.
  std::vector<std::pair<unsigned, std::string>> Helpers;
  std::vector<report::LineNote> Notes; ///< findings and refusals, at lines of the original
  std::optional<launch::ManifestKernel> Manifest; ///< set when a rewrite was accepted
  std::vector<Form> Forms;                        ///< those of Manifest
};

struct Outcome {
  ExitCode Code = Refused;
  std::string Original, Rewritten; ///< whole files; Rewritten is empty if nothing was accepted
  launch::Manifest Manifest;
  std::vector<KernelOutcome> Kernels;
};

/// Rewrites and judges. Messages and verdicts go to Say; the error is for invalid input (exit code
/// 2). The kernels are taken in the order of Options::Launches, else in that of the file. \p Each
/// gets the outcome as it is after every kernel, the last one of Outcome::Kernels.
llvm::Expected<Outcome> rewriteFile(const Options &O, llvm::raw_ostream &Say,
                                    const std::function<void(const Outcome &)> &Each = {});

/// The judge's records of \p Result as JSON, the accepted candidate last.
std::string verdictRecords(const Outcome &Result);
/// Rewrites all programs of a recording, and writes what clmali-inject needs. The exit code.
llvm::Expected<int> rewriteRecording(const Options &O, llvm::raw_ostream &Say);

/// The output files: either all of them are written or none.
struct OutputFile {
  std::string Path, Text;
};
llvm::Error writeAll(llvm::ArrayRef<OutputFile> Files);
/// Fails if files cannot be created there. Called before long work.
llvm::Error checkWritable(llvm::StringRef Path);
/// A unified diff with three lines of context; empty if the texts are equal.
std::string unifiedDiff(llvm::StringRef Before, llvm::StringRef After, llvm::StringRef Name);
/// Fills in settings of the nearest .clmali.yaml that the command line does not give.
llvm::Error applyConfiguration(Options &O, llvm::raw_ostream &Say);
/// The result for each kernel, with the judge's records.
std::string sarifLog(const Outcome &R, const Options &O);
/// A self-contained page: no scripts, no external resources.
std::string htmlReport(const Outcome &R, const Options &O);

} // namespace clmali::tool

#endif
