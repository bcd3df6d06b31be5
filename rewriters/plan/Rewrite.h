//===-- rewriters/plan/Rewrite.h - Rewrite a kernel for a device -----*- C++ -*-===//
//
// The planner's door: a lifted module in, the rewritten source, the manifest
// and what each pass did out; or refusals with stable names and places.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PLAN_REWRITE_H
#define CLMALI_REWRITERS_PLAN_REWRITE_H

#include "checks/model/analysis/Analysis.h"
#include "checks/model/cost/CostModel.h"
#include "checks/model/ir/Model.h"
#include "rewriters/launch/Manifest.h"
#include "llvm/Support/Error.h"

namespace clmali::rewrite {

using model::Cost;

/// Why a transformation may not be applied. Names are stable; users and tests
/// see them in kebab-case (refusalName).
enum class Refusal : uint8_t {
  None,
  CrossItemDependence,  ///< a work-item may read or write what another writes
  DataDependentStore,   ///< where a work-item stores depends on loaded data
  DivergentBarrier,     ///< a barrier that not all work-items reach
  DivergentLoop,        ///< trip counts differ between neighbours
  StagingModified,      ///< the local copy is changed before it is used
  StagingSourceWritten, ///< what was copied is overwritten meanwhile
  StagingNotACopy,      ///< local memory holds computed values
  VolatileAccess,
  Atomic,
  InlineAssembly,
  LocalIdUse,        ///< ids of the group are used in ways that blocks would change
  GroupGeometry,     ///< barriers or local memory, and the local size is not known to divide
  IndexOverflow,     ///< an index type may wrap inside a block
  NarrowingOverflow, ///< the values do not fit a narrower type
  OpaqueConstruct,   ///< something the model cannot represent
  Aliasing,          ///< buffers may overlap
  UnsupportedType,
  UnstructuredControl, ///< break, continue or return where lanes may differ
  NothingPays,         ///< legal, but not faster on this device
};
llvm::StringRef refusalName(Refusal R);
/// Two sentences: what stands in the way, what the user could change.
llvm::StringRef refusalAdvice(Refusal R);

struct RefusalAt {
  Refusal Why = Refusal::None;
  std::string Pass;   ///< "vectorize"
  std::string Detail; ///< names the variable, access or construct
  model::SourceRange Range;
};

struct RewriteOptions {
  std::string Device = "generic";  ///< family, alias or model of devices.yaml
  unsigned VectorBits = 0;         ///< of the device at hand, where it says so; 0: the family's
  std::vector<std::string> Passes; ///< empty: all that pay
  bool ReassociateFloat = false;
  std::vector<std::pair<std::string, std::string>> Defines;
  std::string BuildOptions;
  /// The launches are known and give no local size (NULL).
  bool NoLocalSize = false;
  /// Buffer arguments that the launch makes one buffer (same-as), by name.
  std::vector<std::pair<std::string, std::string>> SameBuffers;
  unsigned MaxCandidates = 6; ///< returned at most
  bool Diverse = false; ///< they are to be measured: every shape that pays, in its best form, first
  /// Geometry known from launch files: local size by dimension, 0 unknown.
  std::array<uint64_t, 3> KnownLocal = {0, 0, 0};
  /// The largest global size by dimension, 0 unknown. A larger block would leave
  /// every one of these launches to the original kernel.
  std::array<uint64_t, 3> LargestGlobal = {0, 0, 0};
};

/// One way to rewrite the kernel, complete and ready to be judged.
struct Candidate {
  std::string Source; ///< the whole new file
  launch::Manifest Manifest;
  std::vector<std::string> Passes; ///< "vectorize:16", "narrow" ... as in the manifest
  double PredictedSpeedup = 1;     ///< by the cost model of the device
  Cost After;                      ///< of one new work-item, which does
  double Items = 1;                ///< so many of the original's
};

struct RewriteResult {
  std::vector<Candidate> Candidates; ///< best predicted first; empty: refused
  std::vector<RefusalAt> Refusals;   ///< of passes that could not be applied
  Cost Before;                       ///< of one work-item of the original
};

RewriteResult rewriteKernel(model::Module &M, model::Kernel &K, const RewriteOptions &O);

} // namespace clmali::rewrite
#endif
