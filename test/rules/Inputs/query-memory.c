#include <CL/cl.h>
int out(cl_device_id d, cl_command_queue q, cl_mem b, void *p, size_t n) {
  cl_bool unified;
  clGetDeviceInfo(d, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(unified), &unified, NULL);
  if (unified)
    return 0;
  return clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, p, 0, NULL, NULL);
}
