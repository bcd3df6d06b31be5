// In a child process: the processor time of runs of the original, and which inputs it leaves out.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_RUNTIMES_H
#define CLMALI_REWRITERS_VERIFY_RUN_RUNTIMES_H

#include "rewriters/verify/cases/TestPlan.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>
#include <utility>

namespace clmali::verify {

/// Processor time of this process, in seconds.
double ownSeconds();

class RunTimes {
public:
  /// \p Simulates: the device is a simulator, some hundred times slower than others.
  explicit RunTimes(bool Simulates) : Simulates(Simulates) {}

  /// Calls \p Run, one run of the original on \p In. If the judge added the input, this process is
  /// ended by a signal (SIGPROF, SIGALRM) where the run takes too long.
  void measure(const TestInput &In, llvm::function_ref<void()> Run);
  /// With these scalars one run took too long to go on.
  bool isSlow(const TestInput &In) const { return Slow.count({In.Launch, In.Variant}) != 0; }
  /// A large size that would take too long, or for which no time is left.
  bool isTooLarge(const TestInput &In);
  /// Seconds that all runs of a large input took.
  void spend(double Seconds) { Spent += Seconds; }

private:
  double expectedSeconds(const TestInput &In);
  double mostSeconds() const;

  bool Simulates;
  double Spent = 0;
  std::set<std::pair<unsigned, unsigned>> Slow; ///< launches and variants
  /// The fastest run of the original on so many work-items.
  struct RunTime {
    double Seconds;
    uint64_t Bytes; ///< of its buffers
  };
  std::map<unsigned, std::map<uint64_t, RunTime>> Seconds; ///< by launch and work-items
};

} // namespace clmali::verify

#endif
