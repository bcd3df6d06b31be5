//===- subword-local-array.cpp -----------------------------------------------------------------===//
//
// Before: __local uchar part[64];       64 words of 32 bits
// Limits: arrays declared in the kernel; once for each.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  if (!C.device().PadsSubword)
    return;
  for (const Var *V : K.Vars) {
    if (V->K != Var::Memory || V->Ty->K != Type::Array || !V->Range.isValid() || V->ProgramScope ||
        (V->AS != AddressSpace::Local && V->AS != AddressSpace::Private))
      continue;
    const Type *Element = V->Ty;
    while (Element->K == Type::Array)
      Element = Element->Elem;
    if (!Element->isValue() || Element->Scalar == ScalarKind::Bool || sizeInBits(Element->Scalar) >= 32)
      continue;
    // A constant table of a private array is folded away.
    if (!V->Ints.empty() || !V->Floats.empty())
      continue;
    unsigned Padded = V->Ty->Size * (4 / sizeInBytes(Element->Scalar));
    C.report(V->Range, "'" + V->Name + "' holds " + utostr(sizeInBits(Element->Scalar)) + "-bit elements in " +
                           (V->AS == AddressSpace::Local ? "local" : "private") + " memory")
        .cost("each is padded to 32 bits, so its " + utostr(V->Ty->Size) + " bytes take " + utostr(Padded));
  }
}

CLMALI_KERNEL_CHECK("subword-local-array", run);
