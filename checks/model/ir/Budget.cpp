//===-- checks/model/ir/Budget.cpp - A limit of the time of an analysis -------------------===//
//
// See Budget.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Budget.h"
#include <algorithm>
#include <chrono>
#include <ctime>

namespace clmali::model {

constinit thread_local WorkCounters Work;

constexpr uint64_t Never = ~uint64_t(0);
/// Between two looks at the clock. A step takes about 100 ns.
constexpr uint64_t StepsPerLook = 4096;

/// Nanoseconds of processor time of this thread; where there is no such clock, of the wall clock.
static uint64_t now() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec T;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T) == 0)
    return uint64_t(T.tv_sec) * 1000000000 + uint64_t(T.tv_nsec);
#endif
  return uint64_t(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

double processorTime() { return double(now()) / 1e9; }

bool outOfTime() { return Work.Deadline != Never && now() >= Work.Deadline; }

void readClock() {
  if (Work.Deadline == Never)
    return;
  Work.LookAt = Work.Steps + StepsPerLook;
  if (outOfTime())
    throw OutOfTime();
}

TimeBudget::TimeBudget(double Seconds) : OuterDeadline(Work.Deadline) {
  if (Seconds <= 0)
    return;
  Work.Deadline = std::min(Work.Deadline, now() + uint64_t(Seconds * 1e9));
  Work.LookAt = 0; // the next step reads the clock
}

TimeBudget::~TimeBudget() {
  Work.Deadline = OuterDeadline;
  Work.LookAt = OuterDeadline == Never ? Never : 0;
}

BudgetPause::BudgetPause() : OuterLookAt(Work.LookAt) { Work.LookAt = Never; }
BudgetPause::~BudgetPause() { Work.LookAt = OuterLookAt; }

} // namespace clmali::model
