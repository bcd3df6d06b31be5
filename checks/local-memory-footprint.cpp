//===- local-memory-footprint.cpp --------------------------------------------------------------===//

#include "checks/Check.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  const rules::DeviceFacts &D = C.device();
  if (!D.LocalMemoryBytes)
    return;
  uint64_t Bytes = 0;
  const Var *Largest = nullptr;
  uint64_t LargestBytes = 0;
  for (const Var *V : K.Vars) {
    if (V->K != Var::Memory || V->AS != AddressSpace::Local)
      continue;
    const Type *Element = V->Ty;
    while (Element->K == Type::Array)
      Element = Element->Elem;
    uint64_t Size = V->Ty->Size;
    if (D.PadsSubword && Element->isValue() && sizeInBytes(Element->Scalar) < 4)
      Size *= 4 / sizeInBytes(Element->Scalar);
    Bytes += Size;
    if (Size > LargestBytes && V->Range.isValid()) {
      Largest = V;
      LargestBytes = Size;
    }
  }
  if (!Largest || Bytes * C.option("MinGroups") <= D.LocalMemoryBytes)
    return;
  uint64_t Fit = D.LocalMemoryBytes / Bytes;
  C.report(Largest->Range, "a work-group takes " + utostr(Bytes) + " bytes of local memory")
      .cost(Fit == 0 ? "more than the " + utostr(D.LocalMemoryBytes) + " of a core"
                     : utostr(Fit) + (Fit == 1 ? " group fits" : " groups fit") + " the " +
                           utostr(D.LocalMemoryBytes) + " of a core");
}

CLMALI_KERNEL_CHECK("local-memory-footprint", run);
