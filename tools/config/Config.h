//===- Config.h - .clmali.yaml
//------------------------------------------------------------------===//
//
// Before: a file .clmali.yaml in the folder of a linted file or above it; the nearest one holds,
// alone. After:  what it sets, checked: devices, rules and their options exist, paths are absolute.
// Limits: whatever the command line sets wins over the file; that is decided by the programs. The
// keys
//         stand in one table (keys()), from which the manual page and README's table are made.
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

/// A key that a file may hold.
struct Key {
  llvm::StringLiteral Name;
  llvm::StringLiteral Value;   ///< its form, in words
  llvm::StringLiteral Meaning; ///< one sentence without full stop
  llvm::StringLiteral Example; ///< the right-hand side
};
llvm::ArrayRef<Key> keys();

struct Config {
  std::string Path;   ///< as found; messages name it
  std::string Folder; ///< absolute; its paths are relative to it
  std::optional<std::string> Device, Checks, Dialect;
  std::optional<rules::Severity> FailOn;
  std::map<std::string, std::string, std::less<>> Options;  ///< "rule.Option"
  std::vector<std::pair<std::string, std::string>> Defines; ///< in the order of the file
  std::vector<std::string> IncludeDirs;                     ///< absolute
  std::optional<std::vector<std::string>> Files;            ///< globs
  std::vector<std::string> Exclude;                         ///< globs

  /// Is the file left out by `exclude`?
  bool excludes(llvm::StringRef File) const;
  /// `files` of a folder that is linted; nullopt: it says nothing.
  std::optional<bool> wants(llvm::StringRef File) const;
  /// -D, -I and -cl-std, for clang.
  std::vector<std::string> clangArgs() const;
};

/// The error is "path:line:column: what is wrong; what would be right".
llvm::Expected<Config> parse(llvm::StringRef Text, llvm::StringRef Path);
llvm::Expected<Config> read(llvm::StringRef Path);

/// A path that matches \p Glob, relative to the folder of the file that holds it. `*` is any text,
/// `?` a character. A glob without `/` may match any part of the path, one with it matches from the
/// start; either may match a folder on the way.
bool matches(llvm::StringRef Glob, llvm::StringRef Relative);

/// Finds the file that holds for each path; each is read once.
class Finder {
public:
  /// The nearest one at or above the folder of \p File; null where there is none.
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
