#include "rewriters/verify/run/RunTimes.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <sys/time.h>

namespace clmali::verify {
namespace {

/// Limit for one run of the original with a variant of the scalars, compilation included.
constexpr double VariantSeconds = 1.5;
/// A large size is run if one run of the original is expected to take less than the first, and if
/// all of them took less than the last. A simulator runs one of them.
constexpr double LargeSeconds = 0.05, SimulatedSeconds = 0.5, AllLargeSeconds = 0.5;

/// Ends this process after \p Seconds of its processor time (SIGPROF), or after three times as many
/// by the clock (SIGALRM); 0: no limit.
void limitTime(double Seconds) {
  auto set = [](int Which, double Limit) {
    itimerval Timer{};
    Timer.it_value.tv_sec = static_cast<time_t>(Limit);
    Timer.it_value.tv_usec = static_cast<suseconds_t>((Limit - std::floor(Limit)) * 1e6);
    setitimer(Which, &Timer, nullptr);
  };
  set(ITIMER_PROF, Seconds);
  set(ITIMER_REAL, 3 * Seconds);
}

} // namespace

double ownSeconds() {
  timespec Used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Used);
  return static_cast<double>(Used.tv_sec) + static_cast<double>(Used.tv_nsec) * 1e-9;
}

double RunTimes::mostSeconds() const { return Simulates ? SimulatedSeconds : LargeSeconds; }

void RunTimes::measure(const TestInput &In, llvm::function_ref<void()> Run) {
  // A scalar may be a trip count: with another value the kernel may run for minutes, and would
  // show nothing that a smaller value does not show. The same holds for a large size.
  const bool Limited = In.Variant != 0 || In.Large;
  const double Before = ownSeconds();
  if (Limited)
    limitTime(In.Large ? 4 * mostSeconds() : VariantSeconds);
  Run();
  if (Limited)
    limitTime(0);
  const double Taken = ownSeconds() - Before;
  if (In.Variant != 0 && Taken > VariantSeconds / 4)
    Slow.insert({In.Launch, In.Variant});
  if (In.Variant == 0) {
    RunTime &Least =
        Seconds[In.Launch].try_emplace(In.Items, RunTime{Taken, In.Bytes}).first->second;
    if (Taken < Least.Seconds)
      Least = {Taken, In.Bytes};
  }
}

bool RunTimes::isTooLarge(const TestInput &In) {
  return In.Large && (Spent > AllLargeSeconds || expectedSeconds(In) > mostSeconds());
}

/// Of one run of the original: what the smallest size takes is overhead, and the growth of the rest
/// up to the largest size that was run goes on. Where that is too little to be measured, the size
/// is expected to be fast: measure() ends a run that is not.
double RunTimes::expectedSeconds(const TestInput &In) {
  constexpr double Noise = 2e-5; // of one measurement
  const std::map<uint64_t, RunTime> &Seen = Seconds[In.Launch];
  if (Seen.empty() || Seen.rbegin()->first == 0 || Seen.rbegin()->second.Bytes == 0)
    return 0;
  const auto &[Items, Last] = *Seen.rbegin();
  double Overhead = Last.Seconds;
  for (const auto &[Ignored, Other] : Seen)
    Overhead = std::min(Overhead, Other.Seconds);
  if (Seen.size() == 1)
    Overhead = 0;
  const double Work = std::max(Last.Seconds - Overhead, Noise / 4);
  double Growth = 1;
  // Sizes of nearly as many work-items say little about the growth.
  if (auto Fewer = Seen.upper_bound(Items / 2); Fewer != Seen.begin() && Work > 5 * Noise) {
    const auto &[FewerItems, Less] = *std::prev(Fewer);
    Growth = std::log(Work / std::max(Less.Seconds - Overhead, Noise)) /
             std::log(static_cast<double>(Items) / static_cast<double>(FewerItems));
  }
  // Many work-items on little data do little each.
  const double Larger = std::min(static_cast<double>(In.Items) / static_cast<double>(Items),
                                 static_cast<double>(In.Bytes) / static_cast<double>(Last.Bytes));
  return Overhead + Work * std::pow(std::max(Larger, 1.0), std::clamp(Growth, 1.0, 3.0));
}

} // namespace clmali::verify
