//===-- checks/model/frontend/Files.h - The file system of a parse -------*- C++ -*-===//
//
// Parses read from the real file system, unless the caller replaces it for a scope (on its own
// thread), for instance to record which files a parse depends on.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_FILES_H
#define CLMALI_CHECKS_MODEL_FRONTEND_FILES_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>

namespace clmali::model {

using FileSystemRef = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// The file system of parses on this thread.
FileSystemRef fileSystem();

/// The folder of Clang's own headers: of the installed Clang, else of this program; empty if there
/// is none.
std::string resourceDir();

/// The folder of FileName or one above it (or `include`, `inc`, `src`, `common`, `config` there)
/// that has Header, as the host's -I would name it; empty: none. A Header with a folder in its name
/// is sought in the subfolders of these, too, where only one has it.
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
