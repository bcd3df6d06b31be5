//===- Lint.h - what clmali-lint's parts share -------------------------------------------------===//
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
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>
#include <vector>

namespace clmali::lint {

enum class Format { Text, Json, Sarif, Github, Junit };

struct Options {
  std::vector<std::string> Paths;
  std::vector<std::string> ClangArgs; ///< behind --
  std::string Device;                 ///< empty: all families
  rules::FamilySet Families = 0;
  std::string Checks = "*";
  Format As = Format::Text;
  std::string Output; ///< empty: standard output
  rules::Severity FailOn = rules::Severity::Warning;
  bool Fix = false, UnsafeFixes = false;
  std::string Baseline, WriteBaseline;
  std::string Explain;
  bool ListRules = false, Statistics = false, Help = false, Version = false;
  std::string BuildPath; ///< -p
  std::string DiffBase;  ///< --diff
  unsigned Jobs = 1;
  checks::Options CheckOptions;
};

/// Reads the command line. The error says which option is wrong and what is right.
llvm::Expected<Options> parseCommandLine(llvm::ArrayRef<const char *> Args);
void printHelp(llvm::raw_ostream &Out);

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
  std::vector<PlacedNote> Notes;
  std::vector<PlacedFix> Fixes;
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
  unsigned FilesSeen = 0, KernelsSeen = 0;
  unsigned Suppressed = 0; ///< by NOLINT
  unsigned Known = 0;      ///< in the baseline
  unsigned Fixed = 0;
};

/// Lints every path. Never prints.
Report lint(const Options &O);

/// Files below the paths that are to be linted, in a fixed order; troubles for paths that are not
/// there. Named is true for files that the user named himself.
struct InputFile {
  std::string Name;
  bool Named = true;
  std::vector<std::string> HostArgs; ///< from the compilation database
};
std::vector<InputFile> collectInputs(const Options &O, std::vector<Trouble> &Errors);
bool isKernelFile(llvm::StringRef Name);
bool isHostFile(llvm::StringRef Name);

/// clang-tidy's globs: "*,-foo*,bar"; the last one that matches decides. Ids may be written with or
/// without "clmali-".
bool isEnabled(llvm::StringRef Globs, llvm::StringRef Id);

/// Is a finding of rule \p Id on \p Line (from 1) of \p Text suppressed by NOLINT, NOLINTNEXTLINE or
/// a NOLINTBEGIN/NOLINTEND pair, bare or with a list of globs?
bool isSuppressed(llvm::StringRef Text, unsigned Line, llvm::StringRef Id);

/// Applies the fixes of \p R to the files; what overlaps an edit that is already taken waits for the
/// next run. Removes the findings that are fixed.
void applyFixes(Report &R, bool Unsafe);

/// A key of a finding that survives moved lines: rule, file, kernel, text of the line.
std::string fingerprint(const PlacedFinding &F);
/// Removes what a baseline knows.
llvm::Error subtractBaseline(Report &R, llvm::StringRef Path);
std::string baselineText(const Report &R);

/// Keeps only findings on lines that changed since \p Base (git).
llvm::Error keepChangedLines(Report &R, llvm::StringRef Base);

std::string reportText(const Report &R, const Options &O, bool Colours);
std::string reportJson(const Report &R, const Options &O);
std::string reportSarif(const Report &R, const Options &O);
std::string reportGithub(const Report &R, const Options &O);
std::string reportJunit(const Report &R, const Options &O);

/// Whole or not at all: a temporary file, then a rename.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Text);

extern const char ToolVersion[];

} // namespace clmali::lint

#endif
