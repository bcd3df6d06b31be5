//===- array-of-structs.cpp --------------------------------------------------------------------===//
//
// Before: bodies[i].x          neighbours are sizeof(Body) apart
// After:  x[i]
// Limits: once for each buffer; silent where the kernel touches every byte of the structure.
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
  struct Use {
    const AccessSite *First = nullptr;
    int64_t Stride = 0;
    bool AnyElement = false; ///< of an array in it: all of its bytes may be used
    std::set<uint32_t> Bytes;
  };
  std::map<const Var *, Use> Uses;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (A.Base->space() != AddressSpace::Global || A.Path.empty())
      continue;
    Use &U = Uses[A.Base];
    U.AnyElement |= A.Index.size() > 1;
    for (unsigned B = 0; B < widthInBytes(A); ++B)
      U.Bytes.insert(A.Disp + B);
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      std::optional<int64_t> Stride = constantStride(K, A, Dim);
      if (!Stride || std::abs(*Stride) < C.option("MinStride") || isPinned(K, Site, Dim))
        continue;
      if (!U.First || A.Range.Begin < U.First->A->Range.Begin) {
        U.First = &Site;
        U.Stride = std::abs(*Stride);
      }
      break;
    }
  }
  std::vector<const Use *> Order;
  for (const auto &[Base, U] : Uses)
    if (U.First && !U.AnyElement && int64_t(U.Bytes.size()) < U.Stride)
      Order.push_back(&U);
  llvm::sort(Order, [](const Use *A, const Use *B) {
    return A->First->A->Range.Begin < B->First->A->Range.Begin;
  });
  for (const Use *U : Order)
    C.report(U->First->A->Range, nameOf(*U->First->A) + " of neighbouring work-items is " +
                                     itostr(U->Stride) + " bytes apart")
        .cost(utostr(U->Bytes.size()) + " of the " + itostr(U->Stride) +
              " bytes of each structure are used");
}

CLMALI_KERNEL_CHECK("array-of-structs", run);
