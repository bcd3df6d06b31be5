//===-- checks/model/cost/Schedule.h - Registers of a lowered kernel --*- C++ -*-===//
//
// Orders the instructions of each region as a compiler does that wants few registers, and counts
// the values that are live at once:
//
//   float16 a = vload16(0, p), b = vload16(0, q);     16 chains of one lane each: a load's
//   registers vstore16(a * b + a, 0, r);                        become free lane by lane
//
// Two orders are tried: that of the source, and a list schedule from the end of the region that
// prefers the instruction that frees most registers. Loads keep their order, and stores keep theirs
// among loads and stores. The better one counts, as in Mesa's compilers.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_COST_SCHEDULE_H
#define CLMALI_CHECKS_MODEL_COST_SCHEDULE_H

#include "checks/model/cost/Lowering.h"

namespace clmali::model {

struct Pressure {
  double Source = 0;   ///< registers with the statements in the order of the source
  double Least = 0;    ///< in the better order of each region
  double Times = 1;    ///< executions of the region that needs the most
  double Idle = 0;     ///< of those registers, what the innermost loop around it does not read
  double Outside = 1;  ///< executions of what is around that loop
  bool InLoop = false; ///< that region is in a loop
};

Pressure pressure(const Program &P, const rules::DeviceFacts &D);

/// What the registers of a kernel leave of a core's work-items.
struct Occupancy {
  double Needed = 0;    ///< registers for the values that are live at once
  double Allocated = 0; ///< registers that a compiler gives the kernel, and Spilled
  unsigned Part = 1;    ///< 1, 2 or 4: full occupancy, half or a quarter of it
  double Spilled = 0;   ///< of Needed, those that go to memory
};

Occupancy occupancy(const Pressure &Use, const rules::DeviceFacts &D);

/// How many times slower a kernel is where \p Share of the work-items of full occupancy, above 0
/// to 1, are resident: fewer of them hide less latency. Registers and the size of the launch limit
/// them alike.
double slowdown(double Share);

} // namespace clmali::model
#endif
