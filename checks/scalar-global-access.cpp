//===- scalar-global-access.cpp ---------------------------------------------------------------===//
//
// Before: y[i] = a * x[i] + y[i];                                 (float, one for each work-item)
// After:  vstore4(a * vload4(i, x) + vload4(i, y), i, y);         (clmali-rewrite, launch / 4)
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/pattern/LockstepItems.h"
#include "checks/query/Contiguity.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// Decides whether a value is used in indices only: the index of a gather, for which a vector of
/// indices gives no vector access.
class IndexUse {
public:
  IndexUse(const Kernel &K) : K(K) {}
  bool only(const std::function<bool(const Expr *)> &IsIt) {
    bool Result = true;
    std::vector<const Var *> Made;
    walk(K.Body, [&](Stmt *S) {
      if (!Result || S->K == StmtKind::If || S->K == StmtKind::Loop)
        return Result; // a guard
      bool Sets = S->K == StmtKind::Decl || S->K == StmtKind::Assign;
      if (!S->E || !asData(S->E, IsIt))
        return true;
      Result = Sets && S->V && S->V->Ty->isInteger();
      if (Result && Seen.insert(S->V).second)
        Made.push_back(S->V);
      return Result;
    });
    return Result && all_of(Made, [&](const Var *V) {
             return only([V](const Expr *E) { return E->K == ExprKind::VarRef && E->V == V; });
           });
  }

private:
  /// True if E uses the value outside of an index.
  static bool asData(const Expr *E, const std::function<bool(const Expr *)> &IsIt) {
    if (IsIt(E))
      return true;
    bool Found = false;
    if (E->K != ExprKind::Load)
      forEachOperand(*E, [&](const Expr *X) { Found |= asData(X, IsIt); });
    return Found;
  }
  const Kernel &K;
  std::set<const Var *> Seen;
};
} // namespace

static bool isIndexOfGather(const Kernel &K, const ContiguousBuffer &B) {
  if (B.Written || !isInteger(B.First->A->Elem))
    return false;
  IndexUse P(K);
  return all_of(B.Sites, [&](const AccessSite *Site) {
    return Site->Load && P.only([&](const Expr *E) { return E == Site->Load; });
  });
}

static void run(const Kernel &Whole, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::vector<ContiguousBuffer> Buffers = contiguousScalars(C, {32});
  std::set<const Var *> Reported;
  bool AnyAcross = any_of(Buffers, [](const ContiguousBuffer &B) { return B.Dim == 0; });
  for (const ContiguousBuffer &B : Buffers) {
    // Skip buffers that are contiguous in dimension 2 only (planes between adjacent work-items), or
    // in dimension 1 while all are accessed down the columns: the access order has to change first.
    if (B.Count < C.option("MinAccesses") || B.Dim == 2)
      continue;
    if (B.Dim == 1 && !AnyAcross)
      if (std::optional<Poly> Along = K.stride(*B.First->A, 0);
          !Along ||
          // A guessed stride is a reason to report: columns are certain only without it.
          (!Along->isZero() &&
           !(Along->isConstant() && guessed(C).isGuessed(*B.First) && !isRowOfLaunch(K, *B.First))))
        continue;
    const Access &A = *B.First->A;
    Reported.insert(A.Base);
    std::string Verb = B.Read && B.Written ? "read and written" : B.Written ? "written" : "read";
    Finding &F = C.report(A.Range, nameOf(A) + " is " + Verb + " one " + typeOf(A) +
                                       " at a time, although neighbours in dimension " +
                                       utostr(B.Dim) + " are contiguous");
    F.cost(utostr(sizeInBytes(A.Elem)) + " of " + utostr(C.device().IdealAccessBits / 8) +
           " bytes of each access are used");
    if (hasVectorForm(C, *A.Base) || isIndexOfGather(Whole, B))
      F.atMost(rules::Severity::Info);
    F.share(shareOfWork(C, B.Sites));
    if (pattern::mayBecomeLanes(K, C.cached<pattern::LockstepItems>()))
      F.fix(Applicability::Verify, "clmali-rewrite --passes=vectorize");
  }
  // p[3 * i], p[3 * i + 1], p[3 * i + 2]
  for (const NeighbouringElements &N : neighboursOfOneItem(C, {32})) {
    const Access &A = *N.First->A;
    if (N.Count < C.option("MinNeighbours") || (N.Alike && !N.Written) ||
        !Reported.insert(A.Base).second ||
        all_of(N.Sites, [&](const AccessSite *Site) { return isPinned(K, *Site, 0); }))
      continue;
    std::string Type = model::name(A.Elem).str();
    C.report(A.Range, nameOf(A) + " is " +
                          (N.Read && N.Written ? "read and written "
                           : N.Written         ? "written "
                                               : "read ") +
                          Type + " by " + Type + ", although a work-item takes " + utostr(N.Count) +
                          " that are adjacent")
        .cost(utostr(sizeInBytes(A.Elem)) + " of " + utostr(C.device().IdealAccessBits / 8) +
              " bytes of each access are used")
        .atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("scalar-global-access", run);
