// Oclgrind as the judge uses it: its log, the errors in it, and the built-ins that it computes
// wrongly.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_OCLGRIND_H
#define CLMALI_REWRITERS_VERIFY_RUN_OCLGRIND_H

#include "rewriters/verify/Judge.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace clmali::verify {

/// Where Oclgrind's runtime is; empty where it is not installed.
std::string findOclgrind(const JudgeOptions &Options);

/// The log: a memory file that the runtime opens by name. Must be made before the library is
/// loaded.
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
/// For each error its "kind", "class" and "message".
llvm::json::Array toJson(const OclgrindErrors &Errors);

/// "race", "divergence", "uninitialised" or "memory". Classes are compared, not kinds: one mistake
/// may be reported as several kinds (an over-read of a scalar or of a vector).
llvm::StringRef errorClass(llvm::StringRef Kind);

/// A message of several lines in one: the error, the work-items, the source line.
std::string inOneLine(llvm::StringRef Message);

/// The work-items of a message: "(5, 0, 0) of axpy_v4"; of a race both.
std::string entityOf(llvm::StringRef Message);

/// A store outside its buffer.
struct OclgrindStore {
  uint64_t Offset = 0; ///< from the buffer's begin
  uint64_t Bytes = 0;
  std::string Item; ///< as entityOf()
};
std::vector<OclgrindStore> invalidStores(llvm::StringRef Log);

/// Text put before a source that Oclgrind runs: definitions of built-ins that it computes wrongly.
std::string oclgrindPreamble();
/// Text put before that: each extension that \p Source names is defined if, and only if, it is one
/// of \p Extensions, those of the judged device. Oclgrind defines all that its compiler knows, and
/// would run other code.
std::string extensionsAsOn(llvm::StringRef Source, llvm::StringRef Extensions);

} // namespace clmali::verify

#endif
