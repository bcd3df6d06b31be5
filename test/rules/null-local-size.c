// RUN: %{python} %{expect} %s
#include <CL/cl.h>
void null(cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: launched without a local size
}
void zero(cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, 0, &n, 0, 0, 0, 0); // HIT: launched without a local size
}
void given(cl_command_queue q, cl_kernel k, size_t n) {
  size_t local = 64;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL); // miss: a local size
}
void pointer(cl_command_queue q, cl_kernel k, size_t n, const size_t *local) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, local, 0, NULL, NULL); // miss: what it points to is not known
}

void cast(cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, (const size_t *)&n, (const size_t *)NULL, 0, NULL, NULL); // HIT: without a local size
}
void cast_of_one(cl_command_queue q, cl_kernel k, size_t n) {
  size_t local = 64;
  clEnqueueNDRangeKernel(q, k, 1, NULL, (const size_t *)&n, (const size_t *)&local, 0, NULL, NULL); // miss: 64
}
