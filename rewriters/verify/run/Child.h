// Work in child processes. A crash, a hang or lack of memory in a child is a result in the parent.
//
// The child is a fork, so it sees the parent's data. It reports in JSON objects, one on each line
// of a pipe. A child that is ended by a memory fault reports the address first.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_CHILD_H
#define CLMALI_REWRITERS_VERIFY_RUN_CHILD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace clmali::verify {

/// The child's end of the pipe.
class Channel {
public:
  explicit Channel(int Descriptor) : Descriptor(Descriptor) {}
  /// Sends {Key: What}.
  void send(llvm::StringRef Key, llvm::json::Value What);
  int descriptor() const { return Descriptor; }

private:
  int Descriptor;
};

struct ChildEnd {
  enum class Kind {
    Finished, ///< the work returned
    Stopped,  ///< by the parent: OnMessage returned false
    Crashed,  ///< Signal says how
    Hung,     ///< no message for too long, or over the total time
    Memory,   ///< over the memory limit
    NotStarted
  };
  Kind K = Kind::NotStarted;
  int Signal = 0;
  bool OverTotal = false; ///< Hung: over the total time
  std::string Text;       ///< the end of what it wrote to stderr
};

struct ChildTask {
  /// Runs in the child.
  std::function<void(Channel &)> Work;
  /// Runs in the parent for each message; false stops the child.
  std::function<bool(const llvm::json::Object &)> OnMessage;
  /// Runs in the parent when the child has ended. True starts another child, with the parent's
  /// present data.
  std::function<bool(const ChildEnd &)> Again;
  unsigned SilenceSeconds = 20;
  unsigned TotalSeconds = 300;
  uint64_t MemoryBytes = 0; ///< resident; 0: half of the machine's
};

/// Runs all \p Tasks at once and waits for all of them.
std::vector<ChildEnd> runChildren(std::vector<ChildTask> Tasks);
ChildEnd runChild(ChildTask Task);

/// "crashed (SIGSEGV)", "gave no sign of life for 20 s" ...
std::string describe(const ChildEnd &End, const ChildTask &Task);

/// The address range reserved around a buffer; accesses outside the payload fault.
struct FaultZone {
  uintptr_t Begin = 0, End = 0; ///< the whole reservation
  uintptr_t PayloadBegin = 0, PayloadEnd = 0;
  unsigned Argument = 0;
};

/// In a child: from now on a memory fault inside one of \p Zones is reported as
/// {"fault": {"argument", "offset", "write"}} and any other as {"fault": {"signal", "aligned"}},
/// and ends the process. \p Zones must stay alive; it may change between runs.
void reportFaults(Channel &Out, const std::vector<FaultZone> &Zones);

} // namespace clmali::verify

#endif
