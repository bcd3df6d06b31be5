//===-- rewriters/StrengthReduce.cpp - Division without dividing ----------===//
//
// Integer division and remainder by powers of two become shifts and masks.
//
//   before                after
//   i / 8u, i % 8u        i >> 3, i & 7
//
// Exact for unsigned values, and for signed ones whose range is proved not to
// reach below zero. Limits: other divisors are left to the device's compiler,
// which multiplies by the reciprocal.
//
//===----------------------------------------------------------------------===//

#include "rewriters/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::rewrite {

using namespace model;

unsigned strengthReduce(Module &M, Kernel &K) {
  KernelAnalysis A(M, K);
  unsigned Changed = 0;
  std::function<const Expr *(const Expr *)> Reduce = [&](const Expr *E) -> const Expr * {
    const Expr *New = mapOperands(M, E, Reduce);
    if (New->K != ExprKind::Binary || (New->O != Op::Div && New->O != Op::Rem) ||
        !New->Ty->isScalar() || !New->Ty->isInteger())
      return New;
    std::optional<int64_t> D = constantValue(New->Ops[1]);
    if (!D || *D < 2 || !llvm::isPowerOf2_64(*D))
      return New;
    if (isSigned(New->Ty->Scalar) && A.range(E->Ops[0]).Lo < 0)
      return New;
    ++Changed;
    if (New->O == Op::Rem)
      return M.binary(Op::And, New->Ops[0], M.intConst(*D - 1, New->Ty));
    return M.binary(Op::Shr, New->Ops[0], M.intConst(llvm::Log2_64(*D)));
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, Reduce);
    return true;
  });
  return Changed;
}

} // namespace clmali::rewrite
