//===- Rules.h - the rules as their pages state them ------------------------------------------===//
//
// Before: rules/<id>.md, embedded into the binary when it is built.
// After:  a Rule for each page: front matter as fields, sections and code blocks as text.
// Limits: a page is the single source. Nothing about a rule is written anywhere else: --explain,
//         SARIF metadata, the index of rules, the severity for a family and the options all come
//         from here, and the Bad and Good blocks are run as tests.
//
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
  std::string Rewriter; ///< the verb that mends it, or empty
  std::string Fix;      ///< safe | verify | unsafe | none
  std::string Scope;    ///< kernel | host
  std::vector<std::string> Sources;
  std::vector<Section> Sections;
  llvm::StringRef Page; ///< the whole Markdown file

  Severity severity(const DeviceFacts &Family) const { return Severities[Family.Index]; }
  /// Families on which the rule says something.
  FamilySet familySet() const;
  /// True where the real families (generic left out) do not all have one severity.
  bool familiesDisagree() const;
  /// Text of a section, or empty.
  llvm::StringRef section(llvm::StringRef Title) const;
  std::vector<Example> examples(llvm::StringRef SectionTitle) const;
  const Option *option(llvm::StringRef Name) const;
};

/// All rules, sorted by id. A page that does not parse is found by the tests, and ends the
/// program with its message here.
llvm::ArrayRef<Rule> allRules();

/// The rule called \p Id, or null. A leading "clmali-" (as clang-tidy says it) is ignored.
const Rule *findRule(llvm::StringRef Id);

/// The known id nearest to a misspelt one, or empty.
llvm::StringRef nearestRule(llvm::StringRef Id);

/// Reads a page; \p Stem is its file's name without ".md", which must be its id.
llvm::Expected<Rule> parseRule(llvm::StringRef Stem, llvm::StringRef Page);

} // namespace clmali::rules

#endif
