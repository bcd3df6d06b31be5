//===- HostCode.cpp ---------------------------------------------------------------------------===//

#include "tools/rewrite/HostCode.h"
#include "checks/model/frontend/Embedded.h"
#include "tools/config/CompileCommands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clmali::tool {

/// The host files in the folder of the kernel file and in the one above it, which a literal such as
/// "kernels/blur.cl" is relative to.
static std::vector<config::CompileCommand> beside(StringRef File) {
  SmallString<256> Folder(File);
  sys::fs::make_absolute(Folder);
  std::vector<config::CompileCommand> All;
  for (unsigned Level = 0; Level < 2; ++Level) {
    sys::path::remove_filename(Folder);
    std::error_code EC;
    for (sys::fs::directory_iterator It(Folder, EC), End; It != End && !EC; It.increment(EC))
      if (config::isHostFile(It->path()))
        All.push_back({It->path(), {}});
  }
  llvm::sort(All, [](const auto &A, const auto &B) { return A.File < B.File; });
  return All;
}

/// The texts of the files that may load a kernel file called Name: they name it, or a header that
/// does. Parsing all of them would take long. A header is left out where a file includes it, whose
/// macros it needs.
static std::vector<std::pair<const config::CompileCommand *, std::string>>
candidates(ArrayRef<config::CompileCommand> Files, StringRef Name) {
  std::vector<std::pair<const config::CompileCommand *, std::string>> All, Kept;
  for (const config::CompileCommand &C : Files)
    if (ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(C.File);
        Text && config::isHostFile(C.File))
      All.emplace_back(&C, (*Text)->getBuffer().str());
  auto Includes = [](const auto &F, const auto &Other) {
    const std::string File = sys::path::filename(Other.first->File).str();
    return &F != &Other &&
           (StringRef(F.second).contains(File + "\"") || StringRef(F.second).contains(File + ">"));
  };
  // Those that name it; and those that include one of these, over several headers.
  std::vector<bool> Loads;
  for (const auto &F : All)
    Loads.push_back(StringRef(F.second).contains(Name));
  for (bool Changed = true; std::exchange(Changed, false);)
    for (size_t I = 0; I < All.size(); ++I)
      for (size_t H = 0; H < All.size() && !Loads[I]; ++H)
        if (Loads[H] && Includes(All[I], All[H]))
          Loads[I] = Changed = true;
  for (size_t I = 0; I < All.size(); ++I)
    if (Loads[I] && none_of(All, [&](const auto &Other) { return Includes(Other, All[I]); }))
      Kept.push_back(All[I]);
  return Kept;
}

Expected<HostCode> readHostCode(const Options &O) {
  std::vector<config::CompileCommand> Files;
  if (O.BuildPath.empty()) {
    Files = beside(O.File);
  } else {
    Expected<std::vector<config::CompileCommand>> Read = config::readCompileCommands(O.BuildPath);
    if (!Read)
      return Read.takeError();
    Files = std::move(*Read);
  }
  SmallString<256> Path(O.File);
  sys::fs::make_absolute(Path);
  const StringRef Name = sys::path::filename(Path);
  HostCode Found;
  std::vector<std::unique_ptr<model::HostModule>> Modules;
  for (const auto &[C, Text] : candidates(Files, Name)) {
    model::HostParse Parsed = model::parseHost(C->File, Text, C->Args);
    if (!Parsed.M || none_of(Parsed.M->KernelFiles,
                             [&](StringRef Literal) { return config::namesFile(Literal, Path); }))
      continue;
    Found.Files.push_back(C->File);
    append_range(Found.Launches, Parsed.M->Launches);
    Modules.push_back(std::move(Parsed.M));
  }
  std::vector<const model::HostModule *> Hosts;
  for (const auto &M : Modules)
    Hosts.push_back(M.get());
  const std::vector<std::vector<std::string>> Builds = model::buildOptions(Hosts, O.File);
  Found.Options = Builds.front();
  Found.Builds = Builds.size();
  return Found;
}

std::optional<std::array<uint64_t, 3>> localSizeOf(ArrayRef<model::HostLaunch> Launches,
                                                   StringRef Kernel) {
  std::optional<std::array<uint64_t, 3>> Common;
  for (const model::HostLaunch &L : Launches) {
    if (L.Kernel != Kernel)
      continue;
    std::array<uint64_t, 3> Size = {1, 1, 1};
    if (L.LocalIsNull || !L.Dims)
      return std::nullopt;
    for (unsigned D = 0; D < L.Dims; ++D) {
      if (!L.Local[D] || !*L.Local[D])
        return std::nullopt;
      Size[D] = *L.Local[D];
    }
    if (Common && *Common != Size)
      return std::nullopt;
    Common = Size;
  }
  return Common;
}

} // namespace clmali::tool
