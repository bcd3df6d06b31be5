// RUN: %{python} %{expect} %s --option=local-size-from-device-limit.AnyKernel=16
#include <CL/cl.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void run(cl_command_queue q, cl_kernel k, cl_device_id d, size_t n) {
  size_t most, some, few;
  clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  some = MIN(most, 32);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &some, 0, NULL, NULL); // HIT: CL_DEVICE_MAX_WORK_GROUP_SIZE
  few = MIN(most, 16);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &few, 0, NULL, NULL); // miss: at most 16
}
