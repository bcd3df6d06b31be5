// The proof of one request: both programs, all their work-items, and the comparison.
//
//   1  compile both, bind the same symbols to both (one for each element)
//   2  run the original; inputs on which it is invalid are excluded, and if it
//      is invalid on all inputs the rung is not climbed
//   3  run the rewritten program; a hazard that the original does not have is a
//      counterexample, or proved to be impossible
//   4  compare all buffers, element by element: the same term, or a question to
//      the solver
//
// If the host promises ranges for integers, the proof is tried without them
// first: then it says more than was required.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_PROOF_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_PROOF_H

#include "rewriters/verify/symbolic/Compile.h"
#include "rewriters/verify/symbolic/Machine.h"
#include "rewriters/verify/symbolic/Solver.h"
#include "rewriters/verify/symbolic/Symbolic.h"

#include "llvm/ADT/Twine.h"

#include <chrono>
#include <memory>
#include <set>

namespace clmali::verify::symbolic {

/// The proof of one request.
class Proof {
public:
  Proof(const SymbolicRequest &R, bool WithRanges, std::chrono::steady_clock::time_point Deadline)
      : R(R), WithRanges(WithRanges), Deadline(Deadline) {}
  SymbolicResult run();

private:
  struct Buffer {
    unsigned Argument = 0;
    ParameterInfo Info;
    std::vector<Cell> Cells;
    std::optional<ImageContents> Image;
  };
  std::vector<SymbolicLaunch> launchesOf(bool Rewritten) const {
    return Rewritten ? R.RewrittenLaunches : std::vector<SymbolicLaunch>{R.OriginalLaunch};
  }
  bool compile();
  bool compileProgramOf(bool Rewritten);
  bool checkKernel(bool Rewritten, const SymbolicLaunch &L);
  bool isShared(unsigned I) const;
  bool bind();
  bool bindScalar(unsigned I, const llvm::Argument &Parameter);
  /// \p Total: bytes of the buffers so far.
  bool bindBuffer(unsigned I, uint64_t &Total);
  bool bindImage(unsigned I, uint64_t &Total);
  /// Argument \p I is an earlier one; false where it is not.
  bool bindSame(unsigned I);
  /// Adds a buffer of the components that Parameters[I] says.
  bool addBuffer(unsigned I, uint64_t &Total);
  std::unique_ptr<Machine> execute(const llvm::Module &M, bool Rewritten);
  void boundNarrow(const Machine &Rewritten);
  bool checkOriginal(const Machine &Original);
  bool checkRewritten(const Machine &Original, Machine &Rewritten);
  void compareBuffers(Machine &Original, Machine &Rewritten);
  /// False: the proof ends here.
  bool compareElement(Machine &Original, Machine &Rewritten, unsigned B, uint64_t Element);
  /// What is compared as one value, by offset and bytes: a lane, a floating-point field of a
  /// struct, a byte of another field.
  std::vector<std::pair<unsigned, unsigned>> unitsOf(const Buffer &B) const;
  enum class Compared { Unchanged, SameTerm, Proved, Ended };
  Compared compareUnit(Machine &Original, Machine &Rewritten, unsigned B, uint64_t Element,
                       std::pair<unsigned, unsigned> Unit);
  /// One bit: the two values of type \p P differ.
  Term differ(const ParameterInfo &P, Term X, Term Y);
  Compared reportValue(const Machine &Original, const Machine &Rewritten, unsigned B,
                       uint64_t Element, uint64_t Offset, const ParameterInfo &P, Term X, Term Y,
                       const Assignment &Inputs);
  SymbolicExample example(SymbolicExample::Kind K, Assignment Inputs) const;
  void simplifyExample(Term Differ, Assignment &Inputs) const;
  std::string print(const ParameterInfo &P, uint64_t Value) const;
  std::vector<BufferContents> contents(bool Rewritten) const;
  bool stop(const llvm::Twine &Why) {
    Result.Outcome = SymbolicOutcome::NotClimbed;
    Result.Detail = Why.str();
    return false;
  }

  const SymbolicRequest &R;
  bool WithRanges;
  std::chrono::steady_clock::time_point Deadline;
  SymbolicResult Result;
  llvm::LLVMContext Context;
  CompiledProgram Programs[2];
  std::vector<ParameterInfo> Parameters; ///< of the original
  std::vector<bool> ReadOnly[2];         ///< by argument
  TermStore T;
  std::vector<Buffer> Buffers;
  std::vector<BoundArgument> Bound;
  std::vector<bool> FloatVariables;
  std::set<Machine::Overflow> Overflows; ///< of the original
  std::unique_ptr<Solver> Questions;
  std::vector<BufferContents> SolverBuffers;
};

} // namespace clmali::verify::symbolic

#endif
