//===- kernel-launch-mismatch.cpp --------------------------------------------------------------===//
//
// Before: reqd_work_group_size(64, 1, 1), and a launch with a local size of 32
// Limits: launches whose kernel and local size are known. Numbers and types of arguments are not
//         compared.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  if (!K.ReqdWorkGroupSize)
    return;
  const auto &Required = *K.ReqdWorkGroupSize;
  std::string Wanted = utostr(Required[0]) + " x " + utostr(Required[1]) + " x " + utostr(Required[2]);
  for (const HostLaunch &L : C.launches()) {
    if (L.LocalIsNull) {
      C.report(K.NameRange, "it requires groups of " + Wanted + ", and is launched without a local size")
          .cost("the launch fails")
          .note(L, "launched here");
      continue;
    }
    for (unsigned D = 0; D < L.Dims; ++D) {
      if (!L.Local[D] || *L.Local[D] == Required[D])
        continue;
      C.report(K.NameRange, "it requires groups of " + Wanted + ", and is launched with " +
                                utostr(*L.Local[D]) + " in dimension " + utostr(D))
          .cost("the launch fails")
          .note(L, "launched here");
      break;
    }
  }
}

CLMALI_KERNEL_CHECK("kernel-launch-mismatch", run);
