// The symbolic rung inside the ladder. The proof runs in a child process; its counterexample is
// replayed on the device before it counts.
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
  bool Ended = false; ///< the child sent a result
  bool Proved = false;
  std::vector<std::string> ProvedAt;    ///< sizes
  std::vector<std::string> Assumptions; ///< what the proof takes for granted
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

/// Adds inputs to \p P that run the corners, and returns their indices.
std::vector<size_t> cornerInputs(TestPlan &P, const SymbolicRung &Rung);

/// A child that tries to prove the two programs of \p P equivalent at small
/// sizes, and fills \p Into.
ChildTask symbolicTask(SymbolicRung &Into, const TestPlan &P, unsigned Seconds);

/// Runs the solver's example with the set-ups of the rungs \p Setups, until one reproduces it.
/// \p OriginalRace: a race of the original, if the launch file does not list the size.
Counterexample replaySymbolic(const TestPlan &P, const SymbolicRung::Example &Found,
                              llvm::ArrayRef<const RungRun *> Setups, std::string &OriginalRace);

} // namespace clmali::verify

#endif
