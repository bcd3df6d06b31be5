//===- subword-local-array.cpp ----------------------------------------------------------------===//
//
// Before: __local uchar part[64];       64 words of 32 bits
// Limits: arrays declared in the kernel and arguments in local memory; one finding for each.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  if (!C.device().PadsSubword)
    return;
  auto Look = [&](const Var *V) {
    bool Pointer = V->isPointerParam(); // to local memory of a size that the host sets
    if (!V->isMemory() || (!Pointer && V->Ty->K != Type::Array) || !V->Range.isValid() ||
        V->ProgramScope ||
        (V->space() != AddressSpace::Local && V->space() != AddressSpace::Private))
      return;
    const Type *Element = Pointer ? V->Ty->Elem : V->Ty;
    while (Element->K == Type::Array)
      Element = Element->Elem;
    if (!Element->isValue() || sizeInBytes(Element->Scalar) >= 4)
      return;
    // A constant table of a private array is folded away.
    if (!V->Ints.empty() || !V->Floats.empty())
      return;
    unsigned Padding = 4 / sizeInBytes(Element->Scalar);
    Finding &F = C.report(
        V->Range, "'" + V->Name + "' holds " + utostr(8 * sizeInBytes(Element->Scalar)) +
                      "-bit elements in " +
                      (V->space() == AddressSpace::Local ? "local" : "private") + " memory");
    // The message, not the finding, depends on the length.
    F.cost(Pointer ? "each is padded to 32 bits, so it takes " + utostr(Padding) +
                         " times the bytes that the host gives it"
           : guessed(C).hasGuessedSize(*V)
               ? "each is padded to 32 bits, so it takes " + utostr(Padding) +
                     " times the bytes that it holds"
               : "each is padded to 32 bits, so its " + utostr(V->Ty->Size) + " bytes take " +
                     utostr(V->Ty->Size * Padding));
    if (Element->Scalar == ScalarKind::Bool)
      F.atMost(rules::Severity::Info); // usually few flags
  };
  for (const Var *V : K.Params)
    Look(V);
  for (const Var *V : K.Vars)
    Look(V);
}

CLMALI_KERNEL_CHECK("subword-local-array", run);
