//===-- rewriters/plan/Rewrite.h - Rewrite a kernel for a device -----*- C++ -*-===//
//
// The interface of the planner. Input: a lifted module, one of its kernels, options. Output:
// candidates (rewritten source and manifest), or refusals with stable names and source ranges.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PLAN_REWRITE_H
#define CLMALI_REWRITERS_PLAN_REWRITE_H

#include "checks/model/cost/CostModel.h"
#include "checks/model/ir/Model.h"
#include "rewriters/launch/Manifest.h"
#include "rewriters/pass/Options.h"
#include "rewriters/pass/Refusal.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace clmali::rewrite {

using model::Cost;

/// How often a loop runs.
struct LoopTrips {
  double Count;               ///< as expected
  unsigned ConstantDepth = 0; ///< of a constant count, which compilers may unroll: 1, outermost
};

/// One way to rewrite the kernel, complete and ready to be judged.
struct Candidate {
  std::string Source; ///< the whole new file
  std::string Kernel; ///< the name of the new kernel
  /// The file with the new kernel in place of the original, without remainders and the paths of
  /// work-items at a border: what a compiler counts is then the work of most work-items. Computes
  /// the wrong result at borders.
  std::string FastPath;
  launch::Manifest Manifest;
  std::vector<std::string> Passes; ///< "vectorize:16", "narrow" ... as in the manifest
  Choice How;                      ///< what it was made by
  double PredictedSpeedup = 1;     ///< by the cost model of the device
  Cost After;                      ///< of one new work-item, which does
  double Items = 1;                ///< so many of the original's
  double LaunchShare = 1;          ///< of a full device's work-items, those of the largest launch
  std::vector<LoopTrips> Trips;    ///< of the loops of FastPath, in the order of the code
};

struct RewriteResult {
  std::vector<Candidate> Candidates;  ///< best predicted first; empty: refused
  std::vector<RefusalAt> Refusals;    ///< of passes that could not be applied
  Cost Before;                        ///< of one work-item of the original
  double ShareBefore = 1;             ///< as LaunchShare
  std::vector<LoopTrips> TripsBefore; ///< of the original's loops
  /// The predicted speed-up of PartOfLaunches::Instead; none: it is not known.
  std::optional<double> SpeedupInstead;
};

/// What a form for a part of the launches must save over the form that runs them otherwise: two
/// forms are twice the code to read and to test.
constexpr double WorthAnotherForm = 1.25;

/// Candidate::LaunchShare for a launch of Global work-items.
double launchShareOf(const RewriteOptions &O, const model::WorkSize &Global, double Items);

/// True if a launch of Global work-items, of Cycles each, takes longer than it takes to start it:
/// in shorter ones the form of the kernel does not matter.
bool outlastsItsStart(const RewriteOptions &O, const model::WorkSize &Global, double Cycles);

/// IsWanted: candidates for which it is false are not written.
RewriteResult rewriteKernel(model::Module &M, model::Kernel &K, const RewriteOptions &O,
                            const std::function<bool(const Candidate &)> &IsWanted = {});

} // namespace clmali::rewrite
#endif
