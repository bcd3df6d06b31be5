// Symbolic equivalence: the rung of the judge that proves instead of tests.
//
// Both kernels are compiled to LLVM IR by Clang (a child process) and executed,
// every work-item of one small launch, over terms instead of numbers: geometry
// and integer arguments are those of the request, buffer contents, floating-point
// arguments and integer arguments left free are symbols. Then every element of
// every buffer must be the same term on both sides, or Z3 must prove that it has
// the same value. Proved means: for all inputs at this size.
//
// Floating point is never computed: the same operations on the same operands in
// the same order are equal, anything else is not. Where that, or a limit, or a
// construct that is not modelled stands in the way, the rung is not climbed, and
// the result says why. It never says Proved where something was approximated.
//
//   before   a kernel, its rewritten form, and the launches of both at one size
//   after    Proved | Counterexample, with inputs to replay | NotClimbed, why
//   limits   no images, no atomics whose old value is used, no barrier that
//            depends on data; sizes of a few thousand work-items
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_SYMBOLIC_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_SYMBOLIC_H

#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clmali::verify {

/// Source text and the options that clBuildProgram gets for it (-D, -I, -cl-...).
struct SymbolicProgram {
  std::string Source;
  std::string Options;
  /// Folder that quoted includes are relative to; may be empty.
  std::string Directory;
};

/// One kernel argument at the size of the request, in the kernel's order.
/// What lies in a struct: offset and bytes of each floating-point field, and the bytes that
/// hold nothing.
struct StructFields {
  std::vector<std::pair<unsigned, unsigned>> Floats;
  std::vector<unsigned> Padding;
};

struct SymbolicArgument {
  enum class Kind { Buffer, Scalar, Local };
  std::string Name;
  Kind K = Kind::Scalar;

  /// Buffer: elements of the pointee; the type is the kernel parameter's.
  uint64_t Count = 0;
  /// Buffer: index of an earlier argument that is the very same buffer.
  std::optional<unsigned> SameAs;
  /// Buffer of integers: all that the host ever puts into an element, ends
  /// included. Not set: every value.
  std::optional<std::pair<int64_t, int64_t>> Range;
  /// Buffer of structs.
  StructFields Fields;

  /// Scalar: one integer for each component. Not set, or a floating-point
  /// parameter: free, so that the proof holds for every value.
  std::optional<std::vector<int64_t>> Values;
  /// The values are the launch file's own choice and follow from no size: a
  /// proof says that it is for them.
  bool Pinned = false;

  /// Local: bytes.
  uint64_t LocalBytes = 0;
};

/// One launch of a kernel, in numbers.
struct SymbolicLaunch {
  std::string Kernel;
  launch::Geometry Shape;
  /// Bytes of `__local` arguments that differ from the argument's, by name.
  std::map<std::string, uint64_t> LocalBytes;
};

struct SymbolicLimits {
  /// Seconds for the whole request and for one question to the solver.
  double Seconds = 20;
  double SolverSeconds = 5;
  uint64_t WorkItems = 1 << 14;       ///< of both programs together
  uint64_t Instructions = 40'000'000; ///< executed, of both together
  uint64_t Terms = 12'000'000;
  uint64_t BufferBytes = 1 << 22; ///< of all buffers together
  unsigned Megabytes = 4096;      ///< that the solver may use
  /// Elements among which an address that depends on data may choose.
  unsigned Choices = 4096;
  /// Branches that depend on data, one inside the other (a loop whose end
  /// depends on data opens one for each turn).
  unsigned Depth = 512;
};

struct SymbolicRequest {
  SymbolicProgram Original, Rewritten;
  std::vector<SymbolicArgument> Args;
  SymbolicLaunch OriginalLaunch;
  /// What replaces it, in order.
  std::vector<SymbolicLaunch> RewrittenLaunches;
  /// Width of size_t and of pointers: 64 or 32.
  unsigned AddressBits = 64;
  /// Clang to compile with; empty: clang-19, then clang, on the PATH.
  std::string Clang;
  SymbolicLimits Limits;
};

/// The request for one size of a launch file. An error where the size makes no
/// launch, or where the manifest has none for it.
llvm::Expected<SymbolicRequest> makeSymbolicRequest(const SymbolicProgram &Original,
                                                    const SymbolicProgram &Rewritten,
                                                    const launch::LaunchFile &Launch,
                                                    const launch::Size &At,
                                                    const launch::ManifestKernel &Manifest);

enum class SymbolicOutcome { Proved, Counterexample, NotClimbed };
llvm::StringRef toString(SymbolicOutcome O);

