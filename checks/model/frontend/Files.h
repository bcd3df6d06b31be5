//===-- checks/model/frontend/Files.h - What a parse reads ---------------*- C++ -*-===//
//
// Parses read from the real file system, unless the caller puts another one in
// its place for the time of a scope (on its own thread), for instance to learn
// which files a parse depends on.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_FILES_H
#define CLMALI_CHECKS_MODEL_FRONTEND_FILES_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>

namespace clmali::model {

using FileSystemRef = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// What parses on this thread read from.
FileSystemRef fileSystem();

/// Clang's own headers: of the installed clang, else those that were installed with this program;
/// empty if there are none.
std::string resourceDir();

/// The folder, beside FileName or above it (or an `include`, `inc`, `src`, `common`, `config`
/// there), from which Header is found, as the host's -I would have it; empty: none.
std::string folderOfHeader(llvm::StringRef FileName, llvm::StringRef Header);

class FileSystemScope {
public:
  explicit FileSystemScope(FileSystemRef FS);
  ~FileSystemScope();
  FileSystemScope(const FileSystemScope &) = delete;
  FileSystemScope &operator=(const FileSystemScope &) = delete;

private:
  FileSystemRef Before;
};

} // namespace clmali::model
#endif
