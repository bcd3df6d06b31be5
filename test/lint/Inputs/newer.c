#include "no/such/config.h"
#include <CL/cl.h>
cl_int run(cl_command_queue queue, cl_kernel kernel, cl_context context, void *MY_RESTRICT data, size_t n) {
  void *MY_RESTRICT over = data;
  cl_mem m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, n, over, nullptr);
  clSetKernelArg(kernel, 0, sizeof(m), &m);
  return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
}
