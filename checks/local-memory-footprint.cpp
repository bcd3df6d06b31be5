//===- local-memory-footprint.cpp
//-----------------------------------------------------------------===//
//
// Before: local float4 tile[768];   12 KB of 16 KB: one work-group fits a core
// Limits: local arguments count as the host's code gives them, and not at all where it is not seen.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/model/cost/Banks.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The largest size in bytes that a launch gives to the local argument P; 0: not known.
static uint64_t givenSize(const Var *P, const Context &C) {
  uint64_t Most = 0;
  for (const HostLaunch &L : C.launches())
    for (const HostKernelArg &A : L.Args)
      if (A.Index == P->Index && A.K == HostKernelArg::Local)
        Most = std::max(Most, A.Size.value_or(0));
  return Most;
}

static void run(const Kernel &K, Context &C) {
  const rules::DeviceFacts &D = C.device();
  if (!D.LocalMemoryBytes)
    return;
  uint64_t Bytes = 0;
  const Var *Largest = nullptr;
  uint64_t LargestBytes = 0;
  auto Add = [&](const Var *V, const Type *Element, uint64_t Size) {
    if (Element->isValue())
      Size *= LocalBanks(D).padding(Element->Scalar);
    Bytes += Size;
    if (Size > LargestBytes && V->Range.isValid()) {
      Largest = V;
      LargestBytes = Size;
    }
  };
  for (const Var *V : K.Vars) {
    if (V->K != Var::Memory || V->AS != AddressSpace::Local)
      continue;
    const Type *Element = V->Ty;
    while (Element->K == Type::Array)
      Element = Element->Elem;
    Add(V, Element, V->Ty->Size);
  }
  for (const Var *P : K.Params)
    if (P->isPointerParam() && P->space() == AddressSpace::Local)
      Add(P, P->Ty->Elem, givenSize(P, C));
  if (!Largest || Bytes * C.option("MinGroups") <= D.LocalMemoryBytes)
    return;
  uint64_t Fit = D.LocalMemoryBytes / Bytes;
  C.report(Largest->Range, "a work-group takes " + utostr(Bytes) + " bytes of local memory")
      .cost(Fit == 0 ? "more than the " + utostr(D.LocalMemoryBytes) + " of a core"
                     : utostr(Fit) + (Fit == 1 ? " group fits" : " groups fit") + " the " +
                           utostr(D.LocalMemoryBytes) + " of a core");
}

CLMALI_KERNEL_CHECK("local-memory-footprint", run);
