//===- unsized-constant.cpp
//--------------------------------------------------------------------===//
//
// Before: __kernel void f(__constant float *weights)
// After:  __constant float weights[9] = {...};  in the program, built with the values
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  if (!C.device().LocalOnChip)
    return;
  for (const Var *P : K.Params)
    if (P->isPointerParam() && P->Ty->AS == AddressSpace::Constant && P->Range.isValid())
      C.report(P->Range,
               "the size of the constant memory '" + P->Name + "' is not known at compile time")
          .cost("it lies in system memory instead of on chip");
}

CLMALI_KERNEL_CHECK("unsized-constant", run);
