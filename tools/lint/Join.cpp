//===- Join.cpp - which host code belongs to a kernel file ------------------------------------===//
//
// A host program names the kernel file that it loads; of several files with that name, the nearest
// one is used. A host that names no file is joined only with the single kernel file of the run, or
// with the single one in or below its folder.
//
// Limits: file names that are composed at run time are not evaluated.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/config/CompileCommands.h"
#include "tools/lint/Lint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

static std::string absolute(StringRef Name) {
  SmallString<256> Path(Name);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

static StringRef hostName(const model::HostModule &H) {
  return H.Files.empty() ? StringRef() : StringRef(H.Files.front().Name);
}

/// Number of leading components that two paths share.
static unsigned shared(StringRef A, StringRef B) {
  unsigned N = 0;
  auto I = sys::path::begin(A), J = sys::path::begin(B);
  for (; I != sys::path::end(A) && J != sys::path::end(B) && *I == *J; ++I, ++J)
    ++N;
  return N;
}

HostJoin::HostJoin(ArrayRef<const model::HostModule *> All, ArrayRef<InputFile> Inputs) {
  for (const model::HostModule *H : All)
    Hosts.emplace_back(H, absolute(hostName(*H)));
  for (const InputFile &In : Inputs)
    if (!In.IsHost)
      Kernels.push_back(absolute(In.Name));
}

std::vector<const model::HostModule *> HostJoin::hostsOf(StringRef KernelFile) const {
  std::vector<const model::HostModule *> Result;
  if (Hosts.empty())
    return Result;
  std::string Path = absolute(KernelFile);
  for (const auto &[H, Host] : Hosts) {
    if (H->KernelFiles.empty()) {
      StringRef Folder = sys::path::parent_path(Host);
      auto Below = [&](StringRef P) {
        return P.starts_with(Folder) && P.drop_front(Folder.size()).starts_with("/");
      };
      if (H->Kernels.empty() &&
          (Kernels.size() == 1 || (Below(Path) && count_if(Kernels, Below) == 1)))
        Result.push_back(H);
      continue;
    }
    bool Meant = any_of(H->KernelFiles, [&](StringRef Literal) {
      if (!config::namesFile(Literal, Path))
        return false;
      unsigned Mine = shared(Path, Host);
      return none_of(Kernels, [&](StringRef Other) {
        return Other != Path && config::namesFile(Literal, Other) && shared(Other, Host) > Mine;
      });
    });
    if (Meant)
      Result.push_back(H);
  }
  return Result;
}
