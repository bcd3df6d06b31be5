//===- reused-global-without-local.cpp ---------------------------------------------------------===//
//
// Before: in[i] + in[i + 1] + in[i + 2]        each element is read by three work-items
// After:  a tile in local memory, read once    (clmali-rewrite, localize)
// Limits: kernels that use no local memory; buffers that are only read.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &, Context &C) {
  if (!C.device().LocalOnChip)
    return;
  const KernelAnalysis &K = C.analysis();
  std::set<const Var *> Written;
  for (const AccessSite &A : K.accesses()) {
    if (A.A->Base->space() == AddressSpace::Local)
      return;
    if (A.IsWrite)
      Written.insert(A.A->Base);
  }
  std::set<const Var *> Reported;
  for (const AccessSite &First : K.accesses()) {
    const Access &A = *First.A;
    if (!First.Load || !isRegular(K, First) || A.Base->space() != AddressSpace::Global ||
        Written.count(A.Base) || Reported.count(A.Base))
      continue;
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      std::optional<int64_t> Stride = constantStride(K, A, Dim);
      if (!Stride || *Stride == 0)
        continue;
      // Neighbours meet where two loads are a whole number of strides apart.
      std::set<int64_t> Steps{0};
      for (const AccessSite &Other : K.accesses())
        if (Other.Load && Other.A->Base == A.Base)
          if (std::optional<int64_t> D = K.distance(A, *Other.A); D && *D % *Stride == 0 && std::abs(*D / *Stride) <= 16)
            Steps.insert(*D / *Stride);
      if (int64_t(Steps.size()) < C.option("MinReads"))
        continue;
      Reported.insert(A.Base);
      C.report(A.Range, "each element of " + nameOf(A) + " is read by " + utostr(Steps.size()) +
                            " neighbouring work-items of dimension " + utostr(Dim))
          .cost("a tile in local memory is read from global memory once")
          .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
      break;
    }
    if (Reported.count(A.Base) || First.Loops.empty())
      continue;
    // The same element for all work-items of one dimension, while another one walks along.
    bool Walks = false, Shared = false;
    unsigned SharedDim = 0;
    uint8_t Used = 0;
    for (const AccessSite &Other : K.accesses())
      for (unsigned Dim = 0; Dim < 3; ++Dim)
        if (Other.IsWrite && constantStride(K, *Other.A, Dim).value_or(1) != 0)
          Used |= 1 << Dim;
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      if (!(Used & (1 << Dim)))
        continue;
      std::optional<Poly> Stride = K.stride(A, Dim);
      if (!Stride)
        continue;
      if (Stride->isZero()) {
        Shared = true;
        SharedDim = Dim;
      } else {
        Walks = true;
      }
    }
    if (!Walks || !Shared)
      continue;
    Reported.insert(A.Base);
    C.report(A.Range, "each element of " + nameOf(A) + " is read by every work-item of dimension " +
                          utostr(SharedDim))
        .cost("a tile in local memory is read from global memory once")
        .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
  }
}

CLMALI_KERNEL_CHECK("reused-global-without-local", run);
