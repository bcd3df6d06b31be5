//===- Rules.h - rules as their pages define them ---------------------------------------------===//
//
// Before: rules/<id>.md, embedded into the binary when it is built.
// After:  a Rule for each page: front matter as fields, sections and code blocks as text.
// Limits: a page is the only source of a rule's metadata: --explain, SARIF metadata, the index of
//         rules, the severity for each family and the options are read from here. The Bad and Good
//         blocks are run as tests.
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_RULES_RULES_H
#define CLMALI_RULES_RULES_H

#include "rules/Devices.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace clmali::rules {

enum class Severity : unsigned char { None, Info, Warning, Error };
llvm::StringRef name(Severity S); ///< "warning"
/// "info", "warning" or "error".
llvm::Expected<Severity> parseSeverity(llvm::StringRef Name);

/// What becomes of a finding that rests on a guess of the tolerant frontend, such as the value of a
/// macro that the host defines.
enum class OnGuess : unsigned char {
  Drop, ///< it is not reported
  Info, ///< it is information at most
  Keep, ///< it holds for other values, too
};

struct Option {
  std::string Name; ///< as in CheckOptions: "MinElements"
  std::string Default;
  std::string Meaning;
};

/// A fenced code block of a page's Bad or Good section.
struct Example {
  std::string Language; ///< "opencl", "c" or "cpp"
  std::string Code;
};

struct Section {
  std::string Title; ///< "What it does"
  std::string Text;  ///< Markdown, without the title
};

struct Rule {
  std::string Id;
  std::string Group;                ///< correctness | performance | portability | nursery
  std::string Summary;              ///< one line, no full stop
  std::vector<Severity> Severities; ///< for each of families()
  std::vector<Option> Options;
  OnGuess Guessed = OnGuess::Drop; ///< `on-guess:`
  std::string Rewriter;            ///< the pass that fixes it, or empty
  std::string Fix;                 ///< safe | verify | unsafe | none
  std::string Scope;               ///< kernel | host
  std::vector<std::string> Sources;
  std::vector<Section> Sections;
  llvm::StringRef Page; ///< the whole Markdown file

  Severity severity(const DeviceFacts &Family) const { return Severities[Family.Index]; }
  /// Families on which the rule is enabled.
  FamilySet familySet() const;
  /// True if the real families (without generic) differ in severity.
  bool familiesDisagree() const;
  /// Text of a section, or empty.
  llvm::StringRef section(llvm::StringRef Title) const;
  std::vector<Example> examples(llvm::StringRef SectionTitle) const;
  const Option *option(llvm::StringRef Name) const;
};

/// All rules, sorted by id. A page that does not parse ends the program with its message; the tests
/// find that first.
llvm::ArrayRef<Rule> allRules();

/// The rule \p Id, or null. A leading "clmali-" (the name in clang-tidy) is ignored.
const Rule *findRule(llvm::StringRef Id);

/// The known id nearest to a misspelt one, or empty.
llvm::StringRef nearestRule(llvm::StringRef Id);

/// Reads a page. \p Stem is the file name without ".md" and must equal the page's id.
llvm::Expected<Rule> parseRule(llvm::StringRef Stem, llvm::StringRef Page);

} // namespace clmali::rules

#endif
