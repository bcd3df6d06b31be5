// Oclgrind as the judge uses it: its log, what it has to say, and what it gets
// wrong.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_OCLGRIND_H
#define CLMALI_REWRITERS_VERIFY_RUN_OCLGRIND_H

#include "rewriters/verify/Judge.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace clmali::verify {

/// Where Oclgrind's runtime is; empty where it is not installed.
std::string findOclgrind(const JudgeOptions &Options);

/// Its log: a memory file that the runtime opens by name. Must be made before
/// the library is loaded.
class OclgrindLog {
public:
  OclgrindLog();
  /// What was written since the last call.
  std::string take();
  off_t size() const { return Read; }

private:
  int File = -1;
  off_t Read = 0;
};

/// One kind of error, without addresses: "Read-write data race at global memory
/// address", and the first message of that kind.
using OclgrindErrors = std::map<std::string, std::string>;
OclgrindErrors parseLog(llvm::StringRef Text);

/// "race", "divergence", "uninitialised" or "memory". The same mistake may come
/// out under another name: a scalar over-read as a vector one.
llvm::StringRef errorClass(llvm::StringRef Kind);

/// A message of several lines in one: what, who, and where in the source.
std::string inOneLine(llvm::StringRef Message);

/// Whom a message is about: "(5, 0, 0) of axpy_v4"; of a race both.
std::string entityOf(llvm::StringRef Message);

/// A store outside its buffer.
struct OclgrindStore {
  uint64_t Offset = 0; ///< from the buffer's begin
  uint64_t Bytes = 0;
  std::string Item; ///< as entityOf()
};
std::vector<OclgrindStore> invalidStores(llvm::StringRef Log);

/// Goes before a source that Oclgrind runs: built-ins that it gets wrong.
std::string oclgrindPreamble();

} // namespace clmali::verify

#endif
