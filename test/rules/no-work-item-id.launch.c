// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source =
    "__kernel void sum(__global const float *in, __global float *out, int n) {\n"
    "  *out = 0;\n" // HIT: it is launched with 64 work-items
    "  for (int k = 0; k < n; ++k)\n"
    "    *out += in[k];\n"
    "}\n"
    "__kernel void last(__global float *out, int n) {\n"
    "  out[n] += out[n - 1];\n" // miss: launched with one work-item
    "}\n";
void run(cl_context context, cl_command_queue queue) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  cl_kernel sum = clCreateKernel(program, "sum", NULL), last = clCreateKernel(program, "last", NULL);
  size_t several = 64, one = 1;
  clEnqueueNDRangeKernel(queue, sum, 1, NULL, &several, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(queue, last, 1, NULL, &one, NULL, 0, NULL, NULL);
}
