//===- slow-rounding-conversion.cpp ------------------------------------------------------------===//
//
// Before: (float)in[k]
// After:  convert_float_rtz(in[k])       (unsafe: another rounding beyond 2^24)
// Limits: inside loops, on data.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void visit(const Block &B, bool InLoop, const KernelAnalysis &K, Context &C,
                  std::set<std::pair<uint32_t, uint32_t>> &Seen) {
  for (Stmt *S : B) {
    if (InLoop)
      forEachExpr(*S, [&](const Expr *Root) {
        walk(Root, [&](const Expr *E) {
          if (E->K != ExprKind::Cast || E->C != CastOp::Convert || E->Ty->Scalar != ScalarKind::Float)
            return true;
          const Expr *From = E->Ops[0];
          Variation V = K.varies(From, S);
          if (!From->Ty->isInteger() || sizeInBits(From->Ty->Scalar) != 32 || (!V.Data && V.uniformInLaunch()))
            return true;
          Range R = K.range(From, S);
          int64_t Exact = 1 << 24; // float holds all integers up to here
          SourceRange At = E->Range.isValid() ? E->Range : From->Range;
          if ((R.Lo >= -Exact && R.Hi <= Exact) || !At.isValid() || !Seen.insert({At.File, At.Begin}).second)
            return true;
          C.report(At, "an integer is converted to float in a loop, rounded to nearest")
              .cost("rounding toward zero is the fast conversion")
              .fix(Applicability::Unsafe, isSigned(From->Ty->Scalar) ? "convert_float_rtz"
                                                                     : "convert_float_rtz or convert_float_rtn");
          return true;
        });
      });
    bool Loop = S->K == StmtKind::Loop;
    forEachBlock(*S, [&](Block &Nested) { visit(Nested, InLoop || Loop, K, C, Seen); });
  }
}

static void run(const Kernel &K, Context &C) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  visit(K.Body, false, C.analysis(), C, Seen);
}

CLMALI_KERNEL_CHECK("slow-rounding-conversion", run);