/// Inputs on which the two programs differ, or what the rewritten one does
/// wrong whatever its inputs are.
struct SymbolicExample {
  enum class Kind {
    Value,       ///< an element has another value afterwards
    OutOfBounds, ///< an access outside its buffer that the original has not
    Race         ///< two work-items, one of them writing, no barrier between
  };
  Kind K = Kind::Value;
  std::string Argument;      ///< buffer where it shows
  uint64_t Element = 0;      ///< of the pointee; OutOfBounds: where it begins
  std::string Expected, Got; ///< values as text; Value only
  /// The work-item ("(3, 0, 0) of kernel saxpy_v4") or the two of a race.
  std::string WorkItem;
  /// Bytes before the launch, by argument name: buffers and scalars.
  std::map<std::string, std::vector<uint8_t>> Inputs;
  /// The difference rests on how this host computes floating point, or on a
  /// function that is not modelled: no refutation before it was replayed.
  bool MustBeReplayed = false;
};

/// Inputs that drive narrow arithmetic out of its type's range, if any do.
struct SymbolicCorner {
  std::string What;
  std::map<std::string, std::vector<uint8_t>> Inputs; ///< as SymbolicExample's
};

/// The rewritten kernel's arithmetic in 8 and 16 bits, at one size.
struct SymbolicInterval {
  bool Climbed = false;  ///< the whole kernel was executed
  unsigned Sites = 0;    ///< instructions
  unsigned MayLeave = 0; ///< of them, those that may leave their range
  uint64_t Operations = 0;
  std::vector<SymbolicCorner> Corners;
};

struct SymbolicResult {
  SymbolicOutcome Outcome = SymbolicOutcome::NotClimbed;
  /// One line: what was proved, what differs, or why not climbed.
  std::string Detail;
  /// What the proof takes for granted ("signed overflow wraps").
  std::vector<std::string> Assumptions;
  std::optional<SymbolicExample> Example;

  uint64_t OriginalItems = 0, RewrittenItems = 0;
  uint64_t Instructions = 0;     ///< executed, both programs
  uint64_t ElementsCompared = 0; ///< written by either side; 0: such a proof
                                 ///< says nothing about any other size
  uint64_t ElementsUnchanged = 0;
  uint64_t Structural = 0;    ///< of ElementsCompared: equal without the solver
  uint64_t Questions = 0;     ///< answered by proof: values tried, Z3, or by
                              ///< the same question about other elements
  uint64_t QuestionsToZ3 = 0; ///< of Questions, those that went to Z3
  unsigned LongestLoop = 0;   ///< most turns that a loop took
  SymbolicInterval Interval;
  /// Not climbed for want of time alone: nothing was found wrong until then.
  bool OutOfTime = false;
  double Seconds = 0;
};

/// Proves that both programs of \p Request leave every buffer with the same
/// contents, for all inputs. Everything that goes wrong is in the result.
SymbolicResult proveEquivalent(const SymbolicRequest &Request);

/// A size at which the proof is tried.
struct SymbolicSize {
  unsigned Launch = 0; ///< index of the launch file
  launch::Size At;
  uint64_t Items = 0;               ///< work-items of the original
  std::vector<StructFields> Fields; ///< by argument
  SymbolicResult Result;            ///< filled in
};

/// The rung as a whole: proofs at some sizes.
struct SymbolicLadder {
  /// Proved: at every size for which there was time, and there was one.
  /// Counterexample: at one size, the last of Sizes. NotClimbed: some size was
  /// not proved for another reason than time.
  SymbolicOutcome Outcome = SymbolicOutcome::NotClimbed;
  /// "proved for all inputs at 4 sizes (n=1; n=5; ...): ..."
  std::string Detail;
  std::vector<SymbolicSize> Sizes; ///< those that were tried
  /// The interval rung: no arithmetic in 8 or 16 bits leaves its range; or it
  /// may, and the corners at Sizes remain to be run.
  bool IntervalClimbed = false;
  std::string IntervalDetail;
};

/// Picks a few of \p Candidates (small ones, such that every launch of the
/// manifest runs at one of them, if it does at any) and proves each, within
/// \p Seconds together. Stops at the first counterexample.
SymbolicLadder proveAtSizes(const SymbolicProgram &Original, const SymbolicProgram &Rewritten,
                            llvm::ArrayRef<launch::LaunchFile> Launches,
                            const launch::ManifestKernel &Manifest,
                            llvm::ArrayRef<SymbolicSize> Candidates, double Seconds);

/// What the records of the judge hold about it.
llvm::json::Object toJson(const SymbolicLadder &Ladder);

} // namespace clmali::verify

#endif
