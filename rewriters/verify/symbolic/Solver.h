// Satisfiability of one bit: can this term be 1 for any input?
//
// In the order of cost: the answer to a question of the same shape (variables renamed); a few
// values; all values of the variables, if they are few; Z3, with limits of time and memory. No
// answer is Unknown, never Impossible.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_SOLVER_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_SOLVER_H

#include "rewriters/verify/symbolic/Machine.h"

#include <chrono>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace clmali::verify::symbolic {

/// Values of the variables, by index.
using Assignment = std::vector<uint64_t>;

/// Computes the values of some terms for an assignment of the variables. Floating-point operations
/// are those of this host.
class Evaluator {
public:
  /// The operands of terms in \p Cuts are not evaluated: setCut() gives the value of such a term,
  /// by its index in the map.
  Evaluator(const TermStore &T, llvm::ArrayRef<BufferContents> Buffers, llvm::ArrayRef<Term> Roots,
            const llvm::DenseMap<Term, unsigned> *Cuts = nullptr);
  void setCut(unsigned Index, uint64_t Value) { CutValues[Index] = Value; }
  /// Evaluates all terms; value() then gives those of the roots.
  void run(const Assignment &A);
  uint64_t value(Term Root) const { return Values[Index.lookup(Root)]; }
  /// Indices of the variables inside.
  const std::vector<unsigned> &variables() const { return Variables; }
  size_t size() const { return Order.size(); }

private:
  void visit(Term Root);
  uint64_t evaluate(const Node &N, llvm::ArrayRef<uint32_t> Ops) const;
  uint64_t call(const Node &N, llvm::ArrayRef<uint32_t> Ops) const;
  uint64_t hashOf(llvm::StringRef Function, unsigned Width, llvm::ArrayRef<uint32_t> Ops) const;
  uint64_t readBytes(const Node &N, uint64_t Offset) const;

  const TermStore &T;
  llvm::ArrayRef<BufferContents> Buffers;
  llvm::DenseMap<Term, uint32_t> Index;
  std::vector<Term> Order; ///< operands first
  std::vector<uint32_t> Operands, FirstOperand;
  std::vector<uint64_t> Values;
  std::vector<unsigned> Variables;
  const llvm::DenseMap<Term, unsigned> *Cuts;
  std::vector<int> CutOf; ///< by position in Order; -1: none
  std::vector<uint64_t> CutValues;
  const Assignment *Current = nullptr;
};

enum class Answer { Impossible, Possible, Unknown };

class Solver {
public:
  Solver(TermStore &T, llvm::ArrayRef<BufferContents> Buffers, std::vector<bool> FloatVariables,
         const SymbolicLimits &Limits, std::chrono::steady_clock::time_point Deadline);
  ~Solver();

  void setDeadline(std::chrono::steady_clock::time_point At) { Deadline = At; }
  /// The variables that hold floating-point numbers; tryValues() gives them such values.
  void setFloatVariables(std::vector<bool> Floats) { FloatVariables = std::move(Floats); }
  /// Excludes inputs for which \p Bit is 0 from every question.
  void assume(Term Bit);
  /// Impossible: \p Bit is 0 for all inputs. Possible: \p Example makes it 1 (as this host computes
  /// floating point). Unknown: see reason().
  Answer ask(Term Bit, Assignment &Example);
  const std::string &reason() const { return Reason; }
  uint64_t questions() const { return Questions; }
  uint64_t questionsToZ3() const { return QuestionsToZ3; }

private:
  std::string shapeOf(Term Bit) const;
  /// A value of variable \p V within its bounds: extremes, small numbers or random, by \p Try.
  uint64_t sampleOf(unsigned V, unsigned Try, uint64_t Random) const;
  bool tryValues(Evaluator &E, Term Bit, Assignment &Example);
  /// Tries all values of the variables. Unknown if \p Work operations are not enough.
  Answer tryAll(Evaluator &E, Term Bit, double Work, Assignment &Example);
  /// Sums.cpp: true if \p Bit depends on one sum only and is 0 for every value of it.
  bool impossibleForSums(Term Bit, double Work);
  Answer askZ3(Term Bit, bool WithAssumptions, Assignment &Example);
  bool holds(Evaluator &E, Term Bit) const;
  double secondsLeft() const;

  TermStore &T;
  llvm::ArrayRef<BufferContents> Buffers;
  std::vector<bool> FloatVariables;
  const SymbolicLimits &Limits;
  std::chrono::steady_clock::time_point Deadline;
  std::vector<Term> Assumed;
  std::unordered_set<std::string> Impossible; ///< shapes, without assumptions
  std::string Reason;
  uint64_t Questions = 0, QuestionsToZ3 = 0;
  struct Z3;
  std::unique_ptr<Z3> Z;
};

} // namespace clmali::verify::symbolic

#endif
