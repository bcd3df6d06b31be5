//===- scalar-global-access.cpp ------------------------------------------------------------------===//
//
// Before: y[i] = a * x[i] + y[i];                                 (float, one for each work-item)
// After:  vstore4(a * vload4(i, x) + vload4(i, y), i, y);         (clmali-rewrite, launch / 4)
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Contiguity.h"
#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::vector<ContiguousBuffer> Buffers = contiguousScalars(C, {32});
  bool AnyAcross = any_of(Buffers, [](const ContiguousBuffer &B) { return B.Dim == 0; });
  for (const ContiguousBuffer &B : Buffers) {
    // Who is contiguous in dimension 2 alone has planes between neighbours, and where all is walked down the columns, rows: that is what
    // is to be mended first.
    if (B.Count < C.option("MinAccesses") || B.Dim == 2)
      continue;
    if (B.Dim == 1 && !AnyAcross)
      if (std::optional<Poly> Along = K.stride(*B.First->A, 0);
          !Along || (!Along->isZero() && !(Along->isConstant() && restsOnGuess(C.module(), K, *B.First))))
        continue;
    const Access &A = *B.First->A;
    std::string Verb = B.Read && B.Written ? "read and written" : B.Written ? "written" : "read";
    Finding &F = C.report(A.Range, nameOf(A) + " is " + Verb + " one " + typeOf(A) +
                                       " at a time, although neighbours in dimension " +
                                       utostr(B.Dim) + " are contiguous");
    F.cost(utostr(sizeInBytes(A.Elem)) + " of " + utostr(C.device().IdealAccessBits / 8) +
           " bytes of each access are used");
    if (hasVectorForm(C, *A.Base))
      F.atMost(rules::Severity::Info);
    F.fix(Applicability::Verify, "clmali-rewrite --passes=vectorize");
  }
}

CLMALI_KERNEL_CHECK("scalar-global-access", run);
