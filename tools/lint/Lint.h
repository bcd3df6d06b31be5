//===- Lint.h - what clmali-lint's parts share
//-------------------------------------------------===//
//
// Before: options and paths, as the user gave them.
// After:  a Report: findings with files, lines and columns, ready to be printed in any format.
// Limits: reporters know nothing of Clang or of the model; places are resolved once, here.
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

/// What holds for one file: the command line, else the nearest .clmali.yaml, else the defaults.
struct Settings {
  rules::FamilySet Families = 0;
  std::string Checks = "*";
  rules::Severity FailOn = rules::Severity::Warning;
  checks::Options CheckOptions;
  std::vector<std::string> KernelArgs; ///< for clang, on kernels
  CostSource Cost = CostSource::None;
  std::string Device; ///< as it was asked for
};

struct Options {
  std::vector<std::string> Paths;
  std::vector<std::string> ClangArgs; ///< behind --
  std::string Device;                 ///< empty: all families
  rules::FamilySet Families = 0;
  std::string Checks = "*";
  bool ChecksGiven = false, FailOnGiven = false; ///< on the command line
  std::string Config;                            ///< --config: this file for every path
  bool NoConfig = false, NoCache = false;
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
  bool PrintOptions = false;  ///< hidden: the tables below, for manual pages and completions
  unsigned Jobs = 1;
  checks::Options CheckOptions;
  CostSource Cost = CostSource::None;
  std::string HtmlReport; ///< --report
};

/// Reads the command line. The error says which option is wrong and what is right.
llvm::Expected<Options> parseCommandLine(llvm::ArrayRef<const char *> Args);
void printHelp(llvm::raw_ostream &Out);
/// Options and keys of .clmali.yaml as JSON; tools/docs makes pages and completions from it.
void printOptions(llvm::raw_ostream &Out);

/// A place in a file; lines and columns from 1, columns count bytes, ends are exclusive.
struct Place {
  std::string File;
  unsigned Offset = 0, Length = 0; ///< bytes
  unsigned Line = 0, Column = 0, EndLine = 0, EndColumn = 0;
  std::string LineText; ///< the source line, for text output and fingerprints
};

struct PlacedNote {
  Place At;
  std::string Message;
};

struct PlacedEdit {
  std::string File;
  unsigned Offset = 0, Length = 0;
  std::string Text;
  bool Shared = false; ///< fixes of several findings need it, and it is made once
};

struct PlacedFix {
  checks::Applicability How;
  std::string Message;
  std::vector<PlacedEdit> Edits;
};

struct PlacedFinding {
  const rules::Rule *Rule = nullptr;
  rules::Severity Severity = rules::Severity::Info;
  Place At;
  std::string Kernel, Message;
  rules::FamilySet Families = 0;
  rules::FamilySet Asked = 0; ///< the families that this file was linted for
  bool Fails = false;         ///< at or above this file's --fail-on
  std::vector<PlacedNote> Notes;
  std::vector<PlacedFix> Fixes;
};

/// A finding that a comment silences: enough to tell which comments are of use.
struct SilencedAt {
  std::string File;
  unsigned Offset = 0;
  const rules::Rule *Rule = nullptr;
  auto operator<=>(const SilencedAt &) const = default;
};

/// A finding of a baseline that this run did not make again.
struct GoneFinding {
  std::string Rule, File, Message, Fingerprint;
  unsigned Line = 1; ///< when the baseline was written
};

/// Something that kept a part of the input from being seen.
struct Trouble {
  std::string File;
  unsigned Line = 0, Column = 0; ///< 0: the whole file
  std::string Message;
};

