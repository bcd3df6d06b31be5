//===- manual-dot.cpp --------------------------------------------------------------------------===//
//
// Before: a.x * b.x + a.y * b.y + a.z * b.z
// After:  dot(a.xyz, b.xyz)           (unsafe: another order of additions)
// Limits: float vectors; each component once.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void terms(const Expr *E, std::vector<const Expr *> &Out) {
  if (E->K == ExprKind::Binary && E->O == Op::Add && E->Ty->isScalar()) {
    terms(E->Ops[0], Out);
    terms(E->Ops[1], Out);
    return;
  }
  Out.push_back(E);
}

static bool isComponent(const Expr *E) {
  return E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1 && E->Ty->isFloat();
}

static void run(const Kernel &K, Context &C) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K != ExprKind::Binary || E->O != Op::Add || !E->Ty->isScalar() || !E->Ty->isFloat())
          return true;
        std::vector<const Expr *> Sum;
        terms(E, Sum);
        const Expr *A = nullptr, *B = nullptr;
        std::set<unsigned> Lanes;
        unsigned Matching = 0;
        for (const Expr *T : Sum) {
          if (T->K != ExprKind::Binary || T->O != Op::Mul || !isComponent(T->Ops[0]) ||
              !isComponent(T->Ops[1]) || T->Ops[0]->LaneIdx[0] != T->Ops[1]->LaneIdx[0])
            continue;
          const Expr *X = T->Ops[0]->Ops[0], *Y = T->Ops[1]->Ops[0];
          if (!A) {
            A = X;
            B = Y;
          }
          if ((model::equal(A, X) && model::equal(B, Y)) || (model::equal(A, Y) && model::equal(B, X))) {
            ++Matching;
            Lanes.insert(T->Ops[0]->LaneIdx[0]);
          }
        }
        if (Matching >= 3 && Lanes.size() == Matching && Matching <= 4 && E->Range.isValid() &&
            Seen.insert({E->Range.File, E->Range.Begin}).second)
          C.report(E->Range, "an inner product of " + utostr(Matching) + " components is written out")
              .fix(Applicability::Unsafe, "dot, where the order of additions does not matter");
        return Matching < 3;
      });
    });
    return true;
  });
}

CLMALI_KERNEL_CHECK("manual-dot", run);
