//===- call-before-declaration.cpp ------------------------------------------------------------===//
//
// Before: __kernel void k(..) { y[i] = scale(x[i]); }   float scale(float v) { .. }
// After:  float scale(float v);                         before the kernel
// Limits: calls of the main file that a kernel makes, directly or through its functions.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool isInside(const SourceRange &R, const SourceRange &Outer) {
  return R.File == Outer.File && R.Begin >= Outer.Begin && R.End <= Outer.End;
}

static void run(const Kernel &K, Context &C) {
  for (const RefusedCode &Call : C.module().Refused) {
    if (Call.K != RefusedCode::CallBeforeDeclaration ||
        !(isInside(Call.Range, K.BodyRange) ||
          any_of(K.HelperRanges, [&](const SourceRange &R) { return isInside(Call.Range, R); })))
      continue;
    Finding &F =
        C.report(Call.Range, "'" + Call.Name + "' is called before it is declared")
            .cost("compilers that are made from Clang refuse the program; declare it before");
    for (size_t I = 0; I < K.Helpers.size(); ++I)
      if (K.Helpers[I] == Call.Name)
        F.note(K.HelperRanges[I], "the definition");
  }
}

CLMALI_KERNEL_CHECK("call-before-declaration", run);