struct Report {
  std::vector<PlacedFinding> Findings; ///< sorted by file, line, column, rule
  std::vector<Trouble> Errors;         ///< exit code 2
  std::vector<Trouble> Notes;          ///< what was assumed
  std::vector<KernelCost> Costs;       ///< --cost
  /// By comments, and in the baseline: for SARIF, which shows them with their state.
  std::vector<PlacedFinding> Suppressed, Known;
  std::vector<GoneFinding> Gone;
  bool HasBaseline = false;
  std::vector<SilencedAt> Silenced; ///< on any family, whatever --checks says
  unsigned FilesSeen = 0, KernelsSeen = 0;
  unsigned Fixed = 0;
  unsigned FromCache = 0; ///< files
};

/// Lints every path. Never prints.
Report lint(const Options &O);

/// Files below the paths that are to be linted, in a fixed order; troubles for paths that are not
/// there. Named is true for files that the user named himself.
struct InputFile {
  std::string Name;
  bool Named = true;
  std::vector<std::string> HostArgs; ///< from the compilation database
  std::shared_ptr<const Settings> Holds;
  std::shared_ptr<const std::string> Text; ///< of standard input; else null
  bool IsHost = false; ///< by its name, where it holds no kernels outside of strings
};
std::vector<InputFile> collectInputs(const Options &O, Report &R);
bool isKernelFile(llvm::StringRef Name);
bool isHostFile(llvm::StringRef Name);

/// The host files that load \p KernelFile, or that can only mean it.
std::vector<const model::HostModule *> hostsOf(llvm::StringRef KernelFile,
                                               llvm::ArrayRef<const model::HostModule *> All,
                                               llvm::ArrayRef<InputFile> Inputs);

/// clang-tidy's globs: "*,-foo*,bar"; the last one that matches decides. Ids may be written with or
/// without "clmali-".
bool isEnabled(llvm::StringRef Globs, llvm::StringRef Id);

/// What NOLINT comments of one text silence. clang-tidy's own NoLintDirectiveHandler decides;
/// besides the names of its checks ("clmali-integer-division") the bare ids are taken.
class NoLint {
public:
  NoLint(llvm::StringRef File, llvm::StringRef Text);
  ~NoLint();
  bool suppresses(unsigned Offset, llvm::StringRef Id);

private:
  struct Impl;
  std::unique_ptr<Impl> P;
};

/// The rule of comments that silence nothing; it stands in no page, since it is about no OpenCL.
const rules::Rule &unusedSuppressionRule();
/// Does a NOLINT of \p Text name a rule of ours?
bool namesInSuppressions(llvm::StringRef Text);
/// A finding for each name of a rule of ours in a NOLINT of \p Text that silences none of \p Of.
std::vector<PlacedFinding> unusedSuppressions(llvm::StringRef File, llvm::StringRef Text,
                                              llvm::ArrayRef<SilencedAt> Of);

/// Applies the fixes of \p R to the files; what overlaps an edit that is already taken waits for
/// the next run. Removes the findings that are fixed.
void applyFixes(Report &R, bool Unsafe);

/// A key of a finding that survives moved lines: rule, file (from the root of its repository),
/// kernel, text of the line without white space.
std::string fingerprint(const PlacedFinding &F);
/// Moves what a baseline knows to R.Known.
llvm::Error subtractBaseline(Report &R, llvm::StringRef Path);
std::string baselineText(const Report &R);

/// Keeps only findings on lines that changed since \p Base (git).
llvm::Error keepChangedLines(Report &R, llvm::StringRef Base);
/// clang-tidy's --line-filter: [{"name": "file.cl", "lines": [[1, 3]]}].
llvm::Error filterLines(Report &R, llvm::StringRef Json);

std::string reportText(const Report &R, const Options &O, bool Colours);
std::string reportJson(const Report &R, const Options &O);
std::string reportSarif(const Report &R, const Options &O);
std::string reportGithub(const Report &R, const Options &O);
std::string reportJunit(const Report &R, const Options &O);
std::string reportHtml(const Report &R, const Options &O);

/// Whole or not at all: a temporary file, then a rename.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Text);
/// Asked before long work.
llvm::Error checkWritable(llvm::StringRef Path);

extern const char ToolVersion[];

} // namespace clmali::lint

#endif
