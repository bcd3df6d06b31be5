//===- Run.h - child processes of the compilers -----------------------------------------------===//

#ifndef CLMALI_TOOLS_COMPILERS_RUN_H
#define CLMALI_TOOLS_COMPILERS_RUN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace clmali::compilers {

struct Output {
  int Status = 0;       ///< exit status; negative: the program was not run, or crashed
  std::string Out, Err; ///< standard output and standard error
  std::string Message;  ///< why it was not run
};

/// Runs \p Args with \p Input as standard input. \p Seconds: the time limit; 0: none.
llvm::Expected<Output> runProgram(llvm::ArrayRef<llvm::StringRef> Args, llvm::StringRef Input,
                                  unsigned Seconds);

llvm::Error failure(const llvm::Twine &Message);

} // namespace clmali::compilers

#endif
