// Work in child processes: a crash, a hang or an out-of-memory there is a
// result here.
//
// The child is a fork, so it sees all the parent's data and nothing has to be
// passed down; it reports in JSON objects, one on each line of a pipe. A child
// that dies of a memory fault says at which address before it goes.
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
    Stopped,  ///< by us, because a message handler asked for it
    Crashed,  ///< Signal says how
    Hung,     ///< silent for too long, or over the total
    Memory,   ///< over the memory limit
    NotStarted
  };
  Kind K = Kind::NotStarted;
  int Signal = 0;
  bool OverTotal = false; ///< Hung: the total, not one launch
  std::string Text;       ///< the end of what it wrote to stderr
};

struct ChildTask {
  /// Runs in the child.
  std::function<void(Channel &)> Work;
  /// Runs in the parent for each message; false stops the child.
  std::function<bool(const llvm::json::Object &)> OnMessage;
  /// In the parent, once the child has ended: true starts it again, with what
  /// the parent knows by now.
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

/// A stretch of address space around a buffer that must not be touched.
struct FaultZone {
  uintptr_t Begin = 0, End = 0; ///< the whole reservation
  uintptr_t PayloadBegin = 0, PayloadEnd = 0;
  unsigned Argument = 0;
};

/// In a child: from now on a memory fault inside one of \p Zones is reported as
/// {"fault": {"argument", "offset", "write"}} and any other as {"fault": {}},
/// and ends the process. \p Zones must stay alive; it may change between runs.
void reportFaults(Channel &Out, const std::vector<FaultZone> &Zones);

} // namespace clmali::verify

#endif
