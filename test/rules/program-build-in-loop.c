// RUN: %{python} %{expect} %s
#include <CL/cl.h>
void frames(cl_program p, cl_device_id d, int n) {
  for (int i = 0; i < n; ++i) {
    clBuildProgram(p, 1, &d, "", NULL, NULL); // HIT: clBuildProgram is called in a loop
    clReleaseKernel(clCreateKernel(p, "f", NULL)); // HIT: clCreateKernel is called in a loop
  }
}
void while_loop(cl_program p, int *go) {
  while (*go)
    clCreateKernel(p, "f", NULL); // HIT: clCreateKernel is called in a loop
}
void once(cl_program p, cl_device_id d, cl_command_queue q, size_t n) {
  clBuildProgram(p, 1, &d, "", NULL, NULL); // miss: before the loop
  cl_kernel k = clCreateKernel(p, "f", NULL); // miss: before the loop
  for (int i = 0; i < 3; ++i)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: a launch belongs there
}
