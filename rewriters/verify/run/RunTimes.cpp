#include "rewriters/verify/run/RunTimes.h"

#include <algorithm>
#include <cmath>
#include <sys/resource.h>
#include <sys/time.h>

namespace clmali::verify {
namespace {

/// Limit for one run of the original with a variant of the scalars, compilation included.
constexpr double VariantSeconds = 1.5;
/// A large size is run if one run of the original is expected to take less than the first, and if
/// all of them took less than the last. A simulator runs one of them.
constexpr double LargeSeconds = 0.05, SimulatedSeconds = 0.5, AllLargeSeconds = 0.3;

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
  rusage Used{};
  getrusage(RUSAGE_SELF, &Used);
  return static_cast<double>(Used.ru_utime.tv_sec) +
         static_cast<double>(Used.ru_utime.tv_usec) * 1e-6;
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
    double &Least = Seconds[In.Launch].try_emplace(In.Items, Taken).first->second;
    Least = std::min(Least, Taken);
  }
}

bool RunTimes::isTooLarge(const TestInput &In) {
  return In.Large && (Spent > AllLargeSeconds || expectedSeconds(In) > mostSeconds());
}

/// Of one run of the original: the growth between the two largest sizes that were run goes on.
double RunTimes::expectedSeconds(const TestInput &In) {
  constexpr double Unit = 1e-3; // less is mostly overhead
  const std::map<uint64_t, double> &Seen = Seconds[In.Launch];
  if (Seen.empty() || Seen.rbegin()->first == 0)
    return 0;
  const auto [Items, Last] = *Seen.rbegin();
  double Growth = 1;
  if (Seen.size() > 1 && Last > Unit) {
    const auto [FewerItems, Less] = *std::next(Seen.rbegin());
    Growth = std::log(Last / std::max(Less, Unit / 4)) /
             std::log(static_cast<double>(Items) / static_cast<double>(FewerItems));
  }
  return std::max(Last, Unit) * std::pow(static_cast<double>(In.Items) / static_cast<double>(Items),
                                         std::clamp(Growth, 1.0, 3.0));
}

} // namespace clmali::verify
