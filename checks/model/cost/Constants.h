//===-- checks/model/cost/Constants.h - Estimates of the cost model --*- C++ -*-===//
//
// A number that differs between devices is a fact of rules/devices.yaml, with its source. The
// numbers here are the others: estimates that the cost model uses for every device. No source
// gives them.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_COST_CONSTANTS_H
#define CLMALI_CHECKS_MODEL_COST_CONSTANTS_H

namespace clmali::model::estimate {

/// A kernel is so many times slower with half and with a quarter of the work-items that full
/// occupancy has: fewer of them hide less latency.
inline constexpr double WithHalfOfThreads = 1.1, WithQuarterOfThreads = 1.3;
/// The same for a kernel with barriers where local memory is ordinary memory: work-items wait for
/// the slowest of their group.
inline constexpr double WithBarriers = 1.2;
/// Cycles to set up a work-item.
inline constexpr double WorkItemSetup = 0.5;
/// The part of the less busy pipe's cycles that the busier pipe does not hide.
inline constexpr double NotOverlapped = 0.1;
/// The part of `branch-cycles` that a branch or a loop iteration takes on average.
inline constexpr double BranchShare = 0.25;
/// Instructions of an integer division by a constant: multiply, shift, correct.
inline constexpr double DivisionByConstant = 4;
/// The part of the registers that values can take: an allocator needs some for temporaries, and in
/// a loop for the values that it carries. Of 550 forms that Mesa compiled for a Mali-G52 and a G610
/// (M1), those with loops spill from 49 of 64 live values on.
inline constexpr double UsableRegisters = 0.95, UsableInLoops = 0.8;
/// Scalar registers that are allocated for each one that is live at once while there are enough:
/// most of these forms take more than 32 registers from 26 live ones on.
inline constexpr double RegistersPerLive = 1.25;
/// Accesses for each register too many and each execution of the statement that needs the most.
/// Where values do not fit at one statement, most of them do not fit at its neighbours: Mesa's
/// compilers make 20 to 80 accesses in kernels that need 2 to 25 registers too many.
inline constexpr double AccessesOfSpill = 8;
/// What KernelWork counts an access, a division of integers and a barrier as: operations of one
/// instruction. The compilers give an access more (24 on a Mali-G52, where three engines of eight
/// lanes compute while one element is loaded), but caches and other work-items hide some of it.
inline constexpr double AccessWork = 8, DivisionWork = 16, BarrierWork = 16;
/// Iterations of a loop of unknown length.
inline constexpr double UnknownTrips = 16;

} // namespace clmali::model::estimate
#endif
