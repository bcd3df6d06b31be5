//===- scalar-byte-load.cpp ------------------------------------------------------------------===//
//
// Before: dst[i] = 255 - src[i];                                  (uchar, one for each work-item)
// After:  vstore16((uchar16)(255) - vload16(i, src), i, dst);     (clmali-rewrite, launch / 16)
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
  for (const ContiguousBuffer &B : contiguousScalars(C, {8, 16})) {
    if (B.Count < C.option("MinAccesses"))
      continue;
    const Access &A = *B.First->A;
    std::string Verb = B.Read && B.Written ? "read and written" : B.Written ? "written" : "read";
    std::string Each = B.ForEach == 1
                           ? "one " + typeOf(A) + " at a time"
                           : typeOf(A) + " by " + typeOf(A) + ", " + utostr(B.ForEach) +
                                 " for each work-item";
    Finding &F = C.report(A.Range, nameOf(A) + " is " + Verb + " " + Each +
                                       ", although neighbours in dimension " + utostr(B.Dim) +
                                       " are contiguous");
    unsigned Bits = sizeInBits(A.Elem), Ideal = C.device().IdealAccessBits;
    std::string Cost = utostr(Bits / 8) + " of " + utostr(Ideal / 8) + " bytes of each access are used";
    if (const rules::Fact *Burst = C.device().fact("max-burst-bytes"))
      Cost += ", and elements below " + utostr(C.device().MinBurstBits) +
              " bits form no burst of up to " + utostr(Burst->Value) + " bytes";
    F.cost(Cost);
    F.fix(Applicability::Verify, "clmali-rewrite --passes=vectorize");
  }
}

CLMALI_KERNEL_CHECK("scalar-byte-load", run);
