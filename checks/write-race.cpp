//===- write-race.cpp ------------------------------------------------------------------------------===//
//
// Before: if (last) { data[i] = 0; return; }  data[i + 1] = 2 * i;     two work-items, one element
// Limits: only what is proved: a pair for which the guards leave two work-items that meet. Whatever
//         the analysis cannot decide is no finding.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Both store the same constant: the order does not show.
static bool sameConstant(const AccessSite &A, const AccessSite &B) {
  if (A.S->K != StmtKind::Store || B.S->K != StmtKind::Store)
    return false;
  const Expr *X = stripCasts(A.S->E);
  if (X->K != ExprKind::IntConst && X->K != ExprKind::FloatConst)
    return false;
  return model::equal(A.S->E, B.S->E);
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  ArrayRef<AccessSite> Sites = K.accesses();
  std::set<const Var *> Reported;
  for (const AccessSite &A : Sites) {
    if (!A.IsWrite || A.A->Base->space() == AddressSpace::Private)
      continue;
    for (const AccessSite &B : Sites) {
      if (B.A->Base != A.A->Base || Reported.count(A.A->Base))
        continue;
      // Each pair of writes once.
      if (B.IsWrite && &B < &A)
        continue;
      if (K.conflict(A, B) != Conflict::Must)
        continue;
      bool Same = sameConstant(A, B);
      std::string Verb = Same ? " write the same value to " : " write to ";
      if (!B.IsWrite)
        Verb = " write and read ";
      Reported.insert(A.A->Base);
      Finding &F =
          C.report(A.A->Range, "two work-items" + Verb + "one element of " + nameOf(*A.A) +
                                   ", and nothing orders them");
      if (Same)
        F.atMost(rules::Severity::Info);
      if (&A != &B && (B.A->Range.Begin != A.A->Range.Begin || B.A->Range.File != A.A->Range.File))
        F.note(B.A->Range, B.IsWrite ? "the other write" : "the read");
    }
  }
}

CLMALI_KERNEL_CHECK("write-race", run);
