// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --checks=-*,small-global-size --option=small-global-size.MinItems=10 %s
#include <CL/cl.h>
void small(cl_command_queue q, cl_kernel k) {
  size_t global = 256;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL); // HIT: 256 work-items in all
}
void square(cl_command_queue q, cl_kernel k) {
  size_t global[2] = {16, 16};
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, NULL, 0, NULL, NULL); // HIT: 256 work-items in all
}
void large(cl_command_queue q, cl_kernel k) {
  size_t global[2] = {256, 256}; // miss: 65536
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, NULL, 0, NULL, NULL);
}
void unknown(cl_command_queue q, cl_kernel k, size_t h) {
  size_t global[2] = {16, h}; // miss: one of the two is not known
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, NULL, 0, NULL, NULL);
}
