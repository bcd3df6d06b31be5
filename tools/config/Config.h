//===- Config.h - .clmali.yaml ----------------------------------------------------------------===//
//
// Before: a file .clmali.yaml in the folder of a linted file or above it; only the nearest one
//         applies.
// After:  its settings, validated: devices, rules and their options exist, paths are absolute.
// Limits: the command line overrides the file; the programs implement that. The keys are listed in
//         one table (keys()), from which the manual page and README.md's table are generated.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_CONFIG_CONFIG_H
#define CLMALI_TOOLS_CONFIG_CONFIG_H

#include "rules/Rules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clmali::config {

inline constexpr llvm::StringLiteral FileName = ".clmali.yaml";

/// A key that a file may contain.
struct Key {
  llvm::StringLiteral Name;
  llvm::StringLiteral Value;   ///< its form, for the documentation
  llvm::StringLiteral Meaning; ///< one sentence without full stop
  llvm::StringLiteral Example; ///< the default value
};
llvm::ArrayRef<Key> keys();

struct Config {
  std::string Path;   ///< as found; messages name it
  std::string Folder; ///< absolute; its paths are relative to it
  std::optional<std::string> Device, Checks, Dialect;
  std::optional<rules::Severity> FailOn;
  bool CostByMesa = false;                                  ///< `cost: mesa`
  std::map<std::string, std::string, std::less<>> Options;  ///< "rule.Option"
  std::vector<std::pair<std::string, std::string>> Defines; ///< in the order of the file
  std::vector<std::string> IncludeDirs;                     ///< absolute
  std::optional<std::vector<std::string>> Files;            ///< globs
  std::vector<std::string> Exclude;                         ///< globs

  /// True if `exclude` matches the file.
  bool excludes(llvm::StringRef File) const;
  /// The answer of `files` for a file in a linted folder; nullopt: no pattern matches.
  std::optional<bool> wants(llvm::StringRef File) const;
  /// -D, -I and -cl-std, for clang.
  std::vector<std::string> clangArgs() const;
};

/// The error is "path:line:column: what is wrong; what would be right".
llvm::Expected<Config> parse(llvm::StringRef Text, llvm::StringRef Path);
llvm::Expected<Config> read(llvm::StringRef Path);

/// True if the path, relative to the folder of the configuration file, matches \p Glob. `*` matches
/// any text, `?` one character. A glob without `/` may match any component, one with `/` matches
/// from the start; either may match a parent folder.
bool matches(llvm::StringRef Glob, llvm::StringRef Relative);

/// Finds the configuration file for each path; reads each file once.
class Finder {
public:
  /// The nearest file at or above the folder of \p File; null if there is none.
  llvm::Expected<const Config *> forFile(llvm::StringRef File);

private:
  struct Entry {
    std::unique_ptr<Config> Found;
    std::string Problem;
  };
  std::map<std::string, const Entry *> ByFolder;
  std::map<std::string, std::unique_ptr<Entry>> ByPath;
  const Entry *entry(llvm::StringRef Folder);
};

} // namespace clmali::config

#endif
