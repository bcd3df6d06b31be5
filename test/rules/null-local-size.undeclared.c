// RUN: %{python} %{expect} %s
// Pointers to what a program loads at run time, under names of its own; nothing declares the first of them.
#include <CL/cl.h>
void run(cl_command_queue q, cl_kernel k, size_t n) {
  size_t local = 64;
  lib_clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: launched without a local size
  lib_clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL); // miss: it has one
  check_clEnqueueNDRangeKernel(q, k, &n, NULL); // miss: it has other parameters
}

typedef cl_int (*Launch)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *);
extern Launch own_clEnqueueNDRangeKernel;
extern Launch own_enqueue;
void declared(cl_command_queue q, cl_kernel k, size_t n) {
  own_clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: launched without a local size
  own_enqueue(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: it is not declared
}
