// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source =
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "void other(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "void none(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "void same(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }\n" // miss: 64
    "__kernel void free_size(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }\n"; // miss: nothing is required

void run(cl_context c, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel other = NULL;
  other = clCreateKernel(p, "other", NULL);
  cl_kernel none = clCreateKernel(p, "none", NULL);
  cl_kernel same = clCreateKernel(p, "same", NULL);
  cl_kernel free_size = clCreateKernel(p, "free_size", NULL);
  const size_t small = 32, right = 64;
  clEnqueueNDRangeKernel(q, other, 1, NULL, &n, &small, 0, NULL, NULL); // HIT: is launched with 32 in dimension 0
  clEnqueueNDRangeKernel(q, none, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: is launched without a local size
  clEnqueueNDRangeKernel(q, same, 1, NULL, &n, &right, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, free_size, 1, NULL, &n, &small, 0, NULL, NULL);
}
