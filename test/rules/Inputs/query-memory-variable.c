#include <CL/cl.h>
int out(cl_device_id d, cl_command_queue q, cl_mem b, void *p, size_t n) {
  struct { cl_bool shared; } known;
  cl_device_info question = CL_DEVICE_HOST_UNIFIED_MEMORY;
  clGetDeviceInfo(d, question, sizeof(known.shared), (void *)(&known.shared), NULL);
  if (known.shared == CL_TRUE)
    return 0;
  return clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, p, 0, NULL, NULL);
}
