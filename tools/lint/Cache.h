//===- Cache.h - results kept from one run to the next
//------------------------------------------===//
//
// Before: what a result depends on: this program, the file's bytes and names, its settings, the
// host
//         programs beside it; and, found while parsing, every file and folder that was looked for.
// After:  the result of an earlier run, if none of that has changed.
// Limits: it lies in $XDG_CACHE_HOME/clmali (or ~/.cache/clmali); what is broken there counts as
// absent.
//         A file that holds bytes which are no UTF-8 is not kept.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LINT_CACHE_H
#define CLMALI_TOOLS_LINT_CACHE_H

#include "checks/model/frontend/Files.h"
#include "checks/model/host/summary/CallSummary.h"
#include "tools/lint/Lint.h"
#include <mutex>
#include <optional>

namespace clmali::lint {

/// What was looked for under an absolute path: the hash of a file's bytes, "folder", "absent", or
/// "list:..." where a folder's entries were asked for.
using Dependencies = std::map<std::string, std::string>;

/// Reads from the real file system and writes down what was looked for. A file is hashed as it was
/// read.
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
};

std::string hashOf(llvm::ArrayRef<llvm::StringRef> Parts);

class Cache {
public:
  /// Off where --no-cache says so, or no folder can be made.
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
  /// A part of every key: this program, and the working folder.
  const std::string &base() const { return Base; }

private:
  std::string Folder, Base;
  std::mutex Lock;
  std::map<std::string, std::string> States; ///< of paths, asked once in a run
  std::string state(const std::string &Path, llvm::StringRef Like);
};

} // namespace clmali::lint

#endif
