//===-- rewriters/plan/Rewrite.h - Rewrite a kernel for a device -----*- C++ -*-===//
//
// The interface of the planner. Input: a lifted module, one of its kernels, options. Output:
// candidates (rewritten source and manifest), or refusals with stable names and source ranges.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PLAN_REWRITE_H
#define CLMALI_REWRITERS_PLAN_REWRITE_H

#include "checks/model/analysis/Analysis.h"
#include "checks/model/cost/CostModel.h"
#include "checks/model/ir/Model.h"
#include "checks/model/launch/LaunchFacts.h"
#include "rewriters/launch/Manifest.h"
#include "rewriters/pass/Refusal.h"
#include "llvm/Support/Error.h"

namespace clmali::rewrite {

using model::Cost;

/// For debugging and tests; the candidates do not depend on it.
struct PipelineOptions {
  std::string PrintAfter; ///< the id of a pass, or "all": the kernel after it, to standard error
  bool VerifyIR = false;  ///< check the kernel after each pass; the first broken one is fatal
};

/// The block that the user demands; 0: any.
struct WantedBlock {
  unsigned Columns = 0;   ///< --shape: work-items along the dimension that walks along memory
  unsigned Rows = 0;      ///< --shape: work-items along the others, their product
  unsigned Lanes = 0;     ///< --passes=vectorize:N
  unsigned Coarsened = 0; ///< --passes=coarsen:N: work-items that are not lanes, their product
  bool any() const { return Columns || Lanes || Coarsened; }
};

struct RewriteOptions {
  std::string Device = "generic";  ///< family, alias or model of devices.yaml
  unsigned VectorBits = 0;         ///< of the device at hand, where it says so; 0: the family's
  std::vector<std::string> Passes; ///< empty: all that pay
  WantedBlock Block;
  bool ReassociateFloat = false;
  std::vector<std::pair<std::string, std::string>> Defines;
  std::string BuildOptions;
  model::LaunchFacts Launch;  ///< what the launch files say of the kernel's launches
  unsigned MaxCandidates = 6; ///< returned at most
  bool Diverse = false; ///< they are to be measured: every shape that pays, in its best form, first
  PipelineOptions Pipeline;
};

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
  double PredictedSpeedup = 1;     ///< by the cost model of the device
  Cost After;                      ///< of one new work-item, which does
  double Items = 1;                ///< so many of the original's
  std::vector<LoopTrips> Trips;    ///< of the loops of FastPath, in the order of the code
};

struct RewriteResult {
  std::vector<Candidate> Candidates;  ///< best predicted first; empty: refused
  std::vector<RefusalAt> Refusals;    ///< of passes that could not be applied
  Cost Before;                        ///< of one work-item of the original
  std::vector<LoopTrips> TripsBefore; ///< of the original's loops
};

RewriteResult rewriteKernel(model::Module &M, model::Kernel &K, const RewriteOptions &O);

} // namespace clmali::rewrite
#endif
