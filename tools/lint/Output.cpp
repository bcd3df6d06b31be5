//===- Output.cpp - writes whole files or nothing ---------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clmali;

Error lint::writeFile(StringRef Path, StringRef Text) {
  auto Fail = [&](std::error_code EC) {
    return createStringError(EC, "cannot write '" + Path + "': " + EC.message());
  };
  // Write to /dev/stdout and pipes directly; resolve links to the file behind them.
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status) && Status.type() != sys::fs::file_type::regular_file) {
    if (Status.type() == sys::fs::file_type::directory_file)
      return Fail(std::make_error_code(std::errc::is_a_directory));
    std::error_code EC;
    raw_fd_ostream Out(Path, EC, sys::fs::CD_OpenExisting, sys::fs::FA_Write, sys::fs::OF_None);
    if (EC)
      return Fail(EC);
    Out << Text;
    Out.flush();
    if ((EC = Out.error())) {
      Out.clear_error();
      return Fail(EC);
    }
    return Error::success();
  }
  SmallString<128> Real;
  if (!sys::fs::real_path(Path, Real))
    Path = Real;
  SmallString<128> Temporary;
  int Descriptor;
  if (std::error_code EC = sys::fs::createUniqueFile(Path + ".%%%%%%.tmp", Descriptor, Temporary))
    return Fail(EC);
  {
    raw_fd_ostream Out(Descriptor, /*shouldClose=*/true);
    Out << Text;
    Out.flush();
    if (std::error_code EC = Out.error()) {
      Out.clear_error();
      sys::fs::remove(Temporary);
      return Fail(EC);
    }
  }
  if (auto Mode = sys::fs::getPermissions(Path))
    (void)sys::fs::setPermissions(Temporary, *Mode);
  else
    (void)sys::fs::setPermissions(Temporary, sys::fs::perms(0644));
  if (std::error_code EC = sys::fs::rename(Temporary, Path)) {
    sys::fs::remove(Temporary);
    return Fail(EC);
  }
  return Error::success();
}

Error lint::checkWritable(StringRef Path) {
  auto Fail = [&](std::error_code EC) {
    return createStringError(EC, "cannot write '" + Path + "': " + EC.message());
  };
  if (sys::fs::is_directory(Path))
    return Fail(std::make_error_code(std::errc::is_a_directory));
  if (sys::fs::exists(Path)) {
    if (std::error_code EC = sys::fs::access(Path, sys::fs::AccessMode::Write))
      return Fail(EC);
    return Error::success();
  }
  SmallString<128> Folder(sys::path::parent_path(Path));
  if (Folder.empty())
    Folder = ".";
  if (std::error_code EC = sys::fs::access(Folder, sys::fs::AccessMode::Write))
    return Fail(EC);
  return Error::success();
}
