//===- Options.h - the command line of clmali-run ---------------------------------------------===//

#ifndef CLMALI_TOOLS_RUN_OPTIONS_H
#define CLMALI_TOOLS_RUN_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <set>
#include <string>

namespace clmali::run {

struct Options {
  bool ListDevices = false, Quiet = false, Help = false, Version = false, PrintOptions = false;
  bool Prove = false, RequireProved = false;
  std::string Platform, Against, Manifest, Kernel, Json, CounterexampleFile, Report;
  std::string Format = "text", Output;
  std::string Oclgrind;
  unsigned Bench = 0; ///< runs; 0: not given
  /// Seconds.
  unsigned TimeLimit = 300, LaunchLimit = 20, Symbolic = 5, Generic = 10;
  uint64_t Seed = 1;
  std::set<std::string> Without;
  std::string Launch, Source, Recording;
};

llvm::Error failure(const llvm::Twine &Message);

/// The arguments without the program's name. `--option VALUE` is the same as `--option=VALUE`.
llvm::Expected<Options> parseCommandLine(llvm::ArrayRef<const char *> Arguments);

void printHelp(llvm::raw_ostream &Out);
/// The table as JSON, for the manual page and completions.
void printOptions(llvm::raw_ostream &Out);

} // namespace clmali::run

#endif
