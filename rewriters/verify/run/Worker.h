// The work of a child process: for each input of a plan it runs the original and the rewritten
// kernel, compares the results, and reports.
//
// Messages to the parent, one JSON object each ("case" is the index of the input):
//   device {...}                     once, the device that was opened
//   imagesChecked true               accesses outside images are reported as faults or by Oclgrind
//   cannot "..."                     the check cannot be made here
//   broken "..."                     the rewritten program does not build here
//   at {case, who}                   before each run; "original" or "rewritten"
//   done {case, runs}                no difference on this input
//   skip {case, kind, why}           the original makes an invalid access ("stray"), is undefined
//                                    on this input ("undefined", "overflow"), or cannot be
//                                    launched ("launch")
//   suspect {case, kind, why}        two runs of the original differ
//   differs {case, kind, ...}        the rewritten kernel is wrong
//   original {case, errors}          Oclgrind on the original
//   output {case, buffers}           Oclgrind: what the original computed
//   fault {...}                      from the fault handler (Child.h)
#ifndef CLMALI_REWRITERS_VERIFY_RUN_WORKER_H
#define CLMALI_REWRITERS_VERIFY_RUN_WORKER_H

#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/run/Child.h"
#include "rewriters/verify/run/Device.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clmali::verify {

/// The original's buffers by input, from a device of another kind.
using References = std::map<size_t, std::vector<Bytes>>;

struct WorkerSetup {
  enum class Mode {
    Oclgrind, ///< exact buffers; its log is read after each run
    Pages,    ///< protected pages at either end; without optimisation
    Guards    ///< poisoned guard zones, two poisons, both orders of launches
  };
  Mode M = Mode::Guards;
  DeviceChoice Choice;
  /// Oclgrind: report writes of the same value to one address too.
  bool UniformWrites = true;
  /// Oclgrind: look for uninitialised values only. That plug-in of version 21.10 crashes on some
  /// vector code, so it runs in a process of its own.
  bool Uninitialised = false;
  /// Build with -cl-opt-disable.
  bool Unoptimised = false;
  /// Guards: first check that the original gives one result, run after run and build after build.
  bool SelfAgreement = true;
  std::vector<size_t> Inputs; ///< indices in TestPlan::Inputs
  const References *Others = nullptr;
  /// True if the original overflows a signed integer on an input, and the programs differ by what
  /// became of that: where overflow wraps, they agree. May be empty.
  std::function<bool(const TestInput &, const PreparedInput &)> DiffersByOverflow;
};

/// Why a large size is left out.
inline constexpr llvm::StringLiteral TooLarge = "the judge's larger sizes take too long";

/// In a child.
void runInputs(Channel &Out, const TestPlan &P, const WorkerSetup &Setup);

/// In a child: builds both programs and describes their kernels, in messages
///   device {...}; shape {launch, rewritten, ...}; cannot; broken; probed, after the last shape
void probe(Channel &Out, const JudgeRequest &Request, const DeviceChoice &Choice);

/// In a child: times one entry; sends  timing {median, best, runs, device}.
void measure(Channel &Out, const TestPlan &P, const TestInput &In, bool Rewritten, unsigned Runs,
             const DeviceChoice &Choice);

llvm::json::Object toJson(const KernelShape &Shape);
KernelShape shapeFromJson(const llvm::json::Object &O);
/// The strings of the array \p Key; none if it is missing.
std::vector<std::string> textsFromJson(const llvm::json::Object &O, llvm::StringRef Key);
/// The variables of the member "at"; none if it is missing.
launch::Size sizeFromJson(const llvm::json::Object &O);
llvm::json::Object toJson(const DeviceInfo &Info);
DeviceInfo infoFromJson(const llvm::json::Object &O);

/// Build options of the original and of the rewritten program for a launch.
std::string originalOptions(const JudgeRequest &R, unsigned Launch);
std::string rewrittenOptions(const JudgeRequest &R, unsigned Launch);

} // namespace clmali::verify

#endif
