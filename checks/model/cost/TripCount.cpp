//===-- checks/model/cost/TripCount.cpp - How often a loop's body runs ---------===//

#include "checks/model/cost/TripCount.h"
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

double expectedTrips(const KernelAnalysis &A, const Stmt *Loop) {
  std::optional<CountedLoop> L = A.countedLoop(Loop);
  if (L && L->TripCount)
    return *L->TripCount;
  std::optional<int64_t> Most = A.mostTrips(Loop);
  // j from y - 1 to y + 1, whatever the type of j
  if (L && !Most && L->Lower && L->Bound && L->Step > 0 &&
      (L->Compare == Op::LT || L->Compare == Op::LE))
    if (Poly Span = A.poly(L->Bound) - A.poly(L->Lower); Span.isConstant())
      Most = (Span.constantTerm() + (L->Compare == Op::LE) + L->Step - 1) / L->Step;
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
