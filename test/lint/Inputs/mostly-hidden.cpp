#include "no/such/config.h"
#include <CL/cl.h>
cl_kernel shared(cl_program p) { return clCreateKernel(p, "scale", NULL); }
#ifdef __USE_OPENCL__
void run(cl_command_queue q, cl_kernel k, cl_mem m, float *p, size_t n) {
  clEnqueueWriteBuffer(q, m, CL_FALSE, 0, n, p, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(q, m, CL_TRUE, 0, n, p, 0, NULL, NULL);
}
#endif
#ifdef __GNUC_OTHER__
void trace(cl_command_queue q) { clFinish(q); }
#endif
