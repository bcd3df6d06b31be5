// RUN: %{python} %{expect} %s
#include <CL/cl.h>
void ten(cl_command_queue q, cl_kernel k, size_t n) {
  size_t local = 10;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL); // HIT: groups of 10 work-items
}
void large(cl_command_queue q, cl_kernel k, const size_t *n) {
  size_t local[2] = {32, 32};
  clEnqueueNDRangeKernel(q, k, 2, NULL, n, local, 0, NULL, NULL); // HIT: groups of 1024 work-items
}
void eight(cl_command_queue q, cl_kernel k, size_t n) {
  size_t local = 8;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL); // HIT(powervr-rogue): 32 and its multiples
}
void good(cl_command_queue q, cl_kernel k, size_t n) {
  size_t local = 64; // miss: 64
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL);
}
void square(cl_command_queue q, cl_kernel k, const size_t *n) {
  size_t local[2] = {8, 8}; // miss: 64 together
  clEnqueueNDRangeKernel(q, k, 2, NULL, n, local, 0, NULL, NULL);
}
void unknown(cl_command_queue q, cl_kernel k, size_t n, size_t m) {
  size_t local = m; // miss: not known
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL);
}

void by_address(cl_command_queue q, cl_kernel k, const size_t *n) {
  const size_t local[] = {20, 20};
  clEnqueueNDRangeKernel(q, k, 2, NULL, n, (const size_t *)&local, 0, NULL, NULL); // HIT(mali-midgard,mali-bifrost,powervr-rogue): groups of 400 work-items
}
void good_by_address(cl_command_queue q, cl_kernel k, const size_t *n) {
  const size_t local[] = {16, 16}; // miss: 256
  clEnqueueNDRangeKernel(q, k, 2, NULL, n, (const size_t *)&local, 0, NULL, NULL);
}
