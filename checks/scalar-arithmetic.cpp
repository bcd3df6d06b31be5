//===- scalar-arithmetic.cpp -------------------------------------------------------------------===//
//
// Before: out[i] = (3 * a[i] + 5 * b[i] + 4) >> 3;       one value for each operation
// After:  the same on 16 lanes                           (clmali-rewrite, vectorize)
// Limits: what flows from loads to stores of global memory; a kernel with any vector arithmetic was
//         vectorized by hand.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Contiguity.h"
#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
struct Count {
  unsigned Scalar = 0, Vector = 0;
  const Expr *First = nullptr;
};
} // namespace

static void collect(const KernelAnalysis &K, const Expr *E, Count &N, std::set<const Expr *> &Seen,
                    std::set<const Var *> &SeenVars) {
  if (!Seen.insert(E).second || E->K == ExprKind::Load)
    return;
  if (E->K == ExprKind::VarRef) {
    if (SeenVars.insert(E->V).second)
      for (const Stmt *Def : K.defs(E->V))
        if (Def->E)
          collect(K, Def->E, N, Seen, SeenVars);
    return;
  }
  bool Arithmetic = E->K == ExprKind::Binary && !isComparison(E->O) && E->O != Op::LogicalAnd &&
                    E->O != Op::LogicalOr;
  // Integers that come from ids alone are addresses and counters; floating point is what is computed.
  Variation V = Arithmetic ? K.varies(E) : Variation();
  if (Arithmetic && E->Ty->isValue() && (V.Data || (!E->Ty->isInteger() && !V.uniform()))) {
    if (E->Ty->Lanes > 1)
      ++N.Vector;
    else
      ++N.Scalar;
    if (E->Range.isValid() && (!N.First || E->Range.Begin < N.First->Range.Begin))
      N.First = E;
  }
  forEachOperand(*E, [&](const Expr *X) { collect(K, X, N, Seen, SeenVars); });
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  // Only where neighbours are contiguous is there something to make vectors of.
  std::vector<ContiguousBuffer> Buffers = contiguousScalars(C, {8, 16, 32, 64});
  if (Buffers.empty())
    return;
  unsigned Bits = 8;
  for (const ContiguousBuffer &B : Buffers)
    Bits = std::max(Bits, sizeInBits(B.First->A->Elem));
  unsigned Lanes = C.device().arithmeticLanes(Bits);
  if (Lanes < 2)
    return;
  Count N;
  std::set<const Expr *> Seen;
  std::set<const Var *> SeenVars;
  for (const AccessSite &A : K.accesses())
    if (A.IsWrite && A.S->K == StmtKind::Store && A.A->Base->space() == AddressSpace::Global)
      collect(K, A.S->E, N, Seen, SeenVars);
  if (N.Vector || N.Scalar < C.option("MinOperations") || !N.First)
    return;
  C.report(N.First->Range, utostr(N.Scalar) + " operations compute on single " + utostr(Bits) + "-bit values")
      .cost("one operation takes " + utostr(Lanes) + " of them")
      .fix(Applicability::Verify, "clmali-rewrite --passes=vectorize");
}

CLMALI_KERNEL_CHECK("scalar-arithmetic", run);
