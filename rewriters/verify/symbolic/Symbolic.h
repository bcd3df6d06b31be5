// Symbolic equivalence: the rung of the judge that proves instead of tests.
//
// Clang (a child process) compiles both kernels to LLVM IR. All work-items of one
// small launch are executed over terms instead of numbers: geometry and integer
// arguments are those of the request; buffer contents, floating-point arguments
// and free integer arguments are symbols. Then every element of every buffer must
// be the same term in both programs, or Z3 must prove that it has the same value.
// Proved means: for all inputs at this size.
//
// Floating point is not computed: the same operations on the same operands in the
// same order are equal, anything else is not. If that does not suffice, or at a
// limit or a construct that is not modelled, the rung is not climbed, and the
// result says why. Nothing approximated is ever reported as Proved.
//
//   before   a kernel, its rewritten form, and the launches of both at one size
//   after    Proved | Counterexample, with inputs to replay | NotClimbed, why
//   limits   no atomics whose old value is used, no barrier that
//            depends on data; sizes of a few thousand work-items
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_SYMBOLIC_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_SYMBOLIC_H

#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <array>
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

/// The layout of a struct: offset and bytes of each floating-point field, and the padding bytes.
struct StructFields {
  std::vector<std::pair<unsigned, unsigned>> Floats;
  std::vector<unsigned> Padding;
};

/// One kernel argument at the size of the request, in the kernel's order.
struct SymbolicArgument {
  enum class Kind { Buffer, Scalar, Local, Image, Sampler };
  std::string Name;
  Kind K = Kind::Scalar;

  /// Buffer: elements of the pointee; the type is the kernel parameter's. Image: texels.
  uint64_t Count = 0;
  /// Buffer, Image: index of an earlier argument that is the same one.
  std::optional<unsigned> SameAs;
  /// Integers of a buffer or of texels as they are stored: the values that the host may store, ends
  /// included. Not set: every value.
  std::optional<std::pair<int64_t, int64_t>> Range;
  /// Buffer of structs.
  StructFields Fields;
  /// Buffer, Image, Scalar: its bytes before the launch. Not set: symbols, or Values.
  std::optional<std::vector<uint8_t>> Contents;

  /// Scalar: one integer for each component. Not set, or a floating-point
  /// parameter: free, so that the proof holds for every value.
  std::optional<std::vector<int64_t>> Values;
  /// The values do not depend on the size, only on the launch file: a proof names them.
  bool Pinned = false;

  /// Local: bytes.
  uint64_t LocalBytes = 0;

  std::string Format;                       ///< Image: a name of launch::imageFormat()
  std::array<uint64_t, 3> Extents{1, 1, 1}; ///< Image: as launch::extentsOf() gives them
  launch::SamplerSpec Sampler;              ///< Sampler

  bool holdsData() const { return K == Kind::Buffer || K == Kind::Image; }
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
  /// Operations for trying all values, where the solver gave no answer.
  double LongSearch = 4e9;
  /// Nested branches that depend on data (a loop whose exit depends on data opens one in each
  /// iteration).
  unsigned Depth = 512;
};

struct SymbolicRequest {
  SymbolicProgram Original, Rewritten;
  std::vector<SymbolicArgument> Args;
  SymbolicLaunch OriginalLaunch;
  /// The launches that replace it, in order.
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

/// Inputs on which the two programs differ, or a fault of the rewritten program on all inputs.
struct SymbolicExample {
  enum class Kind {
    Value,       ///< an element has another value afterwards
    OutOfBounds, ///< an access outside its buffer that the original does not make
    Race         ///< two work-items, one of them writing, no barrier between
  };
  Kind K = Kind::Value;
  std::string Argument;      ///< the buffer
  uint64_t Element = 0;      ///< of the pointee; OutOfBounds: where it begins
  std::string Expected, Got; ///< values as text; Value only
  /// The work-item ("(3, 0, 0) of kernel saxpy_v4") or the two of a race.
  std::string WorkItem;
  /// Bytes before the launch, by argument name: buffers and scalars.
  std::map<std::string, std::vector<uint8_t>> Inputs;
  /// The difference depends on this host's floating point, or on a function that is not modelled:
  /// it refutes only when a device reproduces it.
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
  /// The proof's assumptions ("signed overflow wraps").
  std::vector<std::string> Assumptions;
  /// For some inputs the original overflows a signed integer, and each such overflow of the
  /// rewritten program is one of the original: the same operation on the same operands.
  bool OverflowsAlike = false;
  std::optional<SymbolicExample> Example;

  uint64_t OriginalItems = 0, RewrittenItems = 0;
  uint64_t Instructions = 0;     ///< executed, both programs
  uint64_t ElementsCompared = 0; ///< written by either program; 0: nothing is written at this size
  uint64_t ElementsUnchanged = 0;
  uint64_t Structural = 0;    ///< of ElementsCompared: equal without the solver
  uint64_t Questions = 0;     ///< answered by proof: values tried, Z3, or by
                              ///< the same question about other elements
  uint64_t QuestionsToZ3 = 0; ///< of Questions, those that went to Z3
  unsigned LongestLoop = 0;   ///< most iterations of a loop
  SymbolicInterval Interval;
  /// Not climbed only because the time was over.
  bool OutOfTime = false;
  double Seconds = 0;
};

/// Proves that both programs of \p Request leave every buffer with the same
/// contents, for all inputs. The result holds every failure.
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
  /// The interval rung: no arithmetic in 8 or 16 bits leaves its range; or it may, and the corners
  /// in Sizes are still to be run.
  bool IntervalClimbed = false;
  std::string IntervalDetail;
};

/// Selects a few of \p Candidates (small ones, so that every launch of the manifest runs at one of
/// them, if it runs at any) and tries to prove each, within \p Seconds together. Stops at the first
/// counterexample.
SymbolicLadder proveAtSizes(const SymbolicProgram &Original, const SymbolicProgram &Rewritten,
                            llvm::ArrayRef<launch::LaunchFile> Launches,
                            const launch::ManifestKernel &Manifest,
                            llvm::ArrayRef<SymbolicSize> Candidates, double Seconds);

/// The rung's part of the judge's record.
llvm::json::Object toJson(const SymbolicLadder &Ladder);

} // namespace clmali::verify

#endif
