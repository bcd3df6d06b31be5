// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source =
    "__kernel void known(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }\n" // HIT: not known at compile time
    "__kernel void two(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }\n" // HIT(powervr-rogue): not known at compile time
    "__kernel void none(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }\n" // HIT(powervr-rogue): not known at compile time
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "void pinned(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }\n" // miss: the attribute is there
    "float4 helper(float4 v) { return v; }\n"; // miss: no kernel

void run(cl_context c, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel known = clCreateKernel(p, "known", NULL);
  cl_kernel two = clCreateKernel(p, "two", NULL);
  cl_kernel none = clCreateKernel(p, "none", NULL);
  cl_kernel pinned = clCreateKernel(p, "pinned", NULL);
  const size_t small = 32, large = 64;
  clEnqueueNDRangeKernel(q, known, 1, NULL, &n, &large, 0, NULL, NULL); // miss: a host line
  clEnqueueNDRangeKernel(q, two, 1, NULL, &n, &small, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, two, 1, NULL, &n, &large, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, none, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, pinned, 1, NULL, &n, &large, 0, NULL, NULL);
}
