//===- local-size-from-device-limit.cpp (host) --------------------------------------------===//
//
// Before: clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, ..., &local, NULL);
// After:  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, ..., &local, NULL);
// Limits: values that stay in one file (checks/model/host/SizeQueries.h).
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostLaunch &L : H.Launches) {
    const HostSizeQueries &From = L.LocalQueries;
    if (L.LocalIsNull || From.KernelLimit || From.AtMost <= uint64_t(C.option("AnyKernel")))
      continue;
    if (From.ItemSizes && !From.DeviceLimit)
      reportSize(C, L, L.LocalRange[0],
                 kernelOf(L) + " is launched with CL_DEVICE_MAX_WORK_ITEM_SIZES as its local size")
          .cost("that is the limit of one dimension, and CL_KERNEL_WORK_GROUP_SIZE of the kernel "
                "may be less: the launch fails then");
    else if (From.DeviceLimit)
      reportSize(C, L, L.LocalRange[0],
                 kernelOf(L) + " is launched with CL_DEVICE_MAX_WORK_GROUP_SIZE as its local size")
          .cost("a kernel with many registers or much local memory has a smaller limit, "
                "CL_KERNEL_WORK_GROUP_SIZE: the launch fails then")
          .atMost(rules::Severity::Info);
  }
}

CLMALI_HOST_CHECK("local-size-from-device-limit", run);
