//===-- rewriters/lanes/Evaluator.h - Expressions over all lanes -------*- C++ -*-===//
//
// The value of an expression of the source in all lanes. What the lanes are (work-items of a block,
// iterations of a loop), what variables hold and how loads are made is said by a derived class; how
// operands are evaluated, and which of them may be evaluated in lanes where the source does not, is
// written here once.
//
// Row: of a block of several rows, the one that is meant; 0 where there are no rows.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LANES_EVALUATOR_H
#define CLMALI_REWRITERS_LANES_EVALUATOR_H

#include "rewriters/lanes/Operations.h"

namespace clmali::rewrite {

/// Why an expression has no value in all lanes.
enum class LaneFault : uint8_t {
  Opaque,          ///< not understood
  VectorType,      ///< a vector of the source that differs between lanes
  VectorComponent, ///< a component of one
  Diverging,       ///< a load or a division that not all lanes make
  NoLaneForm       ///< an operation without a form for lanes
};

class LaneEvaluator {
public:
  LaneVal eval(const model::Expr *E, unsigned Row = 0);
  /// E as the index of an access.
  LaneVal evalIndex(const model::Expr *E, unsigned Row = 0);
  /// E in one lane, as a scalar.
  const model::Expr *evalLane(const model::Expr *E, unsigned Row, unsigned Lane);
  /// The distance from lane to lane in bytes, and the access of lane 0. Nothing: not linear.
  std::optional<int64_t> laneStride(const model::Access &Acc, unsigned Row, model::Access &Lane0);

protected:
  LaneEvaluator(model::Module &M, unsigned N, bool Reassociate = false)
      : M(M), N(N), Convert(M, N),
        Lanes(
            M, N, [this](const model::Expr *E, llvm::StringRef Hint) { return hold(E, Hint); },
            Reassociate) {}
  ~LaneEvaluator() = default;

  model::Module &M;
  const unsigned N; ///< lanes
  const LaneConverter Convert;
  LaneOperations Lanes;
  bool Failed = false;      ///< something was refused: values are not to be used
  unsigned Conditional = 0; ///< depth of expressions that are not always evaluated
  unsigned Masked = 0;      ///< depth of expressions that some lanes would not evaluate

  //--- What the lanes are
  /// How the lanes of E differ: the kind, and Stride or Steps. Nothing is evaluated.
  virtual LaneVal shape(const model::Expr *E) = 0;
  /// How many low bits of the value in question matter (lanes/Linear.h).
  virtual unsigned &bitsUsed() = 0;
  /// True if E, whose lanes are linear, may wrap between two of them.
  virtual bool mayWrap(const model::Expr *E) = 0;
  virtual LaneVal evalVar(const model::Expr *E, unsigned Row) = 0;
  virtual LaneVal evalWorkItem(const model::Expr *E, unsigned Row) = 0;
  virtual LaneVal evalLoad(const model::Expr *E, unsigned Row) = 0;
  /// The read of a texel at coordinates that all lanes have.
  virtual LaneVal evalTexel(const model::Expr *E, unsigned Row);
  /// The value of an operation that is known otherwise than by its operands.
  virtual std::optional<LaneVal> evalKnown(const model::Expr * /*E*/, unsigned /*Row*/) {
    return std::nullopt;
  }
  /// True if lanes may evaluate E although the source does not.
  virtual bool speculable(const model::Expr *E) = 0;

  //--- What is made
  /// E in a variable, so that it can be used repeatedly; E itself where no variable can be set.
  virtual const model::Expr *hold(const model::Expr *E, llvm::StringRef Hint) = 0;
  /// A load of one lane.
  virtual const model::Expr *loadOfLane(const model::Access &Acc) { return M.load(Acc); }
  /// E has no value in all lanes; sets Failed.
  virtual void refuse(LaneFault Why, const model::Expr *E) = 0;

  /// E, a load, lane by lane.
  LaneVal gather(const model::Expr *E, unsigned Row);
  /// E's operation on operands that have been evaluated.
  LaneVal combine(const model::Expr *E, llvm::MutableArrayRef<LaneVal> Ops);

private:
  LaneVal evalByKind(const model::Expr *E, unsigned Row);
  LaneVal evalOperation(const model::Expr *E, unsigned Row);
  LaneVal fail(LaneFault Why, const model::Expr *E) {
    refuse(Why, E);
    return {LaneVal::Uniform, E};
  }
};

} // namespace clmali::rewrite
#endif
