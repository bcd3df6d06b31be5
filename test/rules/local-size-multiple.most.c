// RUN: %{python} %{expect} %s
#include <CL/cl.h>
void pair(cl_command_queue q, cl_kernel k, size_t n, int both) {
  size_t local = 1;
  if (both)
    local = 2;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL); // HIT: in groups of at most 2 work-items
}
void some(cl_command_queue q, cl_kernel k, size_t n, int both) {
  size_t local = 1;
  if (both)
    local = 64;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL); // miss: one of them is good
}
