#include <CL/cl.h>
void run(cl_command_queue q, cl_kernel k) {
  size_t n, l = 64;
  char *p = 1;
  n = (size_t)ceil(1000.0f / 64) * 64;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &l, 0, NULL, NULL);
}
