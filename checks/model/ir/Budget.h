//===-- checks/model/ir/Budget.h - A limit of the time of an analysis ----*- C++ -*-===//
//
//   TimeBudget Budget(10);           // seconds of processor time of this thread
//   try {
//     .. analyses, which call spend() in their loops ..
//   } catch (const OutOfTime &) {
//     .. nothing is known of the kernel ..
//   }
//
// Without a TimeBudget spend() only counts. Code that Clang calls (the lifter) must not throw: it
// runs in a BudgetPause and tests outOfTime().
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_IR_BUDGET_H
#define CLMALI_CHECKS_MODEL_IR_BUDGET_H

#include <cstdint>

namespace clmali::model {

/// The budget is spent; the results of the analyses that were interrupted are of no use.
struct OutOfTime {};

/// What a thread has done since it started. Parses and steps do not depend on the machine.
struct WorkCounters {
  uint64_t Parses = 0;              ///< runs of Clang over a kernel file
  uint64_t Steps = 0;               ///< of the analyses
  uint64_t LookAt = ~uint64_t(0);   ///< the number of steps after which the clock is read
  uint64_t Deadline = ~uint64_t(0); ///< nanoseconds of processor time of this thread
};
extern constinit thread_local WorkCounters Work;

/// Seconds of processor time that this thread has used.
double processorTime();

/// True if the time of the budget is over. Never throws.
bool outOfTime();
/// Throws OutOfTime if it is over.
void readClock();

/// One step of an analysis, or N of them. Throws OutOfTime within a TimeBudget that is spent.
inline void spend(uint64_t N = 1) {
  if ((Work.Steps += N) >= Work.LookAt)
    readClock();
}

/// Limits the processor time of this thread while it lives. A budget within another one ends no
/// later than the outer one.
class TimeBudget {
public:
  explicit TimeBudget(double Seconds); ///< 0: no limit
  ~TimeBudget();
  TimeBudget(const TimeBudget &) = delete;
  TimeBudget &operator=(const TimeBudget &) = delete;

private:
  uint64_t OuterDeadline;
};

/// While it lives, spend() does not throw on this thread: around code that exceptions must not
/// cross.
class BudgetPause {
public:
  BudgetPause();
  ~BudgetPause();
  BudgetPause(const BudgetPause &) = delete;
  BudgetPause &operator=(const BudgetPause &) = delete;

private:
  uint64_t OuterLookAt;
};

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_IR_BUDGET_H
