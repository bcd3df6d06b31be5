//===-- checks/model/cost/TripCount.cpp - How often a loop's body runs ---------===//

#include "checks/model/cost/TripCount.h"
#include "checks/model/cost/Constants.h"
#include <algorithm>
#include <cmath>

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
  if (!L) {
    std::optional<int64_t> By = constantStep(Loop);
    return By && *By > 1 ? std::max(1.0, estimate::UnknownTrips / double(*By))
                         : estimate::UnknownTrips;
  }
  if (L->TripCount)
    return *L->TripCount;
  // j from y - 1 to y + 1
  if (L->Lower && L->Bound && L->Step > 0 && (L->Compare == Op::LT || L->Compare == Op::LE)) {
    Poly Span = A.poly(L->Bound) - A.poly(L->Lower);
    if (Span.isConstant())
      return std::max(
          1.0, std::ceil(double(Span.constantTerm() + (L->Compare == Op::LE)) / double(L->Step)));
  }
  return L->Step ? std::max(1.0, estimate::UnknownTrips / std::fabs(double(L->Step)))
                 : estimate::UnknownTrips;
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
