//===- Lint.h - types that the parts of clmali-lint share -------------------------------------===//
//
// Before: options and paths, as the user gave them.
// After:  a Report: findings with files, lines and columns, ready to print in any format.
// Limits: reporters do not depend on Clang or the model; locations are resolved before reporting.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LINT_LINT_H
#define CLMALI_TOOLS_LINT_LINT_H

#include "checks/Check.h"
#include "rules/Rules.h"
#include "tools/lint/Cost.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <compare>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clmali::lint {

enum class Format { Text, Json, Sarif, Github, Junit };

/// Settings of one file: the command line, else the nearest .clmali.yaml, else the defaults.
struct Settings {
  rules::FamilySet Families = 0;
  std::string Checks = "*";
  rules::Severity FailOn = rules::Severity::Warning;
  checks::Options CheckOptions;
  std::vector<std::string> KernelArgs; ///< Clang arguments for kernels
  CostSource Cost = CostSource::None;
  std::string Device; ///< as given by the user
};

struct Options {
  std::vector<std::string> Paths;
  std::vector<std::string> Recordings; ///< --recording; their programs are in Paths
  std::vector<std::string> ClangArgs;  ///< after --
  std::string Device;                  ///< empty: all families
  rules::FamilySet Families = 0;
  std::string Checks = "*";
  bool ChecksGiven = false, FailOnGiven = false; ///< on the command line
  std::string Config;                            ///< --config: this file for every path
  bool NoConfig = false, NoCache = false;
  bool AllKernels = false; ///< of --recording: also those that were not launched
  Format As = Format::Text;
  std::string Output; ///< empty: standard output
  rules::Severity FailOn = rules::Severity::Warning;
  bool Fix = false, UnsafeFixes = false;
  std::string Baseline, WriteBaseline;
  std::string Explain;
  bool ListRules = false, Statistics = false, Help = false, Version = false;
  std::string BuildPath;      ///< -p
  std::string DiffBase;       ///< --diff
  std::string AssumeFilename; ///< of standard input
  std::string LineFilter;     ///< --line-filter
  bool PrintOptions = false; ///< hidden: prints the option tables, for manual pages and completions
  bool PrintWork = false;    ///< hidden: prints the parses and steps of each file on standard error
  unsigned Jobs = 1;
  double FileTimeout = 10; ///< seconds of processor time for each kernel file; 0: no limit
  checks::Options CheckOptions;
  CostSource Cost = CostSource::None;
  std::string HtmlReport; ///< --report
  /// --shard: of the parts 1 to Shards, this one is linted. 0: all inputs.
  unsigned Shard = 0, Shards = 0;
  std::vector<std::string> Merge; ///< --merge: reports of shards
};

/// Parses the command line. The error names the wrong option and what is accepted.
llvm::Expected<Options> parseCommandLine(llvm::ArrayRef<const char *> Args);
void printHelp(llvm::raw_ostream &Out);
/// Options and keys of .clmali.yaml as JSON, read by tools/docs.
void printOptions(llvm::raw_ostream &Out);

/// A range in a file. Lines and columns count from 1, columns in bytes; ends are exclusive.
struct Location {
  std::string File;
  unsigned Offset = 0, Length = 0; ///< bytes
  unsigned Line = 0, Column = 0, EndLine = 0, EndColumn = 0;
  std::string LineText; ///< the source line, for text output and fingerprints
};

struct LocatedNote {
  Location At;
  std::string Message;
};

struct LocatedEdit {
  std::string File;
  unsigned Offset = 0, Length = 0;
  std::string Text;
  bool Shared = false; ///< needed by the fixes of several findings, applied once
};

struct LocatedFix {
  checks::Applicability How;
  std::string Message;
  std::vector<LocatedEdit> Edits;
};

struct LocatedFinding {
  const rules::Rule *Rule = nullptr;
  rules::Severity Severity = rules::Severity::Info;
  Location At;
  std::string Kernel, Message;
  /// The message for each family alone; empty if it is the same for all of Families.
  std::map<std::string, std::string> MessageByFamily;
  rules::FamilySet Families = 0;
  rules::FamilySet Asked = 0; ///< the families that this file was linted for
  bool Fails = false;         ///< at or above this file's --fail-on
  std::vector<LocatedNote> Notes;
  std::vector<LocatedFix> Fixes;
};

/// A finding that a comment suppresses, with what unusedSuppressions needs.
struct SilencedAt {
  std::string File;
  unsigned Offset = 0;
  const rules::Rule *Rule = nullptr;
  auto operator<=>(const SilencedAt &) const = default;
};

/// A baseline entry that this run did not find again.
struct AbsentFinding {
  std::string Rule, File, Message, Fingerprint;
  unsigned Line = 1; ///< when the baseline was written
};

/// An error or a note about an input.
struct InputMessage {
  std::string File;
  unsigned Line = 0, Column = 0; ///< 0: the whole file
  std::string Message;
  bool Linted = false; ///< an error that leaves the findings complete
};

