//===-- checks/model/frontend/Files.cpp - The file system of a parse ---------------===//

#include "checks/model/frontend/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <utility>

using namespace clmali::model;

static thread_local FileSystemRef Current;

FileSystemRef clmali::model::fileSystem() {
  return Current ? Current : llvm::vfs::getRealFileSystem();
}

FileSystemScope::FileSystemScope(FileSystemRef FS)
    : Before(std::exchange(Current, std::move(FS))) {}
FileSystemScope::~FileSystemScope() { Current = std::move(Before); }

std::string clmali::model::folderOfHeader(llvm::StringRef FileName, llvm::StringRef Header) {
  constexpr unsigned Levels = 8;
  llvm::SmallString<256> Folder(FileName);
  if (llvm::sys::fs::make_absolute(Folder))
    return "";
  for (unsigned Level = 0; Level < Levels; ++Level) {
    llvm::sys::path::remove_filename(Folder);
    if (Folder.empty() || Folder == llvm::sys::path::root_path(Folder))
      break;
    for (const char *Below : {"", "include", "inc", "src", "common", "config"}) {
      llvm::SmallString<256> Candidate(Folder);
      llvm::sys::path::append(Candidate, Below, Header);
      if (llvm::ErrorOr<llvm::vfs::Status> There = fileSystem()->status(Candidate);
          There && There->isRegularFile()) {
        llvm::SmallString<256> Found(Folder);
        llvm::sys::path::append(Found, Below);
        return Found.str().rtrim('/').str();
      }
    }
  }
  return "";
}
