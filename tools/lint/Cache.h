//===- Cache.h - results kept between runs ----------------------------------------------------===//
//
// Before: everything that a result depends on: this program, the file's bytes and names, its
//         settings, the host programs of the run, and every file and folder that the parse looked
//         for.
// After:  the result of an earlier run, if none of that has changed.
// Limits: entries lie in $XDG_CACHE_HOME/clmali (or ~/.cache/clmali); a broken entry counts as
//         absent. A file that is not valid UTF-8 is not cached.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LINT_CACHE_H
#define CLMALI_TOOLS_LINT_CACHE_H

#include "checks/model/frontend/Files.h"
#include "checks/model/host/summary/CallSummary.h"
#include "tools/lint/Lint.h"
#include "llvm/ADT/SmallString.h"
#include <mutex>
#include <optional>

namespace clmali::lint {

/// State by absolute path: the hash of a file's bytes, "folder", "absent", or "list:..." where a
/// folder's entries were read.
using Dependencies = std::map<std::string, std::string>;

/// Reads from the real file system and records each lookup. A file's hash is that of the bytes that
/// were read.
class DependencyRecorder : public llvm::vfs::ProxyFileSystem {
public:
  DependencyRecorder() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}
  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override;
  bool exists(const llvm::Twine &Path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &Path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &Folder, std::error_code &EC) override;
  Dependencies Found;

private:
  std::string absolute(const llvm::Twine &Path) const;
  mutable llvm::SmallString<256> Working; ///< the working folder, once it was needed
};

std::string hashOf(llvm::ArrayRef<llvm::StringRef> Parts);

class Cache {
public:
  /// Disabled by --no-cache, or if the folder cannot be created.
  explicit Cache(const Options &O);
  bool enabled() const { return !Folder.empty(); }
  struct Entry {
    Report Result;
    Dependencies On;
    std::optional<model::CallSummary> Summary; ///< of a host file
  };
  std::optional<Entry> find(const std::string &Key);
  void store(const std::string &Key, const Report &R, const Dependencies &On,
             const model::CallSummary *Summary = nullptr);
  /// A part of every key: this program and the working folder.
  const std::string &base() const { return Base; }

private:
  std::string Folder, Base;
  std::mutex Lock;
  std::map<std::string, std::string> States; ///< by path; each is computed once in a run
  std::string state(const std::string &Path, llvm::StringRef Like);
};

} // namespace clmali::lint

#endif
