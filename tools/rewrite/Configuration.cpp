//===- Configuration.cpp - settings of .clmali.yaml for the kernel file -----------------------===//
//
// The command line overrides device, include-dirs, cl-std and cost. Defines of .clmali.yaml come
// first, then those of the launch file, then -D.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/config/Config.h"
#include "tools/rewrite/Tool.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

Error tool::applyConfiguration(Options &O, raw_ostream &Say) {
  config::Finder Finder;
  Expected<const config::Config *> Found = Finder.forFile(O.File);
  if (!Found)
    return Found.takeError();
  const config::Config *C = *Found;
  if (!C)
    return Error::success();
  bool Uses = !C->Defines.empty() || !C->IncludeDirs.empty();
  if (!O.DeviceGiven && C->Device) {
    O.Device = *C->Device;
    Uses = true;
  }
  if (C->CostByMesa && !O.CostGiven && !O.Tune && O.Device != "generic") {
    O.CostByMesa = true;
    Uses = true;
  }
  O.Defines = C->Defines;
  std::vector<std::string> Front;
  for (const std::string &Folder : C->IncludeDirs)
    Front.push_back("-I" + Folder);
  if (C->Dialect && none_of(O.ClangArgs, [](StringRef A) { return A.starts_with("-cl-std="); })) {
    Front.push_back("-cl-std=" + *C->Dialect);
    Uses = true;
  }
  O.ClangArgs.insert(O.ClangArgs.begin(), Front.begin(), Front.end());
  if (Uses)
    Say << "settings: " << C->Path << "\n";
  return Error::success();
}
