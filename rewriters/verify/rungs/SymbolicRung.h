// The symbolic rung inside the ladder: the proof runs in a child process, and
// what it finds is replayed on the device before anybody believes it.
#ifndef CLMALI_REWRITERS_VERIFY_RUNGS_SYMBOLICRUNG_H
#define CLMALI_REWRITERS_VERIFY_RUNGS_SYMBOLICRUNG_H

#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/run/Child.h"
#include "rewriters/verify/rungs/RungRun.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>

namespace clmali::verify {

struct SymbolicRung {
  bool Ended = false; ///< a result came, whatever it is
  bool Proved = false;
  std::string Detail;
  llvm::json::Object Record;
  struct Example {
    unsigned Launch = 0;
    launch::Size At;
    std::string What;
    std::string Argument;
    uint64_t Element = 0;
    std::string Expected, Got;
    bool MustBeReplayed = false;
    std::map<std::string, Bytes> Inputs;
  };
  std::optional<Example> Found;
  /// The interval rung: inputs that might drive narrow arithmetic out of its
  /// range, to be run.
  bool IntervalClimbed = false;
  std::string IntervalDetail;
  struct Corner {
    unsigned Launch = 0;
    launch::Size At;
    std::string What;
    std::map<std::string, Bytes> Inputs;
  };
  std::vector<Corner> Corners;
};

/// TestInputs of \p P that run the corners; they are added to it.
std::vector<size_t> cornerCases(TestPlan &P, const SymbolicRung &Rung);

/// A child that tries to prove the two programs of \p P equivalent at small
/// sizes, and fills \p Into.
ChildTask symbolicTask(SymbolicRung &Into, const TestPlan &P, unsigned Seconds);

/// Runs the solver's example on the devices of \p Ways (the rungs' set-ups);
/// Replayed says whether one of them shows it.
Counterexample replaySymbolic(const TestPlan &P, const SymbolicRung::Example &Found,
                              llvm::ArrayRef<const RungRun *> Ways);

} // namespace clmali::verify

#endif
