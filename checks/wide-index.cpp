//===- wide-index.cpp --------------------------------------------------------------------------===//
//
// Before: out[y * width + x]    with ulong width
// After:  out[y * width + x]    with int width
// Limits: multiplications by constants are shifts or folded, and do not count. size_t itself is only
//         64 bits wide on some devices: products of size_t values alone are left alone.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::set<const Expr *> Seen;
  std::set<std::pair<uint32_t, uint32_t>> Places;
  const Expr *First = nullptr;
  auto Visit = [&](const Expr *Root, auto &&Self, unsigned Depth) -> void {
    walk(Root, [&](const Expr *E) {
      if (!Seen.insert(E).second || E->K == ExprKind::Load)
        return false;
      if (E->K == ExprKind::VarRef && Depth < 8)
        if (const Stmt *Def = K.singleDef(E->V); Def && Def->E)
          Self(Def->E, Self, Depth + 1);
      if (E->K == ExprKind::Binary && E->O == Op::Mul && E->Ty->isInteger() &&
          sizeInBits(E->Ty->Scalar) == 64 && !constantValue(E->Ops[0]) && !constantValue(E->Ops[1]) &&
          E->Range.isValid() && Places.insert({E->Range.File, E->Range.Begin}).second)
        if (!First || E->Range.Begin < First->Range.Begin)
          First = E;
      return true;
    });
  };
  for (const AccessSite &Site : K.accesses())
    for (const Expr *Index : Site.A->Index)
      Visit(Index, Visit, 0);
  if (First && int64_t(Places.size()) >= C.option("MinMultiplications"))
    C.report(First->Range, utostr(Places.size()) + " multiplications of 64 bits compute addresses")
        .cost("each takes several instructions and register pairs");
}

CLMALI_KERNEL_CHECK("wide-index", run);
