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

static bool holds(llvm::StringRef Folder, llvm::StringRef Header) {
  llvm::SmallString<256> Path(Folder);
  llvm::sys::path::append(Path, Header);
  llvm::ErrorOr<llvm::vfs::Status> There = fileSystem()->status(Path);
  return There && There->isRegularFile();
}

/// The only folder that has Header among those with usual names in the subfolders of Folder; empty:
/// none, or several.
static std::string belowSubfolders(llvm::StringRef Folder, llvm::StringRef Header) {
  constexpr unsigned MaxEntries = 256;
  std::string Found;
  std::error_code Error;
  unsigned Entries = 0;
  for (llvm::vfs::directory_iterator I = fileSystem()->dir_begin(Folder, Error), End;
       !Error && I != End; I.increment(Error)) {
    if (++Entries > MaxEntries)
      return "";
    if (I->type() != llvm::sys::fs::file_type::directory_file)
      continue;
    for (const char *Below : {"", "include", "inc", "src"}) {
      llvm::SmallString<256> Candidate(I->path());
      llvm::sys::path::append(Candidate, Below);
      if (!holds(Candidate, Header))
        continue;
      if (!Found.empty())
        return "";
      Found = Candidate.str().rtrim('/').str();
    }
  }
  return Found;
}

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
      llvm::sys::path::append(Candidate, Below);
      if (holds(Candidate, Header))
        return Candidate.str().rtrim('/').str();
    }
    // A name with a folder is that of one header; "types.h" may be that of many.
    if (Header.contains('/'))
      if (std::string Found = belowSubfolders(Folder, Header); !Found.empty())
        return Found;
  }
  return "";
}
