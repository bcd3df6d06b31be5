// RUN: %{python} %{expect} %s
// A function that may be given no local size.
#include <CL/cl.h>
static void launch(cl_command_queue q, cl_kernel k, size_t n, size_t group) {
  size_t global = n * group;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, group ? &group : NULL, 0, NULL, NULL);
}
void odd(cl_command_queue q, cl_kernel k) {
  launch(q, k, 4096, 77); // HIT: in groups of 77 work-items
}
void good(cl_command_queue q, cl_kernel k) {
  launch(q, k, 4096, 64); // miss: groups of 64
}
void none(cl_command_queue q, cl_kernel k) {
  launch(q, k, 4096, 0); // miss: none is given
}
static void pointers(cl_command_queue q, cl_kernel k, const size_t *global, const size_t *local) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, local ? local : NULL, 0, NULL, NULL);
}
void odd_pointer(cl_command_queue q, cl_kernel k) {
  size_t global = 7700, local = 77;
  pointers(q, k, &global, &local); // HIT: in groups of 77 work-items
}
void unknown(cl_command_queue q, cl_kernel k, int given) {
  size_t global = 7700, local = 77;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, given ? &local : NULL, 0, NULL, NULL); // miss: perhaps there is none
}
