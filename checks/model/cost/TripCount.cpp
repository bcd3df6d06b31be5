//===-- checks/model/cost/TripCount.cpp - How often a loop's body runs ---------===//

#include "checks/model/cost/TripCount.h"
#include "checks/model/analysis/Slice.h"
#include "checks/model/cost/Constants.h"
#include <algorithm>
#include <cstdlib>

namespace clmali::model {

/// The constant that a loop without a counted form adds in its step: for (; k + 16 <= n; k += 16).
static std::optional<int64_t> constantStep(const Stmt *Loop) {
  const Stmt *Next =
      Loop->Step.size() == 1 && Loop->Step[0]->K == StmtKind::Assign ? Loop->Step[0] : nullptr;
  if (!Next || Next->E->K != ExprKind::Binary || Next->E->O != Op::Add ||
      Next->E->Ops[0]->K != ExprKind::VarRef || Next->E->Ops[0]->V != Next->V)
    return std::nullopt;
  return constantValue(Next->E->Ops[1]);
}

/// The largest constant by which Bound may be above Lower: 8 for min(base + 8, n) and base.
/// Nothing: there is none.
static std::optional<int64_t> mostSpan(const KernelAnalysis &A, const Expr *Bound,
                                       const Expr *Lower) {
  if (Poly Span = A.poly(Bound) - A.poly(Lower); Span.isConstant())
    return Span.constantTerm();
  const Expr *E = origin(A, Bound);
  if (E->K != ExprKind::Call || E->Name != "min")
    return std::nullopt;
  std::optional<int64_t> Least;
  for (const Expr *Part : E->Ops)
    if (std::optional<int64_t> Span = mostSpan(A, Part, Lower); Span && (!Least || *Span < *Least))
      Least = Span;
  return Least;
}

double expectedTrips(const KernelAnalysis &A, const Stmt *Loop) {
  std::optional<CountedLoop> L = A.countedLoop(Loop);
  if (L && L->TripCount)
    return *L->TripCount;
  std::optional<int64_t> Most = A.mostTrips(Loop);
  // j from y - 1 to y + 1, whatever the type of j
  if (L && !Most && L->Lower && L->Bound && L->Step > 0 &&
      (L->Compare == Op::LT || L->Compare == Op::LE))
    if (std::optional<int64_t> Span = mostSpan(A, L->Bound, L->Lower))
      Most = (*Span + (L->Compare == Op::LE) + L->Step - 1) / L->Step;
  if (L && Most)
    return std::max<double>(1, *Most);
  int64_t Step = std::abs(L ? L->Step : constantStep(Loop).value_or(1));
  double Trips = estimate::UnknownTrips / double(std::max<int64_t>(1, Step));
  return std::max(1.0, Most ? std::min(Trips, double(*Most)) : Trips);
}

double expectedExecutions(const KernelAnalysis &A, llvm::ArrayRef<const Stmt *> Loops) {
  double Times = 1;
  for (const Stmt *Loop : Loops)
    Times *= expectedTrips(A, Loop);
  return Times;
}

double expectedExecutions(const KernelAnalysis &A, const Expr *E, const Stmt *S) {
  std::vector<const Stmt *> Loops = A.loopsOf(S);
  while (!Loops.empty() && A.isLoopInvariant(E, S, Loops.back()))
    Loops.pop_back();
  return expectedExecutions(A, Loops);
}

} // namespace clmali::model
