// Proof for every size: the rung "generic" of the judge.
//
// Clang (a child process) compiles both kernels to LLVM IR. One work-item of each launch of the
// manifest is executed over terms, with symbolic ids, sizes and scalar arguments, against the block
// of original work-items that it stands for. The manifest's blocks, launches and conditions are
// claims that are proved, too.
//
//   before   both programs, the host's launches, the manifest
//   after    Proved: for every size and value that the launch files allow; Refuted: with inputs
//   that
//            a device has to confirm; NotProved, and why
//   limits   atomics only on global memory, where their order does not count, and not in
//            loops of symbolic trip count; local memory and barriers only where the launch files
//            give one size of groups, and not in loops of symbolic trip count; see Reason for all
//            of them
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_GENERIC_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_GENERIC_H

#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace clmali::verify {

struct SymbolicProgram;

/// A size and scalar arguments at which the two programs may differ: worth a run.
struct GenericCandidate {
  unsigned Launch = 0; ///< index of the launch file
  launch::Size At;
  std::string What; ///< one line: what may differ there
};

struct GenericProof {
  enum class Outcome {
    Proved,    ///< the same result for every size and value that the launch files allow
    Refuted,   ///< a device differs at Candidate
    NotProved, ///< see Why
  };
  /// Why there is no proof: a closed list, with one stable name each (toString).
  enum class Reason {
    None,
    LeftOut,       ///< by request
    NotTried,      ///< the verdict was reached without it
    OutOfTime,     ///< within the seconds of the request
    SolverGaveUp,  ///< the solver has no answer to a question
    NotCompiled,   ///< Clang or the kernel's parameters
    Launches,      ///< launch files with different options or arguments
    Expression,    ///< a launch expression that is not modelled
    Coverage,      ///< not every work-item is done exactly once
    LocalMemory,   ///< local memory or barriers, where they are not modelled
    Groups,        ///< group ids or sizes, where the size of a group is not known
    Atomics,       ///< atomic operations
    Images,        ///< pipes, images that are not modelled, see symbolic/images/Images.h
    RelaxedMath,   ///< the options let the compiler change results
    Instruction,   ///< an operation that is not modelled
    Pointer,       ///< a pointer that depends on data
    Uninitialised, ///< an uninitialised value is used
    LoopForm,      ///< a loop with several exits, or one that has too many iterations to unroll
    LoopDiffers,   ///< the loops of both programs do not correspond
    StoreInLoop,   ///< a store in a loop of symbolic trip count
    StoreDiffers,  ///< another set of addresses is written, or under other conditions
    ValueDiffers,  ///< another value is written
    StoreOrder,    ///< stores that may meet are in another order
    Interference,  ///< a work-item may read what another one writes
    NewAccess,     ///< an access that the original does not make
    Overflow,      ///< arithmetic that may overflow where the original's does not
    NeverRuns,     ///< no launch is found at which the original writes anything
    Limit,         ///< too many instructions or terms
    NotReplayed,   ///< a counterexample that no device shows
  };

  Outcome Result = Outcome::NotProved;
  Reason Why = Reason::NotTried;
  /// One line: what was proved and what it takes for granted, or what stands in the way.
  std::string Detail;
  /// What the proof takes for granted beyond the launch files, one line each.
  std::vector<std::string> Assumptions;
  /// Scalar arguments for whose value alone the proof holds: the launch files fix it.
  std::vector<std::string> Pinned;
  /// What the proof says nothing of where it does not hold: expressions for `require` of a
  /// manifest.
  std::vector<std::string> Require;
  /// Where the programs may differ. They are among the inputs that are run.
  std::vector<GenericCandidate> Candidates;
  double Seconds = 0; ///< of processor time, Clang's included

  bool proved() const { return Result == Outcome::Proved; }
};

llvm::StringRef toString(GenericProof::Outcome O);
/// The stable name, such as "local-memory"; empty for None.
llvm::StringRef toString(GenericProof::Reason R);
/// "generic" of the judge's record: {outcome, reason, detail, seconds}; more where there is more.
llvm::json::Object toJson(const GenericProof &P);

struct GenericRequest {
  const SymbolicProgram &Original;
  const SymbolicProgram &Rewritten;
  llvm::ArrayRef<launch::LaunchFile> Launches; ///< at least one, of one kernel and one build
  const launch::ManifestKernel &Manifest;
  double Seconds = 10; ///< of processor time
  unsigned AddressBits = 64;
  std::string Clang; ///< empty: clang-19, then clang, on the PATH
};

/// Tries to prove that both programs leave every buffer with the same contents, at every size. The
/// result holds every failure. Its outcome is never Refuted: only a device can show that.
GenericProof proveForEverySize(const GenericRequest &Request);

} // namespace clmali::verify

#endif
