//===-- rewriters/use-launch-values.cpp - Arguments that never change ----------===//
//
// What it does: an integer argument that every launch sets to one value becomes that value, where
// addresses or trip counts depend on it. Elements that are a stride of 1 apart are neighbours, and
// a loop of a known radius can be unrolled.
//
//   before                             after, launches with inc = 1
//   x[i * inc] = 2 * x[i * inc];       x[i] = 2 * x[i];
//
// Legal if: the new kernel is launched for that value only (a condition in the manifest). The
// kernel does not set the argument.
//
// Pays if: what is made of it is much better than what holds for every value (plan/Ranking.cpp).
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/pass/LaunchUse.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// The variables on which addresses and trip counts of a kernel depend.
class Shaping {
public:
  explicit Shaping(const KernelAnalysis &A) : A(A) {
    for (const Stmt *S : stmts(A.kernel().Body)) {
      if (S->K == StmtKind::Loop && S->E)
        add(S->E);
      for (const Expr *Index : S->Acc.Index)
        add(Index);
      for (ExprAt E : exprs(*S))
        if (E->K == ExprKind::Load)
          for (const Expr *Index : E->Acc.Index)
            add(Index);
    }
  }
  bool contains(const Var *V) const { return Found.contains(V); }

private:
  const KernelAnalysis &A;
  llvm::DenseSet<const Var *> Found;

  void add(const Expr *Root) {
    for (ExprAt E : exprs(Root))
      if (E->K == ExprKind::VarRef && Found.insert(E->V).second)
        for (const Stmt *D : A.defs(E->V))
          if (D->E)
            add(D->E);
  }
};

} // namespace

static unsigned edit(PassState &S) {
  const Shaping Shapes(S.analysis());
  llvm::DenseMap<const Var *, int64_t> Values;
  for (auto [P, Value] : knownScalars(S.kernel(), S.launch()))
    if (Shapes.contains(P))
      Values[P] = Value;
  fixLaunch(S.module(), S.kernel(), WorkSize{}, Values);
  // In the order of the parameters.
  for (const Var *P : S.kernel().Params)
    for (const KnownScalar &One : S.launch().KnownScalars)
      if (Values.contains(P) && One.Param == P->Name)
        S.Contract.When.push_back(One.Name + " == " + std::to_string(One.Value));
  return Values.size();
}

CLMALI_PASS(.Id = "use-launch-values", .ShownAs = "use-launch-values",
            .Does = "Integer arguments that are the same in every launch become constants.",
            .Edit = edit);

} // namespace clmali::rewrite
