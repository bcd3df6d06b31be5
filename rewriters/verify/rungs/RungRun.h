// The runs of one rung. A child process runs the inputs. If it crashes or hangs, the parent finds
// the kernel that caused it, and starts another child for the inputs that are left.
#ifndef CLMALI_REWRITERS_VERIFY_RUNGS_RUNGRUN_H
#define CLMALI_REWRITERS_VERIFY_RUNGS_RUNGRUN_H

#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/run/Child.h"
#include "rewriters/verify/run/Worker.h"

#include "llvm/ADT/Twine.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clmali::verify {

/// What a rung found wrong with the rewritten kernel.
struct Finding {
  size_t Input = 0;
  /// value, stray-write, stray-read, order, launch, oclgrind, crash; or device: a limit of the
  /// device, which refutes nothing
  std::string Kind;
  std::string What;
  std::optional<unsigned> Argument;
  uint64_t Element = 0;
  std::string Expected, Got;
  std::string Part; ///< of the ladder, see partNames()
  std::string Item; ///< the work-item, if the rung reports it
};

/// The inputs of one rung, and what their runs gave.
struct RungRun {
  std::string Rung;
  WorkerSetup Setup;

  // The results.
  DeviceInfo Device;
  bool Opened = false;
  bool ImagesChecked = false; ///< accesses outside images are reported
  std::string Cannot;         ///< why the check cannot be made here; empty: it can
  std::string Broken;         ///< the rewritten program does not build
  std::string Stopped;        ///< it ended early: a hang or a crash of the rewritten kernel
  bool OutOfTime = false;
  unsigned Seconds = 0; ///< the limit of its time
  std::optional<Finding> Found;
  struct Suspicion {
    size_t Input = 0;
    std::string Kind, Why;
  };
  std::optional<Suspicion> Suspect;
  std::set<size_t> Done;
  unsigned Runs = 0;
  struct Skip {
    std::string Kind, Why;
  };
  std::map<size_t, Skip> Skipped;
  References Outputs; ///< Oclgrind
  struct OriginalError {
    size_t Input = 0;
    std::string Kind, Class, Message;
  };
  std::vector<OriginalError> OriginalErrors; ///< Oclgrind

  // The state of the child: what it runs, and how it was stopped.
  std::optional<size_t> AtInput;
  std::string AtProgram;
  std::optional<Finding> Fault;
  bool Misaligned = false, Requeue = false;
  unsigned Restarts = 0;
  unsigned Hangs = 0; ///< of the original
};

/// Why the rung was not climbed, or not to its end; never empty.
std::string whyNotClimbed(const RungRun &Run);

/// "What: Why", or What alone where nothing more is known.
std::string because(const llvm::Twine &What, llvm::StringRef Why);

/// The task for runChildren(). \p P gets stricter data rules if the original makes invalid accesses
/// on undeclared data. \p Progress may be empty.
ChildTask taskOf(RungRun &Run, TestPlan &P, const std::function<void(llvm::StringRef)> &Progress);

} // namespace clmali::verify

#endif
