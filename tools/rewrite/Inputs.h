//===- Inputs.h - the kernel file, its launch files and its build options ---------------------===//

#ifndef CLMALI_TOOLS_REWRITE_INPUTS_H
#define CLMALI_TOOLS_REWRITE_INPUTS_H

#include "checks/model/frontend/Frontend.h"
#include "rewriters/launch/LaunchFile.h"
#include "tools/rewrite/HostCode.h"
#include "tools/rewrite/Tool.h"
#include <map>
#include <set>

namespace clmali::tool {

struct Inputs {
  std::string Text; ///< of the kernel file
  /// Launches of each kernel, in the order given; empty if there are none.
  std::map<std::string, std::vector<launch::LaunchFile>> Launches;
  std::vector<std::string> Order; ///< the kernels of Launches, in the order of their first ones
  std::vector<std::pair<std::string, std::string>> Defines; ///< launch files' and -D
  std::string BuildOptions;                                 ///< launch files' and -cl-...
  HostCode Host;                                            ///< where there is no launch file
  std::string ExtraOptions;                                 ///< include folders, for the judge
  std::string LaunchText;                                   ///< of a derived launch; else empty
  std::vector<std::string> ClangArgs;                       ///< all options for the frontend
  std::vector<model::SiblingFile> Before; ///< files that the host joins with this one, in front
  /// Functions that do not parse and that the wanted kernels do not need. They stay in the file.
  std::set<std::string> LeftOut;
};

/// Reads the kernel file and its launch files. The error names the file and a remedy.
llvm::Expected<Inputs> readInputs(const Options &O, llvm::raw_ostream &Say);

/// Parses Text as O.File with I's options. The error lists the locations.
llvm::Expected<std::unique_ptr<model::Module>> parse(const Options &O, const Inputs &I,
                                                     llvm::StringRef Text);

/// If the file does not parse: what it needs besides macros, where that is certain, is added to I
/// and said. Folders of headers, files that the host joins with this one, single-precision
/// literals; functions that do not parse and are not needed are left out.
void addMissingParts(const Options &O, Inputs &I, llvm::raw_ostream &Say);

/// Text, a version of the kernel file, as a device builds it: with I.Before, without I.LeftOut.
std::string programText(const Inputs &I, llvm::StringRef Text);

/// The compiler may compute floats in another order, or more exactly.
bool reordersFloats(const Inputs &I);

/// Fails unless L gives all of K's arguments, in order and of the right kind.
llvm::Error fits(const launch::LaunchFile &L, const model::Kernel &K);

/// The facts that the launch files give for K.
model::LaunchFacts launchFacts(llvm::ArrayRef<launch::LaunchFile> Launches, const model::Kernel &K);

/// The planner's options for K, from the command line and the launch files.
rewrite::RewriteOptions planOptions(const Options &O, const Inputs &I, const model::Kernel &K);

/// Derives the text of a launch file from the kernel, and from the local size that the host is
/// known to use. The error says why that is not possible.
llvm::Expected<std::string>
deriveLaunch(model::Module &M, const model::Kernel &K,
             std::optional<std::array<uint64_t, 3>> HostLocal = std::nullopt);

/// "file:line:column" of the start of R.
std::string placeText(const model::Module &M, model::SourceRange R);

/// A refusal as one line: location, name, pass, obstacle.
std::string refusalText(const model::Module &M, const rewrite::RefusalAt &X);

} // namespace clmali::tool

#endif
