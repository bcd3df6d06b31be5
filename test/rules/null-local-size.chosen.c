// RUN: %{python} %{expect} %s
// A function that may be given no local size.
#include <CL/cl.h>
static void launch(cl_command_queue q, cl_kernel k, size_t n, size_t group) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, group ? &group : NULL, 0, NULL, NULL); // HIT: without a local size
}
void none(cl_command_queue q, cl_kernel k) { launch(q, k, 4096, 0); }
static void grouped(cl_command_queue q, cl_kernel k, size_t n, size_t group) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, group ? &group : NULL, 0, NULL, NULL); // miss: all callers pass one
}
void some(cl_command_queue q, cl_kernel k) { grouped(q, k, 4096, 64); }
void unknown(cl_command_queue q, cl_kernel k, size_t n, size_t group) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, group ? &group : NULL, 0, NULL, NULL); // miss: its callers are unknown
}
