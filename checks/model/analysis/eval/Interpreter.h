//===-- checks/model/analysis/eval/Interpreter.h - Integers of one work-item -*- C++ -*-===//
//
// Evaluates integer expressions with concrete numbers: one work-item, one choice of arguments.
//
//   (get_global_id(0) - 1) % w     with id = 0, w = 10 (int)     -1
//   (uint)get_global_id(0) - 1u    with id = 0                   4294967295
//
// The one policy of overflow and wrap-around:
//   - unsigned types of up to 32 bits wrap, and so do conversions, shifts, mul24 and mad24 to types
//     of up to 32 bits, and arithmetic on vectors;
//   - a signed sum, difference, product or quotient of scalars that does not fit its type has no
//     value (undefined in C);
//   - a result of 64 bits that does not fit int64_t (ulong: [0, INT64_MAX]) has no value;
//   - division by zero, a negative shift count and a shift of a negative number have no value.
// "No value" and "not known" are both nullopt: a caller may rely only on numbers.
//
// What a variable, a work-item query, a load or an opaque expression is worth is up to the derived
// class (leaf). Users: LaunchSimulator, the conflict witnesses (conflict/Witness.cpp).
//
// Limits: no floating point.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_INTERPRETER_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_INTERPRETER_H

#include "checks/model/analysis/Analysis.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace clmali::model {

/// The lanes of a value, each known or not. No lanes: nothing is known of any.
struct LaneValues {
  llvm::SmallVector<std::optional<int64_t>, 4> Lanes;
  uint8_t Tags = 0; ///< union of the tags of all leaves that the value was computed from

  static LaneValues known(int64_t V) {
    LaneValues R;
    R.Lanes.push_back(V);
    return R;
  }
  std::optional<int64_t> scalar() const { return Lanes.size() == 1 ? Lanes[0] : std::nullopt; }
};

/// One work-item of a launch.
struct WorkItemPosition {
  std::array<int64_t, 3> Global{}, LocalSize{1, 1, 1}, GlobalSize{1, 1, 1};
};
/// What a work-item query gives there; the global offset is 0.
std::optional<int64_t> workItemValue(const Expr *Query, const WorkItemPosition &P);

/// V converted to K: wraps up to 32 bits, else nullopt where it does not fit.
std::optional<int64_t> converted(__int128 V, ScalarKind K);
/// The result V of arithmetic in type T (the policy above).
std::optional<int64_t> arithmeticResult(__int128 V, const Type &T);
/// X O Y, a comparison.
bool compare(Op O, __int128 X, __int128 Y);
/// X O Y in type T for one lane; a comparison gives 0 or 1.
std::optional<int64_t> applyBinary(Op O, int64_t X, int64_t Y, const Type &T);

/// The value of P, exactly; nullopt where Value gives none for a symbol or the result does not fit.
std::optional<int64_t> evaluate(const Poly &P,
                                llvm::function_ref<std::optional<int64_t>(unsigned Symbol)> Value);

class Interpreter {
public:
  virtual ~Interpreter();
  /// The value of E as statement At computes it. Scalar && and || evaluate their right side only
  /// where the left one is known and does not decide; a scalar ?: evaluates one side.
  LaneValues eval(const Expr *E, const Stmt *At);

protected:
  /// The value of a VarRef, WorkItem, Load or Opaque expression.
  virtual LaneValues leaf(const Expr *E, const Stmt *At) = 0;
  /// X & Y, of E.
  virtual std::optional<int64_t> bitAnd(const Expr *E, int64_t X, int64_t Y);
  /// Called once for each expression that is evaluated; false: the evaluation budget is spent, the
  /// value is not known.
  virtual bool mayContinue() { return true; }

private:
  LaneValues unary(const Expr *E, const Stmt *At);
  LaneValues binary(const Expr *E, const Stmt *At);
  LaneValues logic(const Expr *E, const Stmt *At);
  LaneValues cast(const Expr *E, const Stmt *At);
  LaneValues select(const Expr *E, const Stmt *At);
  LaneValues vectorCtor(const Expr *E, const Stmt *At);
  LaneValues call(const Expr *E, const Stmt *At);
};

} // namespace clmali::model
#endif // CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_INTERPRETER_H