struct Report {
  std::vector<LocatedFinding> Findings; ///< sorted by file, line, column, rule
  std::vector<InputMessage> Errors;     ///< exit code 2
  std::vector<InputMessage> Notes;      ///< assumptions
  std::vector<KernelCost> Costs;        ///< --cost
  /// Suppressed by comments; listed in the baseline. SARIF reports both with their state.
  std::vector<LocatedFinding> Suppressed, Known;
  std::vector<AbsentFinding> Gone;
  bool HasBaseline = false;
  std::vector<SilencedAt> Silenced; ///< for all families, whatever --checks selects
  unsigned FilesSeen = 0, KernelsSeen = 0;
  unsigned Fixed = 0;
  unsigned FromCache = 0; ///< files
  bool OutOfTime = false; ///< --file-timeout ended the analysis of a kernel
};

/// Lints every path. Never prints.
Report lint(const Options &O);

/// The files to lint below the given paths, sorted; a missing path becomes an error of \p R. Named:
/// the user named the file itself, not a folder above it.
struct InputFile {
  std::string Name;
  bool Named = true;
  std::vector<std::string> HostArgs; ///< from the compilation database
  std::shared_ptr<const Settings> Effective;
  std::shared_ptr<const std::string> Text; ///< of standard input; otherwise null
  bool IsHost = false; ///< a host file by its name, with no kernels outside string literals
};
std::vector<InputFile> collectInputs(const Options &O, Report &R);
bool isKernelFile(llvm::StringRef Name);

/// Which host code belongs to which kernel file of the run.
class HostJoin {
public:
  HostJoin(llvm::ArrayRef<const model::HostModule *> Hosts, llvm::ArrayRef<InputFile> Inputs);
  /// The host programs that load the kernel file, in the order of Hosts.
  std::vector<const model::HostModule *> hostsOf(llvm::StringRef KernelFile) const;

private:
  std::vector<std::pair<const model::HostModule *, std::string>> Hosts; ///< with absolute paths
  std::vector<std::string> Kernels; ///< absolute paths of the kernel files
};

/// Removes the findings of a recording that concern no launched kernel (unless --all-kernels), and
/// those that an earlier build of the same text has; notes say how many. R.Findings are sorted.
void selectRecorded(const Options &O, Report &R);

/// clang-tidy's globs ("*,-foo*,bar"): the last glob that matches decides. Ids may be written with
/// or without "clmali-".
bool isEnabled(llvm::StringRef Globs, llvm::StringRef Id);

/// The suppressions by NOLINT comments in one text. clang-tidy's NoLintDirectiveHandler decides;
/// the bare id is accepted as well as clang-tidy's name ("clmali-integer-division").
class NoLint {
public:
  NoLint(llvm::StringRef File, llvm::StringRef Text);
  ~NoLint();
  bool suppresses(unsigned Offset, llvm::StringRef Id);

private:
  struct Impl;
  std::unique_ptr<Impl> P;
};

/// The rule about unneeded NOLINT comments. It has no page in rules/, because it is not about
/// OpenCL.
const rules::Rule &unusedSuppressionRule();
/// True if a NOLINT of \p Text names a rule of clmali.
bool namesInSuppressions(llvm::StringRef Text);
/// One finding for each rule of clmali that a NOLINT of \p Text names without suppressing any of \p
/// Of.
std::vector<LocatedFinding> unusedSuppressions(llvm::StringRef File, llvm::StringRef Text,
                                               llvm::ArrayRef<SilencedAt> Of);

/// Applies the fixes of \p R to the files and removes the fixed findings. An edit that overlaps an
/// accepted one is left for the next run.
void applyFixes(Report &R, bool Unsafe);

/// A key of a finding that does not depend on line numbers: rule, file (relative to the root of its
/// repository), kernel, text of the line without white space.
std::string fingerprint(const LocatedFinding &F);
/// Moves the findings that the baseline lists to R.Known. Part: the run had a part of the inputs,
/// so entries that it did not find are not gone.
llvm::Error subtractBaseline(Report &R, llvm::StringRef Path, bool Part);
std::string baselineText(const Report &R);

/// Keeps only findings on lines changed since \p Base (git).
llvm::Error keepChangedLines(Report &R, llvm::StringRef Base);
/// clang-tidy's --line-filter: [{"name": "file.cl", "lines": [[1, 3]]}].
llvm::Error filterLines(Report &R, llvm::StringRef Json);

std::string reportText(const Report &R, const Options &O, bool Colours);
std::string reportJson(const Report &R, const Options &O);
std::string reportSarif(const Report &R, const Options &O);
std::string reportGithub(const Report &R, const Options &O);
std::string reportJunit(const Report &R, const Options &O);
std::string reportHtml(const Report &R, const Options &O);

/// The part, from 1 to Shards, to which a file belongs. It depends on its path from the root of the
/// repository alone, so files that are added elsewhere change nothing.
unsigned shardOf(llvm::StringRef File, unsigned Shards);
/// "2/4" for JSON and SARIF; empty: the run had all inputs.
std::string shardName(const Options &O);
/// What a run over all inputs would have reported, from the JSON or SARIF reports of all shards.
struct MergedReport {
  std::string Text;
  int ExitCode = 0; ///< as of a run
};
/// The error names the file, or the shard that is missing.
llvm::Expected<MergedReport> mergeShards(const Options &O);

/// Writes the whole file or nothing: a temporary file, then a rename.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Text);
/// Called before long work, so that an unwritable path fails early.
llvm::Error checkWritable(llvm::StringRef Path);

} // namespace clmali::lint

#endif
