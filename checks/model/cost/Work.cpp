#include "checks/model/cost/Work.h"
#include "checks/model/cost/Constants.h"
#include "checks/model/cost/TripCount.h"
#include "checks/model/ir/Simplify.h"
#include "checks/model/ir/Traversal.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::model;

/// Constants, variables and ids take no instruction; accesses are counted apart.
static double operations(const Expr &E) {
  switch (E.K) {
  case ExprKind::Unary:
  case ExprKind::Select:
  case ExprKind::Call:
    return 1;
  case ExprKind::Binary:
    if ((E.O == Op::Div || E.O == Op::Rem) && E.Ty->isInteger() && !constantValue(E.Ops[1]))
      return estimate::DivisionWork;
    return 1;
  default:
    return 0;
  }
}

KernelWork::KernelWork(const KernelAnalysis &K) : K(K) {
  double Operations = 0, Accesses = 0;
  for (Stmt *S : stmts(K.kernel().Body)) {
    double Once = S->K == StmtKind::Barrier ? estimate::BarrierWork : 0;
    for (ExprAt X : exprs(*S))
      Once += operations(*X.E);
    Operations += Once * executions(S);
  }
  for (const AccessSite &Site : K.accesses())
    Accesses += estimate::AccessWork * executions(Site.S);
  Total = std::max(Operations, Accesses);
}

double KernelWork::executions(const Stmt *S) const {
  auto [At, New] = Executions.try_emplace(S, 1);
  if (New)
    At->second = expectedExecutions(K, K.loopsOf(S));
  return At->second;
}

double KernelWork::share(const Stmt *S, double Operations) const {
  return Total > 0 ? std::min(1.0, Operations * executions(S) / Total) : 1;
}

double KernelWork::share(ArrayRef<const AccessSite *> Accesses) const {
  double Sum = 0;
  for (const AccessSite *Site : Accesses)
    Sum += share(Site->S, estimate::AccessWork);
  return std::min(1.0, Sum);
}

double KernelWork::share(const Var &Memory) const {
  std::vector<const AccessSite *> Sites;
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Base == &Memory)
      Sites.push_back(&Site);
  return share(Sites);
}
