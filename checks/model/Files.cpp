//===-- checks/model/Files.cpp - What a parse reads -----------------------===//

#include "checks/model/Files.h"
#include <utility>

using namespace clmali::model;

static thread_local FileSystemRef Current;

FileSystemRef clmali::model::fileSystem() {
  return Current ? Current : llvm::vfs::getRealFileSystem();
}

FileSystemScope::FileSystemScope(FileSystemRef FS) : Before(std::exchange(Current, std::move(FS))) {}
FileSystemScope::~FileSystemScope() { Current = std::move(Before); }
