//===- Output.cpp - whole files or none ---------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace clmali;

Error lint::writeFile(StringRef Path, StringRef Text) {
  auto Fail = [&](std::error_code EC) {
    return createStringError(EC, "cannot write '" + Path + "': " + EC.message());
  };
  SmallString<128> Temporary;
  int Descriptor;
  if (std::error_code EC =
          sys::fs::createUniqueFile(Path + ".%%%%%%.tmp", Descriptor, Temporary))
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
